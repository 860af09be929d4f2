import type { JobItem } from '@vigie/contracts/jobs';
import { staleAfter } from './kinds';

type Tag = string | { type: string; id: string };
type Ended = Pick<JobItem, 'kind' | 'site_id' | 'batch_id'>;

/** Tags that are read site by site, so that a job on another site leaves them fresh. */
const ofOneSite: ReadonlySet<string> = new Set(['backups', 'changes']);
const restMs = 10_000;

const tagsOf = ({ kind, site_id: site }: Ended): Tag[] =>
  staleAfter(kind).map((type) => (site !== null && ofOneSite.has(type) ? { type, id: site } : type));

/** Invalidates cache tags when jobs end. The shared tags of a batch are invalidated at once, then at most every ten seconds. */
export class StaleTags {
  private readonly waiting = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tell: (tags: readonly Tag[]) => void) {}

  note(ended: readonly Ended[]): void {
    const now = new Set<Tag>();
    for (const job of ended) {
      for (const tag of tagsOf(job)) {
        if (typeof tag === 'string' && job.batch_id !== null) this.waiting.add(tag);
        else now.add(tag);
      }
    }
    if (now.size > 0) this.tell([...now]);
    if (this.timer === undefined) this.tellWaiting();
  }

  private tellWaiting(): void {
    this.timer = undefined;
    if (this.waiting.size === 0) return;
    this.tell([...this.waiting]);
    this.waiting.clear();
    this.timer = setTimeout(() => this.tellWaiting(), restMs);
  }
}
