import type { EntityManager } from 'typeorm';
import { keepTest } from '../servers/keep-test';
import { keepDiscovery } from '../site-discovery/keep-discovery';
import { keepLook } from '../sites/keep-look';
import type { Ending, Job } from './job.entity';

type JobKind = {
  /** What follows from its end, in the same transaction; it may know better how it ended. */
  onEnd?: (manager: EntityManager, job: Job, ending: Ending) => Promise<Ending>;
};

const kinds: Readonly<Record<string, JobKind>> = {
  'servers.discover': { onEnd: keepDiscovery },
  'servers.test': { onEnd: keepTest },
  'sites.inspect': { onEnd: keepLook },
  'sites.test': { onEnd: keepLook },
};

export const kindOf = (kind: string): JobKind | undefined => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined);
