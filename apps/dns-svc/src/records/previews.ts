import type { DnsDifference } from '@vigie/contracts/dns-changes';
import { fitInMessage } from '@vigie/service-kit/messages';
import type { PlannedChange } from './plan';

/** Returns as many differences as fit in one message. */
export function toPreview(planned: readonly Pick<PlannedChange, 'difference'>[]): {
  differences: DnsDifference[];
  left_out: number;
} {
  const differences = fitInMessage(planned.map(({ difference }) => difference));
  return { differences, left_out: planned.length - differences.length };
}
