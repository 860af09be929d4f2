import type { RemoteBackup, Verification } from '@vigie/contracts/backups';
import type { EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';

type ListedBackup = Pick<RemoteBackup, 'filename' | 'size'> & { modified_at: string };

/** Read before a listing starts: the listing is discarded if archives were added or removed meanwhile. */
export async function backupsVersionOf(manager: EntityManager, siteId: string): Promise<number | undefined> {
  const [site]: { backupsVersion: number }[] = await manager.query(
    'select backups_turn as "backupsVersion" from sites where id = $1',
    [siteId],
  );
  return site?.backupsVersion;
}

const bumpBackupsVersion = (manager: EntityManager, siteId: string) =>
  manager.query('update sites set backups_turn = backups_turn + 1 where id = $1', [siteId]);

type BackupListing = { siteId: string; backupsVersion: number | undefined; backups: readonly ListedBackup[] };

/** Replaces the stored list of a site's host; unchanged archives stay verified. */
export async function saveRemoteBackups(
  manager: EntityManager,
  { siteId, backupsVersion, backups }: BackupListing,
): Promise<void> {
  const lockedRows: unknown[] = await manager.query(
    'select id from sites where (id, backups_turn) = ($1, $2) for no key update',
    [siteId, backupsVersion],
  );
  if (lockedRows.length === 0) return;
  await manager.query(
    `with seen as (
       select * from jsonb_to_recordset($2::jsonb) as s(filename text, size bigint, modified_at timestamptz)
     ), gone as (
       delete from remote_backups r where site_id = $1 and not exists (select from seen where seen.filename = r.filename)
     )
     insert into remote_backups as r (site_id, filename, size, modified_at)
     select $1, filename, size, modified_at from seen
     on conflict (site_id, filename) do update
       set size = excluded.size, modified_at = excluded.modified_at, verified = null
       where (r.size, r.modified_at) is distinct from (excluded.size, excluded.modified_at)`,
    [siteId, toJsonb(backups)],
  );
  await updateLastBackup(manager, siteId);
}

/** Lists a new archive before the host is asked again. */
export async function addRemoteBackup(
  manager: EntityManager,
  siteId: string,
  { filename, size, modified_at: at }: ListedBackup,
) {
  await bumpBackupsVersion(manager, siteId);
  await manager.query(
    `insert into remote_backups (site_id, filename, size, modified_at) values ($1, $2, $3, $4)
     on conflict (site_id, filename) do update set size = excluded.size, modified_at = excluded.modified_at, verified = null`,
    [siteId, filename, size, at],
  );
  await updateLastBackup(manager, siteId);
}

export async function removeRemoteBackup(manager: EntityManager, siteId: string, filename: string): Promise<void> {
  await bumpBackupsVersion(manager, siteId);
  await manager.query('delete from remote_backups where (site_id, filename) = ($1, $2)', [siteId, filename]);
  await updateLastBackup(manager, siteId);
}

/** Ignores an archive of another size: it is not the one that was verified. */
export async function saveVerification(
  manager: EntityManager,
  siteId: string,
  { filename, size, verified }: { filename: string; size: number | null; verified: Verification | null },
): Promise<void> {
  await manager.query(
    'update remote_backups set verified = $4 where site_id = $1 and filename = $2 and ($3::bigint is null or size = $3)',
    [siteId, filename, size, toJsonb(verified)],
  );
}

/** Null for an archive that no listing has seen yet. */
export async function remoteSizeOf(manager: EntityManager, siteId: string, filename: string): Promise<number | null> {
  const [backup]: { size: string }[] = await manager.query(
    'select size from remote_backups where (site_id, filename) = ($1, $2)',
    [siteId, filename],
  );
  return backup ? Number(backup.size) : null;
}

export async function verificationsOf(
  manager: EntityManager,
  siteId: string,
): Promise<ReadonlyMap<string, Verification>> {
  const rows: { filename: string; verified: Verification }[] = await manager.query(
    'select filename, verified from remote_backups where site_id = $1 and verified is not null',
    [siteId],
  );
  return new Map(rows.map(({ filename, verified }) => [filename, verified]));
}

/** The newest backup on the host or in the store. */
export async function updateLastBackup(manager: EntityManager, siteId: string): Promise<void> {
  await manager.query(
    `with newest as (
       select max(at) as at from (
         select modified_at as at from remote_backups where site_id = $1
         union all select made_at from local_backups where site_id = $1) b)
     update sites set last_backup_at = newest.at from newest
     where id = $1 and last_backup_at is distinct from newest.at`,
    [siteId],
  );
}
