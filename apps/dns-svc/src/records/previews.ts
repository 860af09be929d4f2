import type { DnsDifference } from '@vigie/contracts/dns-changes';
import { fitInMessage } from '@vigie/service-kit/messages';
import type { Planned } from './plan';

/** As many as one message carries. */
export function toPreview(planned: readonly Pick<Planned, 'difference'>[]): {
  differences: DnsDifference[];
  left_out: number;
} {
  const differences = fitInMessage(planned.map(({ difference }) => difference));
  return { differences, left_out: planned.length - differences.length };
}
