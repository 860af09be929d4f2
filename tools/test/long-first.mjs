import { readFileSync } from 'node:fs';
import { BaseSequencer } from 'vitest/node';

/** Files that take longer than their size suggests; at the end of a run, one would leave the other cores idle. */
const long =
  /\/(real-changes|killed-changes|matrix|attack|consoles|large-fleet|sweeps)\.medium\.|\/(architecture|rotate|archive|s3-store)\.spec\./;

/** The shared product that a file uses, so that files with the same product can follow each other. */
function productOf(text) {
  if (text.includes('TestLedger.start()')) return "['gateway', 'auth-svc', 'sites-svc']";
  if (text.includes('DnsStage.shared()')) return "['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc']";
  return /TestProduct\.shared\(([^)]*)\)/.exec(text)?.[1] ?? '';
}

/** The largest product comes first, because the next file can stop processes that it does not need. */
const processesOf = (product) => product.match(/gateway|-svc|-agent/g)?.length ?? 0;

/** Ranks the long files first, then those with a shared product, then the others by size. */
function rankOf(file) {
  const text = readFileSync(file.moduleId, 'utf8');
  const product = productOf(text);
  return { file, rank: long.test(file.moduleId) ? 0 : product ? 1 : 2, product, size: text.length };
}

/** Orders test files without the durations of earlier runs, so that every run is like the one on a clean checkout. */
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
