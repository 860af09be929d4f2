import { readFileSync } from 'node:fs';
import { BaseSequencer } from 'vitest/node';

/** They take longer than their size tells, and a long one that comes last leaves the other cores with nothing to do. */
const long =
  /\/(real-changes|killed-changes|matrix|attack|consoles|large-fleet|sweeps)\.medium\.|\/(architecture|rotate|archive|s3-store)\.spec\./;

/** The services and settings of the product that a file takes over from the one before it, where that can be. */
function productOf(text) {
  if (text.includes('TestLedger.start()')) return "['gateway', 'auth-svc', 'sites-svc']";
  if (text.includes('DnsStage.shared()')) return "['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc']";
  return /TestProduct\.shared\(([^)]*)\)/.exec(text)?.[1] ?? '';
}

/** Of a product that is left, processes can be taken away for the next file: the largest comes first. */
const processesOf = (product) => product.match(/gateway|-svc|-agent/g)?.length ?? 0;

/** The long ones first, then those that share a product side by side, then the others, the largest first. */
function rankOf(file) {
  const text = readFileSync(file.moduleId, 'utf8');
  const product = productOf(text);
  return { file, rank: long.test(file.moduleId) ? 0 : product ? 1 : 2, product, size: text.length };
}

/** The order of the files on a clean checkout, where nobody knows yet how long each takes; each run is as the first. */
export class LongFirst extends BaseSequencer {
  async sort(files) {
    const ranked = files.map(rankOf);
    ranked.sort(
      (a, b) =>
        a.rank - b.rank ||
        processesOf(b.product) - processesOf(a.product) ||
        a.product.localeCompare(b.product) ||
        b.size - a.size,
    );
    return ranked.map(({ file }) => file);
  }
}
