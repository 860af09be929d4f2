import type { Console as ConsoleView, ConsoleEnd } from '@vigie/contracts/consoles';
import type { ServerType } from '@vigie/contracts/servers';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Who had a shell where, since when, for how long and how much of it: never what was typed. */
@Entity('consoles')
export class Console {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text', { name: 'user_email', nullable: true })
  userEmail!: string | null;

  /** It ends with this session: the last one that was attached. */
  @Column('uuid')
  sid!: string;

  /** Its opener saw the server by the admin mode. */
  @Column('boolean', { name: 'admin_mode' })
  adminMode!: boolean;

  @Column('uuid', { name: 'server_id' })
  serverId!: string;

  // As they were when it was opened.
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

  /** The one that answers for it; null before one has taken it. */
  @Column('text', { nullable: true })
  agent!: string | null;

  @CreateDateColumn({ name: 'opened_at', type: 'timestamptz' })
  openedAt!: Date;

  @Column('boolean', { name: 'is_attached', default: false })
  isAttached!: boolean;

  /** Somebody asked to end it, and its agent has not said yet that it did. */
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
