import type { ClaimedJob } from '@vigie/contracts/jobs';
import { z } from 'zod';

/** The most bytes that have been there (`had`), and the fence of the claim that brought them (`since`). */
const BestProgress = z.object({ had: z.int().min(0).default(0), since: z.int().default(1) });
type BestProgress = z.infer<typeof BestProgress>;

/**
 * How far a transfer came. A claim in which it came further than ever does not count as a failed attempt; one that only
 * sends again what was lost does.
 */
export class TransferProgress {
  private readonly previousBest: BestProgress;
  private readonly fence: number;
  /** How many bytes are there. */
  currentBytes = () => 0;

  constructor({ memo: checkpoint, fence }: Pick<ClaimedJob, 'memo' | 'fence'>) {
    this.previousBest = BestProgress.safeParse(checkpoint).data ?? BestProgress.parse({});
    this.fence = fence;
  }

  /** Goes into the checkpoint, from which the next worker counts on. */
  get best(): BestProgress {
    const had = this.currentBytes();
    return had > this.previousBest.had ? { had, since: this.fence } : this.previousBest;
  }
}
