import { isPlanChanged } from '@vigie/contracts/changed-plans';
import type { ItemKind } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import { isOpen } from '../queue/job.entity';
import type { ChangeRequest } from './change-requests';
import { itemKeyOf } from '../items/installed-items';

/** Maps the keys of items, from `itemKeyOf`, to the jobs that change them. */
export async function findOpenChanges(
  manager: EntityManager,
  siteIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows: { id: string; site_id: string; kind: ItemKind; slug: string }[] = await manager.query(
    `select id, site_id, input -> 'item' ->> 'kind' as kind, input -> 'item' ->> 'slug' as slug
     from jobs where site_id = any($1::uuid[]) and is_exclusive and ${isOpen('jobs')} and kind like 'changes.%'
     order by created_at desc`,
    [siteIds],
  );
  return new Map(rows.map(({ id, ...item }) => [itemKeyOf(item), id]));
}

/** Refuses changes of items that are being changed already. */
export async function refuseOpenChanges<Request extends ChangeRequest>(
  manager: EntityManager,
  requests: readonly Request[],
): Promise<Request[]> {
  const openChanges = await findOpenChanges(manager, [...new Set(requests.map(({ target }) => target.id))]);
  return requests.map((request) => {
    const { site, item } = request.input;
    // The plan was for other versions than those that are being changed to: that is the reason to tell.
    if (isPlanChanged(request.refusal)) return request;
    return openChanges.has(itemKeyOf({ site_id: site.id, ...item }))
      ? { ...request, refusal: alreadyChanging(item.name) }
      : request;
  });
}

const alreadyChanging = (name: string) =>
  new AppError(
    'conflict',
    `${name} est déjà en cours de modification sur ce site\u00a0: attendez qu’elle se termine, ou annulez-la.`,
  );
