import { z } from 'zod';
import { contract, event } from './contract';
import { SshAccess } from './credentials';
import { id, oneOf, timestamp } from './text';

/** What the product does as a job. On the wire a kind is any text: releases that run side by side know different ones. */
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
  // Of site-discovery: jobs that are kept and agents of the release before have it by this name.
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

const known: ReadonlySet<string> = new Set(jobKinds);
export const isJobKind = (kind: string): kind is JobKind => known.has(kind);

/** `unknown`: it was started on the host, and what it did there could not be established. */
export const JobState = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'unknown']);
export type JobState = z.infer<typeof JobState>;

export const isFinal = (state: JobState) => state !== 'queued' && state !== 'running';

/** A real step, and how much of it where that is known. */
export const Progress = z.object({
  step: z.string().max(200),
  done: z.number().min(0).nullable(),
  total: z.number().min(0).nullable(),
});
export type Progress = z.infer<typeof Progress>;

/** Why it did not succeed: for people, with what is known besides. */
export const JobError = z.looseObject({
  message: z.string(),
  remedy: z.string().optional(),
  code: z.string().optional(),
  stderr: z.string().optional(),
  stdout: z.string().optional(),
});
export type JobError = z.infer<typeof JobError>;

/** Of what one job leaves: a row of it is an answer on the bus, and two hundred of them are a list. */
const atMost = (bytes: number) => (value: unknown) => JSON.stringify(value).length <= bytes;

const LogLine = z.object({ seq: z.int(), at: timestamp, text: z.string() });

/** How many of a batch are where. */
const Counts = z.object({
  total: z.int(),
  queued: z.int(),
  running: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  unknown: z.int(),
});

const JobFacts = {
  id,
  kind: z.string(),
  /** To what of its site, in words: `Vitrine 1.2.0 → 1.3.0`. */
  about: z.string().nullable().default(null),
  /** What of its site it changes. */
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
  /** The batch that it is one of. */
  batch_id: id.nullable(),
  retry_of: id.nullable(),
  /** It did not succeed, and this one of the same work did: there is nothing to relaunch. Of a batch each of its jobs says so. */
  redone_by: id.nullable().default(null),
  /** Somebody asked to end it, and it has not ended yet. */
  is_cancelling: z.boolean(),
  /** Of a batch: its state is made from those of its jobs. */
  counts: Counts.nullable(),
};

/** A line of a list. */
export const JobItem = z.object(JobFacts);
export type JobItem = z.infer<typeof JobItem>;

/** One of them, whole. */
export const Job = z.object({ ...JobFacts, log: z.array(LogLine), result: z.unknown() });
export type Job = z.infer<typeof Job>;

/** What an endpoint answers whose work goes on. */
export const JobTicket = z.object({ job_id: id, state: JobState });
export type JobTicket = z.infer<typeof JobTicket>;

/** With the log behind `after`. */
export const readJob = contract('sites.jobs.read', {
  input: z.object({ id, after: z.coerce.number().int().min(0).max(2_147_483_647).default(0) }),
  output: Job,
  callers: ['gateway'],
});

/** Newest first; those of a batch are listed under it, and there what failed, runs or waits before what went well. */
export const listJobs = contract('sites.jobs.list', {
  input: z.object({
    site_id: id.optional(),
    server_id: id.optional(),
    batch_id: id.optional(),
    /** `open`: whatever has not ended. `failures`: failed or unknown, and batches of which any job is. */
    state: oneOf([...JobState.options, 'open', 'failures']).optional(),
    /** What comes after this one: the last of the page before. */
    before: id.optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: z.object({ items: z.array(JobItem) }),
  callers: ['gateway'],
});

/** What has not begun never will; what runs is asked to end, which takes as long as ending it takes. */
export const cancelJob = contract('sites.jobs.cancel', {
  input: z.object({ id }),
  output: JobItem,
  callers: ['gateway'],
});

/**
 * The same again as a new job, once: refused while that is under way, and after it succeeded. Of a batch what failed, and
 * only where nothing did what was called off.
 */
export const retryJob = contract('sites.jobs.retry', {
  input: z.object({ id }),
  output: JobItem,
  callers: ['gateway'],
});

/** What a worker holds: the fence goes up with each claim, and an older one is refused everywhere. */
const Held = z.object({ id, fence: z.int() });

/** A worker's own name, for the log. */
const agent = z.string().max(100);

/** One attempt is claimed once. Null: it is over, or somebody else's. */
export const claimJob = contract('sites.jobs.claim', {
  input: z.object({ id, attempt: z.int(), agent, kinds: z.array(z.string()).max(200) }),
  output: z.object({
    job: Held.extend({
      kind: z.string(),
      input: z.unknown(),
      access: SshAccess.nullable(),
      /** It had begun under an earlier attempt: what is on the host is followed, never started again. */
      was_started: z.boolean(),
      is_cancelling: z.boolean(),
      /** How far what it says on its host has been told: a place in its progress file. */
      heard: z.int().default(0),
      /** What a worker before this one left for it. */
      memo: z.looseObject({}).nullable().default(null),
      /** What asked for it, where traces are collected. */
      traceparent: z.string().max(55).nullish(),
    }).nullable(),
  }),
  callers: ['ssh-agent'],
});
export type ClaimedJob = NonNullable<z.infer<(typeof claimJob)['output']>['job']>;

/** Keeps what a worker holds for half a minute more. What is `lost` is somebody else's by now. */
export const renewJobs = contract('sites.jobs.renew', {
  input: z.object({ agent, held: z.array(Held).max(500) }),
  output: z.object({ lost: z.array(id), cancelling: z.array(id) }),
  callers: ['ssh-agent'],
});

/** What is being done, at most once a second. */
export const noteJob = contract('sites.jobs.note', {
  input: Held.extend({
    progress: Progress.nullable(),
    lines: z.array(z.string().max(4_000)).max(500),
    heard: z.int().min(0).default(0),
    /** What whoever goes on with it must know: kept before anything is done that cannot be done twice. */
    memo: z.looseObject({}).nullable().default(null).refine(atMost(32_768), 'Ce mémo est trop grand.'),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

export const finishJob = contract('sites.jobs.finish', {
  input: Held.extend({
    state: z.enum(['succeeded', 'failed', 'cancelled', 'unknown']),
    result: z.looseObject({}).nullable().refine(atMost(262_144), 'Ce résultat est trop grand.'),
    error: JobError.nullable().refine(atMost(65_536), 'Cette erreur est trop longue.'),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

/** It could not be begun, or its worker stops: another attempt, after a while. */
export const releaseJob = contract('sites.jobs.release', {
  input: Held.extend({
    wait_ms: z.int().min(0).max(3_600_000),
    reason: z.string().max(1_000),
    /** Neither by this attempt nor by one before it. */
    is_untouched: z.boolean().default(false),
    /** Meanwhile nothing of it runs on its host: it holds its site, and no room there. */
    is_resting: z.boolean().default(false),
  }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

/** There is something to dispatch. */
export const jobsAdded = event('sites.jobs.added', { payload: z.object({}), publisher: 'sites-svc' });

/** Their workers are told at once; those that miss it hear it when they renew. */
export const jobsCancelled = event('sites.jobs.cancelled', {
  payload: z.object({ ids: z.array(id).max(1_000) }),
  publisher: 'sites-svc',
});
