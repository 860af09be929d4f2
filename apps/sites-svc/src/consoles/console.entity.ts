import type { Console as ConsoleView } from '@vigie/contracts/consoles';
import type { ConsoleEnd } from '@vigie/contracts/shells';
import type { ServerType } from '@vigie/contracts/servers';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Records who had a shell on which server, how long and how many bytes: never what was typed. */
@Entity('consoles')
export class Console {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text', { name: 'user_email', nullable: true })
  userEmail!: string | null;

  /** The session that was attached last: the console ends with it. */
  @Column('uuid')
  sid!: string;

  /** The console was opened in the admin mode, maybe on somebody else's server. */
  @Column('boolean', { name: 'admin_mode' })
  adminMode!: boolean;

  /** Null for a console of a site. */
  @Column('uuid', { name: 'server_id', nullable: true })
  serverId!: string | null;

  /** Null for a console of a server. */
  @Column('uuid', { name: 'site_id', nullable: true })
  siteId!: string | null;

  /** The site is shared with the user, who sees nothing of its connection. */
  @Column('boolean', { name: 'is_shared', default: false })
  isShared!: boolean;

  // Copied when the console is opened: the server or the site may change or disappear.
  @Column('text', { name: 'server_name' })
  name!: string;

  @Column('text', { name: 'server_type', nullable: true })
  serverType!: ServerType | null;

  @Column('text')
  host!: string;

  @Column('int')
  port!: number;

  @Column('text', { name: 'login' })
  user!: string;

  /** The folder of the site for which the console was opened. */
  @Column('text', { nullable: true })
  folder!: string | null;

  /** The agent that runs the shell; null until an agent has claimed the console. */
  @Column('text', { nullable: true })
  agent!: string | null;

  @CreateDateColumn({ name: 'opened_at', type: 'timestamptz' })
  openedAt!: Date;

  @Column('boolean', { name: 'is_attached', default: false })
  isAttached!: boolean;

  /** An end was requested, and the agent has not confirmed it yet. */
  @Column('boolean', { name: 'is_ending', default: false })
  isEnding!: boolean;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column('text', { name: 'end_reason', nullable: true })
  endReason!: ConsoleEnd | null;
}

const hidden = { user: null, host: null, port: null };

export function toConsole(row: Console): ConsoleView {
  const { serverId, siteId, name, user, host, port } = row;
  return {
    id: row.id,
    server_id: serverId,
    server_name: serverId && name,
    server_type: row.serverType,
    site_id: siteId,
    site_name: siteId && name,
    ...(row.isShared ? hidden : { user, host, port }),
    opened_at: row.openedAt.toISOString(),
    is_attached: row.isAttached,
  };
}
