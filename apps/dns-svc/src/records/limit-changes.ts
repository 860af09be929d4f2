import { type BulkResult, maxChanges } from '@vigie/contracts/dns-changes';
import { batchesOf } from './change-batches';
import type { PlannedChange } from './plan';
import { hasWrite } from './change-writer';

/** Limits a plan that is computed on each request to what one answer can carry, and reports how many changes remain. */
export function limitChanges() {
  let remaining = 0;
  return {
    take: (planned: readonly PlannedChange[]): PlannedChange[] => {
      const sent = planned.filter(hasWrite);
      // Refused changes do not count, since they come back on every request.
      const refused = planned.filter((each) => !hasWrite(each)).slice(0, maxChanges);
      const first = new Set<PlannedChange>([...(batchesOf(sent, maxChanges)[0] ?? []), ...refused]);
      remaining = sent.length - (first.size - refused.length);
      return planned.filter((each) => first.has(each));
    },
    finish: (result: BulkResult): BulkResult => {
      if (remaining === 0 || result.stopped !== null) return result;
      return {
        ...result,
        stopped: `Il reste ${remaining}\u00a0changements\u00a0: relancez pour continuer.`,
        retry_after: 0,
      };
    },
  };
}
