import type { Fleet } from '@vigie/contracts/dashboard';
import type { SiteStatus } from '@vigie/contracts/sites';
import { fitInMessage } from '@vigie/service-kit/messages';
import type { EntityManager } from 'typeorm';
import { isOwned } from '../owners/owner-filter';
import { reachedParent, reachesGroup, reachesSite, reachingCaller } from '../owners/reach';
import { type ReasonFacts, reasonFacts, worstReason } from '../sites/status-reasons';

/** A message on the bus carries one megabyte, with the names of servers and groups. */
const maxBytes = 950_000;
const maxReasonLength = 120;
const maxReasons = 1_000;

type Row = {
  id: string;
  name: string;
  status: SiteStatus;
  server_id: string | null;
  groups: string[];
  updates: number;
  is_busy: boolean;
  alarm: ReasonFacts | null;
};

type Names = Pick<Fleet, 'servers' | 'groups'>;

/** SQL: null for a site that nobody has to look at. */
const alarmSql = () => `case when s.status = 'error' or (s.status = 'warning' and (s.http ->> 'code')::int >= 400)
  then ${reasonFacts('s', '$1')} end`;

const fleetSql = () => `
  with busy as materialized (
    select distinct site_id from jobs where state in ('queued', 'running') and not is_batch and site_id is not null
  ), members as materialized (
    select site_id, array_agg(group_id) as groups from site_groups group by 1
  ), mine as materialized (
    select s.id, s.name, coalesce(s.status::text, 'unknown') as status, s.server_id, ${alarmSql()} as alarm,
      coalesce(s.updates_count, 0) as updates, b.site_id is not null as is_busy, coalesce(m.groups, '{}') as groups
    from sites s left join busy b on b.site_id = s.id left join members m on m.site_id = s.id
    where ${reachesSite('s', '$1')}
  )
  select
    (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name, id), '[]') from servers v
      where id in (select server_id from mine) and ${isOwned('v', '$1')}) as servers,
    (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'parent_id', ${reachedParent('g', '$1')}) order by name, id), '[]')
      from groups g where ${reachesGroup('g', '$1')}) as groups,
    (select coalesce(json_agg(mine order by status = 'error' desc, name, id), '[]') from mine) as sites`;

/** Reads the sites that the caller reaches in one statement. */
export async function readFleetSites(manager: EntityManager): Promise<Fleet> {
  const [answer]: (Names & { sites: Row[] })[] = await manager.query(fleetSql(), [reachingCaller()]);
  if (!answer) throw new Error('an aggregate is one row');
  const { servers, groups, sites } = answer;
  const reasons = reasonsOf(sites);
  const busy = sites.flatMap(({ is_busy: isBusy }, at) => (isBusy ? [at] : []));
  const columns = columnsOf(sites, { servers, groups });
  const room = maxBytes - Buffer.byteLength(JSON.stringify({ servers, groups, reasons, busy }));
  const { length } = fitInMessage(
    sites.map((_, at) => Object.values(columns).map((column) => column[at])),
    room,
  );
  return { servers, groups, reasons, busy, sites: cut(columns, length), total: sites.length };
}

function reasonsOf(sites: readonly Row[]): Fleet['reasons'] {
  const reasons = new Map<string, number[]>();
  for (const [at, { alarm }] of sites.entries()) {
    const reason = (alarm && worstReason(alarm))?.slice(0, maxReasonLength) ?? null;
    const places = reason === null ? undefined : reasons.get(reason);
    if (places) places.push(at);
    else if (reason !== null && reasons.size < maxReasons) reasons.set(reason, [at]);
  }
  return [...reasons].map(([text, places]) => ({ text, sites: places }));
}

const placesOf = (named: readonly { id: string }[]) => new Map(named.map(({ id }, at) => [id, at]));

function columnsOf(sites: readonly Row[], { servers, groups }: Names): Fleet['sites'] {
  const [serverPlaces, groupPlaces] = [placesOf(servers), placesOf(groups)];
  return {
    ids: sites.map(({ id }) => id),
    names: sites.map(({ name }) => name),
    statuses: sites.map(({ status }) => status),
    servers: sites.map(({ server_id: id }) => serverPlaces.get(id ?? '') ?? null),
    groups: sites.map(({ groups: ids }) => ids.flatMap((id) => groupPlaces.get(id) ?? [])),
    updates: sites.map(({ updates }) => updates),
  };
}

const cut = ({ ids, names, statuses, servers, groups, updates }: Fleet['sites'], length: number): Fleet['sites'] => ({
  ids: ids.slice(0, length),
  names: names.slice(0, length),
  statuses: statuses.slice(0, length),
  servers: servers.slice(0, length),
  groups: groups.slice(0, length),
  updates: updates.slice(0, length),
});
