import { z } from 'zod';
import { contract, event } from './contract';
import { SshAccess } from './credentials';
import { id, oneOf, timestamp } from './text';

/** The kinds of jobs. On the wire a kind is any text, because releases that run side by side have different kinds. */
const jobKinds = [
  'backups.create',
  'backups.download',
  'backups.import',
  'backups.restore',
  'backups.verify',
  'changes.activate',
  'changes.deactivate',
  'changes.install',
  'changes.restore',
  'changes.update',
  'commands.run',
  // The job of site-discovery keeps this name for stored jobs and agents of earlier releases.
  'servers.discover',
  'servers.test',
  'site-repairs.apply',
  'site-repairs.look',
  'sites.inspect',
  'sites.test',
] as const;
export type JobKind = (typeof jobKinds)[number];
export type BackupKind = Extract<JobKind, `backups.${string}`>;
export type ChangeKind = Extract<JobKind, `changes.${string}`>;

const knownKinds: ReadonlySet<string> = new Set(jobKinds);
export const isJobKind = (kind: string): kind is JobKind => knownKinds.has(kind);

/** `unknown` means that the job started on the host and its outcome could not be determined. */
export const JobState = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'unknown']);
export type JobState = z.infer<typeof JobState>;

export const isFinal = (state: JobState) => state !== 'queued' && state !== 'running';

/** The current step, and how much of it is done when known. */
export const Progress = z.object({
  step: z.string().max(200),
  done: z.number().min(0).nullable(),
  total: z.number().min(0).nullable(),
});
export type Progress = z.infer<typeof Progress>;

/** Why a job did not succeed, in a sentence for users, with further details. */
export const JobError = z.looseObject({
  message: z.string(),
  remedy: z.string().optional(),
  code: z.string().optional(),
  stderr: z.string().optional(),
  stdout: z.string().optional(),
});
export type JobError = z.infer<typeof JobError>;

/** Limits the stored size of a job's data, since one job is a bus message and a list has two hundred jobs. */
const atMost = (bytes: number) => (value: unknown) => JSON.stringify(value).length <= bytes;

const LogLine = z.object({ seq: z.int(), at: timestamp, text: z.string() });

/** Number of a batch's jobs in each state. */
const Counts = z.object({
  total: z.int(),
  queued: z.int(),
  running: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  unknown: z.int(),
  /** The failed ones whose site was put back as it was. */
  rolled_back: z.int().default(0),
});

/** The first site or server of a batch, and the number of them. */
const Targets = z.object({ name: z.string(), count: z.int(), site_id: id.nullable(), server_id: id.nullable() });

const jobFields = {
  id,
  kind: z.string(),
  /** What the job changes, in words: `Vitrine 1.2.0 → 1.3.0`. */
  about: z.string().nullable().default(null),
  item: z
    .object({ kind: z.enum(['core', 'plugin', 'theme']), slug: z.string() })
    .nullable()
    .default(null),
  site_id: id.nullable(),
  site_name: z.string().nullable(),
  server_id: id.nullable(),
  server_name: z.string().nullable(),
  state: JobState,
  progress: Progress.nullable(),
  error: JobError.nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  attempts: z.int(),
  actor_name: z.string().nullable(),
  /** The batch that contains the job. */
  batch_id: id.nullable(),
  retry_of: id.nullable(),
  /** A later job that did this unsuccessful job's work, which need not be retried. Set on jobs, not on batches. */
  redone_by: id.nullable().default(null),
  /** Who has taken note of the failure, so that it no longer waits for anybody. A batch has it once all its failures do. */
  acknowledged: z.object({ at: timestamp, by: z.string().nullable() }).nullable().default(null),
  /** A user cancelled the job, and it has not ended yet. */
  is_cancelling: z.boolean(),
  /** Set for a batch, whose state is derived from its jobs. */
  counts: Counts.nullable(),
  /** Set for a batch, which has neither a site nor a server of its own. */
  targets: Targets.nullable().default(null),
  /** The caller may ask for this again. */
  may_act: z.boolean().default(true),
};

export const JobItem = z.object(jobFields);
export type JobItem = z.infer<typeof JobItem>;

/** A job with its log and result. */
export const Job = z.object({ ...jobFields, log: z.array(LogLine), result: z.unknown() });
export type Job = z.infer<typeof Job>;

/** The answer of an endpoint that starts a job. */
export const JobTicket = z.object({ job_id: id, state: JobState });
export type JobTicket = z.infer<typeof JobTicket>;

/** Reads a job with its log lines after `after`. */
export const readJob = contract('sites.jobs.read', {
  http: 'GET /api/jobs/:id',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['jobs'],
  input: z.object({
    id,
    after: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
    /** Only the last lines of the log. */
    tail: z.coerce.number().int().min(1).max(2_000).optional(),
  }),
  output: Job,
});

