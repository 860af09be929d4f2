import type { Log } from '@vigie/service-kit/log';
import { Retention } from '@vigie/service-kit/retention';
import type { DataSource } from 'typeorm';
import { deleteOldDeliveries } from '../alerts/deliveries';
import { deleteOldActivity } from '../activity/activity.entity';
import { deleteExpiredBackups } from '../backups/save-backup-result';
import { deleteOldIncidents, deleteOrphanConditions } from '../incidents/end-incidents';
import { deleteOldRollbackCopies } from '../items/rollback-copy.entity';
import { deleteOldLicenceFailures } from '../items/installed-items';
import { deleteOldJobs } from '../jobs/delete-old-jobs';
import { endRestoredJobs } from '../jobs/restored-jobs';

const everyMs = 60_000;

export const makeRetention = (database: DataSource, log: Log) => {
  const { manager } = database;
  return new Retention(log, everyMs, [
    () => endRestoredJobs(database, log),
    () => manager.query("delete from creation_keys where at < now() - interval '24 hours'"),
    () => manager.query("delete from outbox where at < now() - interval '30 days'"),
    () => manager.query("delete from proposals where created_at < now() - interval '30 days'"),
    () => manager.query("delete from visit_days where at < now() - interval '400 days'"),
    () => manager.query("delete from maintenance_windows where ends_at < now() - interval '30 days'"),
    () => deleteOldDeliveries(manager),
    () => deleteOldIncidents(manager),
    () => deleteOrphanConditions(manager),
    () => deleteOldActivity(manager),
    () => deleteOldRollbackCopies(manager),
    () => deleteOldLicenceFailures(manager),
    () => deleteExpiredBackups(manager),
    (isEnding) => deleteOldJobs(database, isEnding),
  ]);
};
