import { type BulkResult, maxChanges } from '@vigie/contracts/dns-changes';
import { partsOf } from './parts';
import type { Planned } from './plan';
import { isSent } from './write-all';

/** Limits a plan that is computed on each request to what one answer can carry, and reports how many changes remain. */
export function firstChanges() {
  let rest = 0;
  return {
    take: (planned: readonly Planned[]): Planned[] => {
      const sent = planned.filter(isSent);
      // Refused changes do not count, since they come back on every request.
      const refused = planned.filter((each) => !isSent(each)).slice(0, maxChanges);
      const first = new Set<Planned>([...(partsOf(sent, maxChanges)[0] ?? []), ...refused]);
      rest = sent.length - (first.size - refused.length);
      return planned.filter((each) => first.has(each));
    },
    finish: (result: BulkResult): BulkResult => {
      if (rest === 0 || result.stopped !== null) return result;
      return {
        ...result,
        stopped: `Il reste ${rest}\u00a0changements\u00a0: relancez pour continuer.`,
        retry_after: 0,
      };
    },
  };
}
