import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { readAtScrape, type Sample } from '@vigie/service-kit/metrics';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { JobQueues } from '../queue/job-queues';
import { deleteOldSamples, rollUp } from './health-history';
import { toBatches } from './batches';
import { dueAgain, takeDue } from './due';
import { intervals, isEnabled, type SweepKind } from './schedule';
import { findWatchLag, noteWhetherVisits, waitSeconds } from './watch-lag';

const tickMs = 1_000;
/** A probe that ended this recently is not repeated. */
const newSeconds = 10;
const rollUpEveryMs = 300_000;
/** More waiting batches than this mean that no agent takes any: further ones would only be late. */
const maxWaiting = 100;
const cacheMs = 5_000;

/**
 * Limits of one wake-up: the answer to its claim carries a credential for each connection, and a message on the bus
 * carries one megabyte. Inspections, which start WordPress, burden one host at a time.
 */
const batches = {
  'server-health': { queue: 'sweeps', maxTargets: 20, maxConnections: 20 },
  'site-scan': { queue: 'site-scans', maxTargets: 200, maxConnections: 20 },
  'site-visit': { queue: 'site-visits', maxTargets: 25, maxConnections: 25 },
  'site-inspect': { queue: 'site-inspects', maxTargets: 10, maxConnections: 1 },
} as const;
/** Health is probed on request even when its sweep is disabled. */
const kinds = (Object.keys(batches) as SweepKind[]).filter((kind) => isEnabled(kind) || kind === 'server-health');

/** Queues scans, visits, inspections and probes when they are due. A lost one is made up for by the next. */
@Injectable()
export class Sweeps implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'a sweep failed', () => this.run());
  private rolledUpAt = 0;
  private hasOldSamples = false;
  private isNoted = false;

  constructor(
    private readonly database: DataSource,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(tickMs);
    readAtScrape('queues', () => this.measure(), { cacheMs });
  }

  onApplicationShutdown(): void {
    this.task.stop();
  }

  /** Brings probes of these servers forward. Returns whether any of them is still to come. */
  async hurry(ids: readonly string[]): Promise<boolean> {
    const interval = intervals['server-health'];
    const rows: unknown[] = await this.database.query(
      `with hurried as (
         update sweeps set next_at = now() where kind = 'server-health' and target_id = any($1::uuid[])
           and next_at between now() and now() + make_interval(secs => $2) returning 1)
       select from hurried
       union all
       select from sweeps w join servers s on s.id = w.target_id
       where w.kind = 'server-health' and w.target_id = any($1::uuid[])
         and (w.next_at < now() or w.next_at > now() + make_interval(secs => $2)
           and coalesce((s.status ->> 'checked_at')::timestamptz < w.next_at - make_interval(secs => $3), true))
       limit 1`,
      [ids, interval - newSeconds, interval],
    );
    return rows.length > 0;
  }

  private async run(): Promise<void> {
    if (!this.isNoted) await noteWhetherVisits(this.database.manager);
    this.isNoted = true;
    for (const kind of kinds) {
      const { queue } = batches[kind];
      if ((await this.queues.countSweeps(queue)) < maxWaiting) await this.dispatch(kind);
    }
    if (performance.now() - this.rolledUpAt > rollUpEveryMs || this.rolledUpAt === 0) {
      // Set first: a roll-up that fails waits for its next time instead of delaying sweeps every second.
      this.rolledUpAt = performance.now();
      this.hasOldSamples = true;
      await rollUp(this.database);
    }
    // One chunk a pass, because sweeps fall due meanwhile.
    const hadOldSamples = this.hasOldSamples;
    this.hasOldSamples = false;
    if (hadOldSamples) this.hasOldSamples = await deleteOldSamples(this.database);
  }

  /** A queued batch no longer counts as overdue in PostgreSQL, however long it waits for an agent. */
  private async measure(): Promise<Sample[]> {
    const waits = new Map(await Promise.all(kinds.map(async (kind) => [kind, await this.waitOf(kind)] as const)));
    const samples = [...waits].map(
      ([kind, value]): Sample => ({ name: 'vigie_sweep_wait_seconds', labels: { kind }, value }),
    );
    if (!isEnabled('site-visit')) return samples;
    const value = await findWatchLag(this.database.manager, await this.queues.oldestSweep('site-visits'));
    return [...samples, { name: 'vigie_watch_lag_seconds', value }];
  }

  private async waitOf(kind: SweepKind): Promise<number> {
    return waitSeconds(await this.queues.oldestSweep(batches[kind].queue));
  }

  private async dispatch(kind: SweepKind): Promise<void> {
    const { queue, ...limits } = batches[kind];
    const due = await this.database.transaction((manager) => takeDue(manager, kind));
    const wakeUps = toBatches(due, limits);
    if (wakeUps.length === 0) return;
    try {
      await this.queues.addSweeps(queue, wakeUps);
    } catch (error) {
      // The next round may be an hour away.
      await dueAgain(this.database.manager, kind, due);
      throw error;
    }
  }
}
