import type { DnsDifference } from '@vigie/contracts/dns-changes';
import type { Planned } from './plan';

/** Of a megabyte, with room for what is around them. */
const mostBytes = 700_000;

/** As many as one message carries. */
export function toPreview(planned: readonly Pick<Planned, 'difference'>[]): {
  differences: DnsDifference[];
  left_out: number;
} {
  let bytes = 0;
  const differences = [];
  for (const { difference } of planned) {
    bytes += Buffer.byteLength(JSON.stringify(difference)) + 1;
    if (bytes > mostBytes) break;
    differences.push(difference);
  }
  return { differences, left_out: planned.length - differences.length };
}
