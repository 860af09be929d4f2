import { AppError } from '@vigie/contracts/errors';
import type { OwnedKind } from '@vigie/contracts/owner-changes';
import type { EntityManager } from 'typeorm';
import { findGroup } from '../groups/group.entity';
import { findServer } from '../servers/find-server';
import { reachedSites, siteRefusal } from '../sites/find-site';

export type Row = { id: string; name: string; ownerId: string };

/** What a change of owner takes along. `roots` are what was named. */
export type PassingOn = Readonly<Record<'roots' | 'sites' | 'servers' | 'groups', readonly Row[]>>;

/** What is named for a new owner. */
export type Named = { kind: OwnedKind; ids: readonly string[]; userId: string };

export const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);

/** Finds what passes to the new owner: nothing where they own it already. */
export async function findPassingOn(manager: EntityManager, named: Named): Promise<PassingOn> {
  const roots = (await findRoots(manager, named)).filter(({ ownerId }) => ownerId !== named.userId);
  const [ids, { kind }] = [idsOf(roots), named];
  const groups = kind === 'group' ? await findTree(manager, ids) : [];
  const sites = kind === 'site' ? roots : await findSites(manager, kind, kind === 'group' ? idsOf(groups) : ids);
  const servers = kind === 'server' ? roots : await findServers(manager, idsOf(sites), idsOf(groups));
  await refuseDivided(manager, servers, sites);
  return { roots, sites, servers, groups };
}

const reads = {
  site: async (manager: EntityManager, ids: readonly string[]) => {
    const sites = await reachedSites(manager).andWhere('s.id = any(cast(:ids as uuid[]))', { ids }).getMany();
    if (sites.length < ids.length) throw await siteRefusal(manager, ids);
    return sites;
  },
  server: (manager: EntityManager, ids: readonly string[]) => Promise.all(ids.map((id) => findServer(manager, id))),
  group: (manager: EntityManager, ids: readonly string[]) => Promise.all(ids.map((id) => findGroup(manager, id))),
};

export async function findRoots(manager: EntityManager, { kind, ids }: Named): Promise<Row[]> {
  const rows: Row[] = await reads[kind](manager, [...new Set(ids)]);
  return rows.map(({ id, name, ownerId }) => ({ id, name, ownerId })).toSorted(byName);
}

const byName = (one: Row, other: Row) => one.name.localeCompare(other.name, 'fr') || one.id.localeCompare(other.id);

const row = 'x.id, x.name, x.owner_id as "ownerId"';

const findTree = (manager: EntityManager, ids: readonly string[]): Promise<Row[]> =>
  manager.query(
    `with recursive tree (id) as (
       select unnest($1::uuid[]) union select g.id from groups g join tree t on g.parent_id = t.id)
     select ${row} from groups x join tree t on t.id = x.id order by x.name, x.id`,
    [ids],
  );

const sitesOf = {
  server: 'x.server_id = any($1::uuid[])',
  group: 'x.id in (select m.site_id from site_groups m where m.group_id = any($1::uuid[]))',
};

const findSites = (manager: EntityManager, kind: keyof typeof sitesOf, ids: readonly string[]): Promise<Row[]> =>
  manager.query(`select ${row} from sites x where ${sitesOf[kind]} order by x.name, x.id`, [ids]);

/** The servers of these sites, and those in these groups. */
const findServers = (manager: EntityManager, siteIds: readonly string[], groupIds: readonly string[]): Promise<Row[]> =>
  manager.query(
    `select ${row} from servers x
     where x.id in (select s.server_id from sites s where s.id = any($1::uuid[]))
       or x.id in (select m.server_id from server_groups m where m.group_id = any($2::uuid[]))
     order by x.name, x.id`,
    [siteIds, groupIds],
  );

const maxNamed = 20;

/** A site may only be on a server of its own owner. */
async function refuseDivided(manager: EntityManager, servers: readonly Row[], sites: readonly Row[]): Promise<void> {
  const left: { id: string; name: string; server: string }[] = await manager.query(
    `select s.id, s.name, v.name as server from sites s join servers v on v.id = s.server_id
     where v.id = any($1::uuid[]) and s.id <> all($2::uuid[]) order by s.name, s.id`,
    [idsOf(servers), idsOf(sites)],
  );
  if (left.length === 0) return;
  const named = left.slice(0, maxNamed);
  const more = left.length - named.length;
  const names = `${named.map(({ name }) => name).join(', ')}${more > 0 ? ` et ${more}\u00a0autres` : ''}`;
  const hosts = [...new Set(left.map(({ server }) => server))].slice(0, maxNamed).join(', ');
  throw new AppError('conflict', {
    code: 'sites_left',
    message: `Un serveur passe avec tous ses sites, ou pas du tout. Resteraient sur ${hosts}\u00a0: ${names}. Confiez-les aussi, ou confiez le serveur.`,
    sites: named.map(({ id, name }) => ({ id, name })),
    total: left.length,
  });
}
