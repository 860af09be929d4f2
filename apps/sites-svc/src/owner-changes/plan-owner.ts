import type { OwnerPlan } from '@vigie/contracts/owner-changes';
import { isPrivateAddress } from '@vigie/service-kit/private-addresses';
import type { EntityManager } from 'typeorm';
import { isOpen } from '../queue/job.entity';
import { findOwnUploads } from './own-uploads';
import { idsOf, type PassingOn } from './passing-on';
import type { KnownUser } from '../owners/people';

const maxNames = 50;

const firstOf = (rows: readonly { name: string }[]) => ({
  names: rows.slice(0, maxNames).map(({ name }) => name),
  total: rows.length,
});

/** Says what a change of owner takes along, drops and leaves. */
export async function planOf(manager: EntityManager, passing: PassingOn, user: KnownUser): Promise<OwnerPlan> {
  const { sites, servers, groups } = passing;
  const lists = { sites: firstOf(sites), servers: firstOf(servers), groups: firstOf(groups) };
  const [siteIds, serverIds, groupIds] = [idsOf(sites), idsOf(servers), idsOf(groups)];
  const [counts]: Pick<OwnerPlan, 'backups' | 'grants' | 'jobs'>[] = await manager.query(
    `select (select count(*)::int from local_backups b where b.site_id = any($1::uuid[])) as backups,
       (select count(*)::int from grants n where (n.site_id = any($1::uuid[]) or n.group_id = any($3::uuid[]))
          and n.user_id is distinct from $4) as grants,
       (select count(*)::int from jobs j where (j.site_id = any($1::uuid[]) or j.server_id = any($2::uuid[]))
          and ${isOpen('j')}) as jobs`,
    [siteIds, serverIds, groupIds, user.id],
  );
  if (!counts) throw new Error('a count is one row');
  const uploads = (await findOwnUploads(manager, passing)).length;
  const left = firstOf(await findLeftGroups(manager, passing));
  const privateHosts = user.role === 'admin' ? [] : await findPrivateHosts(manager, passing);
  return { ...lists, ...counts, uploads, left_groups: left, private_hosts: firstOf(privateHosts) };
}

const findLeftGroups = (manager: EntityManager, { sites, servers, groups }: PassingOn): Promise<{ name: string }[]> =>
  manager.query(
    `select g.name from groups g where g.id <> all($3::uuid[]) and (
       g.id in (select m.group_id from site_groups m where m.site_id = any($1::uuid[]))
       or g.id in (select m.group_id from server_groups m where m.server_id = any($2::uuid[])))
     order by g.name, g.id`,
    [idsOf(sites), idsOf(servers), idsOf(groups)],
  );

/** A host that is a name is not looked up here: the connection itself refuses it. */
async function findPrivateHosts(
  manager: EntityManager,
  { sites, servers }: PassingOn,
): Promise<readonly { name: string }[]> {
  const hosts: { name: string }[] = await manager.query(
    `select host as name from servers where id = any($2::uuid[])
     union select host from sites where id = any($1::uuid[]) and host is not null order by 1`,
    [idsOf(sites), idsOf(servers)],
  );
  return hosts.filter(({ name }) => isPrivateAddress(name));
}
