import type { BackupInput } from '@vigie/contracts/backups';
import { AppError } from '@vigie/contracts/errors';
import type { BackupKind } from '@vigie/contracts/jobs';
import type { RestoreInput } from '@vigie/contracts/restores';
import type { EntityManager } from 'typeorm';
import type { JobRequest } from '../queue/jobs';
import { siteTarget } from '../sites/site-access';
import { lockSiteContexts, type SiteContext, toSiteJobInput } from '../sites/site-contexts';
import { newArchiveName } from './new-archive-name';
import { findSitesBackingUp, refuseCreation } from './open-backups';

export type RequestedBackup = { kind: BackupKind } & Pick<BackupInput, 'filename'> &
  Partial<Pick<BackupInput, 'location' | 'exclude_cache' | 'object'>> & {
    restore?: Pick<RestoreInput, 'mode' | 'scope' | 'path' | 'safety'>;
  };

/** The job that a request for a backup would create. */
export function toBackupRequest(
  context: SiteContext,
  { kind, filename, location = 'remote', exclude_cache: withoutCache = true, object = null, restore }: RequestedBackup,
): JobRequest {
  const input = {
    ...toSiteJobInput(context),
    filename,
    location,
    exclude_cache: withoutCache,
    object,
  } satisfies BackupInput;
  return {
    kind,
    target: siteTarget(context),
    about: filename,
    input: { ...input, ...restore },
    queue: 'site-transfers',
    isExclusive: kind === 'backups.create' || kind === 'backups.restore',
    isHeavy: kind === 'backups.restore' || kind === 'backups.import',
  };
}

/** New backups of several sites, with the reason for those that are not possible. */
export async function toNewBackups(
  manager: EntityManager,
  siteIds: readonly string[],
  withoutCache: boolean,
): Promise<JobRequest[]> {
  const contexts = [...(await lockSiteContexts(manager, siteIds)).values()];
  const sitesBackingUp = await findSitesBackingUp(manager, siteIds);
  return contexts.map((context) => ({
    ...toBackupRequest(context, {
      kind: 'backups.create',
      filename: newArchiveName(context.site.url),
      exclude_cache: withoutCache,
    }),
    refusal: refuseCreation(context, sitesBackingUp),
  }));
}

export function noBackupPossible([first]: readonly JobRequest[]): AppError {
  return new AppError(
    'conflict',
    `Aucun de ces sites ne peut être sauvegardé. ${first?.target.name}\u00a0: ${first?.refusal?.message}`,
  );
}
