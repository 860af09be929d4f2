import type { EntityManager } from 'typeorm';
import type { AcceptedLine } from './resolve-line';

export type ExistingSite = { id: string; name: string };

/** Finds the owner's sites that are at the places of these lines, by line: as `KnownPlaces` does. */
export async function findExisting(
  manager: EntityManager,
  ownerId: string,
  lines: readonly AcceptedLine[],
): Promise<Map<number, ExistingSite>> {
  const places = lines.map(({ line, host, port, fields: { path, url } }) => ({ line, host, port, path, url }));
  // Two joins by equality, each of which PostgreSQL makes by hashing, since a join with "or" would compare all with all.
  const rows: { line: number; id: string; name: string }[] = await manager.query(
    `with r as (select * from jsonb_to_recordset($2::jsonb) as r(line int, host text, port int, path text, url text)),
     s as (
       select s.id, s.name, s.url, s.wp_path, coalesce(s.host, v.host) as host, coalesce(s.port, v.port, 22) as port
       from sites s left join servers v on v.id = s.server_id where s.owner_id = $1)
     select r.line, s.id, s.name from r join s on s.host = r.host and s.port = r.port and s.wp_path = r.path
     union all
     select r.line, s.id, s.name from r join s on s.host = r.host and s.port = r.port and s.url = r.url
     where s.wp_path is null or r.path is null`,
    [ownerId, JSON.stringify(places)],
  );
  return new Map(rows.toReversed().map(({ line, id, name }) => [line, { id, name }]));
}
