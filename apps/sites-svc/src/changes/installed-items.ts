import type { Item, ItemKind } from '@vigie/contracts/changes';
import type { EntityManager } from 'typeorm';

/** An item as it is known of a site. */
export type InstalledItem = {
  site_id: string;
  kind: ItemKind;
  slug: string;
  name: string;
  /** Of a plugin its main file. */
  file: string | null;
  version: string | null;
  status: 'active' | 'inactive' | null;
  sort: 'regular' | 'must_use' | 'drop_in';
  has_update: boolean;
  new_version: string | null;
  /** The offered version needs a licence that was missing lately. */
  is_blocked: boolean;
};

/** For how long a licence that was missing is taken to be missing still. */
const licenceDays = 7;

/** That what is offered to an item `i` was refused for want of a licence. `kind`: where its kind is. */
export const isBlocked = (kind: string) =>
  `exists (select from site_licences l where (l.site_id, l.kind, l.slug) = (i.site_id, ${kind}, i.slug)
     and l.version is not distinct from i.new_version and l.since > now() - interval '${licenceDays} days')`;

/** One line for each: of a folder with two plugins in it, the one that says most. */
const itemsSql = `
  select distinct on (i.site_id, i.kind, i.slug) i.*, ${isBlocked('i.kind')} as is_blocked
  from (
    select id as site_id, 'core' as kind, 'wordpress' as slug, 'WordPress' as name, null as file, wp_version as version,
      null as status, 'regular' as sort, coalesce(updates_core, 0) > 0 as has_update, new_wp_version as new_version
    from sites
    union all
    select site_id, type, slug, name, nullif(file, ''), version, status, kind, has_update, new_version from site_extensions
  ) i`;
const itemOrder = "i.site_id, i.kind, i.slug, (i.sort = 'regular') desc, i.has_update desc, i.status, i.file";

const keyOf = ({ kind, slug }: Pick<Item, 'kind' | 'slug'>) => `${kind} ${slug}`;

type ItemRef = { site_id: string } & Pick<Item, 'kind' | 'slug'>;
export const itemKeyOf = ({ site_id: siteId, ...item }: ItemRef) => `${siteId} ${keyOf(item)}`;

const toArrays = (items: readonly Pick<Item, 'kind' | 'slug'>[]) => {
  const distinct = [...new Map(items.map((item) => [keyOf(item), item])).values()];
  return [distinct.map(({ kind }) => kind), distinct.map(({ slug }) => slug)];
};

/** By `itemKeyOf`. */
export async function findInstalledItems(
  manager: EntityManager,
  targets: readonly ItemRef[],
): Promise<Map<string, InstalledItem>> {
  const ids = [...new Set(targets.map(({ site_id: id }) => id))];
  const rows: InstalledItem[] = await manager.query(
    `${itemsSql} where i.site_id = any($1::uuid[])
       and (i.kind, i.slug) in (select * from unnest($2::text[], $3::text[]))
     order by ${itemOrder}`,
    [ids, ...toArrays(targets)],
  );
  return new Map(rows.map((row) => [itemKeyOf(row), row]));
}

/** Those for which an update waits, by site; no more than `limit`, and how many there are. */
export async function findUpdatableItems(
  manager: EntityManager,
  ids: readonly string[],
  { items, limit }: { items: readonly Item[] | undefined; limit: number },
): Promise<{ installedItems: InstalledItem[]; total: number }> {
  const rows: (InstalledItem & { total: number })[] = await manager.query(
    `select w.*, count(*) over ()::int as total from (
       ${itemsSql} where i.site_id = any($1::uuid[]) and i.has_update and i.sort = 'regular'
         and ($2::text[] is null or (i.kind, i.slug) in (select * from unnest($2::text[], $3::text[])))
       order by ${itemOrder}) w
     join sites s on s.id = w.site_id
     order by s.name, s.id, array_position(array['core', 'plugin', 'theme'], w.kind), w.name limit $4`,
    [ids, ...(items ? toArrays(items) : [null, null]), limit],
  );
  return { installedItems: rows, total: rows[0]?.total ?? 0 };
}

export const deleteOldLicenceFailures = (manager: EntityManager) =>
  manager.query('delete from site_licences where since < now() - make_interval(days => $1)', [licenceDays]);
