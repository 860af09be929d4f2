import type { ImportResult } from './site-discovery.api';

/** Far below the limit of the contract, so that each answer comes well before its deadline. */
const partSize = 100;

export const emptyImport: ImportResult = { items: [], skipped: [] };

export const mergeImports = (first: ImportResult, second: ImportResult): ImportResult => ({
  items: [...first.items, ...second.items],
  skipped: [...first.skipped, ...second.skipped],
});

/** Sends one part after the other, and stops at the first that fails; earlier parts stay imported. */
export async function importParts<Item>(
  items: readonly Item[],
  send: (part: Item[]) => Promise<ImportResult | undefined>,
): Promise<{ imported: ImportResult; isComplete: boolean }> {
  let imported = emptyImport;
  for (let start = 0; start < items.length; start += partSize) {
    // Waits for each part, so that a failure leaves a known remainder.
    const part = await send(items.slice(start, start + partSize));
    if (!part) return { imported, isComplete: false };
    imported = mergeImports(imported, part);
  }
  return { imported, isComplete: true };
}
