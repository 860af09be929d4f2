import type { BackupInput } from '@vigie/contracts/backups';
import { AppError } from '@vigie/contracts/errors';
import type { BackupKind } from '@vigie/contracts/jobs';
import type { RestoreInput } from '@vigie/contracts/restores';
import type { EntityManager } from 'typeorm';
import { isOpen, visibleBatch } from '../queue/job.entity';
import { ownerFilter } from '../owners/owner-filter';

const isOpenBackup = `kind like 'backups.%' and ${isOpen('jobs')}`;

type BackupQuery = {
  kind: BackupKind;
  siteId: string;
  input: Pick<BackupInput, 'filename' | 'location' | 'exclude_cache'> &
    Partial<Pick<RestoreInput, 'mode' | 'scope' | 'path'>>;
};

/** Finds an open job of the same work that nobody has cancelled. New backups have random names, so these are ignored. */
export async function findOpenBackup(
  manager: EntityManager,
  { kind, siteId, input }: BackupQuery,
): Promise<string | undefined> {
  const { filename, location, exclude_cache: withoutCache, mode, scope, path } = input;
  const [open]: { id: string }[] = await manager.query(
    `select id from jobs where site_id = $1 and kind = $2 and ${isOpenBackup} and cancel_asked_at is null
       and case when kind = 'backups.create' then (input ->> 'exclude_cache')::boolean = $5
         else (input ->> 'filename', input ->> 'location') = ($3, $4)
           and (input ->> 'mode', input ->> 'scope', input ->> 'path') is not distinct from ($6::text, $7::text, $8::text) end
     order by created_at limit 1`,
    [siteId, kind, filename, location, withoutCache, mode ?? null, scope ?? null, path ?? null],
  );
  return open?.id;
}

/** `batch_id` is null when the caller may not see the batch. */
type OpenCreation = { site_id: string; batch_id: string | null; exclude_cache: boolean };

export async function findOpenCreations(
  manager: EntityManager,
  siteIds: readonly string[],
): Promise<ReadonlyMap<string, OpenCreation>> {
  const rows: OpenCreation[] = await manager.query(
    `select site_id, ${visibleBatch('$2')} as batch_id, (input ->> 'exclude_cache')::boolean as exclude_cache from jobs
     where site_id = any($1::uuid[]) and kind = 'backups.create' and ${isOpenBackup} and cancel_asked_at is null
     order by created_at desc`,
    [siteIds, ownerFilter().ownerId ?? null],
  );
  return new Map(rows.map((row) => [row.site_id, row]));
}

export const alreadyBackingUp = () =>
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
