import { CommandInput, CommandResult } from '@vigie/contracts/site-commands';
import { writeAudit } from '@vigie/service-kit/audit';
import type { EntityManager } from 'typeorm';
import { recordJobActivity } from '../activity/audit-events';
import type { Job, JobOutcome } from '../queue/job.entity';
import { aboutOf } from './command-requests';
import { commandStopped, findForbiddenCommands } from './may-run';

/** Adds how the command ended on the site to the audit and the feed. One that never began has nothing to add. */
export async function saveCommandResult(manager: EntityManager, job: Job, end: JobOutcome): Promise<JobOutcome> {
  const { data: input } = CommandInput.safeParse(job.input);
  if (!input || job.startedAt === null) return end;
  const outcome = await explainStop(manager, job, end);
  const { state } = outcome;
  const exitCode = CommandResult.safeParse(outcome.result).data?.exit_code ?? null;
  await writeAudit(manager, {
    actorId: job.actorId,
    actorName: job.actorName,
    action: 'site_command',
    target: job.siteName,
    targetId: job.siteId,
    result: 'done',
    details: { state, exit_code: exitCode, job_id: job.id, batch_id: job.batchId },
  });
  const details = { kind: input.kind, command: aboutOf(input), state, exit_code: exitCode };
  await recordJobActivity(manager, job, { type: 'site_command', siteId: job.siteId, details });
  return outcome;
}

/** Nobody has cancelled a command that was stopped because its author may not run it any more. */
async function explainStop(manager: EntityManager, job: Job, end: JobOutcome): Promise<JobOutcome> {
  if (end.state !== 'cancelled' || !(await findForbiddenCommands(manager, [job])).has(job.id)) return end;
  const { message, code } = commandStopped();
  return { ...end, state: 'failed', error: { message, code } };
}
