import type { GrantRole } from '@vigie/contracts/grant-roles';
import type { JobItem } from '@vigie/contracts/jobs';
import { connectionFailed } from '@vigie/contracts/credentials';
import { willRetry } from '@vigie/contracts/job-errors';
import { queryPrepared } from '@vigie/service-kit/database';
import type { EntityManager } from 'typeorm';
import { hidePlaces, hidePlacesIn } from '../owners/hide-places';
import { isOwned } from '../owners/owner-filter';
import { reachesJob, reachingCaller, withSharedRole } from '../owners/reach';
import { isUndone } from '../queue/failures';
import { hasFailed, isLatestAttempt, type Job, unknownJob } from '../queue/job.entity';
import { mayRead } from '../site-commands/may-run';
import { placesSql } from '../sites/places';
import { successorSql } from './retries';

type Row = Omit<JobItem, 'created_at' | 'started_at' | 'finished_at' | 'acknowledged' | 'is_cancelling' | 'counts'> & {
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  is_cancel_requested: boolean;
  batch: Pick<JobItem, 'counts' | 'targets'> | null;
  is_own: boolean;
  places: string[] | null;
};

const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'unknown'] as const;
const sum = (name: string, condition: string) => `count(*) filter (where ${condition})::int as ${name}`;
const counts = [
  ...states.map((state) => sum(state, `j.state = '${state}'`)),
  sum('rolled_back', isUndone('j.state', 'j.error')),
];

/** SQL for the counts and the first target of batch `o`, from the jobs that the caller may see. */
const batchSql = (isMine: string) => `(
  select jsonb_build_object('counts', to_jsonb(c) - array['first_id', 'targets'], 'targets', case when t.name is not null
    then jsonb_build_object('name', t.name, 'count', c.targets, 'site_id', t.site_id, 'server_id', t.server_id) end)
  from (
    select min(j.id::text)::uuid as first_id, count(*)::int as total, ${counts.join(', ')},
      count(distinct coalesce(j.site_id, j.server_id))::int as targets
    from jobs j where j.batch_id = o.id and ${isMine} and ${isLatestAttempt}
  ) c left join lateral (
    select coalesce(f.site_name, f.server_name) as name, f.site_id, f.server_id from jobs f where f.id = c.first_id
  ) t on true)`;

const mayDo = (role: GrantRole) => withSharedRole(role, () => reachesJob('o', '$2'));

/**
 * SQL for the jobs as lists show them: of the input only the changed item, and never the result, which may be as large as
 * two hundred lines. A batch of several owners is visible to the person who requested it; the others see their own jobs.
 */
const itemColumns = (
  hasPlaces = 'o.error is not null',
) => `o.id, o.kind, o.about, o.site_id, o.site_name, o.server_id, o.server_name, o.state, o.progress, o.error,
    o.created_at, o.started_at, o.finished_at, coalesce(o.tries, o.attempts) as attempts, o.actor_name, o.retry_of,
    o.acknowledged_at, o.acknowledged_by, o.cancel_asked_at is not null as is_cancel_requested,
    case when o.kind like 'changes.%' and not o.is_batch and o.input #> '{item,slug}' is not null then
      json_build_object('kind', o.input #> '{item,kind}', 'slug', o.input #> '{item,slug}') end as item,
    (select b.id from jobs b where b.id = o.batch_id and ${reachesJob('b', '$2')}) as batch_id,
    case when not o.is_batch and (o.${hasFailed} or o.state = 'cancelled') then ${successorSql('o')} end as redone_by,
    case when o.is_batch then ${batchSql(reachesJob('j', '$2'))} end as batch, ${isOwned('o', '$2')} as is_own,
    case when (${isOwned('o', '$2')}) is not true and ${hasPlaces} then (
      select ${placesSql} from sites s left join servers v on v.id = s.server_id where s.id = o.site_id) end as places,
    (case when o.kind <> 'commands.run' then ${mayDo('operator')} when o.is_batch then exists (
      select from jobs c where c.batch_id = o.id and ${mayRead('c', '$2')}) else ${mayRead('o', '$2')} end) is true as may_act`;

