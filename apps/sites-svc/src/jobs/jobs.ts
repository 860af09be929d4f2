import { Injectable } from '@nestjs/common';
import type { AppError } from '@vigie/contracts/errors';
import type { JobError, JobKind } from '@vigie/contracts/jobs';
import { currentContext, currentUser } from '@vigie/service-kit/context';
import { type EntityManager, Equal, In, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Dispatcher } from './dispatcher';
import { settleBatch } from './end-job';
import { toJsonb } from '../db/to-jsonb';
import { Job, openStates, type QueueName } from './job.entity';

/** What a job is done on, a server or a site, with the address of its host: in the lane of that the job waits. */
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
  /** Of the new job, where a key of idempotency was claimed for it; it is made here otherwise. */
  id?: string;
  kind: JobKind;
  target: JobTarget;
  input?: object;
  /** What of the site it is about, as shown: `Vitrine 1.2.0 → 1.3.0`. */
  about?: string;
  queue?: QueueName;
  /** The job changes nothing and takes no room: it waits for no other work on its host but its like. */
  isCheck?: boolean;
  /** Alone on its site. */
  isExclusive?: boolean;
  /** Alone of its weight on its host. */
  isHeavy?: boolean;
};

type Batch = Pick<JobRequest, 'queue' | 'isCheck' | 'isExclusive'> & {
  id: string;
  kind: JobKind;
  requests: readonly (Required<Pick<JobRequest, 'target' | 'input'>> &
    Pick<JobRequest, 'about'> & {
      /** Why it is over before it begins. */
      refusal?: AppError | undefined;
    })[];
};

/** The trace of the request that asks for the job. */
export const traceparent = (): string | null => currentContext()?.traceparent ?? null;

/** Whose all of it is; undefined where it is of several. What is done to one person's is that person's to see. */
export function soleOwnerOf(requests: readonly Pick<JobRequest, 'target'>[]): string | undefined {
  const owners = new Set(requests.map(({ target }) => target.ownerId));
  return owners.size === 1 ? requests[0]?.target.ownerId : undefined;
}

const toJobError = ({ code, detail }: AppError): JobError =>
  typeof detail === 'string' ? { message: detail, code } : { code, ...detail };

/** What shares a host shares its room; what only looks has room of its own there. */
export const laneOf = ({ host, port }: Pick<JobTarget, 'host' | 'port'>, isCheck: boolean) =>
  `${host}:${port}${isCheck ? ' look' : ''}`;

const targetColumns = ({ type, id, name }: JobTarget) =>
  type === 'site'
    ? { siteId: id, siteName: name, serverId: null, serverName: null }
    : { siteId: null, siteName: null, serverId: id, serverName: name };

/** Accepts work: in the transaction that makes it true, or not at all. */
@Injectable()
export class Jobs {
  constructor(private readonly dispatcher: Dispatcher) {}

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

  /** The same work on many sites or servers: a row for the batch, and one for each of its jobs, by one statement. */
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

  /** The same work on the same server or site that has not ended yet. */
  async findOpen(manager: EntityManager, { kind, target, input = {} }: JobRequest): Promise<Job | null> {
    return manager.findOneBy(Job, {
      kind,
      [target.type === 'site' ? 'siteId' : 'serverId']: target.id,
      state: In(openStates),
      input: Equal(input),
      cancelAskedAt: IsNull(),
    });
  }

  /** Once the transaction is there to be read. */
  announce(): void {
    this.dispatcher.announce();
  }
}
