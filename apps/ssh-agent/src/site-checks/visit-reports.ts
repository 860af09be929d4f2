import type { Input } from '@vigie/contracts/contract';
import type { reportVisits } from '@vigie/contracts/site-checks';

export type VisitResult = Input<typeof reportVisits>['items'][number];
type WaitingResult = { result: VisitResult; resolve: () => void };
type Options = {
  send: (results: VisitResult[]) => Promise<void>;
  onFailure: (error: unknown, results: readonly VisitResult[]) => void;
};

/** The most results in one report. */
const maxResults = 50;
/** How long a result waits for others. */
const maxWaitMs = 500;

/** Reports the results of all batches together, soon after they come. It holds no more than the open batches have. */
export class VisitReports {
  private waiting: WaitingResult[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: Options) {}

  /** Resolves when the result was reported, or when its report failed: the next round makes up for it. */
  add(result: VisitResult): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ result, resolve });
      if (this.waiting.length >= maxResults) void this.flush();
      else this.timer ??= setTimeout(() => void this.flush(), maxWaitMs);
    });
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const waiting = this.waiting.splice(0);
    const results = waiting.map(({ result }) => result);
    await this.options.send(results).catch((error: unknown) => this.options.onFailure(error, results));
    for (const { resolve } of waiting) resolve();
  }
}
