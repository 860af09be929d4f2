import { Controller } from '@nestjs/common';
import {
  activateItem,
  applyInstalls,
  applyUpdates,
  deactivateItem,
  installUpload,
  type Item,
  itemOf,
  planInstalls,
  planUpdates,
  restoreItem,
  updateItem,
  updateItems,
} from '@vigie/contracts/changes';
import type { Contract, Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { ChangeKind, JobTicket } from '@vigie/contracts/jobs';
import { currentUser, isNarrowed } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager, In } from 'typeorm';
import { ownerFilter, owns } from '../owners/owner-filter';
import { refuseOtherPlace } from '../sites/site-place';
import type { Site } from '../sites/site.entity';
import { findSiteContexts, type SiteContext, lockSiteContext, lockSiteContexts } from '../sites/site-contexts';
import { Upload } from '../uploads/upload.entity';
import { RequestedJobs } from '../queue/requested-jobs';
import { auditChanges } from './audit-changes';
import { refuseOpenChanges } from './open-changes';
import { refuseOtherCopy, refuseOtherVersions } from './expected-versions';
import { findRollbackCopy } from '../items/rollback-copy.entity';
import {
  nothingPossible,
  toInstallRequest,
  type ChangeRequest,
  toRestoreRequest,
  toActivationRequest,
  toUpdateRequest,
} from './change-requests';
import { planOfInstalls, planOfUpdates } from './plan';
import { preferOwner, lockUploadRows } from './locked-uploads';
import { findInstalledItems, itemKeyOf, type InstalledItem } from '../items/installed-items';

type UpdateTarget = Input<typeof applyUpdates>['targets'][number];

/** Plans changes of core, plugins and themes, and creates the jobs that make them. */
@Controller()
export class ChangesController {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: RequestedJobs,
  ) {}

  @Handles(updateItem)
  async update(input: Input<typeof updateItem>) {
    return this.createOne(updateItem, input, async (manager) => {
      const { context, installed } = await lockSiteItem(manager, input);
      return toUpdateRequest(context, input, installed);
    });
  }

  @Handles(installUpload)
  async install(input: Input<typeof installUpload>) {
    return this.createOne(installUpload, input, async (manager) => {
      const context = await lockSiteContext(manager, input.id);
      const upload = await findChosenUpload(manager, context.site, input);
      if (!upload) return unknownUpload();
      return toInstallRequest(
        context,
        upload,
        await findInstalledItem(manager, input.id, itemOf(upload)),
        input.activate,
      );
    });
  }

  @Handles(activateItem)
  async activate(input: Input<typeof activateItem>) {
    return this.createOne(activateItem, input, async (manager) => {
      const { context, installed } = await lockSiteItem(manager, input);
      return toActivationRequest(context, input, installed, true);
    });
  }

  @Handles(deactivateItem)
  async deactivate(input: Input<typeof deactivateItem>) {
    const item = { ...input, kind: 'plugin' } as const;
    return this.createOne(deactivateItem, input, async (manager) => {
      const { context, installed } = await lockSiteItem(manager, item);
      return toActivationRequest(context, item, installed, false);
    });
  }

  @Handles(restoreItem)
  async restore(input: Input<typeof restoreItem>) {
    const { id: siteId, kind, slug } = input;
    return this.createOne(restoreItem, input, async (manager) => {
      const { context, installed } = await lockSiteItem(manager, input);
      const copy = await findRollbackCopy(manager, { siteId, kind, slug });
      const request = toRestoreRequest(context, input, installed, copy);
      return (
        refuseOtherPlace(context, input.expected_place) ?? refuseOtherCopy(request, copy, input.expected) ?? request
      );
    });
  }

  @Handles(updateItems)
  async updateAll(input: Input<typeof updateItems>) {
    const targets = input.items.map((item) => ({ ...item, site_id: input.id }));
    return this.createBatch(updateItems, input, 'changes.update', (manager) => toUpdateRequests(manager, targets));
  }

  @Handles(applyUpdates)
  async applyUpdates(input: Input<typeof applyUpdates>) {
    return this.createBatch(applyUpdates, input, 'changes.update', async (manager) =>
      refuseOtherVersions(await toUpdateRequests(manager, input.targets), input.targets),
    );
  }

  @Handles(applyInstalls)
  async applyInstalls(input: Input<typeof applyInstalls>) {
    return this.createBatch(applyInstalls, input, 'changes.install', async (manager) => {
      const contexts = await lockSiteContexts(manager, input.site_ids);
      const upload = await lockUpload(manager, { id: input.upload_id });
      return toInstallRequests(manager, [...contexts.values()], upload, input.activate);
    });
  }

  @Handles(planUpdates)
  async planUpdates({ site_ids: siteIds, items }: Input<typeof planUpdates>) {
    const { manager } = this.database;
    return planOfUpdates(manager, await findSiteContexts(manager, siteIds), items);
  }

  @Handles(planInstalls)
  async planInstalls({ upload_id: id, site_ids: siteIds }: Input<typeof planInstalls>) {
    const { manager } = this.database;
    const upload = await manager.findOneBy(Upload, { id, ...ownerFilter() });
    if (!upload) throw unknownUpload();
    const contexts = await findSiteContexts(manager, siteIds);
    return planOfInstalls(manager, await toInstallRequests(manager, [...contexts.values()], upload, false), contexts);
  }

  private createOne(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<ChangeRequest | AppError>,
  ): Promise<JobTicket> {
    const findRequest = async (manager: EntityManager) => {
      const request = await find(manager);
      if (request instanceof AppError) return request;
      const [refused = request] = await refuseOpenChanges(manager, [request]);
      return refused;
    };
    return this.jobs.createOne(contract, input, findRequest, auditChanges);
  }

  private createBatch(
    contract: Contract,
    input: object,
    kind: ChangeKind,
    find: (manager: EntityManager) => Promise<ChangeRequest[]>,
  ): Promise<JobTicket> {
    return this.jobs.createBatch(contract, input, {
      kind,
      find: async (manager) => refuseOpenChanges(manager, await find(manager)),
      refuseAll: nothingPossible,
      audit: auditChanges,
    });
  }
}

