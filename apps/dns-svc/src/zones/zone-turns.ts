import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { env } from '../env';

/** A turn whose holder died ends by itself. */
const leaseSeconds = 30;
const renewEveryMs = 10_000;
const patienceMs = 5_000;
const lookEveryMs = 100;

/**
 * Whoever changes a zone looks at it first and writes then; nobody else may write in between, through any replica. A row
 * instead of a lock: a transaction must not wait for somebody else's server. A turn is that of a zone, or of a name that
 * is about to be one.
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

  /** The same for what can wait: undefined where somebody else has the turn. */
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

  /** What was done is done: a turn that cannot be given back now ends by itself. */
  private async free(turn: string, holder: string): Promise<void> {
    await this.database
      .query('delete from zone_turns where zone_id = $1 and holder = $2', [turn, holder])
      .catch((error: unknown) => this.log.warn({ err: error, turn }, 'the turn of a zone could not be given back'));
  }

  /** By `manager`: whoever is in a transaction must not wait for a second connection. */
  async isTaken(manager: EntityManager, turn: string): Promise<boolean> {
    const held: unknown[] = await manager.query('select holder from zone_turns where zone_id = $1 and until > now()', [
      turn,
    ]);
    return held.length > 0;
  }

  /** One that could not be renewed now is in ten seconds. */
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
