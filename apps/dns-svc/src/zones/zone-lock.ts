import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { env } from '../env';

/** The lock of a dead process expires after this time. */
const leaseSeconds = 30;
const renewEveryMs = 10_000;
const maxWaitMs = 5_000;
const retryEveryMs = 100;

/**
 * Lets one writer at a time read a zone and then change it, over all replicas. The lock is a row, because a transaction
 * must not stay open while a provider’s server answers. Its key is a zone’s id, or the name of a zone that is being
 * created.
 */
@Injectable()
export class ZoneLock {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);

  constructor(private readonly database: DataSource) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const holder = uuid();
    const until = performance.now() + maxWaitMs;
    while (!(await this.acquire(key, holder))) {
      if (performance.now() > until) throw zoneBusy();
      await wait(retryEveryMs);
    }
    return this.runHolding(key, holder, work);
  }

  async runIfFree<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const holder = uuid();
    return (await this.acquire(key, holder)) ? this.runHolding(key, holder, work) : undefined;
  }

  private async runHolding<T>(key: string, holder: string, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.renew(key, holder), renewEveryMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.release(key, holder);
    }
  }

  /** The work is done by now: a lock that cannot be released expires by itself. */
  private async release(key: string, holder: string): Promise<void> {
    await this.database
      .query('delete from zone_turns where zone_id = $1 and holder = $2', [key, holder])
      .catch((error: unknown) => this.log.warn({ err: error, key }, 'a zone lock could not be released'));
  }

  /** Queries through `manager`, because a transaction must not wait for a second connection. */
  async isLocked(manager: EntityManager, key: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('select holder from zone_turns where zone_id = $1 and until > now()', [
      key,
    ]);
    return rows.length > 0;
  }

  /** A failed renewal is repeated ten seconds later. */
  private async renew(key: string, holder: string): Promise<void> {
    await this.database
      .query('update zone_turns set until = now() + make_interval(secs => $3) where zone_id = $1 and holder = $2', [
        key,
        holder,
        leaseSeconds,
      ])
      .catch(() => undefined);
  }

  private async acquire(key: string, holder: string): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      `insert into zone_turns as t (zone_id, holder, until) values ($1, $2, now() + make_interval(secs => $3))
       on conflict (zone_id) do update set holder = excluded.holder, until = excluded.until where t.until <= now()
       returning holder`,
      [key, holder, leaseSeconds],
    );
    return rows.length > 0;
  }
}

const zoneBusy = () =>
  new AppError('unavailable', 'Cette zone est en train d’être modifiée. Réessayez dans un instant.', { retryAfter: 5 });
