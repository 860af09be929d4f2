import { isFinal, type JobItem } from '@vigie/contracts/jobs';

type Seen = Pick<JobItem, 'id' | 'state'>;

/** Finds the jobs that ended since the last list, each once, and none that ended before the first list. */
export class Endings {
  private readonly open: Set<string>;
  private readonly told = new Set<string>();
  /** Ids sort by creation time, so a higher id that is already final began and ended between two lists. */
  private newest: string | undefined;

  constructor(open: Iterable<string>) {
    this.open = new Set(open);
  }

  begin(id: string): void {
    this.open.add(id);
  }

  see<J extends Seen>(jobs: readonly J[]): J[] {
    const ended = jobs.filter((job) => isFinal(job.state) && this.isNews(job.id));
    for (const { id, state } of jobs) {
      if (!isFinal(state)) this.open.add(id);
    }
    for (const { id } of ended) {
      this.open.delete(id);
      this.told.add(id);
    }
    return ended;
  }

  /** Takes a list that starts with the newest job of all. */
  seeAll<J extends Seen>(jobs: readonly J[]): J[] {
    const ended = this.see(jobs);
    const [first] = jobs;
    if (this.newest === undefined || (first && first.id > this.newest)) this.newest = first?.id ?? '';
    return ended;
  }

  private isNews(id: string): boolean {
    if (this.told.has(id)) return false;
    return this.open.has(id) || (this.newest !== undefined && id > this.newest);
  }
}
