import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Counted } from '@vigie/testing/counts';
import { failed, type Outcome, passed } from './results';

type Limits = Record<Counted, { most: number; words: string }>;

/**
 * What a whole run may start, since that is much of its time; the time itself would only say how fast the machine is.
 * A test that needs more makes other tests cheaper first: most can join a product or a host that stands already.
 */
const budget: Limits = {
  products: { most: 48, words: 'produits démarrés' },
  services: { most: 270, words: 'services démarrés' },
  hosts: { most: 150, words: 'serveurs SSH démarrés' },
  pages: { most: 280, words: 'pages chargées' },
};

/** Reads the files that `noteStart` wrote in this folder. A kind of which nobody noted anything is not counted at all. */
export function checkBudget(folder: string, limits: Limits = budget): Outcome {
  const lines = Object.entries(limits).map(([kind, { most: max, words }]) => {
    const file = join(folder, kind);
    const count = existsSync(file) ? statSync(file).size : 0;
    return { line: `${count} ${words}, ${max} au plus`, isKept: count > 0 && count <= max };
  });
  const isKept = lines.every((line) => line.isKept);
  const output = lines.map(({ line }) => line).join('\n');
  return isKept ? { ...passed, output } : failed(`Le budget de la suite n’est pas tenu :\n${output}`);
}
