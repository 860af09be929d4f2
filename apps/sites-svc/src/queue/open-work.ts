import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import { reachingCaller } from '../owners/reach';
import { reachedBatch } from './job.entity';
import { type BatchRequest, type JobRequest, ownerOfBatch, toRow } from './jobs';

/** SQL for the text that these expressions make, with a dash for null. */
const joined = (...parts: readonly string[]) => parts.map((part) => `coalesce(${part}, '-')`).join(" || ' ' || ");

/**
 * SQL for what a job does, in short: jobs with the same key do the same work. Null for work that is never shared. `row`
 * is a prefix such as `jobs.`. Indexes are built on this text: a change of it needs new ones.
 */
export function workKey(row: string): string {
  const input = (path: string) => `${row}input #>> '{${path}}'`;
  const target = `coalesce(${row}site_id, ${row}server_id)::text`;
  const keyOf = (...parts: readonly string[]) => `md5(${joined(`${row}kind`, target, ...parts)})`;
  const change = [input('item,kind'), input('package,key'), input('activate'), input('item,slug')];
  const backup = ['location', 'mode', 'scope', 'filename', 'path'].map(input);
  return `case
    when ${row}is_batch then null
    when ${row}queue = 'site-looks' then ${keyOf(`${row}input::text`)}
    when ${row}kind like 'changes.%' then ${keyOf(...change)}
    -- The name of a new archive is random.
    when ${row}kind = 'backups.create' then ${keyOf(input('exclude_cache'))}
    when ${row}kind like 'backups.%' then ${keyOf(...backup)}
  end`;
}

/** SQL: the job is open, and nobody has cancelled it. Indexes have the same condition. */
export const isUnderWay = (row: string) => `${row}state in ('queued', 'running') and ${row}cancel_asked_at is null`;

/** `batch_id` is null when the caller may not see the batch. */
type OpenWork = { id: string; batch_id: string | null };

/** SQL for the numbers and keys of the requests in the first parameter. */
const requestedWork = `select n, ${workKey('requested.')} as key from jsonb_to_recordset($1::jsonb) as requested (
  n int, is_batch boolean, kind text, queue text, site_id uuid, server_id uuid, input jsonb)`;

const toRequested = (requests: readonly JobRequest[]) =>
  toJsonb(requests.map((request, n) => ({ ...toRow(request), n })));

/** Finds, for each request, the open job that does its work. */
export async function findOpenWork(
  manager: EntityManager,
  requests: readonly JobRequest[],
): Promise<(OpenWork | undefined)[]> {
  const rows: (OpenWork & { n: number })[] = await manager.query(
    // The limit makes the index serve one key after the other: a join would read all open jobs.
    `select n, id, batch_id from (${requestedWork}) wanted cross join lateral (
       select id, ${reachedBatch('$2')} as batch_id from jobs
       where ${workKey('jobs.')} = wanted.key and ${isUnderWay('jobs.')} order by created_at limit 1) open_job`,
    [toRequested(requests), reachingCaller()],
  );
  const found = new Map(rows.map((row) => [row.n, row]));
  return requests.map((_, n) => found.get(n));
}

/** Finds the batch whose open jobs do the work of all requests. */
export async function findCommonBatch(
  manager: EntityManager,
  requests: readonly JobRequest[],
): Promise<string | undefined> {
  const batches = new Set((await findOpenWork(manager, requests)).map((open) => open?.batch_id));
  const [batch] = batches;
  return batches.size === 1 ? (batch ?? undefined) : undefined;
}

/** Finds the caller's open batch of the same checks: some of them may have ended, but none was cancelled. */
export async function findBatchOfChecks(
  manager: EntityManager,
  { kind, requests }: BatchRequest,
): Promise<string | undefined> {
  const [open]: { id: string }[] = await manager.query(
    `select batch.id from jobs batch cross join lateral (
       select array_agg(${workKey('jobs.')} order by ${workKey('jobs.')}) as keys,
         bool_or(cancel_asked_at is not null or state = 'cancelled') as is_cancelled
       from jobs where batch_id = batch.id) checks
     where batch.is_batch and batch.owner_id = $2 and batch.actor_id = $3 and batch.kind = $4
       and batch.state in ('queued', 'running') and batch.batch_id is null and batch.created_at > now() - interval '1 hour'
       and not is_cancelled
       and keys = (select array_agg(key order by key) from (${requestedWork}) wanted)
     order by batch.created_at desc limit 1`,
    [toRequested(requests), ownerOfBatch(requests), currentUser().sub, kind],
  );
  return open?.id;
}
