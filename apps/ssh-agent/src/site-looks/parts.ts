import type { Scanned } from '@vigie/contracts/site-looks';
import { usualBytes } from '@vigie/service-kit/messages';

/** Of one message on the bus. */
const mostItems = 50;

/** Scanned sites in parts, each as large as one message may be. */
export function inParts(items: readonly Scanned[]): Scanned[][] {
  const parts: Scanned[][] = [];
  let size = 0;
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const part = parts.at(-1);
    if (part && part.length < mostItems && size + bytes <= usualBytes) {
      part.push(item);
      size += bytes;
    } else {
      parts.push([item]);
      size = bytes;
    }
  }
  return parts;
}
