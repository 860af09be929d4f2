import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  cancelJob,
  isFinal,
  jobsCancelled,
  type JobError,
  type Job as JobView,
  type JobItem,
  listJobs,
  readJob,
  retryJob,
} from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager, In, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { scope } from '../servers/find-server';
import { Dispatcher } from './dispatcher';
import { endJob, holdJob, settleBatch } from './end-job';
import { Job, toJobItem } from './job.entity';

const mostLogLines = 2_000;
/** In one answer, as it travels; the rest is behind the last `seq`. */
const mostLogBytes = 393_216;

/** What people see of the ledger, and ask of it. */
@Controller()
export class JobsController {
  constructor(
    private readonly database: DataSource,
    private readonly dispatcher: Dispatcher,
    private readonly bus: Bus,
  ) {}

  @Handles(readJob)
  async read({ id, after }: Input<typeof readJob>): Promise<JobView> {
    const { manager } = this.database;
    const job = await findJob(manager, id);
    const log: { seq: number; at: Date; text: string }[] = await manager.query(
      `select seq, at, text from (
         select seq, at, text, sum(octet_length(to_json(text)::text)) over (order by seq) as bytes
         from job_log where job_id = $1 and seq > $2 order by seq limit $3
       ) l where bytes <= $4 order by seq`,
      [id, after, mostLogLines, mostLogBytes],
    );
    const [item] = await toItems(manager, [job]);
    if (!item) throw unknownJob();
    return { ...item, log: log.map((line) => ({ ...line, at: line.at.toISOString() })), result: job.result };
  }

  @Handles(listJobs)
  async list({ site_id: siteId, server_id: serverId, batch_id: batchId, state, limit }: Input<typeof listJobs>) {
    const { manager } = this.database;
    const isNarrow = siteId !== undefined || serverId !== undefined || batchId !== undefined;
    const jobs = await manager.find(Job, {
      where: {
        ...scope(),
        ...(siteId !== undefined && { siteId }),
        ...(serverId !== undefined && { serverId }),
        ...(batchId !== undefined && { batchId }),
        ...(state !== undefined && { state }),
        ...(!isNarrow && { batchId: IsNull() }),
      },
      order: { createdAt: 'desc', id: 'desc' },
      take: limit,
      select: listed,
    });
    const items = await toItems(manager, jobs);
    return { items: items.map((item) => ({ ...item, error: item.error && toBrief(item.error) })) };
  }

  @Handles(cancelJob)
  async cancel({ id }: Input<typeof cancelJob>): Promise<JobItem> {
    const asked = await this.database.transaction(async (manager) => {
      const job = await findJob(manager, id);
      if (isFinal(job.state)) throw new AppError('conflict', 'Cette tâche est déjà terminée.');
      const ids: { id: string }[] = job.isBatch
        ? await manager.query(
            "select id from jobs where batch_id = $1 and state in ('queued', 'running') order by id",
            [id],
          )
        : [{ id }];
      if (job.isBatch) await manager.query('select id from jobs where id = $1 for update', [id]);
      for (const each of ids) await cancelOne(manager, each.id);
      return ids.map((each) => each.id);
    });
    this.bus.publish(jobsCancelled, { ids: asked.slice(0, 1_000) });
    this.dispatcher.announce();
    return this.item(id);
  }

  @Handles(retryJob)
  async retry({ id }: Input<typeof retryJob>): Promise<JobItem> {
    const made = await this.database.transaction(async (manager) => {
      const job = await findJob(manager, id);
      await manager.query('select id from jobs where id = $1 for update', [id]);
      if (!isFinal(job.state)) throw new AppError('conflict', 'Cette tâche n’est pas encore terminée.');
      if (job.state === 'succeeded')
        throw new AppError('conflict', 'Cette tâche a réussi\u00a0: rien n’est à relancer.');
      // Asked twice, it is done again once.
      const open = await manager.findOneBy(Job, { retryOf: id, state: In(['queued', 'running']) });
      if (open) return open.id;
      const again = await copyJob(manager, job, job.batchId);
      if (!job.isBatch) return again;
      const failed = await manager.find(Job, { where: { batchId: id }, order: { createdAt: 'asc', id: 'asc' } });
      for (const each of failed) if (each.state !== 'succeeded') await copyJob(manager, each, again);
      return again;
    });
    this.dispatcher.announce();
    return this.item(made);
  }

  private async item(id: string): Promise<JobItem> {
    const [item] = await toItems(this.database.manager, [await findJob(this.database.manager, id)]);
    if (!item) throw unknownJob();
    return item;
  }
}

/** What a line needs: a result may be as large as two hundred lines. */
const listed = {
  id: true,
  kind: true,
  siteId: true,
  siteName: true,
  serverId: true,
  serverName: true,
  state: true,
  progress: true,
  error: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
  attempts: true,
  actorName: true,
  batchId: true,
  isBatch: true,
  retryOf: true,
  cancelAskedAt: true,
} as const;

const longestError = 600;

/** The steps and the output of it are read with the job. */
const toBrief = ({ message, code }: JobError): JobError => ({
  message: message.slice(0, longestError),
  ...(code !== undefined && { code: code.slice(0, longestError) }),
});

const unknownJob = () => new AppError('not_found', 'Cette tâche n’existe pas ou n’existe plus.');

async function findJob(manager: EntityManager, id: string): Promise<Job> {
  const job = await manager.findOneBy(Job, { id, ...scope() });
  if (!job) throw unknownJob();
  return job;
}

async function cancelOne(manager: EntityManager, id: string): Promise<void> {
  const job = await holdJob(manager, id);
  if (!job || isFinal(job.state)) return;
  if (job.state === 'queued') await endJob(manager, id, { state: 'cancelled', result: null, error: null });
  else
    await manager.query(
      'update jobs set cancel_asked_at = coalesce(cancel_asked_at, now()), not_before = least(not_before, now()) where id = $1',
      [id],
    );
}

/** A person's retry is a new job: what the old one did, or may have done, stays written. */
async function copyJob(manager: EntityManager, job: Job, batchId: string | null): Promise<string> {
  const { sub, name } = currentUser();
  const id = uuid();
  await manager.insert(Job, {
    ...copied(job),
    id,
    actorId: sub,
    actorName: name ?? null,
    batchId,
    retryOf: job.id,
    state: 'queued',
    attempts: 0,
    fence: 0,
    createdAt: new Date(),
  });
  if (batchId !== null) await settleBatch(manager, batchId);
  return id;
}

function copied(job: Job) {
  const { kind, ownerId, siteId, siteName, serverId, serverName } = job;
  const { isBatch, queue, lane, isExclusive, isHeavy, input } = job;
  return { kind, ownerId, siteId, siteName, serverId, serverName, isBatch, queue, lane, isExclusive, isHeavy, input };
}

type Count = NonNullable<JobItem['counts']> & { id: string };

async function toItems(manager: EntityManager, jobs: readonly Job[]): Promise<JobItem[]> {
  const batches = jobs.filter(({ isBatch }) => isBatch).map(({ id }) => id);
  const count = (state: string) => `count(*) filter (where state = '${state}')::int as ${state}`;
  const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'unknown'].map(count).join(', ');
  const rows: Count[] =
    batches.length === 0
      ? []
      : await manager.query(
          `select batch_id as id, count(*)::int as total, ${states} from jobs where batch_id = any($1::uuid[]) group by 1`,
          [batches],
        );
  const counts = new Map(rows.map(({ id, ...rest }) => [id, rest]));
  return jobs.map((job) => toJobItem(job, counts.get(job.id) ?? null));
}
