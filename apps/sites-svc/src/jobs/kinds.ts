import { isJobKind, type JobKind } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { keepBackup } from '../backups/keep-backup';
import { renewBackups } from '../backups/renew-backups';
import { keepChange } from '../changes/keep-change';
import { renewChanges } from '../changes/renew-changes';
import { keepTest } from '../servers/keep-test';
import { keepDiscovery } from '../site-discovery/keep-discovery';
import { auditRepairs } from '../site-repairs/audit-repairs';
import { keepExamination, keepRepair } from '../site-repairs/keep-repair';
import { keepLook } from '../sites/keep-look';
import type { Ending, Job } from './job.entity';

type Kind = {
  /** What follows from its end, in the same transaction; it may know better how it ended. */
  onEnd?: (manager: EntityManager, job: Job, ending: Ending) => Promise<Ending>;
  /** What these, which were asked for again, must know anew, in the same transaction. */
  onRetry?: (manager: EntityManager, ids: readonly string[]) => Promise<void>;
};

const backup = { onEnd: keepBackup, onRetry: renewBackups };
const change = { onEnd: keepChange, onRetry: renewChanges };

const kinds: Readonly<Record<JobKind, Kind>> = {
  'backups.create': backup,
  'backups.download': backup,
  'backups.import': backup,
  'backups.restore': backup,
  'backups.verify': backup,
  'changes.activate': change,
  'changes.deactivate': change,
  'changes.install': change,
  'changes.restore': change,
  'changes.update': change,
  'servers.discover': { onEnd: keepDiscovery },
  'servers.test': { onEnd: keepTest },
  'site-repairs.apply': { onEnd: keepRepair, onRetry: auditRepairs },
  'site-repairs.look': { onEnd: keepExamination },
  'sites.inspect': { onEnd: keepLook },
  'sites.test': { onEnd: keepLook },
};

/** One of those that there are: a label of a measure takes no other. */
export const measuredKind = (kind: string): string => (isJobKind(kind) ? kind : 'other');

export const kindOf = (kind: string): Kind | undefined => (isJobKind(kind) ? kinds[kind] : undefined);
