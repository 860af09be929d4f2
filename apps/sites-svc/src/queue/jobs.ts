import { AppError } from '@vigie/contracts/errors';
import type { JobError, JobKind } from '@vigie/contracts/jobs';
import { currentContext, currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { toJsonb } from '../to-jsonb';
import type { QueueName } from './job.entity';
import { settleBatch } from './settle-batch';

/** The server or site that a job works on. The host's address decides the job's lane. */
export type JobTarget = {
  type: 'server' | 'site';
  id: string;
  name: string;
  ownerId: string;
  host: string;
  port: number;
};

export const serverTarget = ({ id, name, ownerId, host, port }: Omit<JobTarget, 'type'>): JobTarget => ({
  type: 'server',
  id,
  name,
  ownerId,
  host,
  port,
});

export type JobRequest = {
  kind: JobKind;
  target: JobTarget;
  input: object;
  about?: string;
  queue?: QueueName;
  isExclusive?: boolean;
  isHeavy?: boolean;
  /** In a batch, the job of a refused request is created as failed. */
  refusal?: AppError | undefined;
};

/** A job that is retried, as it is copied. */
export type RetriedJob = {
  id: string;
  kind: string;
  about: string | null;
  owner_id: string;
  site_id: string | null;
  server_id: string | null;
  queue: QueueName;
  lane: string;
  input: object;
};

export type BatchRequest<Request extends JobRequest = JobRequest> = {
  kind: JobKind;
  requests: readonly Request[];
};

/** Undefined for targets of several owners. A batch on one owner's targets belongs to that owner. */
function soleOwnerOf(requests: readonly Pick<JobRequest, 'target'>[]): string | undefined {
  const owners = new Set(requests.map(({ target }) => target.ownerId));
  return owners.size === 1 ? requests[0]?.target.ownerId : undefined;
}

export const ownerOfBatch = (requests: readonly JobRequest[]): string => soleOwnerOf(requests) ?? currentUser().sub;

const toJobError = ({ code, detail }: AppError): JobError =>
  typeof detail === 'string' ? { message: detail, code } : { code, ...detail };

/** Jobs of one host share a lane; checks have another one. */
export const laneOf = ({ host, port }: Pick<JobTarget, 'host' | 'port'>, isCheck: boolean) =>
  `${host}:${port}${isCheck ? ' look' : ''}`;

const defaultQueue: QueueName = 'site-ops';

/** Creates a job in the transaction of the request that needs it. */
export const addJob = (manager: EntityManager, id: string, request: JobRequest) =>
  insertAllJobs(manager, [{ ...toRow(request), id }]);

/** Creates a batch and all its jobs by one statement. */
export async function addBatch(manager: EntityManager, id: string, { kind, requests }: BatchRequest): Promise<void> {
  const batch = {
    id,
    kind,
    owner_id: ownerOfBatch(requests),
    is_batch: true,
    is_shared: soleOwnerOf(requests) === undefined,
    queue: requests[0]?.queue ?? defaultQueue,
    lane: '',
    input: {},
  };
  const jobs = requests.map((request) => ({ ...toRow(request), id: uuid(), batch_id: id }));
  await insertAllJobs(manager, [batch, ...jobs]);
  if (requests.some(({ refusal }) => refusal)) await settleBatch(manager, id);
}

/** The row of a job, without its id. */
export function toRow({
  kind,
  target,
  input,
  about,
  queue = defaultQueue,
  isExclusive,
  isHeavy,
  refusal,
}: JobRequest): object {
  return {
    kind,
    about,
    owner_id: target.ownerId,
    [`${target.type}_id`]: target.id,
    [`${target.type}_name`]: target.name,
    queue,
    lane: laneOf(target, queue === 'site-looks'),
    is_exclusive: isExclusive,
    is_heavy: isHeavy,
    input,
    ...(refusal && { state: 'failed', error: toJobError(refusal), finished_at: new Date() }),
  };
}

export const sameWorkRunning = () =>
  new AppError(
    'conflict',
    'Une autre tâche fait déjà ce travail\u00a0: suivez-la, ou attendez qu’elle soit terminée pour le demander de nouveau.',
  );

/** Requests lock their targets and look for open jobs first: the index catches what slips through. */
async function insertAllJobs(manager: EntityManager, rows: readonly object[]): Promise<void> {
  const ids = await insertJobs(manager, rows);
  if (ids.length < rows.length) throw sameWorkRunning();
}

/**
 * Inserts jobs in the name of the caller, and returns the ids of those that were inserted: a job whose work an open job
 * does is left out.
 */
export async function insertJobs(manager: EntityManager, rows: readonly object[]): Promise<string[]> {
  const { sub, name } = currentUser();
  const inserted: { id: string }[] = await manager.query(
    `insert into jobs (id, kind, about, owner_id, actor_id, actor_name, server_id, server_name, site_id, site_name, batch_id,
       is_batch, is_shared, retry_of, queue, lane, is_exclusive, is_heavy, input, traceparent, state, error, finished_at)
     select id, kind, about, owner_id, $2, $3, server_id, server_name, site_id, site_name, batch_id,
       coalesce(is_batch, false), coalesce(is_shared, false), retry_of, queue, lane, coalesce(is_exclusive, false),
       coalesce(is_heavy, false), input, $4, coalesce(state, 'queued'), error, finished_at
     from jsonb_to_recordset($1::jsonb) as j(id uuid, kind text, about text, owner_id uuid, server_id uuid, server_name text,
       site_id uuid, site_name text, batch_id uuid, is_batch boolean, is_shared boolean, retry_of uuid, queue text, lane text,
       is_exclusive boolean, is_heavy boolean, input jsonb, state text, error jsonb, finished_at timestamptz)
     on conflict do nothing returning id`,
    [toJsonb(rows), sub, name ?? null, currentContext()?.traceparent ?? null],
  );
  return inserted.map(({ id }) => id);
}
