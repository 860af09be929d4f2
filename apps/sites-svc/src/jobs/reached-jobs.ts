import type { EntityManager } from 'typeorm';
import { reachesJob, reachingCaller, withSharedRole } from '../owners/reach';
import { roleTooWeak } from '../owners/role-refusal';
import { Job, unknownJob } from '../queue/job.entity';

/** Those of these jobs that the caller reaches; refuses when there are none. */
export async function findReachedJobs(manager: EntityManager, ids: readonly string[]): Promise<Job[]> {
  const find = () =>
    manager
      .createQueryBuilder(Job, 'j')
      .where(reachesJob('j', 'cast(:caller as uuid)'), { caller: reachingCaller() })
      .andWhere('j.id = any(cast(:ids as uuid[]))', { ids: [...ids] })
      .orderBy('j.id')
      .getMany();
  const jobs = await find();
  if (jobs.length > 0) return jobs;
  throw (await withSharedRole('viewer', find)).length > 0 ? roleTooWeak() : unknownJob();
}
