import { type BulkResult, maxChanges } from '@vigie/contracts/dns-changes';
import { partsOf } from './parts';
import type { Planned } from './plan';
import { isSent } from './write-all';

/** What is worked out again each time does as much as one answer carries, and says how to go on. */
export function firstChanges() {
  let rest = 0;
  return {
    take: (planned: readonly Planned[]): Planned[] => {
      const sent = planned.filter(isSent);
      // What is refused here is so each time: it takes nobody's place.
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
