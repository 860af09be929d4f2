import { setTimeout as wait } from 'node:timers/promises';
import { isFinal, type Job, type JobItem, type JobTicket, listJobs, readJob } from '@vigie/contracts/jobs';
import type { Cli } from './cli';
import { type Ending, exitCodes, Failure, mayRecover } from './failures';
import { onInterrupt } from './interrupts';
import { withRestOfLog } from './job-log';
import { countsOf, progressOf, stateWords } from './job-words';
import { same, type Words } from './language';
import { codeWith, type LeftOut } from './left-out';

const firstPauseMs = 300;
const maxPauseMs = 2_000;
const perPage = 200;

/** A batch that has failed may hold jobs of which nobody knows whether they still run. */
export const endingOf = ({ state, counts }: Pick<JobItem, 'state' | 'counts'>): Ending => {
  if (state === 'unknown' || (counts?.unknown ?? 0) > 0) return 'unknown';
  return state === 'succeeded' ? 'done' : 'failed';
};

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
  const read = (after: number) => cli.api.call(readJob, { id, after });
  const log: Job['log'] = [];
  let shown = '';
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.3, maxPauseMs)) {
    const answer = await read(log.at(-1)?.seq ?? 0);
    const job = isFinal(answer.state) ? await withRestOfLog(cli, answer, read) : answer;
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
    throw endOfFollowing(error, id);
  } finally {
    release();
  }
}

/** Only a refusal says something of the job. Every other failure leaves open how the job ends: it has not failed. */
function endOfFollowing(error: unknown, id: string): Failure {
  if (!(error instanceof Failure)) return unfollowed(new Failure('failed', same(String(error))), id);
  return error.ending === 'failed' || mayRecover(error) ? unfollowed(error, id) : error;
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
export function isDetached(cli: Cli, ticket: JobTicket, leftOut?: readonly LeftOut[]): boolean {
  if (!cli.has('detach')) return false;
  if (cli.isJson) cli.output.json({ ...ticket, left_out: leftOut });
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

/** What cannot be told of a job that has ended does not change how it ended. */
export async function orComplain<T>(cli: Cli, tell: () => Promise<T>): Promise<T | undefined> {
  try {
    return await tell();
  } catch (error) {
    cli.explain(error);
    return undefined;
  }
}

/** Says how a job ended, and each job of a batch. Returns the exit code. */
export async function reportEnd(cli: Cli, job: Job, leftOut?: readonly LeftOut[]): Promise<number> {
  const code = codeWith(exitCodes[endingOf(job)], leftOut ?? []);
  const jobs = job.counts ? await orComplain(cli, () => jobsOfBatch(cli, job.id)) : undefined;
  if (cli.isJson) {
    cli.output.json({ ...job, jobs, left_out: leftOut });
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
export async function seeThrough(cli: Cli, ticket: JobTicket, leftOut?: readonly LeftOut[]): Promise<number> {
  if (isDetached(cli, ticket, leftOut)) return codeWith(exitCodes.done, leftOut ?? []);
  return reportEnd(cli, await followOrder(cli, ticket), leftOut);
}
