import type { TodoGroup } from '@vigie/contracts/dashboard';
import { queryPrepared } from '@vigie/service-kit/database';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { isOwned } from '../owners/owner-filter';
import { inShared, reachesRowOfSite, reachesSite, reachingCaller, sharedTable, withSharedRole } from '../owners/reach';
import { isOpenProposal, proposalCounts, reachesAllSites } from '../proposals/find-proposals';
import { isUndone, isUnresolved } from '../queue/failures';
import { isNeverBackedUp } from '../sites/site-query';
import { reasonFacts, worstReason } from '../sites/status-reasons';

/** Sites, servers or jobs named on each line. */
const maxNamed = 3;
/** Sites or jobs that one press of a button may act on. */
const maxIds = 500;
/** Older failures no longer wait for anybody. */
const failedDays = 7;
const lateDays = 7;

const ranks: Readonly<Record<TodoGroup['kind'], number>> = {
  sites_down: 1,
  servers_in_alert: 2,
  jobs_failed: 3,
  proposals: 4,
  backups_never: 5,
  backups_late: 6,
  updates: 7,
};

type Row = { kind: TodoGroup['kind']; count: number; worst: object[]; ids: string[]; undone: number };

/** Reads the caller’s lines, or those of all owners in the admin mode, by one statement. */
export async function readTodoLines(manager: EntityManager): Promise<TodoGroup[]> {
  const rows = await queryPrepared<Row>(manager, todoSql(), [reachingCaller()]);
  const lines = rows
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => ranks[one.kind] - ranks[other.kind])
    .map((row) => (row.kind === 'sites_down' ? withReasons(row) : row));
  return lines as TodoGroup[];
}

const withReasons = (row: Row) => ({
  ...row,
  worst: row.worst.map((site) => ({ ...site, reason: worstReason(Object(site).facts) })),
});

const atUtc = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type TodoQuery = { kind: TodoGroup['kind']; from: string; where: string; order: string; item: string };

/** SQL for the first rows in this order: the ids of many, and the names of a few. */
const firstSql = ({ from, where, order, item }: Omit<TodoQuery, 'kind'>) => `
  select coalesce(json_agg(json_build_object('id', id, ${item}) order by at) filter (where at <= ${maxNamed}), '[]') as worst,
    coalesce(json_agg(id order by at), '[]') as ids
  from (select *, row_number() over (order by ${order}) as at from ${from} where ${where}
    order by ${order} limit ${maxIds}) first`;

const nameField = "'name', name";

const siteTodos = () =>
  [
    {
      kind: 'sites_down',
      where: "s.status = 'error'",
      order: 's.name, s.id',
      item: `${nameField}, 'facts', ${reasonFacts('first', '$1')},
      'http_code', case when ssh_error is null and problem is null then (http ->> 'code')::int end`,
    },
    { kind: 'backups_never', where: isNeverBackedUp('s'), order: 's.name, s.id', item: nameField },
    {
      kind: 'backups_late',
      where: `s.last_backup_at < now() - interval '${lateDays} days'`,
      order: 's.last_backup_at, s.id',
      item: `${nameField}, 'last_backup_at', ${atUtc('last_backup_at')}`,
    },
    {
      kind: 'updates',
      where: 's.updates_count > 0',
      // The same order as the list of sites, which has an index.
      order: 's.updates_count desc nulls last, s.name, s.id',
      item: `${nameField}, 'updates', first.updates_count`,
    },
  ] as const;

/** Counts all kinds of sites in one index scan, then reads the first few rows of each. */
const sitesSql = (isMine: string) => ({
  counted: `select ${siteTodos()
    .map(({ kind, where }) => `(count(*) filter (where ${where}))::int as ${kind}`)
    .join(', ')} from sites s where ${isMine}`,
  lines: siteTodos().map(
    ({ kind, where, order, item }) => `
      select '${kind}' as kind, c.${kind} as count, 0 as undone, worst, ids from counted c cross join lateral (
        ${firstSql({ from: 'sites s', where: `${isMine} and ${where} and c.${kind} > 0`, order, item })}) found`,
  ),
});

/** SQL: a look-up of each row, where `exists` would read all ids of the table first. */
const isStored = (table: string, id: string) => `coalesce((select true from ${table} t where t.id = ${id}), false)`;

/** SQL for the failures that still wait for somebody; finding one costs more than keeping all. A command is not for all readers. */
const unresolvedSql = (isMine: string) => `
  select j.id, j.kind, case when j.kind <> 'commands.run' then j.about end as about, j.site_name, j.server_name, j.finished_at, ${isUndone('j.state', 'j.error')} as is_undone
  from jobs j
  where ${isUnresolved('j')} and j.finished_at > now() - interval '${failedDays} days' and ${isMine}
    and (j.site_id is null or ${isStored('sites', 'j.site_id')})
    and (j.server_id is null or ${isStored('servers', 'j.server_id')})`;

const firstFailures = firstSql({
  from: 'unresolved',
  where: 'true',
  order: 'finished_at desc, id',
  item: `'kind', kind, 'about', about, 'site_name', site_name, 'server_name', server_name,
    'finished_at', ${atUtc('finished_at')}, 'is_undone', is_undone`,
});

const firstAlerts = firstSql({
  from: 'alarming',
  where: 'true',
  // A server that is down is worse than one whose disk is full.
  order: `alerts @> '[{"kind": "status"}]' desc, name, id`,
  item: `${nameField}, 'alerts', alerts`,
});

/** SQL for the proposals that the caller may confirm, which no token may. An open one was made within the hour. */
function openProposalsSql(): string {
  const mayConfirm = currentUser().token === undefined;
  return `select p.id, p."order", p.created_at, p.expires_at, ${proposalCounts} from proposals p
    where p.created_at > now() - interval '1 hour' and ${isOpenProposal('p')}
      and ${mayConfirm ? withSharedRole('operator', () => reachesAllSites('$1')) : 'false'}`;
}

const firstProposals = firstSql({
  from: 'waiting',
  where: 'true',
  order: 'expires_at, id',
  item: `'order', "order", 'sites', sites, 'lines', lines, 'created_at', ${atUtc('created_at')}`,
});

function todoSql(): string {
  const sites = sitesSql(reachesSite('s', '$1', inShared.sites));
  return `
    with ${sharedTable('sites', '$1')}, counted as materialized (${sites.counted}),
      alarming as materialized (select v.id, v.name, v.alerts from servers v where v.alerts <> '[]' and ${isOwned('v', '$1')}),
      unresolved as materialized (${unresolvedSql(reachesRowOfSite('j', '$1', inShared.sites))}),
      waiting as materialized (${openProposalsSql()})
    ${sites.lines.join(' union all ')}
    union all
    select 'servers_in_alert', (select count(*) from alarming)::int, 0, worst, ids from (${firstAlerts}) found
    union all
    select 'jobs_failed', (select count(*) from unresolved)::int,
      (select count(*) from unresolved where is_undone)::int, worst, ids from (${firstFailures}) found
    union all
    select 'proposals', (select count(*) from waiting)::int, 0, worst, ids from (${firstProposals}) found`;
}
