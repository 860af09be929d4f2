import type { SshAddress } from '@vigie/contracts/credentials';
import type { SiteFacts, SiteProblem } from '@vigie/contracts/inventory';
import type { HttpStatus, SiteStatus } from '@vigie/contracts/sites';
import type { SealedText } from '@vigie/contracts/text';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** All that a look found but its extensions, which are rows of their own. */
export type KeptFacts = Omit<SiteFacts, 'extensions'>;

const computed = { insert: false, update: false, nullable: true } as const;

@Entity('sites')
export class Site {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  url!: string;

  @Column('uuid', { name: 'server_id', nullable: true })
  serverId!: string | null;

  @Column('text', { nullable: true })
  host!: string | null;

  @Column('int', { nullable: true })
  port!: number | null;

  @Column('text', { name: 'login', nullable: true })
  user!: string | null;

  @Column('text', { name: 'wp_path', nullable: true })
  path!: string | null;

  /** Its own, sealed for the agents; null where its server's is used. */
  @Column('jsonb', { nullable: true })
  credential!: SealedText | null;

  /** Where that opens. A server that moves takes no secret with it. */
  @Column('jsonb', { name: 'credential_for', nullable: true })
  credentialFor!: SshAddress | null;

  /** `pair`: a key that was made for it, since it had none. */
  @Column('text', { nullable: true })
  method!: 'password' | 'key' | 'pair' | null;

  @Column('text', { name: 'public_key', nullable: true })
  publicKey!: string | null;

  /** The pinned fingerprint, where its way is not its server's. */
  @Column('text', { name: 'host_key', nullable: true })
  hostKey!: string | null;

  /** The other key that its host showed at the last contact; null where it showed the pinned one. */
  @Column('text', { name: 'shown_key', nullable: true })
  shownKey!: string | null;

  /** Goes up with each change of its way, its server's changes too. */
  @Column('int')
  version!: number;

  /** Why its own credential was refused: until somebody tests it, it is not offered again by itself. */
  @Column('text', { nullable: true })
  refusal!: string | null;

  @Column('text', { name: 'ssh_error', nullable: true })
  sshError!: string | null;

  @Column('jsonb', { nullable: true })
  http!: HttpStatus | null;

  @Column('jsonb', { nullable: true })
  problem!: SiteProblem | null;

  /** Not in lists: they would be most of them. */
  @Column('jsonb', { nullable: true, select: false })
  facts?: KeptFacts | null;

  @Column('text', { name: 'php_binary', nullable: true })
  phpBinary!: string | null;

  @Column('text', { name: 'php_version', nullable: true })
  phpVersion!: string | null;

  @Column('text', { name: 'wp_version', nullable: true })
  wpVersion!: string | null;

  @Column('text', { name: 'new_wp_version', nullable: true })
  newWpVersion!: string | null;

  @Column('int', { name: 'plugins_count', nullable: true })
  pluginsCount!: number | null;

  @Column('int', { name: 'themes_count', nullable: true })
  themesCount!: number | null;

  @Column('int', { name: 'updates_core', nullable: true })
  coreUpdates!: number | null;

  @Column('int', { name: 'updates_plugins', nullable: true })
  pluginUpdates!: number | null;

  @Column('int', { name: 'updates_themes', nullable: true })
  themeUpdates!: number | null;

  @Column('timestamptz', { name: 'read_at', nullable: true })
  readAt!: Date | null;

  @Column('timestamptz', { name: 'last_backup_at', nullable: true })
  lastBackupAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('int', { name: 'updates_count', ...computed })
  updatesCount!: number | null;

  /** PostgreSQL computes it of what is above; null is N/A. */
  @Column('text', computed)
  status!: Exclude<SiteStatus, 'unknown'> | null;
}
