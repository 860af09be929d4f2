import type { JobItem } from '@vigie/contracts/jobs';
import type { Topic } from '@vigie/contracts/routes';
import { staleTagsAfter } from './kinds';

type Tag = Topic | { type: Topic; id: string };
type EndedJob = Pick<JobItem, 'kind' | 'site_id' | 'batch_id'>;

/** Tags that are read site by site, so that a job on another site leaves them fresh. */
const perSiteTags: ReadonlySet<Topic> = new Set<Topic>(['backups', 'changes']);
const intervalMs = 10_000;

const tagsOf = ({ kind, site_id: siteId }: EndedJob): Tag[] =>
  staleTagsAfter(kind).map((type) => (siteId !== null && perSiteTags.has(type) ? { type, id: siteId } : type));

/** Invalidates cache tags when jobs end. The shared tags of a batch are invalidated at once, then at most every ten seconds. */
export class StaleTags {
  private readonly pending = new Set<Topic>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly invalidate: (tags: readonly Tag[]) => void) {}

  add(ended: readonly EndedJob[]): void {
    const now = new Set<Tag>();
    for (const job of ended) {
      for (const tag of tagsOf(job)) {
        if (typeof tag === 'string' && job.batch_id !== null) this.pending.add(tag);
        else now.add(tag);
      }
    }
    if (now.size > 0) this.invalidate([...now]);
    if (this.timer === undefined) this.invalidatePending();
  }

  private invalidatePending(): void {
    this.timer = undefined;
    if (this.pending.size === 0) return;
    this.invalidate([...this.pending]);
    this.pending.clear();
    this.timer = setTimeout(() => this.invalidatePending(), intervalMs);
  }
}
