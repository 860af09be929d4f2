import type { SshAddress } from '@vigie/contracts/credentials';
import type { SiteState, SiteProblem } from '@vigie/contracts/inventory';
import type { HttpStatus, SiteStatus } from '@vigie/contracts/sites';
import type { SealedText } from '@vigie/contracts/text';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Extensions are left out: they are rows of `site_extensions`. */
export type StoredSiteState = Omit<SiteState, 'extensions'>;

const computedColumn = { insert: false, update: false, nullable: true } as const;

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

  /** The site's own credential, sealed for the agents; null when the site uses its server's. */
  @Column('jsonb', { nullable: true })
  credential!: SealedText | null;

  /** The address that the credential was sealed for: a server that moves takes no secret with it. */
  @Column('jsonb', { name: 'credential_for', nullable: true })
  credentialFor!: SshAddress | null;

  /** `pair` is a key pair that Vigie generated, because none was submitted. */
  @Column('text', { nullable: true })
  method!: 'password' | 'key' | 'pair' | null;

  @Column('text', { name: 'public_key', nullable: true })
  publicKey!: string | null;

  /** The pinned fingerprint, when the site does not connect as its server does. */
  @Column('text', { name: 'host_key', nullable: true })
  hostKey!: string | null;

  /** A key other than the pinned one, shown by the host at the last contact. */
  @Column('text', { name: 'shown_key', nullable: true })
  shownKey!: string | null;

  /** Goes up with each change of the connection, including changes of the server. */
  @Column('int')
  version!: number;

  /** Why the host refused the site's own credential: sweeps do not present it again until somebody tests it. */
  @Column('text', { nullable: true })
  refusal!: string | null;

  /** Logins that read the site: what was refused before the last of them is outdated. */
  @Column('int', { default: 0 })
  logins!: number;

  @Column('text', { name: 'ssh_error', nullable: true })
  sshError!: string | null;

  @Column('jsonb', { nullable: true })
  http!: HttpStatus | null;

  @Column('jsonb', { nullable: true })
  problem!: SiteProblem | null;

  /** Left out of lists, because it is larger than the rest of the row. */
  @Column('jsonb', { name: 'facts', nullable: true, select: false })
  state?: StoredSiteState | null;

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

  @Column('int', { name: 'updates_count', ...computedColumn })
  updatesCount!: number | null;

  /** PostgreSQL computes it; null means unknown. */
  @Column('text', computedColumn)
  status!: Exclude<SiteStatus, 'unknown'> | null;
}
