import { Injectable } from '@nestjs/common';
import type { BackupInput } from '@vigie/contracts/backups';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { BackupKind, JobTicket } from '@vigie/contracts/jobs';
import type { RestoreInput } from '@vigie/contracts/restores';
import type { EntityManager } from 'typeorm';
import { PendingJobs } from '../queue/pending-jobs';
import { Job } from '../queue/job.entity';
import { Jobs } from '../queue/jobs';
import { type SiteContext, lockSiteContext, toSiteJobInput } from '../sites/site-contexts';
import { siteAccess, siteTarget } from '../sites/site-access';
import { auditBackups } from './audit-backups';
import { newArchiveName } from './new-archive-name';
import { findOpenBackup, findOpenCreations, alreadyBackingUp } from './open-backups';

type BackupRequest = { kind: BackupKind } & Pick<BackupInput, 'filename'> &
  Partial<Pick<BackupInput, 'location' | 'exclude_cache' | 'object'>> & {
    restore?: Pick<RestoreInput, 'mode' | 'scope' | 'path' | 'safety'>;
  };

/** Creates jobs on backups. A request for a job that is already open returns that job. */
@Injectable()
export class PendingBackups {
  constructor(
    private readonly jobs: Jobs,
    private readonly pendingJobs: PendingJobs,
  ) {}

  /** Throws a refusal only after the idempotency key is known to be new: a repeated request gets its job. */
  createOne(
    contract: Contract,
    input: { id: string },
    find: (manager: EntityManager, context: SiteContext) => Promise<BackupRequest | AppError>,
  ): Promise<JobTicket> {
    return this.pendingJobs.createOnce(contract, input, async (manager) => {
      const context = await lockSiteContext(manager, input.id);
      const job = await toBackupJob(manager, context, find);
      const newJob = job instanceof AppError ? undefined : job;
      return {
        pendingId: newJob && (await findOpenBackup(manager, { ...newJob, siteId: input.id })),
        createJob: async (id) => {
          if (job instanceof AppError) throw job;
          await this.jobs.add(manager, { ...job, id, target: siteTarget(context), queue: 'site-transfers' });
          await auditBackups(manager, [id]);
        },
      };
    });
  }

  /** Creates a batch of new backups. A site that cannot be backed up gets a failed job with the reason. */
  createBatch(
    contract: Contract,
    input: { exclude_cache: boolean },
    find: (manager: EntityManager) => Promise<readonly SiteContext[]>,
  ): Promise<JobTicket> {
    return this.pendingJobs.createOnce(contract, input, async (manager) => {
      const contexts = await find(manager);
      const openCreations = await findOpenCreations(
        manager,
        contexts.map(({ site }) => site.id),
      );
      const batches = new Set(
        contexts.map(({ site }) => {
          const open = openCreations.get(site.id);
          return open?.exclude_cache === input.exclude_cache ? open.batch_id : null;
        }),
      );
      const [sharedBatch] = batches;
      return {
        pendingId: batches.size === 1 ? (sharedBatch ?? undefined) : undefined,
        createJob: (id) => this.createJobs(manager, id, toNewBackups(contexts, openCreations, input.exclude_cache)),
      };
    });
  }

  private async createJobs(manager: EntityManager, id: string, backups: readonly NewBackup[]) {
    const [first] = backups;
    if (first?.refusal && backups.every(({ refusal }) => refusal)) {
      if (backups.length === 1) throw first.refusal;
      const sentence = `Aucun de ces sites ne peut être sauvegardé. ${first.target.name}\u00a0: ${first.refusal.message}`;
      throw new AppError('conflict', sentence);
    }
    const kind: BackupKind = 'backups.create';
    await this.jobs.addBatch(manager, { id, kind, requests: backups, queue: 'site-transfers', isExclusive: true });
    const queuedJobs = await manager.find(Job, { where: { batchId: id, state: 'queued' }, select: { id: true } });
    await auditBackups(
      manager,
      queuedJobs.map((job) => job.id),
    );
  }
}

type NewBackup = ReturnType<typeof toNewBackups>[number];

const toNewBackups = (
  contexts: readonly SiteContext[],
  openCreations: Awaited<ReturnType<typeof findOpenCreations>>,
  withoutCache: boolean,
) =>
  contexts.map((context) => {
    const filename = newArchiveName(context.site.url);
    const archive = { filename, location: 'remote', exclude_cache: withoutCache, object: null } as const;
    return {
      target: siteTarget(context),
      about: filename,
      input: { ...toSiteJobInput(context), ...archive } satisfies BackupInput,
      refusal: refuseCreation(context, openCreations),
    };
  });

export function refuseCreation(
  context: SiteContext,
  openCreations: ReadonlyMap<string, unknown>,
): AppError | undefined {
  const access = siteAccess(context, false);
  if (access instanceof AppError) return access;
  return openCreations.has(context.site.id) ? alreadyBackingUp() : undefined;
}

async function toBackupJob(
  manager: EntityManager,
  context: SiteContext,
  find: (manager: EntityManager, context: SiteContext) => Promise<BackupRequest | AppError>,
) {
  const access = siteAccess(context, false);
  if (access instanceof AppError) return access;
  const request = await find(manager, context);
  if (request instanceof AppError) return request;
  const { kind, filename, location = 'remote', exclude_cache: withoutCache = true, object = null, restore } = request;
  const backup = {
    ...toSiteJobInput(context),
    filename,
    location,
    exclude_cache: withoutCache,
    object,
  } satisfies BackupInput;
  const isExclusive = kind === 'backups.create' || kind === 'backups.restore';
  const isHeavy = kind === 'backups.restore' || kind === 'backups.import';
  return { kind, about: filename, input: { ...backup, ...restore }, isExclusive, isHeavy };
}
