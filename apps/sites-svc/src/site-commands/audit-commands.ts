import { CommandInput } from '@vigie/contracts/site-commands';
import { type EntityManager, In } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';
import { Job } from '../queue/job.entity';
import type { CommandRequest } from './command-requests';

type Target = { id: string; name: string };

/** One line has the whole command and the sites; the end of each job adds its own. `id` is that of the batch or job. */
async function recordCommand(
  manager: EntityManager,
  id: string,
  { kind, command, timeout_seconds: seconds }: CommandInput,
  targets: readonly Target[],
): Promise<void> {
  const [first] = targets;
  const isOne = targets.length === 1;
  await recordInAudit(manager, [
    {
      action: 'site_command',
      target: isOne ? first?.name : `${targets.length} sites`,
      targetId: isOne ? first?.id : null,
      details: {
        kind,
        command,
        timeout_seconds: seconds,
        sites: targets.length,
        site_ids: targets.map(({ id: siteId }) => siteId),
        job_id: id,
      },
    },
  ]);
}

export async function auditCommand(manager: EntityManager, id: string, requests: readonly CommandRequest[]) {
  const [first] = requests;
  if (!first) return;
  await recordCommand(
    manager,
    id,
    first.input,
    requests.map(({ target }) => target),
  );
}

/** Records who has run commands again. */
export async function auditCommands(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const jobs = await manager.find(Job, { where: { id: In([...ids]) }, order: { id: 'asc' } });
  const [first] = jobs;
  if (!first) return;
  const targets = jobs.map(({ siteId, siteName }) => ({ id: siteId ?? '', name: siteName ?? '' }));
  await recordCommand(manager, first.batchId ?? first.id, CommandInput.parse(first.input), targets);
}
