import {
  backupCodes,
  BackupInput,
  CreatedBackup,
  ImportedBackup,
  DownloadedBackup,
  VerifiedBackup,
} from '@vigie/contracts/backups';
import type { BackupKind } from '@vigie/contracts/jobs';
import { RestoreResult } from '@vigie/contracts/restores';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordEnd } from '../activity/doings';
import { type Ending, isOpen, type Job } from '../jobs/job.entity';
import { activityOf } from './audit-backups';
import { hurryScans } from '../sweeps/schedule';
import { LocalBackup, renamed } from './local-backup.entity';
import { addRemote, noteLastBackup, noteVerified, remoteSizeOf } from './remote-backups';

const keptDays = 30;

type Kept = { manager: EntityManager; job: Job; input: BackupInput; siteId: string | null };

/** What follows from the end of work on a backup: what is where, and a line of the feed. */
export async function keepBackup(manager: EntityManager, job: Job, ending: Ending): Promise<Ending> {
  const { success, data: input } = BackupInput.safeParse(job.input);
  if (!success) return ending;
  const kept = { manager, job, input, siteId: await heldSite(manager, input.site.id) };
  const known = await keeperOf(job.kind)(kept, ending);
  // What was called off, and what never began, has done nothing.
  const isTold = known.state === 'succeeded' || (known.state !== 'cancelled' && job.startedAt !== null);
  if (isTold) await tell(kept, known);
  return known;
}

type Keeper = (kept: Kept, ending: Ending) => Promise<Ending>;

const keepers: Readonly<Record<string, Keeper>> = {
  'backups.create': keepMade,
  'backups.download': keepStored,
  'backups.import': keepPlaced,
  'backups.restore': keepRestored,
  'backups.verify': keepVerified,
} satisfies Record<BackupKind, Keeper>;

const keeperOf = (kind: string): Keeper => keepers[kind] ?? (async (_kept, ending) => ending);

/** Null where it was deleted meanwhile. */
async function heldSite(manager: EntityManager, id: string): Promise<string | null> {
  const [site]: { id: string }[] = await manager.query('select id from sites where id = $1 for no key update', [id]);
  return site?.id ?? null;
}

async function keepMade({ manager, siteId }: Kept, ending: Ending): Promise<Ending> {
  if (ending.state !== 'succeeded') return ending;
  const { filename, size, createdAt } = CreatedBackup.parse(ending.result);
  if (siteId !== null) await addRemote(manager, siteId, { filename, size, modified_at: createdAt });
  return ending;
}

async function keepPlaced({ manager, input, siteId }: Kept, ending: Ending): Promise<Ending> {
  if (ending.state !== 'succeeded') return ending;
  const { filename, size } = ImportedBackup.parse(ending.result);
  const at = input.object?.made_at ?? new Date().toISOString();
  if (siteId !== null) await addRemote(manager, siteId, { filename, size, modified_at: at });
  return ending;
}

/** What was known of the site may be so no longer, however it ended. */
async function keepRestored({ manager, siteId }: Kept, ending: Ending): Promise<Ending> {
  if (siteId !== null) await hurryScans(manager, [siteId]);
  // An incomplete restore has failed and has a result all the same: the site as it was is in an archive.
  const isOther = ending.state === 'succeeded' || ending.error?.code === backupCodes.incomplete;
  if (!isOther || siteId === null) return ending;
  const { safety } = RestoreResult.parse(ending.result);
  await addRemote(manager, siteId, { ...safety, modified_at: new Date().toISOString() });
  return ending;
}

/** It may be here already, by this name and with other content: then it gets another name, and nothing is lost. */
async function keepStored({ manager, job, input, siteId }: Kept, ending: Ending): Promise<Ending> {
  if (ending.state !== 'succeeded') return ending;
  const { size, sha256, created } = DownloadedBackup.parse(ending.result);
  const { ownerId } = job;
  const key = input.object?.key;
  if (key === undefined) throw new Error('a download without a place in the store');
  const row = {
    ownerId,
    siteId,
    siteName: job.siteName ?? input.site.url,
    size,
    sha256,
    objectKey: key,
    madeAt: new Date(created),
    keptAt: new Date(),
    goesAt: siteId === null ? inDays(keptDays) : null,
  };
  for (const filename of [
    input.filename,
    renamed(input.filename, sha256.slice(0, 8)),
    renamed(input.filename, job.id),
  ]) {
    const same = await insertOrFind(manager, { ...row, id: uuid(), filename });
    if (same && same.sha256 !== sha256) continue;
    if (same && siteId !== null && same.siteId === null) {
      await manager.update(LocalBackup, { id: same.id }, { siteId, siteName: row.siteName, goesAt: null });
    }
    if (siteId !== null) await noteLastBackup(manager, siteId);
    return { ...ending, result: { ...ending.result, local: filename } };
  }
  throw new Error('three names of one backup are taken');
}

/** Undefined once it is inserted; otherwise the one that has its name. */
async function insertOrFind(
  manager: EntityManager,
  row: Omit<LocalBackup, 'verified'>,
): Promise<LocalBackup | undefined> {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(LocalBackup)
    .values({ ...row, verified: null })
    .orIgnore()
    .returning('id')
    .execute();
  if (Object(raw).length > 0) return undefined;
  const { ownerId, filename } = row;
  return (await manager.findOneBy(LocalBackup, { ownerId, filename })) ?? undefined;
}

async function keepVerified({ manager, input, siteId }: Kept, ending: Ending): Promise<Ending> {
  const isDamaged = ending.state === 'failed' && ending.error?.code === backupCodes.damaged;
  if (ending.state !== 'succeeded' && !isDamaged) return ending;
  const { filename } = input;
  const told = isDamaged ? null : VerifiedBackup.parse(ending.result);
  const verified = told && { at: told.at, entries: told.entries, by: told.by };
  if (input.location === 'remote') {
    if (siteId !== null) await noteVerified(manager, siteId, { filename, size: told?.size ?? null, verified });
  } else if (input.object) {
    await manager.update(LocalBackup, { objectKey: input.object.key }, { verified });
  }
  return ending;
}

async function tell(kept: Kept, { state, result, error }: Ending): Promise<void> {
  const { manager, job, input, siteId } = kept;
  const type = activityOf(job.kind);
  if (!type) return;
  const { size, local } = Object(result);
  await recordEnd(manager, job, {
    type,
    siteId,
    details: {
      filename: typeof local === 'string' ? local : input.filename,
      size: typeof size === 'number' ? size : await archiveSize(kept),
      state,
      ...(error && { reason: error.message, code: error.code }),
    },
  });
}

/** Of an archive that was there before: in the store, or on the host of its site. */
async function archiveSize({ manager, input, siteId }: Kept): Promise<number | null> {
  if (input.object) return input.object.size;
  return siteId === null ? null : remoteSizeOf(manager, siteId, input.filename);
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** What is kept of sites that are about to be deleted. */
export async function orphanBackups(manager: EntityManager, siteIds: readonly string[]): Promise<void> {
  await manager.query(
    `update local_backups set site_id = null, goes_at = now() + make_interval(days => $2)
     where site_id = any($1::uuid[])`,
    [siteIds, keptDays],
  );
}

/** Their objects follow, since nothing names them any more. */
export async function forgetBackups(manager: EntityManager): Promise<void> {
  await manager.query('delete from backup_links where coalesce(good_until, open_until) < now()');
  await manager.query(
    `delete from local_backups b where goes_at < now() and not exists (
       select from jobs j where j.kind like 'backups.%' and ${isOpen('j')}
         and j.input #>> '{object,key}' = b.object_key)`,
  );
}
