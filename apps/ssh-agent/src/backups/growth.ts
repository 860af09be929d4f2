import type { ClaimedJob } from '@vigie/contracts/jobs';
import { z } from 'zod';

/** The most that was there of it, in bytes, and the fence of whoever brought that. */
const Reached = z.object({ had: z.int().min(0).default(0), since: z.int().default(1) });
type Reached = z.infer<typeof Reached>;

/**
 * How far a transfer came. Claims in which it came further than ever are no failures of its host, however many there
 * were; those that only bring again what was lost are.
 */
export class Growth {
  private readonly before: Reached;
  private readonly fence: number;
  /** How much of it is there. */
  at = () => 0;

  constructor({ memo, fence }: Pick<ClaimedJob, 'memo' | 'fence'>) {
    this.before = Reached.safeParse(memo).data ?? Reached.parse({});
    this.fence = fence;
  }

  /** For the memo: whoever comes next counts from there. */
  get reached(): Reached {
    const had = this.at();
    return had > this.before.had ? { had, since: this.fence } : this.before;
  }
}
