/** Does the work for each, for so many at once; the results are in the order of the items. */
export async function pooled<T, R>(items: readonly T[], max: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, worker));
  return results;
}
