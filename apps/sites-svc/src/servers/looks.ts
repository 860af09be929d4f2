import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { probeServer } from '@vigie/contracts/server-health';
import type { readStatuses } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource, In } from 'typeorm';
import { env } from '../env';
import { isAdministrator } from '../owners/owners';
import { keepSeen } from '../server-health/keep-seen';
import { Server, toAccess, toStatus } from './server.entity';
import { FairSlots } from '@vigie/service-kit/fair-slots';

/** How long what was seen is new enough for whoever asks next. */
const newMs = 15_000;
/** Whoever asks waits this long for a look; slower hosts must not hold up those who ask. */
const patienceMs = 2_500;
const maxAtOnce = 96;
const maxWaiting = 128;

type Seen = Output<typeof readStatuses>[number];

/** Looks whether servers are there, one look at each at a time, and keeps what was seen. */
@Injectable()
export class Looks {
  private readonly running = new Map<string, Promise<void>>();
  private readonly turns = new FairSlots(maxAtOnce);
  private readonly waiting = new FairSlots(maxWaiting);
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  /** Those of which too little is known are looked at, all at once; what takes longer than a moment comes with a later call. */
  async statusesOf(servers: readonly Server[], isFresh: boolean): Promise<Seen[]> {
    const isNew = ({ status }: Server) => Date.now() - Date.parse(status?.checked_at ?? '') < newMs;
    const due = isFresh ? servers : servers.filter((server) => !isNew(server));
    if (due.length === 0) return servers.map((server) => ({ id: server.id, ...toStatus(server) }));
    const late = new Set(due.map(({ id }) => id));
    const looks = due.flatMap((server) => {
      const look = this.running.get(server.id) ?? this.start(server);
      return look ? [look.then(() => void late.delete(server.id))] : [];
    });
    await this.waitFor(looks);
    const seen = await this.database.manager.findBy(Server, { id: In(servers.map(({ id }) => id)) });
    return seen.map((server) => ({ id: server.id, ...toStatus(server, late.has(server.id)) }));
  }

  /** For a moment, and not for everything that one person asks at once. */
  private async waitFor(looks: readonly Promise<void>[]): Promise<void> {
    const leave = looks.length > 0 ? this.waiting.take(currentUser().sub) : undefined;
    if (!leave) return;
    const timer = new AbortController();
    const late = wait(patienceMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(looks), late]);
    timer.abort();
    leave();
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
    const seen = await this.bus.call(probeServer, { ...access, tcp_only: server.refusal !== null });
    await keepSeen(manager, [{ ...seen, id, version: server.version }]);
  }
}
