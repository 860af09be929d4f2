import type { ClaimedJob } from '@vigie/contracts/jobs';
import { z } from 'zod';

/** The most that was there of it, in bytes, and the fence of whoever brought that. */
const BestProgress = z.object({ had: z.int().min(0).default(0), since: z.int().default(1) });
type BestProgress = z.infer<typeof BestProgress>;

/**
 * How far a transfer came. Claims in which it came further than ever are no failures of its host, however many there
 * were; those that only bring again what was lost are.
 */
export class TransferProgress {
  private readonly previousBest: BestProgress;
  private readonly fence: number;
  /** How much of it is there. */
  currentBytes = () => 0;

  constructor({ memo: checkpoint, fence }: Pick<ClaimedJob, 'memo' | 'fence'>) {
    this.previousBest = BestProgress.safeParse(checkpoint).data ?? BestProgress.parse({});
    this.fence = fence;
  }

  /** For the memo: whoever comes next counts from there. */
  get best(): BestProgress {
    const had = this.currentBytes();
    return had > this.previousBest.had ? { had, since: this.fence } : this.previousBest;
  }
}
