import type { Input, Output } from '@vigie/contracts/contract';
import { writeGroupPaths } from '@vigie/contracts/group-paths';
import type { exportChosenSites, exportSites, SiteExportLine } from '@vigie/contracts/site-csv';
import type { SiteItem } from '@vigie/contracts/sites';
import { fitInMessage } from '@vigie/service-kit/messages';
import type { EntityManager } from 'typeorm';
import { pathsOf } from '../groups/group-tree';
import { reachedSites, siteRefusal } from '../sites/find-site';
import { querySites } from '../sites/site-query';
import { toItems } from '../sites/site-responses';

/** Usually fits into one message. */
const maxSites = 1_000;

type Request = Partial<Input<typeof exportSites> & Input<typeof exportChosenSites>>;

/** Continues after the cursor, in the order of names. */
export async function exportPart(
  manager: EntityManager,
  { q = '', ids, after, ...filters }: Request,
): Promise<Output<typeof exportSites>> {
  const { where, order, values } = querySites({ ...filters, q, sort: 'name' });
  const add = (value: unknown) => `$${values.push(value)}`;
  const isChosen = ids ? `s.id = any(${add(ids)}::uuid[])` : 'true';
  const isAfter = after ? `(s.name, s.id) > (${add(after.name)}, ${add(after.site_id)}::uuid)` : 'true';
  if (ids) await requireVisible(manager, [...new Set(after ? [...ids, after.site_id] : ids)]);
  const page: { id: string }[] = await manager.query(
    `select s.id from sites s where ${where} and ${isChosen} and ${isAfter} order by ${order} limit ${maxSites}`,
    values,
  );
  const items = await toItems(
    manager,
    page.map(({ id }) => id),
  );
  const paths = await pathsOf(manager, [...new Set(items.flatMap(({ groups }) => groups))]);
  const lines = fitInMessage(items.map((item) => lineOf(item, paths)));
  const last = lines.length < items.length || page.length === maxSites ? items[lines.length - 1] : undefined;
  return { lines, next: last ? { name: last.name, site_id: last.id } : null };
}

/** Checked for each part, since nothing says that a request for a later one follows that for the first. */
async function requireVisible(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const reached = await reachedSites(manager).andWhere('s.id = any(cast(:ids as uuid[]))', { ids }).getCount();
  if (reached < ids.length) throw await siteRefusal(manager, ids);
}

function lineOf(item: SiteItem, paths: ReadonlyMap<string, readonly string[]>): SiteExportLine {
  const { name, url, groups, status, http, wpCore, php_version: php, updates, last_backup_at, read_at } = item;
  const { server_name: server, wp_path: path, effective } = item.connection.ssh;
  const { host = null, port = null, user = null } = effective ?? {};
  return {
    name,
    url,
    groups: writeGroupPaths(groups.flatMap((id) => [paths.get(id) ?? []])),
    server,
    host,
    port,
    user,
    path,
    status,
    reasons: item.status_reasons,
    http: http && http.code > 0 ? http.code : null,
    wordpress: wpCore.version,
    php,
    updates: updates && updates.core + updates.plugins + updates.themes,
    last_backup_at,
    read_at,
  };
}
