import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import type { RetriedJob } from '../queue/jobs';
import { findAllowedSites, reachesMore, refuseNarrowed } from './may-run';

/** A retry asks for less than a command does: the person who runs one again needs the right to run it. */
export async function renewCommands(
  manager: EntityManager,
  jobs: readonly RetriedJob[],
): Promise<readonly RetriedJob[]> {
  refuseNarrowed();
  const allowed = await findAllowedSites(
    manager,
    jobs.flatMap(({ site_id: id }) => id ?? []),
  );
  if (jobs.some(({ site_id: id }) => !allowed.has(id ?? ''))) throw new AppError('forbidden', reachesMore);
  const { adminMode } = currentUser();
  return jobs.map((job) => ({ ...job, input: { ...job.input, as_admin: adminMode, token_id: null } }));
}
