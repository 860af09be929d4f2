import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { JobState, Progress } from '@vigie/contracts/jobs';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { reachesJob } from '../owners/reach';

/**
 * Queues are by duration: seconds that change nothing, seconds to minutes, minutes to hours. Commands of people have one of
 * their own, because how long they take is not ours to know.
 */
export const queues = ['site-looks', 'site-ops', 'site-transfers', 'site-commands'] as const;
export type QueueName = (typeof queues)[number];

/** Accepted work. The row is the truth; queues only wake workers up. */
@Entity('jobs')
export class Job {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: string;

  /** The subject as shown: `Vitrine 1.2.0 → 1.3.0`. */
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

  /** The job whose worker does this one too, in one operation: only that job is queued. */
  @Column('uuid', { name: 'lead_id', nullable: true })
  leadId!: string | null;

  /** Doing the job together with others failed, or was not possible. */
  @Column('boolean', { name: 'is_alone' })
  isAlone!: boolean;

  @Column('uuid', { name: 'retry_of', nullable: true })
  retryOf!: string | null;

  @Column('text')
  queue!: QueueName;

  /** Jobs of one host share a lane, which limits how many run at once. */
  @Column('text')
  lane!: string;

  /** No other exclusive job runs on the same site. */
  @Column('boolean', { name: 'is_exclusive' })
  isExclusive!: boolean;

  /** No other heavy job runs in the same lane. */
  @Column('boolean', { name: 'is_heavy' })
  isHeavy!: boolean;

  @Column('jsonb')
  input!: object;

  /** The access from when the job began until it ends, so that a running job survives an edit of its server. */
  @Column('jsonb', { nullable: true })
  access!: SshAccess | null;

  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('text')
  state!: JobState;

  @Column('jsonb', { nullable: true })
  progress!: Progress | null;

  /** Data that one worker leaves for the next. */
  @Column('jsonb', { name: 'memo', nullable: true })
  checkpoint!: object | null;

  @Column('jsonb', { nullable: true })
  result!: object | null;

  @Column('jsonb', { nullable: true })
  error!: { message: string; code?: string; steps?: object } | null;

  /** How often the job was queued. */
  @Column('int')
  attempts!: number;

  /** The last attempt that a worker claimed. */
  @Column('int', { name: 'claimed_attempt' })
  claimedAttempt!: number;

  /** Set while the job is queued or a worker has it. */
  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** How often a worker claimed the job; null for jobs older than this column. */
  @Column('int', { nullable: true })
  tries!: number | null;

  @Column('int')
  fence!: number;

  /** How much of the host's journal is in the log already. */
  @Column('int', { name: 'heard' })
  journalOffset!: number;

  @Column('timestamptz', { name: 'cancel_asked_at', nullable: true })
  cancelRequestedAt!: Date | null;

  @Column('timestamptz', { name: 'acknowledged_at', nullable: true })
  acknowledgedAt!: Date | null;

  /** The name of the person who has taken note of the failure. */
  @Column('text', { name: 'acknowledged_by', nullable: true })
  acknowledgedBy!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}

export const unknownJob = () => new AppError('not_found', 'Cette tâche n’existe pas ou n’existe plus.');

export const openStates = ['queued', 'running'] as const satisfies readonly JobState[];

/** SQL: the row is an open job, not a batch. Partial indexes use the same condition. */
export const isOpen = (row: string) => `${row}.state in ('queued', 'running') and not ${row}.is_batch`;

/** SQL: the job failed, or its effect is unknown; it was not cancelled. */
export const hasFailed = "state in ('failed', 'unknown')";

/** SQL: no retry in the same batch replaces job `j`. */
export const isLatestAttempt =
  'not exists (select from jobs again where again.retry_of = j.id and again.batch_id = j.batch_id)';

/** SQL for a job's batch, null when the caller does not reach it. */
export const reachedBatch = (caller: string) =>
  `(select b.id from jobs b where b.id = jobs.batch_id and ${reachesJob('b', caller)})`;

export type JobOutcome = {
  state: Extract<JobState, 'succeeded' | 'failed' | 'cancelled' | 'unknown'>;
  result: object | null;
  error: Job['error'];
};
