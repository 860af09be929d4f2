import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { exportPlugins, PluginExportLine, PluginSiteLine, readPluginSites } from '@vigie/contracts/plugins';
import { partOf } from '@vigie/service-kit/database';
import { hasWords, patternsOf } from '@vigie/service-kit/search';
import { fitInMessage } from '@vigie/service-kit/messages';
import type { EntityManager } from 'typeorm';
import { findOpenChanges } from '../changes/open-changes';
import { isBlocked, isPlugin, itemKeyOf } from '../items/installed-items';
import { reachingCaller } from '../owners/reach';
import { failureSql } from '../sites/failures';
import { reachedPlugins } from '../sites/names';
import { isNamed } from './overview';
import { readScope, type SiteScope } from './site-scope';

const orders = { updates_desc: '(not has_update), site_id', name_asc: 'site_name, site_id' } as const;

/** Finds a plugin of sites that the caller reaches. Where sites of the scope have it, its name is all there is to read. */
export async function findPlugin(manager: EntityManager, { values }: SiteScope, slug: string, isInScope: boolean) {
  const [from, owner] = isInScope
    ? ['plugin_totals n where n.owner_id = $1', values[0]]
    : [reachedPlugins('$1'), reachingCaller()];
  const [plugin]: { plugin: string; name: string }[] = await manager.query(
    `select n.slug as plugin, n.name from ${from} and n.slug = $2`,
    [owner, slug],
  );
  if (plugin) return plugin;
  throw new AppError('not_found', 'Aucun de vos sites n’a ce plugin, ou n’en a plus.');
}

type Row = Omit<PluginSiteLine, 'read_at' | 'job_id'> & { read_at: Date | null };

export async function findPluginSites(
  manager: EntityManager,
  scope: SiteScope,
  { slug, q, only_updates: onlyUpdates, sort, limit, offset }: Input<typeof readPluginSites>,
): Promise<{ items: PluginSiteLine[]; total: number }> {
  const { isExtensionIn, parameter } = scope;
  const more: unknown[] = [slug, onlyUpdates];
  const add = (value: unknown) => parameter(more.push(value));
  const [words] = patternsOf(q) ?? [];
  // Without a search text, an index counts the rows, and only those of the page are read.
  const isFound = words
    ? `exists (select from sites n where n.id = x.site_id and ${hasWords('n.search_text', add(words))})`
    : 'true';
  const condition = `${isPlugin('x')} and ${isExtensionIn('x')} and x.slug = ${parameter(1)}
    and (${parameter(2)} = '0' or x.has_update) and ${isFound}`;
  const rows = await readScope<Row & { total: number }>(
    manager,
    scope,
    `select c.total, i.site_id, i.site_name, i.url, i.version, i.has_update as "hasUpdate",
       i.has_update and ${isBlocked("'plugin'")} as "blockedByLicense", i.new_version, i.status, i.read_at, i.failure
     from (select count(*)::int as total from site_extensions x where ${condition}) c left join (
       select x.*, s.name as site_name, s.url, s.read_at, ${failureSql('s')} as failure
       from site_extensions x join sites s on s.id = x.site_id where ${condition}
       order by ${orders[sort]} ${partOf({ limit, offset }, add)}
     ) i on true order by ${orders[sort]}`,
    more,
  );
  const siteRows = rows.filter(({ site_id: siteId }) => siteId !== null);
  const openChanges = await findOpenChanges(
    manager,
    siteRows.map(({ site_id: siteId }) => siteId),
  );
  const items = siteRows.map((row) => {
    const { total: _, read_at: at, ...site } = row;
    const jobId = openChanges.get(itemKeyOf({ site_id: site.site_id, kind: 'plugin', slug })) ?? null;
    return { ...site, read_at: at?.toISOString() ?? null, job_id: jobId };
  });
  return { items: fitInMessage(items), total: rows[0]?.total ?? 0 };
}

/** Usually fits into one message. */
const maxLines = 2_000;

type ExportCursor = NonNullable<Input<typeof exportPlugins>['after']>;
type ExportRow = Omit<PluginExportLine, 'read_at'> & { read_at: Date | null; site_id: string };

/** Continues after the cursor, in the order of the overview. */
export async function exportPart(
  manager: EntityManager,
  scope: SiteScope,
  { q, only_updates: onlyUpdates, after }: Input<typeof exportPlugins>,
): Promise<{ lines: PluginExportLine[]; next: ExportCursor | null }> {
  const { isExtensionIn, values, parameter } = scope;
  const from: ExportCursor = after ?? { slug: '', is_current: false, site_id: '00000000-0000-0000-0000-000000000000' };
  const rows: ExportRow[] = await manager.query(
    `select t.name, i.slug, i.site_id, s.name as site_name, s.url, i.version, i.new_version, i.status = 'active' as is_active,
       i.has_update, i.has_update and ${isBlocked("'plugin'")} as is_blocked, s.read_at
     from (
       select x.* from site_extensions x
       where ${isPlugin('x')} and ${isExtensionIn('x')}
         and (x.slug, (not x.has_update), x.site_id) > (${parameter(1)}, ${parameter(2)}::boolean, ${parameter(3)}::uuid)
         and (${parameter(4)} = '0' or x.has_update)
         and x.slug in (select n.slug from plugin_totals n where n.owner_id = $1 and ${isNamed('n', 'slug', parameter(5))})
       order by x.slug, (not x.has_update), x.site_id limit ${maxLines}
     ) i join sites s on s.id = i.site_id join plugin_totals t on t.owner_id = $1 and t.slug = i.slug
     order by i.slug, (not i.has_update), i.site_id`,
    [...values, from.slug, from.is_current, from.site_id, onlyUpdates, q.trim().normalize('NFC')],
  );
  const sentRows = fitInMessage(rows);
  const lines = sentRows.map((row) => {
    const { site_id: _, read_at: at, ...line } = row;
    return { ...line, read_at: at?.toISOString() ?? null };
  });
  const last = sentRows.length < rows.length || rows.length === maxLines ? sentRows.at(-1) : undefined;
  return {
    lines,
    next: last ? { slug: last.slug, is_current: !last.has_update, site_id: last.site_id } : null,
  };
}
