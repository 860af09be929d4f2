import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { lookAtServer } from '@vigie/contracts/server-health';
import type { ServerStatus } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { isAdministrator } from '../owners/owners';
import { keepSeen } from '../server-health/keep-seen';
import { Server, toAccess, toStatus } from './server.entity';
import { Turns } from '@vigie/service-kit/turns';

/** How long what was seen is new enough for whoever asks next. */
const newMs = 15_000;
/** Whoever asks waits this long for a look; slower hosts must not hold up those who ask. */
const patienceMs = 2_500;
const mostAtOnce = 96;
const mostWaiting = 128;

/** Looks whether servers are there, one look at each at a time, and keeps what was seen. */
@Injectable()
export class Looks {
  private readonly running = new Map<string, Promise<void>>();
  private readonly turns = new Turns(mostAtOnce);
  private readonly waiting = new Turns(mostWaiting);
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  async statusOf(server: Server, isFresh: boolean): Promise<ServerStatus> {
    const age = Date.now() - Date.parse(server.status?.checked_at ?? '');
    if (!isFresh && age < newMs) return toStatus(server);
    const look = this.running.get(server.id) ?? this.start(server);
    const isOver = await this.waitFor(look);
    const seen = await this.database.manager.findOneBy(Server, { id: server.id });
    return toStatus(seen ?? server, !isOver);
  }

  /** For a moment, and not for everything that one person asks at once. */
  private async waitFor(look: Promise<void> | undefined): Promise<boolean> {
    const leave = look && this.waiting.take(currentUser().sub);
    if (!leave) return false;
    const timer = new AbortController();
    const late = wait(patienceMs, false, { signal: timer.signal }).catch(() => false);
    const isOver = await Promise.race([look.then(() => true), late]);
    timer.abort();
    leave();
    return isOver;
  }

  /** Undefined where too many are under way: what is known is answered meanwhile. */
  private start(server: Server): Promise<void> | undefined {
    const { id, ownerId } = server;
    const leave = this.turns.take(ownerId);
    if (!leave) return undefined;
    const look = this.look(id)
      .catch((error: unknown) => this.log.warn({ err: error, server: id }, 'a look at a server failed'))
      .finally(() => {
        this.running.delete(id);
        leave();
      });
    this.running.set(id, look);
    return look;
  }

  private async look(id: string): Promise<void> {
    const { manager } = this.database;
    // As it is now: whoever asked may have waited while another look had its credential refused.
    const server = await manager.findOneBy(Server, { id });
    if (!server) return;
    const access = toAccess(server, await isAdministrator(manager, server.ownerId));
    const seen = await this.bus.call(lookAtServer, { ...access, tcp_only: server.refusal !== null });
    await keepSeen(manager, [{ ...seen, id, version: server.version }]);
  }
}
