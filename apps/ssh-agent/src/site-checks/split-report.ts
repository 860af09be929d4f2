import type { ScanResult } from '@vigie/contracts/site-checks';
import { defaultBytes } from '@vigie/service-kit/messages';

/** The most sites in one message on the bus. */
const maxItems = 50;

/** Splits scan results into parts that fit into one message each. */
export function splitReport(items: readonly ScanResult[]): ScanResult[][] {
  const parts: ScanResult[][] = [];
  let size = 0;
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const part = parts.at(-1);
    if (part && part.length < maxItems && size + bytes <= defaultBytes) {
      part.push(item);
      size += bytes;
    } else {
      parts.push([item]);
      size = bytes;
    }
  }
  return parts;
}
