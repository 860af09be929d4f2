import type { Output } from '@vigie/contracts/contract';
import { type importSiteCsv, KnownPlaces } from '@vigie/contracts/site-csv';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { addSitesToGroups } from '../groups/memberships';
import { insertSites, type NewSite } from '../sites/insert-sites';
import { changedElsewhere, requireUnchangedServer } from '../sites/site-access';
import type { ReadLines } from './read-lines';
import type { AcceptedLine } from './resolve-line';

type Imported = Output<typeof importSiteCsv>;
/** The credential of a site that names its own host, sealed for the row of this id. */
export type MadeKey = Partial<NewSite> & { id: string };
type NewLine = { line: AcceptedLine; site: NewSite };
type Request = ReadLines & { ownerId: string; keys: ReadonlyMap<number, MadeKey> };

/** Registers what is new in these lines: the missing groups, then the sites, then who is in which group. */
export async function registerLines(manager: EntityManager, request: Request): Promise<Imported> {
  const { tree, refused } = request;
  const { newLines, skipped } = takeNew(request);
  const servers = new Map(newLines.flatMap(({ line: { server } }) => (server ? [[server.id, server]] : [])));
  for (const server of servers.values()) await requireUnchangedServer(manager, server, request.ownerId);
  const members = newLines.flatMap(({ line, site }) =>
    line.groups.map((path) => ({ site_id: site.id, group_id: tree.add(path) })),
  );
  await tree.save(manager);
  await insertSites(
    manager,
    newLines.map(({ line: { server, host }, site }) => ({
      site,
      details: server ? { server: server.name } : { host },
    })),
  );
  await addSitesToGroups(manager, members);
  return { items: newLines.map(itemOf), skipped, refused: [...refused] };
}

const itemOf = ({ line: { line, server }, site: { id, name } }: NewLine): Imported['items'][number] => ({
  line,
  id,
  name,
  server_id: server?.id ?? null,
});

/** Of lines about the same place, the first is new. */
function takeNew({ accepted, existing, ownerId, keys }: Request) {
  const places = new KnownPlaces<string>();
  const newLines: NewLine[] = [];
  const skipped: Imported['skipped'] = [];
  for (const line of accepted) {
    const siteId = existing.get(line.line)?.id ?? places.find(line.place);
    if (siteId !== undefined) {
      skipped.push({ line: line.line, site_id: siteId });
      continue;
    }
    const key = keys.get(line.line);
    // The server of the line was deleted while the keys of the others were made.
    if (!line.server && !key) throw changedElsewhere();
    const site = { id: uuid(), ...(!line.server && key), ...line.fields, ownerId };
    places.add(line.place, site.id);
    newLines.push({ line, site });
  }
  return { newLines, skipped };
}

/** Sites and idempotency key of one import share a time, because `now()` is that of the transaction. */
export async function repeatAnswer(
  manager: EntityManager,
  importId: string,
  { accepted, existing, refused }: ReadLines,
): Promise<Imported> {
  const ids = [...existing.values()].map(({ id }) => id);
  const rows: { id: string; name: string; server_id: string | null }[] = await manager.query(
    `select id, name, server_id from sites
     where id = any($2::uuid[]) and created_at = (select at from creation_keys where made_id = $1)`,
    [importId, ids],
  );
  const created = new Map(rows.map((row) => [row.id, row]));
  const items: Imported['items'] = [];
  const skipped: Imported['skipped'] = [];
  for (const { line } of accepted) {
    const siteId = existing.get(line)?.id ?? '';
    const row = created.get(siteId);
    // A site that was created for an earlier line was already there for this one.
    if (row && created.delete(siteId)) items.push({ line, ...row });
    else if (siteId !== '') skipped.push({ line, site_id: siteId });
  }
  return { items, skipped, refused: [...refused] };
}
