import type { SshAccess } from '@vigie/contracts/credentials';
import type { ProbeAccess, Vitals } from '@vigie/contracts/server-health';
import type { HealthAlert } from '@vigie/contracts/server-state';
import type { ServerStatus, ServerType } from '@vigie/contracts/servers';
import type { SealedText } from '@vigie/contracts/text';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** The result of the last probe. */
export type StoredStatus = Pick<ServerStatus, 'online' | 'uptime_seconds' | 'since' | 'method' | 'error'> & {
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

  /** Only agents can open it, and only for this row and this address. */
  @Column('jsonb')
  credential!: SealedText;

  @Column('text')
  method!: 'password' | 'key';

  @Column('text', { name: 'public_key' })
  publicKey!: string;

  /** The pinned fingerprint. */
  @Column('text', { name: 'host_key', nullable: true })
  hostKey!: string | null;

  /** A key other than the pinned one, shown by the host at the last contact. */
  @Column('text', { name: 'shown_key', nullable: true })
  shownKey!: string | null;

  /** Whether the host kills background processes at logout, according to the last test. */
  @Column('boolean', { name: 'kills_children', default: false })
  killsChildren!: boolean;

  /** Goes up with each change of the address, the credential or the pin. */
  @Column('int')
  version!: number;

  /** Why the host refused the credential: sweeps do not present it again until somebody tests it. */
  @Column('text', { nullable: true })
  refusal!: string | null;

  /** Logins by tests, consoles and probes: what was refused before the last of them is outdated. */
  @Column('int', { default: 0 })
  logins!: number;

  @Column('jsonb', { nullable: true })
  status!: StoredStatus | null;

  /** Computed by PostgreSQL from the status: lists begin with these servers. */
  @Column({ type: 'boolean', name: 'is_down', insert: false, update: false })
  isDown!: boolean;

  @Column('jsonb', { nullable: true })
  vitals!: Vitals | null;

  @Column('jsonb', { default: [] })
  alerts!: HealthAlert[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}

export const addressOf = ({ host, port, user }: Pick<Server, 'host' | 'port' | 'user'>) => ({ host, port, user });

export const toAccess = (server: Server, allowsPrivate: boolean): SshAccess => ({
  ...addressOf(server),
  row: { table: 'servers', id: server.id },
  credential: server.credential,
  version: server.version,
  logins: server.logins,
  host_key: server.hostKey,
  allows_private: allowsPrivate,
  kills_children: server.killsChildren,
});

export const toProbeAccess = (server: Server, allowsPrivate: boolean): ProbeAccess => ({
  ...toAccess(server, allowsPrivate),
  tcp_only: server.refusal !== null,
});

/** What a successful login changes. */
export const loggedIn = { refusal: null, logins: () => 'logins + 1' };

const unknownStatus = { online: null, uptime_seconds: null, since: null, method: null, error: null, checked_at: null };

export function toStatus({ status, alerts }: Pick<Server, 'status' | 'alerts'>, isRefreshing = false): ServerStatus {
  const stored = status ?? unknownStatus;
  const uptime = stored.uptime_seconds === null ? null : formatUptime(stored.uptime_seconds);
  return { ...stored, uptime, alerts, refreshing: isRefreshing };
}

/** Formats the two largest units that are not zero. */
export function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const parts = [
    [Math.floor(minutes / 1_440), 'j'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const firstUsed = parts.findIndex(([value]) => value > 0);
  const largest =
    firstUsed < 0 ? [parts[2]] : parts.slice(firstUsed, firstUsed + 2).filter(([value], at) => at === 0 || value > 0);
  return largest.map(([value, unit]) => `${value}\u00a0${unit}`).join(' ');
}
