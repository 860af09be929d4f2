import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../users/user.entity';

@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  /** SHA-256 of the bearer token, which is stored nowhere. */
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  /** A restricted session may only set up the second factor that the policy requires, once no grace login is left. */
  @Column('boolean', { name: 'is_restricted', default: false })
  isRestricted!: boolean;

  /** The passkey that opened it, alone or after the password: it ends with that one. */
  @Column('uuid', { name: 'passkey_id', nullable: true })
  passkeyId!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'seen_at' })
  seenAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
