import { TodoGroup } from '@vigie/contracts/dashboard';
import type { EntityManager } from 'typeorm';
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
  backups_never: 4,
  backups_late: 5,
  updates: 6,
};

type Row = { kind: TodoGroup['kind']; count: number; worst: object[]; ids: string[] };

/** Reads one owner's or all owners' lines, in a number of statements that does not grow with the fleet. */
export async function readTodoLines(manager: EntityManager, ownerId: string | null): Promise<TodoGroup[]> {
  const rows = [
    ...(await siteRows(manager, ownerId)),
    ...(await serverRows(manager, ownerId)),
    ...(await jobRows(manager, ownerId)),
  ];
  return rows
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => ranks[one.kind] - ranks[other.kind])
    .map((row) => TodoGroup.parse(row.kind === 'sites_down' ? withReasons(row) : row));
}

const withReasons = (row: Row) => ({
  ...row,
  worst: row.worst.map((site) => ({ ...site, reason: worstReason(Object(site).facts) })),
});

const atUtc = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type TodoQuery = { kind: TodoGroup['kind']; from: string; where: string; order: string; item: string };

/** SQL for the first rows in this order: the ids of many, and the names of a few. */
const firstSql = ({ from, where, order, item }: Omit<TodoQuery, 'kind'>) => `
  select coalesce(jsonb_agg(jsonb_build_object('id', id, ${item}) order by at) filter (where at <= ${maxNamed}), '[]') as worst,
    coalesce(jsonb_agg(id order by at), '[]') as ids
  from (select *, row_number() over (order by ${order}) as at from ${from} where ${where}
    order by ${order} limit ${maxIds}) first`;

const countSql = (from: string, where: string) => `(select count(*) from ${from} where ${where})::int`;

/** SQL for a count and the first rows: sorting all rows would cost more than scanning twice. */
const worstSql = ({ kind, ...query }: TodoQuery) => `
  select '${kind}' as kind, ${countSql(query.from, query.where)} as count, worst, ids
  from (${firstSql(query)}) found`;

const nameField = "'name', name";

const siteTodos = [
  {
    kind: 'sites_down',
    where: "s.status = 'error'",
    order: 's.name, s.id',
    item: `${nameField}, 'facts', ${reasonFacts('first')},
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

/** Counts all kinds in one index scan, then reads the first few rows of each. */
function siteRows(manager: EntityManager, ownerId: string | null): Promise<Row[]> {
  const isMine = '($1::uuid is null or s.owner_id = $1)';
  const counts = siteTodos.map(({ kind, where }) => `(count(*) filter (where ${where}))::int as ${kind}`);
  const worstOfKinds = siteTodos.map(
    ({ kind, where, order, item }) => `
      select '${kind}' as kind, c.${kind} as count, worst, ids from counted c cross join lateral (
        ${firstSql({ from: 'sites s', where: `${isMine} and ${where} and c.${kind} > 0`, order, item })}) found`,
  );
  return manager.query(
    `with counted as materialized (select ${counts.join(', ')} from sites s where ${isMine})
     ${worstOfKinds.join(' union all ')}`,
    [ownerId],
  );
}

function serverRows(manager: EntityManager, ownerId: string | null): Promise<Row[]> {
  const inAlert = worstSql({
    kind: 'servers_in_alert',
    from: 'servers',
    where: "alerts <> '[]' and ($1::uuid is null or owner_id = $1)",
    // A server that is down is worse than one whose disk is full.
    order: `alerts @> '[{"kind": "status"}]' desc, name, id`,
    item: `${nameField}, 'alerts', alerts`,
  });
  return manager.query(inAlert, [ownerId]);
}

function jobRows(manager: EntityManager, ownerId: string | null): Promise<Row[]> {
  const from = 'jobs j';
  const where = `${isUnresolved('j')} and finished_at > now() - interval '${failedDays} days'
      and ($1::uuid is null or owner_id = $1)
      and (site_id is null or exists (select from sites s where s.id = j.site_id))
      and (server_id is null or exists (select from servers v where v.id = j.server_id))`;
  const isUndoneNow = isUndone('state', 'error');
  const failed = worstSql({
    kind: 'jobs_failed',
    from,
    where,
    order: 'finished_at desc, id',
    item: `'kind', kind, 'about', about, 'site_name', site_name, 'server_name', server_name,
      'finished_at', ${atUtc('finished_at')}, 'is_undone', ${isUndoneNow}`,
  });
  const undone = countSql(from, `${where} and ${isUndoneNow}`);
  return manager.query(`select failed.*, ${undone} as undone from (${failed}) failed`, [ownerId]);
}
