import type { ItemKind } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import { isOpen, visibleBatch } from '../queue/job.entity';
import { ownerFilter } from '../owners/owner-filter';
import type { ChangeRequest } from './change-requests';
import { itemKeyOf } from '../items/installed-items';

export type OpenChange = {
  id: string;
  /** Null when the caller may not see the batch. */
  batch_id: string | null;
  site_id: string;
  kind: string;
  item_kind: ItemKind;
  slug: string;
  package: string | null;
  activate: boolean;
  is_cancelling: boolean;
};

/** The keys come from `itemKeyOf`; an item has one open change at most. */
export type OpenChanges = ReadonlyMap<string, OpenChange>;

export async function findOpenChanges(manager: EntityManager, siteIds: readonly string[]): Promise<OpenChanges> {
  const rows: OpenChange[] = await manager.query(
    `select id, ${visibleBatch('$2')} as batch_id, site_id, kind, cancel_asked_at is not null as is_cancelling,
       input -> 'item' ->> 'kind' as item_kind, input -> 'item' ->> 'slug' as slug,
       input -> 'package' ->> 'key' as package, coalesce((input ->> 'activate')::boolean, false) as activate
     from jobs where site_id = any($1::uuid[]) and is_exclusive and ${isOpen('jobs')}
       and kind like 'changes.%'
     order by created_at desc`,
    [siteIds, ownerFilter().ownerId ?? null],
  );
  return new Map(rows.map((row) => [itemKeyOf({ site_id: row.site_id, kind: row.item_kind, slug: row.slug }), row]));
}

export const openChangeOf = (openChanges: OpenChanges, { input: { site, item } }: ChangeRequest) =>
  openChanges.get(itemKeyOf({ site_id: site.id, ...item }));

export const isSameChange = (open: OpenChange, { kind, input }: ChangeRequest): boolean =>
  open.kind === kind &&
  !open.is_cancelling &&
  open.package === (input.package?.key ?? null) &&
  open.activate === input.activate;

export const alreadyChanging = ({ input: { item } }: ChangeRequest) =>
  new AppError(
    'conflict',
    `${item.name} est déjà en cours de modification sur ce site\u00a0: attendez qu’elle se termine, ou annulez-la.`,
  );
