import type { JobState } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { keepTest } from '../servers/keep-test';
import type { Job } from './job.entity';

export type Ending = {
  state: Extract<JobState, 'succeeded' | 'failed' | 'cancelled' | 'unknown'>;
  result: object | null;
  error: Job['error'];
};

type JobKind = {
  /** What follows from its end, in the same transaction; it may know better how it ended. */
  onEnd?: (manager: EntityManager, job: Job, ending: Ending) => Promise<Ending>;
};

const kinds: Readonly<Record<string, JobKind>> = {
  'servers.test': { onEnd: keepTest },
};

export const kindOf = (kind: string): JobKind | undefined => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined);
