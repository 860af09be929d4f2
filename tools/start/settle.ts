/** As Promise.all, but a failure is told only when nothing is under way any more. */
export async function settleAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    throw result.reason;
  });
}
