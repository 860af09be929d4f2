import { readFileSync } from 'node:fs';

/** They take longer than their size tells, and a long one that comes last leaves the other cores with nothing to do. */
const long =
  /\/(real-changes|killed-changes|matrix|attack|console-faults|large-fleet|sweeps)\.medium\.|\/(architecture|rotate|archive|s3-store)\.spec\./;

/** The services of the product that a file takes over from the one before it, where that can be. */
function productOf(text) {
  if (text.includes('TestLedger.start()')) return "'gateway', 'auth-svc', 'sites-svc'";
  return /TestProduct\.shared\(\[([^\]]*)\]/.exec(text)?.[1] ?? '';
}

/** The long ones first, then those that share a product side by side, then the others, the largest first. */
function rankOf({ path }) {
  const text = readFileSync(path, 'utf8');
  const product = productOf(text);
  return { rank: long.test(path) ? 0 : product ? 1 : 2, product, size: text.length };
}

/** The order of the suites on a clean checkout, where Jest does not know yet how long each takes. */
export default class LongFirst {
  sort(tests) {
    const ranks = new Map(tests.map((test) => [test, rankOf(test)]));
    return tests.toSorted((one, other) => {
      const [a, b] = [ranks.get(one), ranks.get(other)];
      return a.rank - b.rank || b.product.localeCompare(a.product) || b.size - a.size;
    });
  }

  cacheResults() {
    // Each run is as the first one.
  }
}
