const seenAt = new Map<string, number>();

/** They are over since now, as far as this window knows. */
export function noteEnds(jobs: readonly { id: string }[]): void {
  for (const { id } of jobs) seenAt.set(id, Date.now());
}

/** Whether what was read then is of before its end: the site has not been read again yet. */
export const isBeforeEnd = (id: string, readAt: number): boolean => (seenAt.get(id) ?? 0) > readAt;
