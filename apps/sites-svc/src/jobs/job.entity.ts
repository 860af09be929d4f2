import type { SshAccess } from '@vigie/contracts/credentials';
import type { JobItem, JobState, Progress } from '@vigie/contracts/jobs';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Queues are by duration, not by feature: seconds that change nothing, seconds to minutes, minutes to hours. */
export const queues = ['site-looks', 'site-ops', 'site-transfers'] as const;
export type QueueName = (typeof queues)[number];

/** Work that was accepted. The row is the truth of it; a queue only wakes somebody up. */
@Entity('jobs')
export class Job {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: string;

  /** What of the site it is about, as shown: `Vitrine 1.2.0 → 1.3.0`. */
  @Column('text', { nullable: true })
  about!: string | null;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('uuid', { name: 'actor_id' })
  actorId!: string;

  @Column('text', { name: 'actor_name', nullable: true })
  actorName!: string | null;

  @Column('uuid', { name: 'site_id', nullable: true })
  siteId!: string | null;

  @Column('text', { name: 'site_name', nullable: true })
  siteName!: string | null;

  @Column('uuid', { name: 'server_id', nullable: true })
  serverId!: string | null;

  @Column('text', { name: 'server_name', nullable: true })
  serverName!: string | null;

  @Column('uuid', { name: 'batch_id', nullable: true })
  batchId!: string | null;

  @Column('boolean', { name: 'is_batch' })
  isBatch!: boolean;

  @Column('uuid', { name: 'retry_of', nullable: true })
  retryOf!: string | null;

  @Column('text')
  queue!: QueueName;

  /** What shares a host shares its room: only so many run at once. */
  @Column('text')
  lane!: string;

  /** Alone on its site. */
  @Column('boolean', { name: 'is_exclusive' })
  isExclusive!: boolean;

  /** Alone of its weight on its lane. */
  @Column('boolean', { name: 'is_heavy' })
  isHeavy!: boolean;

  @Column('jsonb')
  input!: object;

  /** The way to its host as it was when it began, until it ends: what runs survives an edit of its server. */
  @Column('jsonb', { nullable: true })
  access!: SshAccess | null;

  /** The step of a trace that asked for it. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('text')
  state!: JobState;

  @Column('jsonb', { nullable: true })
  progress!: Progress | null;

  /** What its workers leave for each other. */
  @Column('jsonb', { nullable: true })
  checkpoint!: object | null;

  @Column('jsonb', { nullable: true })
  result!: object | null;

  @Column('jsonb', { nullable: true })
  error!: { message: string; code?: string; steps?: object } | null;

  /** How often it was handed to a queue. */
  @Column('int')
  attempts!: number;

  /** How often a worker took it up; unknown of those that are older than this count. */
  @Column('int', { nullable: true })
  tries!: number | null;

  @Column('int')
  fence!: number;

  /** How much of what it says on its host is in its log. */
  @Column('int')
  journalOffset!: number;

  @Column('timestamptz', { name: 'cancel_asked_at', nullable: true })
  cancelAskedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}

export const openStates = ['queued', 'running'] as const satisfies readonly JobState[];

/** In SQL, of a job that is no batch: it has not ended. Partial indexes are on the same condition. */
export const isOpen = (row: string) => `${row}.state in ('queued', 'running') and not ${row}.is_batch`;

/** In SQL: it did not succeed, and nobody called it off. */
export const hasFailed = "state in ('failed', 'unknown')";

/** Of a job `j` of a batch: nobody asked for it again there, so that it counts. */
export const isLatestAttempt =
  'not exists (select from jobs again where again.retry_of = j.id and again.batch_id = j.batch_id)';

/** In SQL, the batch of a job where that is this owner's to see; whoever names none sees all. */
export const visibleBatch = (owner: string) =>
  `(select b.id from jobs b where b.id = jobs.batch_id and (${owner}::uuid is null or b.owner_id = ${owner}))`;

/** How a job ended, before anything follows from it. */
export type JobOutcome = {
  state: Extract<JobState, 'succeeded' | 'failed' | 'cancelled' | 'unknown'>;
  result: object | null;
  error: Job['error'];
};

export const toJobItem = (job: Job, details: Pick<JobItem, 'counts' | 'item' | 'redone_by'>): JobItem => ({
  ...details,
  id: job.id,
  kind: job.kind,
  about: job.about,
  site_id: job.siteId,
  site_name: job.siteName,
  server_id: job.serverId,
  server_name: job.serverName,
  state: job.state,
  progress: job.progress,
  error: job.error,
  created_at: job.createdAt.toISOString(),
  started_at: job.startedAt?.toISOString() ?? null,
  finished_at: job.finishedAt?.toISOString() ?? null,
  attempts: job.tries ?? job.attempts,
  actor_name: job.actorName,
  batch_id: job.batchId,
  retry_of: job.retryOf,
  is_cancelling: job.cancelAskedAt !== null && job.finishedAt === null,
});
