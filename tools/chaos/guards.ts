import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/env';
import type { Found } from './columns';

type Guard = {
  /** Whose program it is part of. */
  app: 'sites-svc' | 'ssh-agent';
  file: string;
  code: string;
  without: string;
  /** What the trial must then find, one of them at least: whatever else it finds may have other reasons. */
  shows: readonly Found[];
};

/** What keeps the promises of the product. Each can be taken out, to see that a trial notices. */
export const guards = {
  /** Whoever holds a job no longer could end it. */
  fence: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/work.controller.ts',
    code: 'if (job?.fence !== fence || job.state !==',
    without: 'if (job?.state !==',
    shows: ['cru trop tard'],
  },
  /** One attempt could be given to two workers. */
  claim: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/work.controller.ts',
    code: 'and attempts = $2 and claimed_attempt < $2',
    without: 'and attempts = $2',
    shows: ['donné deux fois'],
  },
  /** Whoever died would hold its jobs for ever. */
  lease: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/dispatcher.ts',
    code: 'and lease_until < now()`',
    without: "and lease_until < 'epoch'`",
    shows: ['jamais terminé', 'sans bail'],
  },
  /** Nobody would look for jobs that nobody holds. */
  reconciler: {
    app: 'sites-svc',
    file: 'apps/sites-svc/src/jobs/dispatcher.ts',
    code: 'looked ? await this.reconcile(manager, looked) : []',
    without: '[]',
    shows: ['jamais terminé', 'sans bail'],
  },
  /** What is begun on a host would be begun again by whoever comes next. */
  journal: {
    app: 'ssh-agent',
    file: 'apps/ssh-agent/src/operations/operations.ts',
    code: 'const id = task.id ?? job.id;\n    return this.keepTrying({ ...running, start }',
    without: 'const id = crypto.randomUUID();\n    return this.keepTrying({ ...running, start }',
    shows: ['commencé deux fois'],
  },
  /** Whoever asks again without having heard the answer would be given it twice. */
  idempotency: {
    app: 'sites-svc',
    file: 'libs/service-kit/src/idempotency-keys.ts',
    code: 'if (!claim || (await this.keep(manager, claim, madeId))) return undefined;',
    without: 'if (!claim || madeId) return undefined;',
    shows: ['accepté deux fois', 'sans demande'],
  },
} as const satisfies Record<string, Guard>;

export type GuardName = keyof typeof guards;
export const isGuard = (name: string): name is GuardName => Object.hasOwn(guards, name);

/** How often the code of a guard is in its file: once, or the trial without it tries nothing. */
export function occurrences({ file, code }: Guard): number {
  return readFileSync(join(root, file), 'utf8').split(code).length - 1;
}
