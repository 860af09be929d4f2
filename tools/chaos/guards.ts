import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/env';
import type { FindingKind } from './columns';

type Guard = {
  app: 'sites-svc' | 'ssh-agent';
  file: string;
  code: string;
  without: string;
  /** The trial must find at least one of these; other findings may have other reasons. */
  expectedFindings: readonly FindingKind[];
};

/** Protections of the product. Each can be removed, to check that a trial notices. */
export const guards = {
  /** Prevents a worker that has lost a job from ending it. */
  fence: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/work.controller.ts',
    code: 'job?.fence === fence && job.state ===',
    without: 'job?.state ===',
    expectedFindings: ['cru trop tard'],
  },
  /** Prevents one attempt from being given to two workers. */
  claim: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/claims.ts',
    code: 'attempts === attempt && claimedAttempt < attempt',
    without: 'attempts === attempt',
    expectedFindings: ['donné deux fois'],
  },
  lease: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/dispatcher.ts',
    code: 'and lease_until < now()`',
    without: "and lease_until < 'epoch'`",
    expectedFindings: ['jamais terminé', 'sans bail'],
  },
  reconciler: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/dispatcher.ts',
    code: 'untaken ? await this.reconcile(manager, untaken) : []',
    without: '[]',
    expectedFindings: ['jamais terminé', 'sans bail'],
  },
  /** Prevents the next agent from starting an operation again that already runs on a host. */
  journal: {
    app: 'ssh-agent',
    file: 'apps/ssh-agent/src/operations/operations.ts',
    code: 'const id = task.id ?? job.id;\n    return this.retry({ ...context, start }',
    without: 'const id = crypto.randomUUID();\n    return this.retry({ ...context, start }',
    expectedFindings: ['commencé deux fois'],
  },
  /** Prevents a repeated request from creating a second job. */
  idempotency: {
    app: 'sites-svc',
    file: 'libs/service-kit/src/idempotency-keys.ts',
    code: 'if (!claim || (await this.save(manager, claim, createdId))) return undefined;',
    without: 'if (!claim || createdId) return undefined;',
    expectedFindings: ['accepté deux fois', 'sans demande'],
  },
} as const satisfies Record<string, Guard>;

export type GuardName = keyof typeof guards;
export const isGuard = (name: string): name is GuardName => Object.hasOwn(guards, name);

/** Counts the code of a guard in its file: unless it is there once, a trial without it tests nothing. */
export function countOccurrences({ file, code }: Guard): number {
  return readFileSync(join(root, file), 'utf8').split(code).length - 1;
}
