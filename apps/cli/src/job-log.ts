import type { Job } from '@vigie/contracts/jobs';
import type { Cli } from './cli';
import { Failure } from './failures';

/** The log of a job that has ended, to its last line: one answer holds only so many. */
export async function withRestOfLog(cli: Cli, job: Job, read: (after: number) => Promise<Job>): Promise<Job> {
  const log = [...job.log];
  for (let last = log.at(-1); last; ) {
    const more = await read(last.seq).catch((error: unknown) => cutShort(cli, error));
    log.push(...more.log);
    last = more.log.at(-1);
  }
  return { ...job, log };
}

/** The end of the job is known, and counts more than the rest of its log. */
function cutShort(cli: Cli, error: unknown): Pick<Job, 'log'> {
  if (!(error instanceof Failure)) throw error;
  cli.note({
    fr: `La suite du journal n’a pas pu être lue. ${error.words.fr}`,
    en: `The rest of the log could not be read. ${error.words.en}`,
  });
  return { log: [] };
}