const unknownUpload = () =>
  new AppError('not_found', 'Cette archive n’existe pas ou n’existe plus\u00a0: téléversez-la, puis recommencez.');

async function lockUpload(manager: EntityManager, filter: Partial<Pick<Upload, 'id' | 'type' | 'filename'>>) {
  const [upload] = await lockUploadRows(manager, { ...filter, ...ownerFilter() });
  if (!upload) throw unknownUpload();
  return upload;
}

/** Without an id, the site owner's upload of this name precedes the caller's. A grant does not open the owner's uploads. */
async function findChosenUpload(
  manager: EntityManager,
  { ownerId }: Site,
  { filename, kind, upload_id: id }: Input<typeof installUpload>,
): Promise<Upload | undefined> {
  const nameFilter = { type: kind, filename: filename.normalize('NFC') };
  if (id !== undefined) return lockUpload(manager, { ...nameFilter, id });
  const owners = isNarrowed() ? [] : [...(owns({ ownerId }) ? [ownerId] : []), currentUser().sub];
  return preferOwner(await lockUploadRows(manager, { ...nameFilter, ownerId: In(owners) }), ownerId);
}

async function lockSiteItem(manager: EntityManager, { id, ...item }: { id: string } & Item) {
  const context = await lockSiteContext(manager, id);
  return { context, installed: await findInstalledItem(manager, id, item) };
}

async function findInstalledItem(
  manager: EntityManager,
  siteId: string,
  { kind, slug }: Item,
): Promise<InstalledItem | undefined> {
  const [installed] = (await findInstalledItems(manager, [{ site_id: siteId, kind, slug }])).values();
  return installed;
}

/** Names each item once. */
async function toUpdateRequests(manager: EntityManager, targets: readonly UpdateTarget[]): Promise<ChangeRequest[]> {
  const distinct = [...new Map(targets.map((target) => [itemKeyOf(target), target])).values()];
  const contexts = await lockSiteContexts(
    manager,
    distinct.map(({ site_id: siteId }) => siteId),
  );
  const installedItems = await findInstalledItems(manager, distinct);
  return distinct.flatMap((target) => {
    const context = contexts.get(target.site_id);
    return context ? toUpdateRequest(context, target, installedItems.get(itemKeyOf(target))) : [];
  });
}

async function toInstallRequests(
  manager: EntityManager,
  contexts: readonly SiteContext[],
  upload: Upload,
  activate: boolean,
) {
  const items = contexts.map(({ site }) => ({ site_id: site.id, ...itemOf(upload) }));
  const installedItems = await findInstalledItems(manager, items);
  return contexts.map((context) =>
    toInstallRequest(
      context,
      upload,
      installedItems.get(itemKeyOf({ site_id: context.site.id, ...itemOf(upload) })),
      activate,
    ),
  );
}
