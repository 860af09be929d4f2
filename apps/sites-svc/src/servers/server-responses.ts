import type { Server as ServerView } from '@vigie/contracts/servers';
import type { EntityManager } from 'typeorm';
import { groupsOf } from '../groups/memberships';
import { clearSiteState } from '../items/clear-site-state';
import { visibleOwner } from '../owners/owner-filter';
import { hurryScans } from '../sweeps/schedule';
import { type Server, toServer } from './server.entity';

/** Runs the same number of queries for a thousand servers as for one. */
export async function toServers(manager: EntityManager, servers: readonly Server[]): Promise<ServerView[]> {
  if (servers.length === 0) return [];
  const ids = servers.map(({ id }) => id);
  const rows: { id: string; n: number }[] = await manager.query(
    'select server_id as id, count(*)::int as n from sites where server_id = any($1::uuid[]) group by server_id',
    [ids],
  );
  const [counts, groups] = [new Map(rows.map(({ id, n }) => [id, n])), await groupsOf(manager, 'servers', ids)];
  return servers.map((server) => ({
    ...toServer(server, counts.get(server.id) ?? 0, groups.get(server.id) ?? []),
    ...visibleOwner(server.ownerId),
  }));
}

export async function toServerView(manager: EntityManager, server: Server): Promise<ServerView> {
  const [view] = await toServers(manager, [server]);
  if (!view) throw new Error('one server has one view');
  return view;
}

/** Discards what was read from the server's sites over its old connection. */
export async function resetSiteConnections(manager: EntityManager, serverId: string, hasMoved: boolean): Promise<void> {
  const [sites]: [{ id: string; has_moved: boolean }[], number] = await manager.query(
    `update sites set version = version + 1, refusal = null,
       host_key = case when $2 and (host is null or port is null) then null else host_key end,
       shown_key = case when $2 and (host is null or port is null) then null else shown_key end
     where server_id = $1 returning id, host is null or port is null or login is null as has_moved`,
    [serverId, hasMoved],
  );
  const ids = sites.map(({ id }) => id);
  if (hasMoved) {
    await clearSiteState(
      manager,
      sites.flatMap(({ id, has_moved: hasSiteMoved }) => (hasSiteMoved ? [id] : [])),
    );
  }
  await hurryScans(manager, ids);
}
