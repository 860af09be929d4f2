import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  createSiteView,
  deleteSiteView,
  editSiteView,
  listSiteViews,
  maxSiteViews,
  type SiteView as View,
} from '@vigie/contracts/site-views';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { lockName } from '@vigie/service-kit/locks';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { lockOwner } from '../owners/owners';
import { SiteView, toColumns, toView } from './site-view.entity';

/** Saved filters and columns of a person's list of sites. */
@Controller()
export class SiteViewsController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Handles(listSiteViews)
  async list(): Promise<View[]> {
    const { sub: userId } = currentUser();
    const views = await this.database.manager.find(SiteView, { where: { userId }, order: { name: 'asc', id: 'asc' } });
    return views.map(toView);
  }

  @Handles(createSiteView)
  async create(input: Input<typeof createSiteView>): Promise<View> {
    const { name, ...shown } = input;
    const newId = uuid();
    return this.database.transaction(async (manager) => {
      const userId = await lockOwner(manager);
      const existingId = await this.idempotencyKeys.claim(manager, createSiteView, input, newId);
      if (existingId !== undefined) return toView(await findView(manager, existingId));
      await lockViews(manager, userId);
      if ((await manager.countBy(SiteView, { userId })) >= maxSiteViews) throw tooManyViews();
      await refuseDuplicateName(manager, newId, name);
      await manager.insert(SiteView, { id: newId, userId, name, ...toColumns(shown) });
      return toView(await findView(manager, newId));
    });
  }

  @Handles(editSiteView)
  async edit({ id, name, shown }: Input<typeof editSiteView>): Promise<View> {
    return this.database.transaction(async (manager) => {
      const { userId } = await findView(manager, id);
      await lockViews(manager, userId);
      if (name !== undefined) await refuseDuplicateName(manager, id, name);
      const changes = { ...(name !== undefined && { name }), ...(shown && toColumns(shown)) };
      if (Object.keys(changes).length > 0) await manager.update(SiteView, { id }, changes);
      return toView(await findView(manager, id));
    });
  }

  @Handles(deleteSiteView)
  async delete({ id }: Input<typeof deleteSiteView>) {
    const { manager } = this.database;
    await findView(manager, id);
    await manager.delete(SiteView, { id, userId: currentUser().sub });
    return {};
  }
}

async function findView(manager: EntityManager, id: string): Promise<SiteView> {
  const view = await manager.findOneBy(SiteView, { id, userId: currentUser().sub });
  if (!view) throw new AppError('not_found', 'Cette vue n’existe pas ou n’existe plus.');
  return view;
}

/** Keeps two simultaneous requests from exceeding the limit together. */
const lockViews = (manager: EntityManager, userId: string) => lockName(manager, 'site_views', userId);

const tooManyViews = () =>
  new AppError('conflict', `Vous avez déjà ${maxSiteViews}\u00a0vues\u00a0: supprimez-en une, puis recommencez.`);

async function refuseDuplicateName(manager: EntityManager, id: string, name: string): Promise<void> {
  const duplicates: unknown[] = await manager.query(
    'select id from site_views where user_id = $1 and lower(name) = lower($2) and id <> $3',
    [currentUser().sub, name, id],
  );
  if (duplicates.length > 0) {
    throw new AppError(
      'conflict',
      `Une de vos vues s’appelle déjà «\u00a0${name}\u00a0»\u00a0: choisissez un autre nom.`,
    );
  }
}
