import type { Log } from '@vigie/service-kit/log';
import { Retention } from '@vigie/service-kit/retention';
import type { DataSource } from 'typeorm';
import { forgetActivity } from '../activity/activity.entity';
import { forgetBackups } from '../backups/keep-backup';
import { forgetAsides } from '../changes/aside.entity';
import { forgetLicences } from '../changes/wares';
import { forgetJobs } from '../jobs/forget-jobs';
import { endHeldBack } from '../jobs/held-back';

const everyMs = 60_000;

export const forgetting = (database: DataSource, log: Log) => {
  const { manager } = database;
  return new Retention(log, everyMs, [
    () => endHeldBack(database, log),
    () => manager.query("delete from creation_keys where at < now() - interval '24 hours'"),
    () => manager.query("delete from outbox where at < now() - interval '30 days'"),
    () => forgetActivity(manager),
    () => forgetAsides(manager),
    () => forgetLicences(manager),
    () => forgetBackups(manager),
    (isEnding) => forgetJobs(database, isEnding),
  ]);
};
