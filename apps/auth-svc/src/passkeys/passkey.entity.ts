import type { Passkey as PasskeyView } from '@vigie/contracts/passkeys';
import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../users/user.entity';

@Entity('passkeys')
export class Passkey {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  /** The host to which it is bound; where Vigie has another one now, it opens nothing. */
  @Column('text', { name: 'rp_id' })
  rpId!: string;

  /** The id that the authenticator gave, in base64url. */
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  /** In COSE, as the authenticator sent it. */
  @Column('bytea', { name: 'public_key' })
  publicKey!: Buffer;

  /** Number of its uses by the authenticator's own count; 0 for ever where it does not count, as synced ones do. */
  @Column('bigint')
  counter!: string;

  @Column('text', { array: true })
  transports!: string[];

  @Column('text')
  name!: string;

  @Column('boolean', { name: 'is_backup_eligible' })
  isBackupEligible!: boolean;

  @Column('boolean', { name: 'is_synced' })
  isSynced!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}

export const toPasskeyView = (passkey: Passkey, host: string): PasskeyView => ({
  id: passkey.id,
  name: passkey.name,
  created_at: passkey.createdAt.toISOString(),
  last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  transports: passkey.transports,
  is_synced: passkey.isSynced,
  former_host: passkey.rpId === host ? null : passkey.rpId,
});

/** How a browser is told which passkey is meant. */
export const toCredential = ({ credentialId: id, transports }: Passkey) => ({
  id,
  type: 'public-key' as const,
  transports,
});

/** The name of a user inside passkeys: the bytes of the id, which tell nothing of the person. */
export const userHandleOf = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
