import { Controller } from '@nestjs/common';
import { claimConsole, consoleOpened, finishConsole, renewConsoles } from '@vigie/contracts/shells';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { findSessions } from '@vigie/contracts/session-checks';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, IsNull } from 'typeorm';
import { isCredentialRefusal, hostKeyChanged } from '../servers/refusals';
import { loggedIn } from '../servers/server.entity';
import { saveShownKey } from '../servers/shown-keys';
import { currentAccess, entityOf, isAllowedSql, refuseRevoked } from './console-places';
import { Console } from './console.entity';
import { endConsoles } from './end-consoles';

type EndedConsoles = Output<typeof renewConsoles>['over'];
type ConsoleRow = {
  id: string;
  sid: string;
  is_ending: boolean;
  is_over: boolean;
  site_id: string | null;
  is_allowed: boolean;
  is_user_deleted: boolean;
};

const changedConnection = 'La connexion a été modifiée pendant l’ouverture de la console\u00a0: ouvrez-en une autre.';
const unclaimable = () => new AppError('conflict', 'Cette console ne peut plus s’ouvrir\u00a0: ouvrez-en une autre.');

/** Lets agents claim, renew and finish the shells that they run. */
@Controller()
export class ShellsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  @Handles(claimConsole)
  async claim({ id, agent, for_sites: isForSites }: Input<typeof claimConsole>): Promise<Output<typeof claimConsole>> {
    return this.database.transaction(async (manager) => {
      const unclaimed = {
        id,
        agent: IsNull(),
        endedAt: IsNull(),
        isEnding: false,
        ...(!isForSites && { siteId: IsNull() }),
      };
      const { affected } = await manager.update(Console, unclaimed, { agent });
      const console = affected === 1 && (await manager.findOneBy(Console, { id }));
      const access = console && (await currentAccess(manager, console));
      if (!console || !access) throw unclaimable();
      const { userId, sid, folder, isShared } = console;
      return { access, user_id: userId, sid, folder, is_shared: isShared };
    });
  }

  /** Checks the pin again: another first connection may have seen another key and pinned it meanwhile. */
  @Handles(consoleOpened)
  async opened({ id, agent, version, host_key: actual }: Input<typeof consoleOpened>) {
    await this.database.transaction(async (manager) => {
      const console = await manager.findOneBy(Console, { id, agent, endedAt: IsNull() });
      const access = console && (await currentAccess(manager, console));
      if (!access) throw unclaimable();
      const row = { id: access.row.id, version };
      await manager.update(entityOf(access), row, loggedIn);
      await manager.update(entityOf(access), { ...row, hostKey: IsNull() }, { hostKey: actual });
      const pinned = await currentAccess(manager, console);
      if (pinned?.version !== version) throw new AppError('conflict', changedConnection);
      const expected = pinned.host_key ?? actual;
      if (expected !== actual) throw new AppError('conflict', hostKeyChanged(expected, actual));
      if (console.siteId !== null) await refuseRevoked(manager, id);
    });
    return {};
  }

  @Handles(renewConsoles)
  async renew({ agent, held }: Input<typeof renewConsoles>): Promise<Output<typeof renewConsoles>> {
    const { manager } = this.database;
    await manager.query(
      `update consoles c set renewed_at = now(), bytes_in = h.bytes_in, bytes_out = h.bytes_out,
         is_attached = h.is_attached, sid = coalesce(h.sid, c.sid)
       from jsonb_to_recordset($2::jsonb) as h (id uuid, bytes_in bigint, bytes_out bigint, is_attached boolean, sid uuid)
       where c.id = h.id and c.agent = $1 and c.ended_at is null`,
      [agent, JSON.stringify(held)],
    );
    const ids = held.map(({ id }) => id);
    const rows: ConsoleRow[] = await manager.query(
      `select c.id, c.sid, c.site_id, c.is_ending, c.ended_at is not null as is_over,
         u.heir_id is not null as is_user_deleted, ${isAllowedSql} as is_allowed
       from consoles c left join owners u on u.user_id = c.user_id where c.id = any($1::uuid[])`,
      [ids],
    );
    const live = await this.liveSessions(rows);
    const rowsById = new Map(rows.map((row) => [row.id, row]));
    return { over: ids.flatMap((id) => reasonToEnd(id, rowsById.get(id), live)) };
  }

  @Handles(finishConsole)
  async finish(report: Input<typeof finishConsole>) {
    const { id, agent, bytes_in: bytesIn, bytes_out: bytesOut, reason, version, failure } = report;
    await this.database.transaction(async (manager) => {
      await manager.query('update consoles set bytes_in = $3, bytes_out = $4 where id = $1 and agent = $2', [
        id,
        agent,
        bytesIn,
        bytesOut,
      ]);
      const [console] = await endConsoles(manager, 'id = $2 and agent = $3', reason, [id, agent]);
      if (!console || version === null) return;
      const access = await currentAccess(manager, { serverId: console.server_id, siteId: console.site_id });
      if (!access) return;
      await saveShownKey(manager, { ...access.row, version }, failure);
      if (!isCredentialRefusal(failure?.code)) return;
      await manager.update(entityOf(access), { id: access.row.id, version }, { refusal: failure?.message ?? null });
    });
    return {};
  }

  /** Undefined during an outage of auth-svc, which must not end any console. */
  private async liveSessions(rows: readonly ConsoleRow[]): Promise<ReadonlySet<string> | undefined> {
    const sids = [...new Set(rows.map(({ sid }) => sid))];
    if (sids.length === 0) return undefined;
    const answer = await this.bus.call(findSessions, { sids }).catch(() => undefined);
    return answer && new Set(answer.items.filter((session) => !session.is_restricted).map(({ sid }) => sid));
  }
}

function reasonToEnd(id: string, row: ConsoleRow | undefined, live: ReadonlySet<string> | undefined): EndedConsoles {
  if (!row || row.is_over || row.is_ending) return [{ id, reason: 'closed' }];
  if (row.is_user_deleted || (live && !live.has(row.sid))) return [{ id, reason: 'session_ended' }];
  return row.is_allowed ? [] : [{ id, reason: row.site_id === null ? 'server_gone' : 'site_gone' }];
}
