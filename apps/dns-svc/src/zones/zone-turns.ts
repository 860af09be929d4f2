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
const patienceMs = 5_000;
const lookEveryMs = 100;

/**
 * Lets one writer at a time read a zone and then change it, over all replicas. The lock is a row, because a transaction
 * must not stay open while a provider’s server answers. Its key is a zone’s id, or the name of a zone that is being
 * created.
 */
@Injectable()
export class ZoneTurns {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);

  constructor(private readonly database: DataSource) {}

  async during<T>(turn: string, work: () => Promise<T>): Promise<T> {
    const holder = uuid();
    const until = performance.now() + patienceMs;
    while (!(await this.take(turn, holder))) {
      if (performance.now() > until) throw taken();
      await wait(lookEveryMs);
    }
    return this.hold(turn, holder, work);
  }

  /** Runs `work` when the lock is free, else returns undefined. */
  async ifFree<T>(turn: string, work: () => Promise<T>): Promise<T | undefined> {
    const holder = uuid();
    return (await this.take(turn, holder)) ? this.hold(turn, holder, work) : undefined;
  }

  private async hold<T>(turn: string, holder: string, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.renew(turn, holder), renewEveryMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.free(turn, holder);
    }
  }

  /** The work is done by now: a lock that cannot be released expires by itself. */
  private async free(turn: string, holder: string): Promise<void> {
    await this.database
      .query('delete from zone_turns where zone_id = $1 and holder = $2', [turn, holder])
      .catch((error: unknown) => this.log.warn({ err: error, zone: turn }, 'a zone lock could not be released'));
  }

  /** Queries through `manager`, because a transaction must not wait for a second connection. */
  async isTaken(manager: EntityManager, turn: string): Promise<boolean> {
    const held: unknown[] = await manager.query('select holder from zone_turns where zone_id = $1 and until > now()', [
      turn,
    ]);
    return held.length > 0;
  }

  /** A failed renewal is repeated ten seconds later. */
  private async renew(turn: string, holder: string): Promise<void> {
    await this.database
      .query('update zone_turns set until = now() + make_interval(secs => $3) where zone_id = $1 and holder = $2', [
        turn,
        holder,
        leaseSeconds,
      ])
      .catch(() => undefined);
  }

  private async take(turn: string, holder: string): Promise<boolean> {
    const mine: unknown[] = await this.database.query(
      `insert into zone_turns as t (zone_id, holder, until) values ($1, $2, now() + make_interval(secs => $3))
       on conflict (zone_id) do update set holder = excluded.holder, until = excluded.until where t.until <= now()
       returning holder`,
      [turn, holder, leaseSeconds],
    );
    return mine.length > 0;
  }
}

const taken = () =>
  new AppError('unavailable', 'Cette zone est en train d’être modifiée. Réessayez dans un instant.', { retryAfter: 5 });
