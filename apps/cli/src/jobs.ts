import { cancelJob, type JobItem, JobState, listJobs } from '@vigie/contracts/jobs';
import type { Cli } from './cli';
import { exitCodes } from './failures';
import { followJob, reportEnd } from './follow';
import { kindOf, progressOf, stateWords } from './job-words';
import { formatTime } from './times';

const targetOf = ({ site_name: site, server_name: server, targets }: JobItem): string =>
  targets ? `${targets.name}${targets.count > 1 ? ` +${targets.count - 1}` : ''}` : (site ?? server ?? '');

export async function list(cli: Cli): Promise<number> {
  const state = cli.oneOf('state', [...JobState.options, 'open', 'failures'] as const);
  const { data, raw } = await cli.api.answer(listJobs, { ...(state && { state }), limit: cli.number('limit') ?? 20 });
  if (cli.isJson) cli.output.json(raw);
  else
    cli.output.table(
      [
        'ID',
        cli.say({ fr: 'QUAND', en: 'WHEN' }),
        cli.say({ fr: 'QUOI', en: 'WHAT' }),
        'SITE',
        cli.say({ fr: 'ÉTAT', en: 'STATE' }),
      ],
      data.items.map((job) => [
        job.id,
        formatTime(job.created_at),
        [cli.say(kindOf(job.kind)), job.about].filter(Boolean).join(' '),
        targetOf(job),
        cli.say(job.state === 'running' ? progressOf(job) : stateWords[job.state]),
      ]),
    );
  return exitCodes.done;
}

export async function follow(cli: Cli): Promise<number> {
  return reportEnd(cli, await followJob(cli, cli.given.parameters[0] ?? ''));
}

export async function cancel(cli: Cli): Promise<number> {
  const { data, raw } = await cli.api.answer(cancelJob, { id: cli.given.parameters[0] ?? '' });
  if (cli.isJson) cli.output.json(raw);
  else if (data.is_cancelling)
    cli.note({
      fr: 'L’annulation est demandée\u00a0; la tâche s’arrête dès qu’elle le peut.',
      en: 'The job was asked to end; it stops as soon as it can.',
    });
  else cli.note(stateWords[data.state]);
  return exitCodes.done;
}
