import { Controller } from '@nestjs/common';
import {
  type Backup,
  createBackup,
  defaultStorage,
  deleteBackup,
  downloadBackup,
  importBackup,
  listBackups,
  listLocalBackups,
  readBackupsInfo,
  verifyBackup,
} from '@vigie/contracts/backups';
import { planChanged } from '@vigie/contracts/changed-plans';
import type { Contract, Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobTicket } from '@vigie/contracts/jobs';
import { FileStore } from '@vigie/files/file-store';
import { restoreBackup } from '@vigie/contracts/restores';
import { connectionFailed } from '@vigie/contracts/credentials';
import { Handles } from '@vigie/service-kit/handles';
import { hasWords, patternsOf, foldTextSql } from '@vigie/service-kit/search';
import { fitInMessage } from '@vigie/service-kit/messages';
import { DataSource, type EntityManager } from 'typeorm';
import { recordInAudit, recordInFeed, recordAuditEvent } from '../activity/audit-events';
import { owns } from '../owners/owner-filter';
import { findSite } from '../sites/find-site';
import { siteAccess } from '../sites/site-access';
import { findSiteContext, lockSiteContext, type SiteContext } from '../sites/site-contexts';
import { refuseOtherPlace } from '../sites/site-place';
import type { Site } from '../sites/site.entity';
import { RequestedJobs } from '../queue/requested-jobs';
import { auditBackups } from './audit-backups';
import { type RequestedBackup, toBackupRequest } from './backup-requests';
import { HostBackups } from './host-backups';
import {
  backupsOf,
  lockLocalBackup,
  LocalBackup,
  toBackup,
  toLocalBackup,
  unknownLocalBackup,
} from './local-backup.entity';
import { remoteFolder, storageOf } from './backup-folder';
import { newArchiveName } from './new-archive-name';
import { refuseInUse } from './open-backups';
import { removeRemoteBackup, updateLastBackup, verificationsOf } from './remote-backups';

const searchedText = foldTextSql("concat_ws(' ', b.filename, b.site_name)");

