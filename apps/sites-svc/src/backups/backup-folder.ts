import { join } from 'node:path/posix';
import { backupsFolder, defaultStorage } from '@vigie/contracts/backups';
import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import { isAdministrator } from '../owners/owners';
import type { SiteContext } from '../sites/site-contexts';
import { isCredentialRefused, siteAccess } from '../sites/site-access';

/** Falls back to the default folder until an inspection has read where wp-content is. */
export function remoteFolder({ site, state }: SiteContext): string {
  if (state?.content_dir) return join(state.content_dir, backupsFolder);
  return join(site.path ?? '', defaultStorage);
}

/** Returns the folder relative to the site's root, or the absolute path outside it. */
export function storageOf({ site }: SiteContext, folder: string): string {
  const root = site.path?.replace(/\/+$/, '');
  return root !== undefined && folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : folder;
}

/** Access for direct calls, without a job. A refused credential is not presented again until somebody tests it. */
export async function hostAccess(manager: EntityManager, context: SiteContext): Promise<SshAccess> {
  const access = siteAccess(context, await isAdministrator(manager, context.site.ownerId));
  if (access instanceof AppError) throw access;
  if (!isCredentialRefused(context)) return access;
  throw new AppError('remote_failed', {
    message: 'Les identifiants SSH de ce site ont été refusés\u00a0: Vigie ne les réessaiera pas avant un test.',
    remedy: 'Corrigez-les, puis testez la connexion du site.',
    code: 'authentication',
  });
}
