import { statSync } from 'node:fs';

/** They take longer than their size tells, and a long one that comes last leaves the other cores with nothing to do. */
const long =
  /\/(real-changes|killed-changes|matrix|attack|console-faults|large-fleet|sweeps)\.medium\.|\/(architecture|rotate|archive|s3-store)\.spec\./;

const weight = ({ path }) => (long.test(path) ? 1_000_000 : 0) + statSync(path).size;

/** The order of the suites on a clean checkout, where Jest does not know yet how long each takes. */
export default class LongFirst {
  sort(tests) {
    const weights = new Map(tests.map((test) => [test, weight(test)]));
    return tests.toSorted((one, other) => weights.get(other) - weights.get(one));
  }

  cacheResults() {
    // Each run is as the first one.
  }
}
