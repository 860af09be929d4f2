import type { AppError } from '@vigie/contracts/errors';
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
  /** Names the work, by `workKeyOf`: no two open jobs that change something have the same key. */
  workKey?: string;
  queue?: QueueName;
  isExclusive?: boolean;
  isHeavy?: boolean;
  /** In a batch, the job of a refused request is created as failed. */
  refusal?: AppError | undefined;
};

export type BatchRequest<Request extends JobRequest = JobRequest> = {
  kind: JobKind;
  requests: readonly Request[];
  workKey?: string | undefined;
};

export const traceparent = (): string | null => currentContext()?.traceparent ?? null;

/** Undefined for targets of several owners. A batch on one owner's targets belongs to that owner. */
function soleOwnerOf(requests: readonly Pick<JobRequest, 'target'>[]): string | undefined {
  const owners = new Set(requests.map(({ target }) => target.ownerId));
  return owners.size === 1 ? requests[0]?.target.ownerId : undefined;
}

const toJobError = ({ code, detail }: AppError): JobError =>
  typeof detail === 'string' ? { message: detail, code } : { code, ...detail };

/** Jobs of one host share a lane; checks have another one. */
export const laneOf = ({ host, port }: Pick<JobTarget, 'host' | 'port'>, isCheck: boolean) =>
  `${host}:${port}${isCheck ? ' look' : ''}`;

const defaultQueue: QueueName = 'site-ops';

/** Creates a job in the transaction of the request that needs it. */
export const addJob = (manager: EntityManager, id: string, request: JobRequest): Promise<void> =>
  insertJobs(manager, [toRow(id, request, null)]);

/** Creates a batch and all its jobs by one statement. */
export async function addBatch(
  manager: EntityManager,
  id: string,
  { kind, requests, workKey }: BatchRequest,
): Promise<void> {
  const owner = soleOwnerOf(requests);
  const batch = {
    id,
    kind,
    owner_id: owner ?? currentUser().sub,
    is_batch: true,
    is_shared: owner === undefined,
    work_key: workKey,
    queue: requests[0]?.queue ?? defaultQueue,
    lane: '',
    input: {},
  };
  await insertJobs(manager, [batch, ...requests.map((request) => toRow(uuid(), request, id))]);
  if (requests.some(({ refusal }) => refusal)) await settleBatch(manager, id);
}

function toRow(id: string, request: JobRequest, batchId: string | null) {
  const { kind, target, input, about, workKey, queue = defaultQueue, isExclusive, isHeavy, refusal } = request;
  return {
    id,
    kind,
    about,
    owner_id: target.ownerId,
    [`${target.type}_id`]: target.id,
    [`${target.type}_name`]: target.name,
    batch_id: batchId,
    queue,
    lane: laneOf(target, queue === 'site-looks'),
    is_exclusive: isExclusive,
    is_heavy: isHeavy,
    work_key: workKey,
    input,
    ...(refusal && { state: 'failed', error: toJobError(refusal), finished_at: new Date() }),
  };
}

async function insertJobs(manager: EntityManager, rows: readonly object[]): Promise<void> {
  const { sub, name } = currentUser();
  await manager.query(
    `insert into jobs (id, kind, about, owner_id, actor_id, actor_name, server_id, server_name, site_id, site_name,
       batch_id, is_batch, is_shared, queue, lane, is_exclusive, is_heavy, work_key, input, traceparent, state, error, finished_at)
     select id, kind, about, owner_id, $2, $3, server_id, server_name, site_id, site_name,
       batch_id, coalesce(is_batch, false), coalesce(is_shared, false), queue, lane, coalesce(is_exclusive, false),
       coalesce(is_heavy, false), work_key, input, $4, coalesce(state, 'queued'), error, finished_at
     from jsonb_to_recordset($1::jsonb) as j(id uuid, kind text, about text, owner_id uuid, server_id uuid, server_name text,
       site_id uuid, site_name text, batch_id uuid, is_batch boolean, is_shared boolean, queue text, lane text,
       is_exclusive boolean, is_heavy boolean, work_key text, input jsonb, state text, error jsonb, finished_at timestamptz)`,
    [toJsonb(rows), sub, name ?? null, traceparent()],
  );
}
