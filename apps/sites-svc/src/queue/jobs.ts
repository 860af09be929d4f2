import { Injectable } from '@nestjs/common';
import type { AppError } from '@vigie/contracts/errors';
import type { JobError, JobKind } from '@vigie/contracts/jobs';
import { currentContext, currentUser } from '@vigie/service-kit/context';
import { type EntityManager, Equal, In, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { toJsonb } from '../to-jsonb';
import { Job, openStates, type QueueName } from './job.entity';
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
  /** Set when an idempotency key was claimed with it. */
  id?: string;
  kind: JobKind;
  target: JobTarget;
  input?: object;
  about?: string;
  queue?: QueueName;
  /** A check changes nothing: it waits in a lane of its own, not behind other work on its host. */
  isCheck?: boolean;
  isExclusive?: boolean;
  isHeavy?: boolean;
};

type Batch = Pick<JobRequest, 'queue' | 'isCheck' | 'isExclusive'> & {
  id: string;
  kind: JobKind;
  requests: readonly (Required<Pick<JobRequest, 'target' | 'input'>> &
    Pick<JobRequest, 'about'> & {
      /** The job is created as failed. */
      refusal?: AppError | undefined;
    })[];
};

export const traceparent = (): string | null => currentContext()?.traceparent ?? null;

/** Undefined for targets of several owners. A batch on one owner's targets belongs to that owner. */
export function soleOwnerOf(requests: readonly Pick<JobRequest, 'target'>[]): string | undefined {
  const owners = new Set(requests.map(({ target }) => target.ownerId));
  return owners.size === 1 ? requests[0]?.target.ownerId : undefined;
}

const toJobError = ({ code, detail }: AppError): JobError =>
  typeof detail === 'string' ? { message: detail, code } : { code, ...detail };

/** Jobs of one host share a lane; checks have another one. */
export const laneOf = ({ host, port }: Pick<JobTarget, 'host' | 'port'>, isCheck: boolean) =>
  `${host}:${port}${isCheck ? ' look' : ''}`;

const targetColumns = ({ type, id, name }: JobTarget) =>
  type === 'site'
    ? { siteId: id, siteName: name, serverId: null, serverName: null }
    : { siteId: null, siteName: null, serverId: id, serverName: name };

/** Creates jobs in the transaction of the request that needs them. */
@Injectable()
export class Jobs {
  async add(
    manager: EntityManager,
    {
      id = uuid(),
      kind,
      target,
      input = {},
      about,
      queue = 'site-ops',
      isCheck = false,
      isExclusive = false,
      isHeavy = false,
    }: JobRequest,
  ): Promise<Job> {
    const { sub, name } = currentUser();
    const job = manager.create(Job, {
      id,
      kind,
      about: about ?? null,
      ownerId: target.ownerId,
      actorId: sub,
      actorName: name ?? null,
      ...targetColumns(target),
      batchId: null,
      isBatch: false,
      retryOf: null,
      queue: isCheck ? 'site-looks' : queue,
      lane: laneOf(target, isCheck),
      isExclusive,
      isHeavy,
      input,
      state: 'queued',
      attempts: 0,
      fence: 0,
      journalOffset: 0,
      traceparent: traceparent(),
      createdAt: new Date(),
    });
    await manager.insert(Job, job);
    return job;
  }

  /** Inserts the batch and all its jobs by one statement. */
  async addBatch(
    manager: EntityManager,
    { id, kind, requests, queue: requestedQueue = 'site-ops', isCheck = false, isExclusive = false }: Batch,
  ): Promise<void> {
    const { sub, name } = currentUser();
    const queue: QueueName = isCheck ? 'site-looks' : requestedQueue;
    const now = new Date();
    const shared = {
      kind,
      actor_id: sub,
      actor_name: name ?? null,
      queue,
      is_exclusive: false,
      state: 'queued',
      traceparent: traceparent(),
    };
    const owner = soleOwnerOf(requests);
    const batch = {
      ...shared,
      id,
      owner_id: owner ?? sub,
      is_batch: true,
      is_shared: owner === undefined,
      lane: '',
      input: {},
    };
    const jobs = requests.map(({ target, input, about, refusal }) => ({
      ...shared,
      ...(refusal && { state: 'failed', error: toJobError(refusal), finished_at: now }),
      is_exclusive: isExclusive,
      about,
      id: uuid(),
      owner_id: target.ownerId,
      is_batch: false,
      is_shared: false,
      batch_id: id,
      [`${target.type}_id`]: target.id,
      [`${target.type}_name`]: target.name,
      lane: laneOf(target, isCheck),
      input,
    }));
    await manager.query(
      `insert into jobs (id, kind, about, owner_id, actor_id, actor_name, server_id, server_name, site_id, site_name,
         batch_id, is_batch, is_shared, queue, lane, is_exclusive, is_heavy, input, traceparent, state, error, finished_at)
       select id, kind, about, owner_id, actor_id, actor_name, server_id, server_name, site_id, site_name,
         batch_id, is_batch, is_shared, queue, lane, is_exclusive, false, input, traceparent, state, error, finished_at
       from jsonb_to_recordset($1::jsonb) as j(id uuid, kind text, about text, owner_id uuid, actor_id uuid,
         actor_name text, server_id uuid, server_name text, site_id uuid, site_name text, batch_id uuid, is_batch boolean,
         is_shared boolean, queue text, lane text, is_exclusive boolean, input jsonb, traceparent text, state text, error jsonb, finished_at timestamptz)`,
      [toJsonb([batch, ...jobs])],
    );
    if (requests.some(({ refusal }) => refusal)) await settleBatch(manager, id);
  }

  /** Finds an open job of the same work. */
  async findOpen(manager: EntityManager, { kind, target, input = {} }: JobRequest): Promise<Job | null> {
    return manager.findOneBy(Job, {
      kind,
      [target.type === 'site' ? 'siteId' : 'serverId']: target.id,
      state: In(openStates),
      input: Equal(input),
      cancelRequestedAt: IsNull(),
    });
  }
}
