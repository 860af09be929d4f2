import type { Caller } from '@vigie/contracts/contract';

/** A call without answer for this long checks whether its owner is still connected. */
export const presenceCheckMs = 400;

type WaitingCall = { owner: Caller; since: number; fail: (reason: unknown) => void };

/** Fails waiting calls once the bus is lost, or once no replica is left that could answer them. */
export class WaitingCalls {
  private readonly calls = new Set<WaitingCall>();
  private timer: NodeJS.Timeout | undefined;

  /** `findLoss` returns why this owner cannot answer any more, if so. */
  constructor(private readonly findLoss: (owner: Caller) => Promise<unknown>) {}

  /** Settles as the answer does, or fails when nobody is left to give it. */
  wait<T>(owner: Caller, answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const call = { owner, since: performance.now(), fail: reject };
      this.calls.add(call);
      this.timer ??= setInterval(() => this.check(), presenceCheckMs).unref();
      answer.then(resolve, reject).finally(() => this.calls.delete(call));
    });
  }

  private check(): void {
    if (this.calls.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    const late = [...this.calls].filter(({ since }) => performance.now() - since >= presenceCheckMs);
    for (const owner of new Set(late.map((call) => call.owner))) {
      void this.failLost(
        owner,
        late.filter((call) => call.owner === owner),
      );
    }
  }

  private async failLost(owner: Caller, calls: readonly WaitingCall[]): Promise<void> {
    const loss = await this.findLoss(owner);
    if (loss !== undefined) for (const call of calls) call.fail(loss);
  }
}
