import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { Rounds } from '@vigie/service-kit/rounds';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { keptDays } from '../records/snapshots';

const everyMs = 10 * 60_000;
/** Each state is a whole zone. */
const perPass = 500;

/** The last one of a zone stays as long as the zone is there: without it the next look would not know what changed. */
const forgetSnapshots = `delete from snapshots where id in (
  select o.id from snapshots o where o.at < now() - make_interval(days => ${keptDays})
    and (not exists (select from zones z where z.config_id = o.config_id and z.id = o.zone_id)
      or exists (select from snapshots n where n.config_id = o.config_id and n.zone_id = o.zone_id and n.id > o.id))
  order by o.at limit ${perPass})`;

/** All of these are over; removing them only keeps the tables small. */
const over = [
  "delete from creation_keys where at < now() - interval '24 hours'",
  "delete from outbox where at < now() - interval '30 days'",
  "delete from gone where at < now() - interval '30 days'",
  "delete from zone_turns where until < now() - interval '1 day'",
  forgetSnapshots,
];

const complaint = 'what is old could not be forgotten';

@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new Rounds(this.log, complaint, () => this.pass());

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    this.rounds.start(everyMs);
    void this.rounds.go();
  }

  onApplicationShutdown(): void {
    this.rounds.stop();
  }

  /** One that fails keeps none of the others from theirs. */
  private async pass(): Promise<void> {
    for (const statement of over) {
      await this.database.query(statement).catch((error: unknown) => this.log.warn({ err: error }, complaint));
    }
  }
}
