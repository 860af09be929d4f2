import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import { isOpen } from '../queue/job.entity';
import { siteAccess } from '../sites/site-access';
import type { SiteContext } from '../sites/site-contexts';

const isOpenBackup = `kind like 'backups.%' and ${isOpen('jobs')}`;

/** Returns the sites that a job backs up already. */
export async function findSitesBackingUp(
  manager: EntityManager,
  siteIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows: { site_id: string }[] = await manager.query(
    `select site_id from jobs where site_id = any($1::uuid[]) and kind = 'backups.create' and ${isOpenBackup}
       and cancel_asked_at is null`,
    [siteIds],
  );
  return new Set(rows.map(({ site_id: siteId }) => siteId));
}

export function refuseCreation(context: SiteContext, sitesBackingUp: ReadonlySet<string>): AppError | undefined {
  const access = siteAccess(context, false);
  if (access instanceof AppError) return access;
  return sitesBackingUp.has(context.site.id) ? alreadyBackingUp() : undefined;
}

const alreadyBackingUp = () =>
  new AppError('conflict', 'Une sauvegarde de ce site est déjà en cours\u00a0: attendez sa fin, ou annulez-la.');

/** Refuses to delete a file that an open job copies or reads. */
export async function refuseInUse(
  manager: EntityManager,
  file: { siteId: string; filename: string } | { key: string },
) {
  const jobs: unknown[] =
    'key' in file
      ? await manager.query(`select id from jobs where ${isOpenBackup} and input #>> '{object,key}' = $1 limit 1`, [
          file.key,
        ])
      : await manager.query(
          `select id from jobs where ${isOpenBackup} and site_id = $1 and $2 in (input ->> 'filename', input ->> 'safety')
             and not (kind = 'backups.verify' and input ->> 'location' = 'local') limit 1`,
          [file.siteId, file.filename],
        );
  if (jobs.length > 0) throw backupInUse();
}

const backupInUse = () =>
  new AppError('conflict', 'Cette sauvegarde sert à une tâche en cours\u00a0: attendez sa fin, ou annulez-la.');

/** Returns the object keys that open jobs write or read. */
export async function keysInUse(manager: EntityManager, keys: readonly string[]): Promise<string[]> {
  const rows: { key: string }[] = await manager.query(
    `select input #>> '{object,key}' as key from jobs where ${isOpenBackup} and input #>> '{object,key}' = any($1::text[])`,
    [keys],
  );
  return rows.map(({ key }) => key);
}
