import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { readAtScrape, type Sample } from '@vigie/service-kit/metrics';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { JobQueues } from '../jobs/job-queues';
import { forgetOld, rollUp } from '../server-health/history';
import { inBatches } from './batches';
import { takeDue } from './due';
import { intervals, isEver, type SweepKind } from './schedule';

const tickMs = 1_000;
/** A look may last: until it is over, and seconds after it, asking again changes nothing. */
const newSeconds = 10;
const rollUpEveryMs = 300_000;
/** More of them wait only where no agent takes any: then the next look is as good. */
const maxWaiting = 100;
/** However often it is asked how long they do. */
const keepMs = 5_000;

/**
 * How many targets a wake-up is for, and on how many ways: the credential of each is in the answer to whoever takes it,
 * and an answer is a megabyte at most. What boots WordPress is for one host at a time.
 */
const batches = {
  'server-health': { queue: 'sweeps', most: 20, mostWays: 20 },
  'site-scan': { queue: 'site-scans', most: 200, mostWays: 20 },
  'site-visit': { queue: 'site-visits', most: 25, mostWays: 25 },
  'site-inspect': { queue: 'site-inspects', most: 10, mostWays: 1 },
} as const;
/** The health of a server is looked at where somebody asks for it, however seldom it is otherwise. */
const kinds = (Object.keys(batches) as SweepKind[]).filter((kind) => isEver(kind) || kind === 'server-health');

/** Has everything looked at when it is due, spread over time; a look that is lost is made up for by the next one. */
@Injectable()
export class Sweeps implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new RepeatingTask(this.log, 'a sweep failed', () => this.pass());
  private rolledUpAt = 0;
  private hasOld = false;

  constructor(
    private readonly database: DataSource,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start(tickMs);
    readAtScrape('queues', () => this.measure(), { keepMs });
  }

  onApplicationShutdown(): void {
    this.rounds.stop();
  }

  /** Now, instead of within the minute. Says whether a look at any of them is still to come. */
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

  private async pass(): Promise<void> {
    for (const kind of kinds) {
      const { queue } = batches[kind];
      if ((await this.queues.countSweeps(queue)) < maxWaiting) await this.dispatch(kind);
    }
    if (performance.now() - this.rolledUpAt > rollUpEveryMs || this.rolledUpAt === 0) {
      // One that fails has its next turn like any other: asked each second it would only keep looks from being handed out.
      this.rolledUpAt = performance.now();
      this.hasOld = true;
      await rollUp(this.database);
    }
    // A part with each pass: looks are due meanwhile.
    const hasOld = this.hasOld;
    this.hasOld = false;
    if (hasOld) this.hasOld = await forgetOld(this.database);
  }

  /** What is handed out is late no more where it is kept, and may lie there for as long as nobody takes it. */
  private measure(): Promise<Sample[]> {
    const sample = async (kind: SweepKind): Promise<Sample> => {
      const since = await this.queues.oldestSweep(batches[kind].queue);
      const value = since === undefined ? 0 : Math.max(0, Date.now() - since) / 1_000;
      return { name: 'vigie_sweep_wait_seconds', labels: { kind }, value };
    };
    return Promise.all(kinds.map(sample));
  }

  private async dispatch(kind: SweepKind): Promise<void> {
    const { queue, ...room } = batches[kind];
    const due = await this.database.transaction((manager) => takeDue(manager, kind));
    const wakeUps = inBatches(due, room);
    if (wakeUps.length > 0) await this.queues.addSweeps(queue, wakeUps);
  }
}
