import type { Item, ItemKind } from '@vigie/contracts/changes';
import type { EntityManager } from 'typeorm';

/** A plugin, a theme or the core of a site, as last read. */
export type InstalledItem = {
  site_id: string;
  kind: ItemKind;
  slug: string;
  name: string;
  /** The main file of a plugin. */
  file: string | null;
  version: string | null;
  status: 'active' | 'inactive' | null;
  plugin_kind: 'regular' | 'must_use' | 'drop_in';
  has_update: boolean;
  new_version: string | null;
  /** The offered version was refused lately for want of a licence. */
  is_blocked: boolean;
};

/** SQL: the row of `site_extensions` is a regular plugin. A folder may hold several. */
export const isAnyPlugin = (row: string) => `${row}.type = 'plugin' and ${row}.kind = 'regular'`;

/** SQL: the row stands for its plugin folder on its site. */
export const isPlugin = (row: string) => `${isAnyPlugin(row)} and ${row}.is_main`;

const licenceDays = 7;

/** SQL: the offered version of item `i` was refused for want of a licence. `kind` is the SQL of its kind. */
export const isBlocked = (kind: string) =>
  `exists (select from site_licences l where (l.site_id, l.kind, l.slug) = (i.site_id, ${kind}, i.slug)
     and l.version is not distinct from i.new_version and l.since > now() - interval '${licenceDays} days')`;

/** One row for each item: the most relevant of several plugins in one folder, by `itemOrder`. */
const itemsSql = `
  select distinct on (i.site_id, i.kind, i.slug) i.*, ${isBlocked('i.kind')} as is_blocked
  from (
    select id as site_id, 'core' as kind, 'wordpress' as slug, 'WordPress' as name, null as file, wp_version as version,
      null as status, 'regular' as plugin_kind, coalesce(updates_core, 0) > 0 as has_update, new_wp_version as new_version
    from sites
    union all
    select site_id, type, slug, name, nullif(file, ''), version, status, kind, has_update, new_version from site_extensions
  ) i`;
const itemOrder = "i.site_id, i.kind, i.slug, (i.plugin_kind = 'regular') desc, i.has_update desc, i.status, i.file";

const keyOf = ({ kind, slug }: Pick<Item, 'kind' | 'slug'>) => `${kind} ${slug}`;

type ItemRef = { site_id: string } & Pick<Item, 'kind' | 'slug'>;
export const itemKeyOf = ({ site_id: siteId, ...item }: ItemRef) => `${siteId} ${keyOf(item)}`;

const toArrays = (items: readonly Pick<Item, 'kind' | 'slug'>[]) => {
  const distinct = [...new Map(items.map((item) => [keyOf(item), item])).values()];
  return [distinct.map(({ kind }) => kind), distinct.map(({ slug }) => slug)];
};

/** The keys come from `itemKeyOf`. */
export async function findInstalledItems(
  manager: EntityManager,
  targets: readonly ItemRef[],
): Promise<Map<string, InstalledItem>> {
  const siteIds = [...new Set(targets.map(({ site_id: siteId }) => siteId))];
  const rows: InstalledItem[] = await manager.query(
    `${itemsSql} where i.site_id = any($1::uuid[])
       and (i.kind, i.slug) in (select * from unnest($2::text[], $3::text[]))
     order by ${itemOrder}`,
    [siteIds, ...toArrays(targets)],
  );
  return new Map(rows.map((row) => [itemKeyOf(row), row]));
}

/** Sorts by site; `total` ignores the limit. */
export async function findUpdatableItems(
  manager: EntityManager,
  siteIds: readonly string[],
  { items, limit }: { items: readonly Item[] | undefined; limit: number },
): Promise<{ installedItems: InstalledItem[]; total: number }> {
  const rows: (InstalledItem & { total: number })[] = await manager.query(
    `select w.*, count(*) over ()::int as total from (
       ${itemsSql} where i.site_id = any($1::uuid[]) and i.has_update and i.plugin_kind = 'regular'
         and ($2::text[] is null or (i.kind, i.slug) in (select * from unnest($2::text[], $3::text[])))
       order by ${itemOrder}) w
     join sites s on s.id = w.site_id
     order by s.name, s.id, array_position(array['core', 'plugin', 'theme'], w.kind), w.name limit $4`,
    [siteIds, ...(items ? toArrays(items) : [null, null]), limit],
  );
  return { installedItems: rows, total: rows[0]?.total ?? 0 };
}

export const deleteOldLicenceFailures = (manager: EntityManager) =>
  manager.query('delete from site_licences where since < now() - make_interval(days => $1)', [licenceDays]);
