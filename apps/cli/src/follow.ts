import { setTimeout as wait } from 'node:timers/promises';
import {
  isFinal,
  type Job,
  type JobItem,
  type JobState,
  type JobTicket,
  listJobs,
  readJob,
} from '@vigie/contracts/jobs';
import type { Cli } from './cli';
import { type Ending, exitCodes, Failure } from './failures';
import { onInterrupt } from './interrupts';
import { withRestOfLog } from './job-log';
import type { Words } from './language';
import { countsOf, progressOf, stateWords } from './job-words';

const firstPauseMs = 300;
const maxPauseMs = 2_000;
const maxRetryMs = 15_000;
const perPage = 200;

export const endingOf = (state: JobState): Ending =>
  state === 'succeeded' ? 'done' : state === 'unknown' ? 'unknown' : 'failed';

const resume = (id: string): Words => ({
  fr: `Pour le reprendre\u00a0: vigie jobs follow ${id}`,
  en: `To resume: vigie jobs follow ${id}`,
});

const stopped = (id: string): Words => ({
  fr: `Le suivi s’arrête, le travail continue. ${resume(id).fr}`,
  en: `No longer followed; the work goes on. ${resume(id).en}`,
});

/** Ctrl-C ends the program and never the work on the hosts. */
const stopOnInterrupt = (cli: Cli, id: string): (() => void) =>
  onInterrupt(() => process.exit(cli.explain(new Failure('unknown', stopped(id)))));

/** Whether the connection may come back: a refusal stays one. */
export const mayRecover = ({ about: { status = 0 } }: Failure): boolean =>
  status === 0 || status === 429 || status >= 500;

/** Reads a job through outages that are shorter than the patience. */
class JobReader {
  private lostSince: number | undefined;
  private retryMs = 1_000;

  constructor(
    private readonly cli: Cli,
    private readonly id: string,
  ) {}

  async read(after: number): Promise<Job> {
    for (;;) {
      try {
        const job = await this.cli.api.call(readJob, { id: this.id, after });
        this.lostSince = undefined;
        this.retryMs = 1_000;
        return job;
      } catch (error) {
        if (!(error instanceof Failure) || !mayRecover(error)) throw error;
        await this.pause(error);
      }
    }
  }

  private async pause(error: Failure): Promise<void> {
    this.lostSince ??= performance.now();
    const leftMs = this.cli.patienceMs - (performance.now() - this.lostSince);
    if (leftMs <= 0) throw error;
    this.cli.output.progress(this.cli.say(error.words));
    await wait(Math.min(this.retryMs, leftMs));
    this.retryMs = Math.min(this.retryMs * 2, maxRetryMs);
  }
}

/** What a job does just now; of a batch also what one of its jobs does, where a line of it replaces another. */
async function lineOf(cli: Cli, job: Job): Promise<string> {
  if (!job.counts) return cli.say(progressOf(job));
  const counts = cli.say(countsOf(job.counts));
  if (!cli.output.canRedraw || job.counts.running === 0) return counts;
  const running = await cli.api
    .call(listJobs, { batch_id: job.id, state: 'running', limit: 1 })
    .catch(() => ({ items: [] }));
  const [one] = running.items;
  return one ? `${counts} · ${one.site_name ?? one.server_name ?? ''}\u00a0: ${cli.say(progressOf(one))}` : counts;
}

/** Shows what a job does until it ends. */
async function watch(cli: Cli, id: string, options: { hasLog: boolean }): Promise<Job> {
  const reader = new JobReader(cli, id);
  const log: Job['log'] = [];
  let shown = '';
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.3, maxPauseMs)) {
    const read = await reader.read(log.at(-1)?.seq ?? 0);
    const job = isFinal(read.state) ? await withRestOfLog(cli, read, (seq) => reader.read(seq)) : read;
    log.push(...job.log);
    if (options.hasLog) for (const { text } of job.log) cli.output.note(text);
    if (isFinal(job.state)) return { ...job, log };
    const line = await lineOf(cli, job);
    if (line !== shown) cli.output.progress(line);
    shown = line;
    await wait(pauseMs);
  }
}

type FollowOptions = { hasLog?: boolean };

/** Follows a job that exists already: a refusal to read it is one. */
export async function followJob(cli: Cli, id: string, { hasLog = true }: FollowOptions = {}): Promise<Job> {
  const release = stopOnInterrupt(cli, id);
  try {
    return await watch(cli, id, { hasLog });
  } catch (error) {
    if (error instanceof Failure && mayRecover(error)) throw unfollowed(error, id);
    throw error;
  } finally {
    release();
  }
}

const unfollowed = ({ words, about }: Failure, id: string): Failure =>
  new Failure('unknown', { fr: `${words.fr} ${stopped(id).fr}`, en: `${words.en} ${stopped(id).en}` }, about);

/** Follows a job that was ordered just now: whatever keeps this program from reading it, the work goes on. */
export async function followOrder(cli: Cli, { job_id: id }: JobTicket, options?: FollowOptions): Promise<Job> {
  try {
    return await followJob(cli, id, options);
  } catch (error) {
    if (error instanceof Failure && error.ending !== 'unknown') throw unfollowed(error, id);
    throw error;
  }
}

/** With `--detach` the order is all: its job is named, for `vigie jobs follow`. */
export function isDetached(cli: Cli, ticket: JobTicket): boolean {
  if (!cli.has('detach')) return false;
  if (cli.isJson) cli.output.json(ticket);
  else cli.output.line(ticket.job_id);
  return true;
}

/** All jobs of a batch, the unsuccessful ones first. */
export async function jobsOfBatch(cli: Cli, batchId: string): Promise<JobItem[]> {
  const jobs: JobItem[] = [];
  for (;;) {
    const before = jobs.at(-1)?.id;
    const { items } = await cli.api.call(listJobs, { batch_id: batchId, limit: perPage, ...(before && { before }) });
    jobs.push(...items);
    if (items.length < perPage) return jobs;
  }
}

const errorOf = ({ error }: JobItem): string => [error?.message, error?.remedy].filter(Boolean).join(' ');

/** Says how a job ended, and each job of a batch. Returns the exit code. */
export async function reportEnd(cli: Cli, job: Job): Promise<number> {
  const code = exitCodes[endingOf(job.state)];
  const jobs = job.counts ? await jobsOfBatch(cli, job.id) : undefined;
  if (cli.isJson) {
    cli.output.json(jobs ? { ...job, jobs } : job);
    return code;
  }
  if (jobs)
    cli.output.table(
      [cli.say({ fr: 'SITE', en: 'SITE' }), cli.say({ fr: 'QUOI', en: 'WHAT' }), cli.say({ fr: 'FIN', en: 'END' }), ''],
      jobs.map((each) => [
        each.site_name ?? each.server_name,
        each.about,
        cli.say(stateWords[each.state]),
        errorOf(each),
      ]),
    );
  sayEnd(cli, job);
  return code;
}

/** The state of a job and its reason, beside what else the command printed. */
export function sayEnd(cli: Cli, job: Job): void {
  const reason = errorOf(job);
  const counts = job.counts ? ` (${cli.say(countsOf(job.counts))})` : '';
  cli.output.note(`${cli.say(stateWords[job.state])}${counts}${reason && `. ${reason}`}`);
}

/** Follows what was ordered and says how it ended, or only names it with `--detach`. */
export async function seeThrough(cli: Cli, ticket: JobTicket, options?: FollowOptions): Promise<number> {
  if (isDetached(cli, ticket)) return exitCodes.done;
  return reportEnd(cli, await followOrder(cli, ticket, options));
}
