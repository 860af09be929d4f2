import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { probeServer } from '@vigie/contracts/server-health';
import type { readStatuses } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource, Any } from 'typeorm';
import { env } from '../env';
import { isAdministrator } from '../owners/owners';
import { saveProbes } from './save-probes';
import { Server, toProbeAccess, toStatus } from './server.entity';
import { FairSlots } from '@vigie/service-kit/fair-slots';

const freshMs = 15_000;
/** Requests wait this long for probes; the results of slower hosts come with a later request. */
const maxWaitMs = 2_500;
const maxConcurrent = 96;
const maxWaiting = 128;

type StatusWithId = Output<typeof readStatuses>[number];

/** Probes servers, one probe of each at a time, and stores the results. */
@Injectable()
export class ServerProbes {
  private readonly running = new Map<string, Promise<void>>();
  private readonly slots = new FairSlots(maxConcurrent);
  private readonly waiting = new FairSlots(maxWaiting);
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  async statusesOf(servers: readonly Server[], isFresh: boolean): Promise<StatusWithId[]> {
    const isFreshEnough = ({ status }: Server) => Date.now() - Date.parse(status?.checked_at ?? '') < freshMs;
    const due = isFresh ? servers : servers.filter((server) => !isFreshEnough(server));
    if (due.length === 0) return servers.map((server) => ({ id: server.id, ...toStatus(server) }));
    const pending = new Set(due.map(({ id }) => id));
    const probes = due.flatMap((server) => {
      const probe = this.running.get(server.id) ?? this.start(server);
      return probe ? [probe.then(() => void pending.delete(server.id))] : [];
    });
    await this.waitFor(probes);
    const current = await this.database.manager.findBy(Server, { id: Any(servers.map(({ id }) => id)) });
    return current.map((server) => ({ id: server.id, ...toStatus(server, pending.has(server.id)) }));
  }

  /** Does not wait at all when one person has too many requests waiting. */
  private async waitFor(probes: readonly Promise<void>[]): Promise<void> {
    const release = probes.length > 0 ? this.waiting.acquire(currentUser().sub) : undefined;
    if (!release) return;
    const timer = new AbortController();
    const pending = wait(maxWaitMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(probes), pending]);
    timer.abort();
    release();
  }

  /** Undefined when too many probes run: the stored status is the answer. */
  private start(server: Server): Promise<void> | undefined {
    const { id, ownerId } = server;
    const release = this.slots.acquire(ownerId);
    if (!release) return undefined;
    const probe = this.probe(id)
      .catch((error: unknown) => this.log.warn({ err: error, server: id }, 'a probe of a server failed'))
      .finally(() => {
        this.running.delete(id);
        release();
      });
    this.running.set(id, probe);
    return probe;
  }

  /** Probes once more when the server was edited meanwhile, or logged in to by others: its status would be outdated. */
  private async probe(id: string, isLast = false): Promise<void> {
    const { manager } = this.database;
    // Read again: another probe may have had the credential refused while this one waited.
    const server = await manager.findOneBy(Server, { id });
    if (!server) return;
    const access = toProbeAccess(server, await isAdministrator(manager, server.ownerId));
    const current = await this.bus.call(probeServer, access);
    const { version, logins } = access;
    const saved = await saveProbes(manager, [{ ...current, id, version, logins }]);
    if (saved.length === 0 && !isLast) await this.probe(id, true);
  }
}
