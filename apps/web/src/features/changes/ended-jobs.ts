const endSeenAt = new Map<string, number>();

/** Records when this window learned that the jobs ended. */
export function recordEnds(jobs: readonly { id: string }[]): void {
  for (const { id } of jobs) endSeenAt.set(id, Date.now());
}

/** True when the site was read before the job ended, so that its data are stale. */
export const isBeforeEnd = (id: string, readAt: number): boolean => (endSeenAt.get(id) ?? 0) > readAt;
