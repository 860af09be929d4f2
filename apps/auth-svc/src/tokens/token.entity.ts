import type { TokenScope } from '@vigie/contracts/token-scopes';
import type { Token as TokenView } from '@vigie/contracts/tokens';
import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { nameOf, User } from '../users/user.entity';

@Entity('tokens')
export class Token {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @Column('text')
  name!: string;

  /** SHA-256 of the token, which is stored nowhere. */
  @Column('text', { name: 'token_hash', select: false })
  tokenHash!: string;

  @Column('text', { array: true })
  scopes!: TokenScope[];

  /** The groups to which the token is narrowed; null for all that its user reaches. */
  @Column('uuid', { name: 'group_ids', array: true, nullable: true })
  groupIds!: string[] | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('text', { name: 'last_used_address', nullable: true })
  lastUsedAddress!: string | null;
}

export const toTokenView = (token: Token): TokenView => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes,
  group_ids: token.groupIds,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  last_used_address: token.lastUsedAddress,
});

export const withOwner = ({ user, ...token }: Token): TokenView => ({
  ...toTokenView({ user, ...token }),
  user_id: user.id,
  user_name: nameOf(user),
  user_email: user.email,
});
