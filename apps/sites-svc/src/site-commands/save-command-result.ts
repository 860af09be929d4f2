import { CommandInput, CommandResult } from '@vigie/contracts/site-commands';
import { writeAudit } from '@vigie/service-kit/audit';
import type { EntityManager } from 'typeorm';
import { recordJobActivity } from '../activity/audit-events';
import type { Job, JobOutcome } from '../queue/job.entity';
import { aboutOf } from './command-requests';

/** Adds how the command ended on the site to the audit and the feed. One that never began has nothing to add. */
export async function saveCommandResult(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  const { data: input } = CommandInput.safeParse(job.input);
  if (!input || job.startedAt === null) return outcome;
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