/** Describes these jobs, in their order, by one statement. The caller has checked that the user may see them. */
export async function toItems(manager: EntityManager, ids: readonly string[]): Promise<JobItem[]> {
  if (ids.length === 0) return [];
  const sql = withSharedRole('viewer', () => `select ${itemColumns()} from jobs o where o.id = any($1::uuid[])`);
  const rows = await queryPrepared<Row>(manager, sql, [ids, reachingCaller()]);
  const items = new Map(rows.map((row) => [row.id, toItem(row)]));
  return ids.flatMap((id) => items.get(id) ?? []);
}

/** A job with its result. `visibleLine` makes a line of its log what the caller may see of it; undefined: nothing of the log. */
type ReadItem = { item: JobItem; result: Job['result']; visibleLine: ((text: string) => string) | undefined };

/** Reads a job that the caller may see, with the result of its state: a second statement might find a later one. */
export async function readItem(manager: EntityManager, id: string): Promise<ReadItem> {
  const sql = withSharedRole(
    'viewer',
    () => `select ${itemColumns('true')}, o.result from jobs o where o.id = $1 and ${reachesJob('o', '$2')}`,
  );
  const [row] = await queryPrepared<Row & Pick<Job, 'result'>>(manager, sql, [id, reachingCaller()]);
  if (!row) throw unknownJob();
  return { item: toItem(row), result: visibleResult(row), visibleLine: visibleLineOf(row) };
}

/** A person who may run commands on a site reads what they printed, and reaches the rest by a command. */
const seesPlaces = ({ kind, is_own: isOwn, may_act: mayAct }: Row) => isOwn || (mayAct && kind === 'commands.run');

function visibleResult(row: Row & Pick<Job, 'result'>): Job['result'] {
  if (!row.may_act) return null;
  return seesPlaces(row) ? row.result : row.result && hidePlacesIn(row.result, row.places ?? []);
}

/** The log of work on a host is not for those who may only look on. */
function visibleLineOf(row: Row): ReadItem['visibleLine'] {
  if (!row.may_act) return undefined;
  if (seesPlaces(row)) return (text) => text;
  if (isReading(row.kind)) return undefined;
  // A failed connection names the host in many ways.
  return (text) => (text.endsWith(willRetry) ? `${connectionFailed} ${willRetry}` : hidePlaces(text, row.places ?? []));
}

/** Failures that name the host of a site, which a grant does not show. */
const connectionCodes =
  'unresolved unasked forbidden unreachable refused host_key_changed banner key_exchange authentication banned too_many no_shell closed protocol';
const namesHost: ReadonlySet<string | undefined> = new Set(connectionCodes.split(' '));

/** Results and failures of reading a site also hold its folder, its owner and what it printed. */
const isReading = (kind: string) => /^(?:sites|site-repairs)\./.test(kind);

function visibleError(row: Row): Row['error'] {
  const { error } = row;
  if (!error || seesPlaces(row)) return error;
  const { code, still } = error;
  if (namesHost.has(code) || (!row.may_act && isReading(row.kind))) return { message: connectionFailed, code };
  const names = row.places ?? [];
  const visibleStill = typeof still === 'string' ? hidePlaces(still, names) : still;
  return { message: hidePlaces(error.message, names), code, ...(still !== undefined && { still: visibleStill }) };
}

function toItem(all: Row): JobItem {
  const { batch, acknowledged_at: at, acknowledged_by: by, is_cancel_requested, is_own: _o, places: _p, ...row } = all;
  return {
    ...row,
    // What a command was may be as telling as what it printed.
    about: all.may_act || row.kind !== 'commands.run' ? row.about : null,
    error: visibleError(all),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    acknowledged: at && { at: at.toISOString(), by },
    is_cancelling: is_cancel_requested && row.finished_at === null,
    counts: batch?.counts ?? null,
    targets: batch?.targets ?? null,
  };
}
