import { isFinal, type JobItem } from '@vigie/contracts/jobs';

type TrackedJob = Pick<JobItem, 'id' | 'state'>;

/** Finds the jobs that ended since the last list, each once, and none that ended before the first list. */
export class JobEndTracker {
  private readonly open: Set<string>;
  private readonly reported = new Set<string>();
  /** Ids sort by creation time, so a higher id that is already final began and ended between two lists. */
  private newest: string | undefined;

  constructor(open: Iterable<string>) {
    this.open = new Set(open);
  }

  add(id: string): void {
    this.open.add(id);
  }

  update<J extends TrackedJob>(jobs: readonly J[]): J[] {
    const ended = jobs.filter((job) => isFinal(job.state) && this.isNewEnd(job.id));
    for (const { id, state } of jobs) {
      if (!isFinal(state)) this.open.add(id);
    }
    for (const { id } of ended) {
      this.open.delete(id);
      this.reported.add(id);
    }
    return ended;
  }

  /** Takes a list that starts with the newest job of all. */
  updateNewest<J extends TrackedJob>(jobs: readonly J[]): J[] {
    const ended = this.update(jobs);
    const [first] = jobs;
    if (this.newest === undefined || (first && first.id > this.newest)) this.newest = first?.id ?? '';
    return ended;
  }

  private isNewEnd(id: string): boolean {
    if (this.reported.has(id)) return false;
    return this.open.has(id) || (this.newest !== undefined && id > this.newest);
  }
}