/** Lists the newest jobs first. Jobs of a batch are listed only with `batch_id`, unsuccessful and open ones first. */
export const listJobs = contract('sites.jobs.list', {
  http: 'GET /api/jobs',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['jobs'],
  input: z.object({
    site_id: id.optional(),
    server_id: id.optional(),
    batch_id: id.optional(),
    /**
     * `open` means not ended. `failures` means failed or unknown jobs that nobody has acknowledged, retried or done since,
     * and batches with such a job.
     */
    state: oneOf([...JobState.options, 'open', 'failures']).optional(),
    /** The last job of the previous page. */
    before: id.optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: z.object({ items: z.array(JobItem) }),
});

/** Cancels a queued job at once, and asks a running job to end, which may take a while. */
export const cancelJob = contract('sites.jobs.cancel', {
  http: 'POST /api/jobs/:id/cancel',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  changes: ['jobs'],
  input: z.object({ id }),
  output: JobItem,
});

/**
 * Repeats a job as a new one, which is refused while a retry runs or after it succeeded. Retrying a batch repeats its
 * failed jobs, or its cancelled jobs when none failed.
 */
export const retryJob = contract('sites.jobs.retry', {
  http: 'POST /api/jobs/:id/retry',
  access: 'user',
  grantRole: 'operator',
  changes: ['jobs'],
  input: z.object({ id }),
  output: JobItem,
});

/** Takes note of failed jobs, or of all failed jobs of batches. Jobs that did not fail stay as they are. */
export const acknowledgeJobs = contract('sites.jobs.acknowledge', {
  http: 'POST /api/jobs/acknowledge',
  access: 'user',
  scope: 'update',
  grantRole: 'operator',
  changes: ['jobs'],
  input: z.object({
    ids: z.array(id).min(1, 'Choisissez au moins une tâche.').max(500, 'Choisissez 500 tâches au plus.'),
  }),
  output: z.object({ acknowledged: z.int() }),
});

/** A claimed job. The fence increases with each claim, and every call with an older fence is refused. */
const JobLease = z.object({ id, fence: z.int() });

/** A worker's name, for the log. */
const agent = z.string().max(100);

/** An attempt of a job, as its queue announces it. */
const WakeUp = z.object({ id, attempt: z.int() });

const worker = {
  agent,
  kinds: z.array(z.string()).max(200),
  /** The worker does the companions of a job with it. */
  takes_companions: z.boolean().default(false),
};

export const ClaimedJob = JobLease.extend({
  kind: z.string(),
  input: z.unknown(),
  access: SshAccess.nullable(),
  /** An earlier attempt began the job: its operation on the host is followed and never started again. */
  was_started: z.boolean(),
  is_cancelling: z.boolean(),
  /** Offset in the host's progress file up to which progress has been reported. */
  heard: z.int().default(0),
  /** Checkpoint left by an earlier worker. */
  memo: z.looseObject({}).nullable().default(null),
  /** Trace context of the request that created the job, when tracing is on. */
  traceparent: z.string().max(55).nullish(),
});
export type ClaimedJob = z.infer<typeof ClaimedJob>;

export const JobClaim = ClaimedJob.extend({
  /** Other updates of the same site, which the worker makes together with this one and ends before it. */
  companions: z.array(ClaimedJob).default([]),
});
export type JobClaim = z.infer<typeof JobClaim>;

/** Claims an attempt of a job; null when it is over or claimed by another worker. */
export const claimJob = contract('sites.jobs.claim', {
  input: WakeUp.extend(worker),
  output: z.object({ job: JobClaim.nullable() }),
  callers: ['ssh-agent'],
});

/** Claims many attempts in one transaction. Those that the answer leaves out are not claimed, and each is claimed alone. */
export const claimJobs = contract('sites.jobs.claim-many', {
  input: z.object({ ...worker, wake_ups: z.array(WakeUp).max(100) }),
  output: z.object({ jobs: z.array(JobClaim) }),
  callers: ['ssh-agent'],
});

/** Extends a worker's leases by half a minute. Jobs in `lost` belong to another worker by now. */
export const renewJobs = contract('sites.jobs.renew', {
  input: z.object({ agent, held: z.array(JobLease).max(500) }),
  output: z.object({ lost: z.array(id), cancelling: z.array(id) }),
  callers: ['ssh-agent'],
});

/** Reports the progress of a job, at most once a second. */
export const noteJob = contract('sites.jobs.note', {
  input: JobLease.extend({
    progress: Progress.nullable(),
    lines: z.array(z.string().max(4_000)).max(500),
    heard: z.int().min(0).default(0),
    /** Checkpoint for a later worker, stored before any step that must not be repeated. */
    memo: z.looseObject({}).nullable().default(null).refine(atMost(32_768), 'Ce mémo est trop grand.'),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

export const finishJob = contract('sites.jobs.finish', {
  input: JobLease.extend({
    state: z.enum(['succeeded', 'failed', 'cancelled', 'unknown']),
    result: z.looseObject({}).nullable().refine(atMost(262_144), 'Ce résultat est trop grand.'),
    error: JobError.nullable().refine(atMost(65_536), 'Cette erreur est trop longue.'),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

/** Gives a job back for a later attempt, because it could not begin or its worker stops. */
export const releaseJob = contract('sites.jobs.release', {
  input: JobLease.extend({
    wait_ms: z.int().min(0).max(3_600_000),
    reason: z.string().max(1_000),
    /** No attempt has begun the job on its host. */
    is_untouched: z.boolean().default(false),
    /** An untouched job that no other is done together with from now on. */
    is_alone: z.boolean().default(false),
    /** Nothing runs on the host meanwhile: the job keeps its site locked and frees its place on the host. */
    is_resting: z.boolean().default(false),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

/** A hint that new jobs can be dispatched. */
export const jobsAdded = event('sites.jobs.added', { payload: z.object({}), publisher: 'sites-svc' });

/** Tells workers at once of cancelled jobs; a worker that misses the event learns it at its next renewal. */
export const jobsCancelled = event('sites.jobs.cancelled', {
  payload: z.object({ ids: z.array(id).max(1_000) }),
  publisher: 'sites-svc',
});
