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
import { recordJobActivity } from '../activity/audit-events';
import { type JobOutcome, isOpen, type Job } from '../queue/job.entity';
import { activityTypeOf } from './audit-backups';
import { orphanDays } from '../sites/remove-sites';
import { hurryScans } from '../sweeps/schedule';
import { LocalBackup, renameArchive } from './local-backup.entity';
import { addRemoteBackup, updateLastBackup, saveVerification, remoteSizeOf } from './remote-backups';

type FinishedBackup = { manager: EntityManager; job: Job; input: BackupInput; siteId: string | null };

/** Stores where archives are after a job has ended, and adds a line to the feed. */
export async function saveBackupResult(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  const { success, data: input } = BackupInput.safeParse(job.input);
  if (!success) return outcome;
  const finished = { manager, job, input, siteId: await lockSiteForNoKeyUpdate(manager, input.site.id) };
  const finalOutcome = await saverOf(job.kind)(finished, outcome);
  // A cancelled job, and one that never started, has done nothing.
  const isRecorded =
    finalOutcome.state === 'succeeded' || (finalOutcome.state !== 'cancelled' && job.startedAt !== null);
  if (isRecorded) await recordBackupActivity(finished, finalOutcome);
  return finalOutcome;
}

type SaveOutcome = (finished: FinishedBackup, outcome: JobOutcome) => Promise<JobOutcome>;

const savers: Readonly<Record<string, SaveOutcome>> = {
  'backups.create': saveCreated,
  'backups.download': saveDownloaded,
  'backups.import': saveImported,
  'backups.restore': saveRestored,
  'backups.verify': saveVerified,
} satisfies Record<BackupKind, SaveOutcome>;

const saverOf = (kind: string): SaveOutcome => savers[kind] ?? (async (_finished, outcome) => outcome);

/** Null for a site that was deleted meanwhile. */
async function lockSiteForNoKeyUpdate(manager: EntityManager, id: string): Promise<string | null> {
  const [site]: { id: string }[] = await manager.query('select id from sites where id = $1 for no key update', [id]);
  return site?.id ?? null;
}

async function saveCreated({ manager, siteId }: FinishedBackup, outcome: JobOutcome): Promise<JobOutcome> {
  if (outcome.state !== 'succeeded') return outcome;
  const { filename, size, createdAt } = CreatedBackup.parse(outcome.result);
  if (siteId !== null) await addRemoteBackup(manager, siteId, { filename, size, modified_at: createdAt });
  return outcome;
}

async function saveImported({ manager, input, siteId }: FinishedBackup, outcome: JobOutcome): Promise<JobOutcome> {
  if (outcome.state !== 'succeeded') return outcome;
  const { filename, size } = ImportedBackup.parse(outcome.result);
  const at = input.object?.made_at ?? new Date().toISOString();
  if (siteId !== null) await addRemoteBackup(manager, siteId, { filename, size, modified_at: at });
  return outcome;
}

/** Scans the site again however the restore ended: its files may have changed. */
async function saveRestored({ manager, siteId }: FinishedBackup, outcome: JobOutcome): Promise<JobOutcome> {
  if (siteId !== null) await hurryScans(manager, [siteId]);
  // An incomplete restore has failed, but its result names the safety copy.
  const hasSafetyCopy = outcome.state === 'succeeded' || outcome.error?.code === backupCodes.incomplete;
  if (!hasSafetyCopy || siteId === null) return outcome;
  const { safety } = RestoreResult.parse(outcome.result);
  await addRemoteBackup(manager, siteId, { ...safety, modified_at: new Date().toISOString() });
  return outcome;
}

/** Renames the archive when the store has another one of the same name. */
async function saveDownloaded(
  { manager, job, input, siteId }: FinishedBackup,
  outcome: JobOutcome,
): Promise<JobOutcome> {
  if (outcome.state !== 'succeeded') return outcome;
  const { size, sha256, created } = DownloadedBackup.parse(outcome.result);
  const { ownerId } = job;
  const key = input.object?.key;
  if (key === undefined) throw new Error('a download without an object key');
  const row = {
    ownerId,
    siteId,
    siteName: job.siteName ?? input.site.url,
    size,
    sha256,
    objectKey: key,
    madeAt: new Date(created),
    storedAt: new Date(),
    expiresAt: siteId === null ? inDays(orphanDays) : null,
  };
  for (const filename of [
    input.filename,
    renameArchive(input.filename, sha256.slice(0, 8)),
    renameArchive(input.filename, job.id),
  ]) {
    const existing = await insertOrFind(manager, { ...row, id: uuid(), filename });
    if (existing && existing.sha256 !== sha256) continue;
    if (existing && siteId !== null && existing.siteId === null) {
      await manager.update(LocalBackup, { id: existing.id }, { siteId, siteName: row.siteName, expiresAt: null });
    }
    if (siteId !== null) await updateLastBackup(manager, siteId);
    return { ...outcome, result: { ...outcome.result, local: filename } };
  }
  throw new Error('three names of one backup are taken');
}

/** Returns the backup that already has this name; undefined when the row was inserted. */
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

async function saveVerified({ manager, input, siteId }: FinishedBackup, outcome: JobOutcome): Promise<JobOutcome> {
  const isDamaged = outcome.state === 'failed' && outcome.error?.code === backupCodes.damaged;
  if (outcome.state !== 'succeeded' && !isDamaged) return outcome;
  const { filename } = input;
  const verification = isDamaged ? null : VerifiedBackup.parse(outcome.result);
  const verified = verification && { at: verification.at, entries: verification.entries, by: verification.by };
  if (input.location === 'remote') {
    if (siteId !== null)
      await saveVerification(manager, siteId, { filename, size: verification?.size ?? null, verified });
  } else if (input.object) {
    await manager.update(LocalBackup, { objectKey: input.object.key }, { verified });
  }
  return outcome;
}

async function recordBackupActivity(finished: FinishedBackup, { state, result, error }: JobOutcome): Promise<void> {
  const { manager, job, input, siteId } = finished;
  const type = activityTypeOf(job.kind);
  if (!type) return;
  const { size, local } = Object(result);
  await recordJobActivity(manager, job, {
    type,
    siteId,
    details: {
      filename: typeof local === 'string' ? local : input.filename,
      size: typeof size === 'number' ? size : await archiveSize(finished),
      state,
      ...(error && { reason: error.message, code: error.code }),
    },
  });
}

/** The size of an archive in the store, or on its site's host. */
async function archiveSize({ manager, input, siteId }: FinishedBackup): Promise<number | null> {
  if (input.object) return input.object.size;
  return siteId === null ? null : remoteSizeOf(manager, siteId, input.filename);
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** `Leftovers` deletes their objects later. */
export async function deleteExpiredBackups(manager: EntityManager): Promise<void> {
  await manager.query('delete from backup_links where coalesce(good_until, open_until) < now()');
  await manager.query(
    `delete from local_backups b where goes_at < now() and not exists (
       select from jobs j where j.kind like 'backups.%' and ${isOpen('j')}
         and j.input #>> '{object,key}' = b.object_key)`,
  );
}
