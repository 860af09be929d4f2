import type { Console as ConsoleView, ConsoleEnd } from '@vigie/contracts/consoles';
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

  @Column('uuid', { name: 'server_id' })
  serverId!: string;

  // Copied when the console is opened: the server may change or disappear.
  @Column('text', { name: 'server_name' })
  serverName!: string;

  @Column('text', { name: 'server_type' })
  serverType!: ServerType;

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

export const toConsole = (row: Console): ConsoleView => ({
  id: row.id,
  server_id: row.serverId,
  server_name: row.serverName,
  server_type: row.serverType,
  user: row.user,
  host: row.host,
  port: row.port,
  opened_at: row.openedAt.toISOString(),
  is_attached: row.isAttached,
});
