import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { JobQueues } from '../jobs/job-queues';
import { rollUp } from './history';

const tickMs = 1_000;
const never = 315_360_000;
const everySeconds = env.VIGIE_HEALTH_SECONDS || never;
/** A look may last: until it is over, and seconds after it, asking again changes nothing. */
const newSeconds = 10;
const rollUpEveryMs = 300_000;
const perBatch = 20;
const mostPerTick = 500;
/** More of them wait only where no agent takes any: then the next minute's look is as good. */
const mostWaiting = 100;

/** Has every server looked at each minute, spread over it; a look that is lost is made up for by the next one. */
@Injectable()
export class Sweeps implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private rolledUpAt = 0;

  constructor(
    private readonly database: DataSource,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.tick(), tickMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Now, instead of within the minute. Says whether any of them will be. */
  async hurry(ids: readonly string[]): Promise<boolean> {
    const [, count]: [unknown, number] = await this.database.query(
      `update sweeps set next_at = now() where kind = 'server-health' and target_id = any($1::uuid[])
         and next_at between now() and now() + make_interval(secs => $2)`,
      [ids, everySeconds - newSeconds],
    );
    return count > 0;
  }

  private async tick(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      if ((await this.queues.countSweeps()) < mostWaiting) await this.dispatch();
      if (performance.now() - this.rolledUpAt > rollUpEveryMs || this.rolledUpAt === 0) {
        await rollUp(this.database);
        this.rolledUpAt = performance.now();
      }
    } catch (error) {
      this.log.warn({ err: error }, 'a sweep failed');
    } finally {
      this.isLooking = false;
    }
  }

  private async dispatch(): Promise<void> {
    const ids = await this.database.transaction((manager) => takeDue(manager));
    const batches = Array.from({ length: Math.ceil(ids.length / perBatch) }, (_, at) =>
      ids.slice(at * perBatch, (at + 1) * perBatch),
    );
    if (batches.length > 0) await this.queues.addSweeps(batches);
  }
}

/** A minute later by their own clock, so that they stay spread; what was missed is not made up for. */
async function takeDue(manager: EntityManager): Promise<string[]> {
  const [rows]: [{ id: string }[], number] = await manager.query(
    `update sweeps set next_at = greatest(next_at, now() - make_interval(secs => $1)) + make_interval(secs => $1)
     from (
       select kind, target_id from sweeps where kind = 'server-health' and next_at <= now()
       order by next_at limit $2 for update skip locked
     ) due
     where sweeps.kind = due.kind and sweeps.target_id = due.target_id
     returning sweeps.target_id as id`,
    [everySeconds, mostPerTick],
  );
  return rows.map(({ id }) => id);
}
