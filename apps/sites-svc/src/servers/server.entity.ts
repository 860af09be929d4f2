import type { SshAccess } from '@vigie/contracts/credentials';
import type { HealthAlert, Vitals } from '@vigie/contracts/server-health';
import type { Server as ServerView, ServerStatus, ServerType } from '@vigie/contracts/servers';
import type { SealedText } from '@vigie/contracts/text';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What a look found, as it is kept; how the uptime reads is for whoever shows it. */
export type SeenStatus = Pick<ServerStatus, 'online' | 'uptime_seconds' | 'since' | 'method' | 'error'> & {
  checked_at: string;
};

@Entity('servers')
export class Server {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  host!: string;

  @Column('int')
  port!: number;

  @Column('text', { name: 'login' })
  user!: string;

  @Column('text', { nullable: true })
  provider!: string | null;

  @Column('text')
  type!: ServerType;

  /** Sealed for the agents: nobody else opens it, and they for this row and this address only. */
  @Column('jsonb')
  credential!: SealedText;

  /** What it logs in with. */
  @Column('text')
  method!: 'password' | 'key';

  @Column('text', { name: 'public_key' })
  publicKey!: string;

  /** The pinned fingerprint. */
  @Column('text', { name: 'host_key', nullable: true })
  hostKey!: string | null;

  /** The other key that it showed at the last contact; null where it showed the pinned one. */
  @Column('text', { name: 'shown_key', nullable: true })
  shownKey!: string | null;

  /** As the last test saw it. */
  @Column('boolean', { name: 'kills_children', default: false })
  killsChildren!: boolean;

  /** Goes up with each change of the address, the credential or the pin. */
  @Column('int')
  version!: number;

  /** Why the credential was refused: until somebody tests it, it is not offered again by itself. */
  @Column('text', { nullable: true })
  refusal!: string | null;

  @Column('jsonb', { nullable: true })
  status!: SeenStatus | null;

  /** Made by the database of the status: what lists begin with. */
  @Column({ type: 'boolean', name: 'is_down', insert: false, update: false })
  isDown!: boolean;

  /** What it last said of itself. */
  @Column('jsonb', { nullable: true })
  vitals!: Vitals | null;

  /** What the last look saw that is beyond its threshold, and since when. */
  @Column('jsonb', { default: [] })
  alerts!: HealthAlert[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}

export const addressOf = ({ host, port, user }: Server) => ({ host, port, user });

export const toAccess = (server: Server, allowsPrivate: boolean): SshAccess => ({
  ...addressOf(server),
  row: { table: 'servers', id: server.id },
  credential: server.credential,
  version: server.version,
  host_key: server.hostKey,
  allows_private: allowsPrivate,
  kills_children: server.killsChildren,
});

const unseen = { online: null, uptime_seconds: null, since: null, method: null, error: null, checked_at: null };

export function toStatus({ status }: Server, isRefreshing = false): ServerStatus {
  const seen = status ?? unseen;
  const uptime = seen.uptime_seconds === null ? null : readUptime(seen.uptime_seconds);
  return { ...seen, uptime, refreshing: isRefreshing };
}

/** The two largest units that say something. */
export function readUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const parts = [
    [Math.floor(minutes / 1_440), 'j'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const from = parts.findIndex(([value]) => value > 0);
  const shown = from < 0 ? [parts[2]] : parts.slice(from, from + 2).filter(([value], at) => at === 0 || value > 0);
  return shown.map(([value, unit]) => `${value}\u00a0${unit}`).join(' ');
}

export const toServer = (server: Server, sitesCount: number, groups: string[]): ServerView => ({
  id: server.id,
  name: server.name,
  ...addressOf(server),
  provider: server.provider,
  type: server.type,
  groups,
  has_password: server.method === 'password',
  has_key: server.method === 'key',
  host_key: server.hostKey,
  sites_count: sitesCount,
  status: toStatus(server),
});
