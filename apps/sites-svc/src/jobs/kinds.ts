import { isJobKind, type JobKind } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { auditBackups } from '../backups/audit-backups';
import { saveBackupResult } from '../backups/save-backup-result';
import { renewBackups } from '../backups/renew-backups';
import { auditRetriedChanges } from '../changes/audit-changes';
import { saveChangeResult } from '../changes/save-change-result';
import { renewChanges } from '../changes/renew-changes';
import { saveServerTest } from '../servers/save-server-test';
import { saveDiscovery } from '../site-discovery/save-discovery';
import { auditCommands } from '../site-commands/audit-commands';
import { renewCommands } from '../site-commands/renew-commands';
import { saveCommandResult } from '../site-commands/save-command-result';
import { auditRepairs } from '../site-repairs/audit-repairs';
import { saveRepairCheck, saveRepair } from '../site-repairs/save-repair';
import { saveSiteTest } from '../sites/save-site-test';
import type { JobOutcome, Job } from '../queue/job.entity';
import type { RetriedJob } from '../queue/jobs';

export type JobHooks = {
  /** Runs in the transaction that ends the job, and may correct the outcome. */
  onEnd?: (manager: EntityManager, job: Job, outcome: JobOutcome) => Promise<JobOutcome>;
  /** Renews jobs before they are retried. */
  renew?: (manager: EntityManager, jobs: readonly RetriedJob[]) => Promise<readonly RetriedJob[]>;
  /** Records who has retried jobs. */
  audit?: (manager: EntityManager, ids: readonly string[]) => Promise<void>;
};

const backupHooks = { onEnd: saveBackupResult, renew: renewBackups, audit: auditBackups };
const changeHooks = { onEnd: saveChangeResult, renew: renewChanges, audit: auditRetriedChanges };

const jobHooks: Readonly<Record<JobKind, JobHooks>> = {
  'backups.create': backupHooks,
  'backups.download': backupHooks,
  'backups.import': backupHooks,
  'backups.restore': backupHooks,
  'backups.verify': backupHooks,
  'changes.activate': changeHooks,
  'changes.deactivate': changeHooks,
  'changes.install': changeHooks,
  'changes.restore': changeHooks,
  'changes.update': changeHooks,
  'commands.run': { onEnd: saveCommandResult, renew: renewCommands, audit: auditCommands },
  'servers.discover': { onEnd: saveDiscovery },
  'servers.test': { onEnd: saveServerTest },
  'site-repairs.apply': { onEnd: saveRepair, audit: auditRepairs },
  'site-repairs.look': { onEnd: saveRepairCheck },
  'sites.inspect': { onEnd: saveSiteTest },
  'sites.test': { onEnd: saveSiteTest },
};

/** A metric's label must be one of the known kinds. */
export const metricKind = (kind: string): string => (isJobKind(kind) ? kind : 'other');

export const hooksOf = (kind: string): JobHooks | undefined => (isJobKind(kind) ? jobHooks[kind] : undefined);
