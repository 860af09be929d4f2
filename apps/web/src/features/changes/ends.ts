const seenAt = new Map<string, number>();

/** Records when this window learned that the jobs ended. */
export function noteEnds(jobs: readonly { id: string }[]): void {
  for (const { id } of jobs) seenAt.set(id, Date.now());
}

/** True when the site was read before the job ended, so that its data are stale. */
export const isBeforeEnd = (id: string, readAt: number): boolean => (seenAt.get(id) ?? 0) > readAt;
