import type { Server as ServerView } from '@vigie/contracts/servers';
import { queryPrepared } from '@vigie/service-kit/database';
import type { EntityManager } from 'typeorm';
import { clearSiteState } from '../items/clear-site-state';
import { isOwned, ownerFilter, visibleOwner } from '../owners/owner-filter';
import { hurryScans } from '../sweeps/schedule';
import { unknownServer } from './find-server';
import { addressOf, type Server, toStatus } from './server.entity';

/** A server as the lists show it. */
type ServerRow = Pick<Server, 'id' | 'ownerId' | 'name' | 'host' | 'port' | 'user' | 'provider' | 'type' | 'method'> &
  Pick<Server, 'hostKey' | 'status' | 'alerts'> & { sites_count: number; groups: string[] };

const rowsSql = `
  select s.id, s.owner_id as "ownerId", s.name, s.host, s.port, s.login as user, s.provider, s.type, s.method,
    s.host_key as "hostKey", s.status, s.alerts,
    (select count(*)::int from sites t where t.server_id = s.id) as sites_count,
    to_json(array(
      select g.id from server_groups m join groups g on g.id = m.group_id where m.server_id = s.id order by g.name, g.id)) as groups
  from servers s`;

/** Describes these servers, in their order, by one statement. The caller has checked that the user may see them. */
export async function toServers(manager: EntityManager, ids: readonly string[]): Promise<ServerView[]> {
  const rows = await queryPrepared<ServerRow>(manager, `${rowsSql} where s.id = any($1::uuid[])`, [ids]);
  const views = new Map(rows.map((row) => [row.id, toServer(row)]));
  return ids.flatMap((id) => views.get(id) ?? []);
}

/** Reads a server that the caller may see. */
export async function toServerView(manager: EntityManager, id: string): Promise<ServerView> {
  const sql = `${rowsSql} where s.id = $1 and ${isOwned('s', '$2')}`;
  const [row] = await queryPrepared<ServerRow>(manager, sql, [id, ownerFilter().ownerId ?? null]);
  if (!row) throw unknownServer();
  return toServer(row);
}

const toServer = (row: ServerRow): ServerView => ({
  id: row.id,
  name: row.name,
  ...addressOf(row),
  provider: row.provider,
  type: row.type,
  groups: row.groups,
  has_password: row.method === 'password',
  has_key: row.method === 'key',
  host_key: row.hostKey,
  sites_count: row.sites_count,
  status: toStatus(row),
  ...visibleOwner(row.ownerId),
});

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
