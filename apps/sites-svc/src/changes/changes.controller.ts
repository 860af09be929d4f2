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
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager, In } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { findGrounds, type Ground, holdGround, holdGrounds } from '../sites/grounds';
import { Upload } from '../uploads/upload.entity';
import { AskedChanges } from './asked-changes';
import { findAside } from './aside.entity';
import { installOf, type Order, restoreOf, switchOf, updateOf } from './orders';
import { planOfInstalls, planOfUpdates } from './plan';
import { firstOf, heldUploads } from './held-uploads';
import { findWares, itemKeyOf, type Ware } from './wares';

type Target = Input<typeof applyUpdates>['targets'][number];

/** Changes of core, plugins and themes: what would be done, and the jobs that do it. */
@Controller()
export class ChangesController {
  constructor(
    private readonly database: DataSource,
    private readonly asked: AskedChanges,
  ) {}

  @Handles(updateItem)
  async update(input: Input<typeof updateItem>) {
    return this.asked.one(updateItem, input, async (manager) => {
      const { ground, ware } = await holdItem(manager, input);
      return updateOf(ground, input, ware);
    });
  }

  @Handles(installUpload)
  async install(input: Input<typeof installUpload>) {
    return this.asked.one(installUpload, input, async (manager) => {
      const ground = await holdGround(manager, input.id);
      const upload = await findChosen(manager, ground.site.ownerId, input);
      if (!upload) return unknownUpload();
      return installOf(ground, upload, await wareOf(manager, input.id, itemOf(upload)), input.activate);
    });
  }

  @Handles(activateItem)
  async activate(input: Input<typeof activateItem>) {
    return this.asked.one(activateItem, input, async (manager) => {
      const { ground, ware } = await holdItem(manager, input);
      return switchOf(ground, input, ware, true);
    });
  }

  @Handles(deactivateItem)
  async deactivate(input: Input<typeof deactivateItem>) {
    const item = { ...input, kind: 'plugin' } as const;
    return this.asked.one(deactivateItem, input, async (manager) => {
      const { ground, ware } = await holdItem(manager, item);
      return switchOf(ground, item, ware, false);
    });
  }

  @Handles(restoreItem)
  async restore(input: Input<typeof restoreItem>) {
    const { id: siteId, kind, slug } = input;
    return this.asked.one(restoreItem, input, async (manager) => {
      const { ground, ware } = await holdItem(manager, input);
      return restoreOf(ground, input, ware, await findAside(manager, { siteId, kind, slug }));
    });
  }

  @Handles(updateItems)
  async updateAll(input: Input<typeof updateItems>) {
    const targets = input.items.map((item) => ({ ...item, site_id: input.id }));
    return this.asked.many(updateItems, input, 'changes.update', (manager) => updatesOf(manager, targets));
  }

  @Handles(applyUpdates)
  async applyUpdates(input: Input<typeof applyUpdates>) {
    return this.asked.many(applyUpdates, input, 'changes.update', (manager) => updatesOf(manager, input.targets));
  }

  @Handles(applyInstalls)
  async applyInstalls(input: Input<typeof applyInstalls>) {
    return this.asked.many(applyInstalls, input, 'changes.install', async (manager) => {
      const grounds = await holdGrounds(manager, input.site_ids);
      const upload = await holdUpload(manager, { id: input.upload_id });
      return installsOf(manager, [...grounds.values()], upload, input.activate);
    });
  }

  @Handles(planUpdates)
  async planUpdates({ site_ids: ids, items }: Input<typeof planUpdates>) {
    const { manager } = this.database;
    return planOfUpdates(manager, await findGrounds(manager, ids), items);
  }

  @Handles(planInstalls)
  async planInstalls({ upload_id: id, site_ids: ids }: Input<typeof planInstalls>) {
    const { manager } = this.database;
    const upload = await manager.findOneBy(Upload, { id, ...ownerFilter() });
    if (!upload) throw unknownUpload();
    const grounds = await findGrounds(manager, ids);
    return planOfInstalls(manager, await installsOf(manager, [...grounds.values()], upload, false), grounds);
  }
}

const unknownUpload = () =>
  new AppError('not_found', 'Cette archive n’existe pas ou n’existe plus\u00a0: téléversez-la, puis recommencez.');

async function holdUpload(manager: EntityManager, which: Partial<Pick<Upload, 'id' | 'type' | 'filename'>>) {
  const [upload] = await heldUploads(manager, { ...which, ...ownerFilter() });
  if (!upload) throw unknownUpload();
  return upload;
}

/** The one that was chosen; by its name alone that of the site's owner, before the caller's own. */
async function findChosen(
  manager: EntityManager,
  ownerId: string,
  { filename, kind: type, upload_id: id }: Input<typeof installUpload>,
): Promise<Upload | undefined> {
  const named = { type, filename: filename.normalize('NFC') };
  if (id !== undefined) return holdUpload(manager, { ...named, id });
  return firstOf(await heldUploads(manager, { ...named, ownerId: In([ownerId, currentUser().sub]) }), ownerId);
}

async function holdItem(manager: EntityManager, { id, ...item }: { id: string } & Item) {
  const ground = await holdGround(manager, id);
  return { ground, ware: await wareOf(manager, id, item) };
}

async function wareOf(manager: EntityManager, siteId: string, { kind, slug }: Item): Promise<Ware | undefined> {
  const [ware] = (await findWares(manager, [{ site_id: siteId, kind, slug }])).values();
  return ware;
}

/** An order for each item that was named, once, in the order of their names. */
async function updatesOf(manager: EntityManager, targets: readonly Target[]): Promise<Order[]> {
  const distinct = [...new Map(targets.map((target) => [itemKeyOf(target), target])).values()];
  const grounds = await holdGrounds(
    manager,
    distinct.map(({ site_id: id }) => id),
  );
  const wares = await findWares(manager, distinct);
  return distinct.flatMap((target) => {
    const ground = grounds.get(target.site_id);
    return ground ? updateOf(ground, target, wares.get(itemKeyOf(target))) : [];
  });
}

async function installsOf(manager: EntityManager, grounds: readonly Ground[], upload: Upload, activate: boolean) {
  const places = grounds.map(({ site }) => ({ site_id: site.id, ...itemOf(upload) }));
  const wares = await findWares(manager, places);
  return grounds.map((ground) =>
    installOf(ground, upload, wares.get(itemKeyOf({ site_id: ground.site.id, ...itemOf(upload) })), activate),
  );
}
