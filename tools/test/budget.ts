import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CountedKind } from '@vigie/testing/counts';
import { failed, type Outcome, passed } from './results';

type Limits = Record<CountedKind, { max: number; words: string }>;

/**
 * Limits what a whole run may start and load, because that takes most of its time; a limit on the time itself would only
 * measure the machine. Before you raise a limit, let other tests share a running product or host.
 */
const budget: Limits = {
  products: { max: 54, words: 'produits démarrés' },
  services: { max: 306, words: 'services démarrés' },
  // A second try of a story starts and loads its own again, which is no reason to fail.
  hosts: { max: 168, words: 'serveurs SSH démarrés' },
  pages: { max: 318, words: 'pages chargées' },
};

/** Checks the counts that `countStart` wrote into this folder. A missing count is a failure, because nothing was counted. */
export function checkBudget(folder: string, limits: Limits = budget): Outcome {
  const lines = Object.entries(limits).map(([kind, { max, words }]) => {
    const file = join(folder, kind);
    const count = existsSync(file) ? statSync(file).size : 0;
    return { line: `${count} ${words}, ${max} au plus`, isWithin: count > 0 && count <= max };
  });
  const isWithin = lines.every((line) => line.isWithin);
  const output = lines.map(({ line }) => line).join('\n');
  return isWithin ? { ...passed, output } : failed(`Le budget de la suite n’est pas tenu :\n${output}`);
}
