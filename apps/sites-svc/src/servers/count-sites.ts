import type { EntityManager } from 'typeorm';
import type { Server } from './server.entity';

/** How many sites use each of them; a server without any is left out. */
export async function countSites(manager: EntityManager, servers: readonly Server[]): Promise<Map<string, number>> {
  if (servers.length === 0) return new Map();
  const rows: { id: string; n: number }[] = await manager.query(
    'select server_id as id, count(*)::int as n from sites where server_id = any($1::uuid[]) group by server_id',
    [servers.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}