/** Backups of a site: those on its host, and its owner's in the store. */
@Controller()
export class BackupsController {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: RequestedJobs,
    private readonly hosts: HostBackups,
    private readonly store: FileStore,
  ) {}

  @Handles(readBackupsInfo)
  async info({ id: siteId }: Input<typeof readBackupsInfo>) {
    const folder = remoteFolder(await findSiteContext(this.database.manager, siteId));
    // Unfinished archives are in the same folder, under names that are never listed.
    return { remoteBackupsDir: folder, remoteTmpDir: folder, localBackupsDir: this.store.location };
  }

  @Handles(listBackups)
  async list({ id: siteId }: Input<typeof listBackups>) {
    const { manager } = this.database;
    const context = await findSiteContext(manager, siteId);
    const { folder, items } = await this.hosts.list(context).catch(hideHost(context));
    const verified = await verificationsOf(manager, siteId);
    const place = storageOf(context, folder);
    // Outside of the site's folder it is an absolute path.
    const storage = place.startsWith('/') && !owns(context.site) ? defaultStorage : place;
    const remote = items.map(
      ({ filename, size, modified_at: at, is_usable: isUsable }): Backup => ({
        filename,
        size,
        createdAt: at,
        created: at,
        storage,
        location: 'Distant',
        is_usable: isUsable,
        verified: (isUsable && verified.get(filename)) || null,
      }),
    );
    const local = await manager.find(LocalBackup, {
      where: { siteId, ownerId: context.site.ownerId },
      order: { madeAt: 'desc', id: 'desc' },
    });
    return { items: fitInMessage([...remote, ...local.map((backup) => toBackup(backup, this.store.location))]) };
  }

  @Handles(listLocalBackups)
  async listLocal({ id: siteId, q, filename, offset, limit }: Input<typeof listLocalBackups>) {
    const { manager } = this.database;
    const site = await findSite(manager, siteId);
    const [words] = patternsOf(q) ?? [];
    const query = manager
      .createQueryBuilder(LocalBackup, 'b')
      .where({ ...backupsOf(site), ...(filename !== undefined && { filename }) })
      .addSelect('coalesce(b.site_id = :id, false)', 'is_of_site')
      .orderBy('is_of_site', 'DESC')
      .addOrderBy('b.madeAt', 'DESC')
      .addOrderBy('b.id', 'DESC')
      .setParameter('id', siteId)
      .offset(offset)
      .limit(limit);
    if (words) query.andWhere(hasWords(searchedText, ':words'), { words });
    const [backups, total] = await query.getManyAndCount();
    return { items: fitInMessage(backups.map(toLocalBackup)), total };
  }

  @Handles(createBackup)
  async create(input: Input<typeof createBackup>) {
    return this.createOne(createBackup, input, async (_manager, { site }) => ({
      kind: 'backups.create',
      filename: newArchiveName(site.url),
      exclude_cache: input.exclude_cache,
    }));
  }

  @Handles(downloadBackup)
  async download(input: Input<typeof downloadBackup>) {
    return this.createOne(downloadBackup, input, async () => ({
      kind: 'backups.download',
      filename: input.filename,
      object: { key: FileStore.newKey(), size: null, sha256: null },
    }));
  }

  @Handles(importBackup)
  async import(input: Input<typeof importBackup>) {
    return this.createOne(importBackup, input, async (manager, { site }) => {
      const object = await lockStoredObject(manager, site, input.filename);
      return object ? { kind: 'backups.import', filename: input.filename, object } : unknownLocalBackup();
    });
  }

  @Handles(verifyBackup)
  async verify(input: Input<typeof verifyBackup>) {
    const { filename, location } = input;
    return this.createOne(verifyBackup, input, async (manager, { site }) => {
      if (location === 'remote') return { kind: 'backups.verify', filename, location };
      const object = await lockStoredObject(manager, site, filename);
      return object ? { kind: 'backups.verify', filename, location, object } : unknownLocalBackup();
    });
  }

  @Handles(restoreBackup)
  async restore(input: Input<typeof restoreBackup>) {
    const { filename, location, mode, scope, path, expected_sha256: expected, expected_place: place } = input;
    return this.createOne(restoreBackup, input, async (manager, context) => {
      const { site } = context;
      if ((scope === 'path' || scope === 'table') === (path === '')) return missingPart();
      const moved = refuseOtherPlace(context, place);
      if (moved) return moved;
      const request = { kind: 'backups.restore', filename, location } as const;
      const restore = { mode, scope, path, safety: newArchiveName(site.url) };
      if (location === 'remote') return { ...request, restore };
      const object = await lockStoredObject(manager, site, filename);
      if (!object && expected !== undefined) return goneArchive();
      if (object && expected !== undefined && object.sha256 !== expected) return otherArchive();
      return object ? { ...request, object, restore } : unknownLocalBackup();
    });
  }

  @Handles(deleteBackup)
  async delete({ id: siteId, filename, location }: Input<typeof deleteBackup>) {
    if (location === 'local') await this.deleteLocal(siteId, filename);
    else await this.deleteRemote(siteId, filename);
    return {};
  }

  private createOne(
    contract: Contract,
    input: { id: string },
    find: (manager: EntityManager, context: SiteContext) => Promise<RequestedBackup | AppError>,
  ): Promise<JobTicket> {
    const findRequest = async (manager: EntityManager) => {
      const context = await lockSiteContext(manager, input.id);
      const access = siteAccess(context, false);
      if (access instanceof AppError) return access;
      const backup = await find(manager, context);
      return backup instanceof AppError ? backup : toBackupRequest(context, backup);
    };
    return this.jobs.createOne(contract, input, findRequest, (manager, id) => auditBackups(manager, [id]));
  }

  private async deleteLocal(siteId: string, filename: string): Promise<void> {
    const key = await this.database.transaction(async (manager) => {
      const site = await findSite(manager, siteId);
      const backup = await lockLocalBackup(manager, { site, filename });
      await refuseInUse(manager, { key: backup.objectKey });
      await manager.delete(LocalBackup, { id: backup.id });
      if (backup.siteId !== null) await updateLastBackup(manager, backup.siteId);
      const details = { filename, size: backup.size, location: 'local', state: 'succeeded' };
      await recordAuditEvent(manager, { type: 'backup_delete', site, details });
      return backup.objectKey;
    });
    await this.store.delete(key);
  }

  private async deleteRemote(siteId: string, filename: string): Promise<void> {
    const { manager } = this.database;
    const context = await findSiteContext(manager, siteId);
    await refuseInUse(manager, { siteId, filename });
    const { site } = context;
    const entry = { action: 'backup_delete', target: site.name, targetId: site.id } as const;
    // Audited before the call: the host may delete the file although its answer is lost.
    await recordInAudit(manager, [{ ...entry, details: { filename, location: 'remote' } }]);
    const missing = await this.hosts
      .remove(context, filename)
      .then(() => undefined, asMissing)
      .catch(hideHost(context));
    await this.database.transaction(async (transaction) => {
      const [row]: { size: string }[] = await transaction.query(
        'select size from remote_backups where (site_id, filename) = ($1, $2)',
        [siteId, filename],
      );
      await removeRemoteBackup(transaction, siteId, filename);
      const size = row ? Number(row.size) : null;
      const details = { filename, size, location: 'remote', state: 'succeeded' };
      if (!missing) await recordInFeed(transaction, [{ type: 'backup_delete', site, details }]);
    });
    if (missing) throw missing;
  }
}

/** A grant shows no connection, and the failure of one may name its host. */
const hideHost =
  ({ site }: SiteContext) =>
  (error: unknown): never => {
    if (owns(site) || !(error instanceof AppError)) throw error;
    throw new AppError(error.code, connectionFailed, { cause: error });
  };

const goneArchive = () => planChanged('La sauvegarde du plan n’existe plus\u00a0: rien n’est restauré.');

const otherArchive = () =>
  planChanged('Une autre sauvegarde porte ce nom depuis que le plan a été établi\u00a0: rien n’est restauré.');

const missingPart = () =>
  new AppError('invalid', 'Dites quel fichier, quel dossier ou quelle table restaurer, ou restaurez tout.');

/** Locks the row until its job exists, so that nobody deletes the object meanwhile. */
async function lockStoredObject(manager: EntityManager, site: Site, filename: string) {
  const backup = await manager.findOne(LocalBackup, {
    where: { ...backupsOf(site), filename },
    lock: { mode: 'pessimistic_read' },
  });
  if (!backup) return null;
  const { objectKey: key, size, sha256, madeAt } = backup;
  return { key, size, sha256, made_at: madeAt.toISOString() };
}

function asMissing(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'not_found') return error;
  throw error;
}
