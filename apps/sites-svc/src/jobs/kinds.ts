import type { EntityManager } from 'typeorm';
import { keepTest } from '../servers/keep-test';
import type { Job } from './job.entity';

type JobKind = {
  /** What follows from its end, in the same transaction. */
  onEnd?: (manager: EntityManager, job: Job) => Promise<void>;
};

const kinds: Readonly<Record<string, JobKind>> = {
  'servers.test': { onEnd: keepTest },
};

export const kindOf = (kind: string): JobKind | undefined => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined);
