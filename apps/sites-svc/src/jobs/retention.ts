import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { Rounds } from '@vigie/service-kit/rounds';
import { DataSource } from 'typeorm';
import { forgetBackups } from '../backups/keep-backup';
import { forgetAsides } from '../changes/aside.entity';
import { forgetLicences } from '../changes/wares';
import { env } from '../env';
import { endHeldBack } from './held-back';

const everyMs = 60_000;
const keptDays = 30;
/** Of jobs: thousands of lines of log may go with each. */
const perPass = 50;

/** What a person finds in the feed; who did what is in the audit, which is kept. */
const activityDays = 365;
const mostLines = 5_000;
const forgetActivity = `delete from activity where id in (
  select id from activity where created_at < now() - make_interval(days => $1) order by created_at limit $2)`;

const complaint = 'what is old could not be forgotten';

/** Forgets jobs that ended long ago, one replica at a time. */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new Rounds(this.log, complaint, () => this.pass());
  private isOver = false;

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    this.rounds.start(everyMs);
    void this.rounds.go();
  }

  onApplicationShutdown(): void {
    this.isOver = true;
    this.rounds.stop();
  }

  private async pass(): Promise<void> {
    const { manager } = this.database;
    const parts = [
      () => endHeldBack(this.database, this.log),
      () => manager.query("delete from creation_keys where at < now() - interval '24 hours'"),
      () => manager.query("delete from outbox where at < now() - interval '30 days'"),
      () => manager.query(forgetActivity, [activityDays, mostLines]),
      () => forgetAsides(manager),
      () => forgetLicences(manager),
      () => forgetBackups(manager),
      () => this.forgetJobs(),
    ];
    // One that fails keeps none of the others from theirs.
    for (const part of parts) await part().catch((error: unknown) => this.log.warn({ err: error }, complaint));
  }

  /** Until none is old enough: a batch is, once the last of its jobs is gone. */
  private async forgetJobs(): Promise<void> {
    while (!this.isOver && (await this.forget()) > 0);
  }

  private async forget(): Promise<number> {
    return this.database.transaction(async (manager) => {
      const [lock]: { is_mine: boolean }[] = await manager.query(
        "select pg_try_advisory_xact_lock(hashtext(current_schema() || '.retention')) as is_mine",
      );
      if (!lock?.is_mine) return 0;
      const [, gone]: [unknown, number] = await manager.query(
        `delete from jobs where id in (
           select id from jobs j where finished_at < now() - make_interval(days => $1)
             -- A batch that has ended, job by job, and then the batch.
             and not exists (select from jobs c where c.batch_id = j.id)
             and not exists (select from jobs b where b.id = j.batch_id
               and (b.finished_at is null or b.finished_at >= now() - make_interval(days => $1)))
           order by finished_at limit $2 for update skip locked)`,
        [keptDays, perPass],
      );
      return gone;
    });
  }
}
