import { randomUUID } from 'node:crypto';
import { runInContext } from '@vigie/service-kit/context';

/** Time that an item waits for others, while an earlier call may bring some. */
const maxWaitMs = 10;
const maxItems = 64;

type Item = { id: string };
type WaitingItem<I, A> = { item: I; resolve: (answer: A | undefined) => void };

/**
 * Makes one call for the items that come at about the same time. An item that comes while no call is under way is sent in
 * the same turn of the event loop, and alone if no other comes in it.
 */
export class GatheredCalls<I extends Item, A> {
  private waiting: WaitingItem<I, A>[] = [];
  private underWay = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `callTogether` answers by id. What it leaves out is called alone, as everything is when it fails. */
  constructor(private readonly callTogether: (items: I[]) => Promise<Map<string, A>>) {}

  async call(item: I, callAlone: () => Promise<A>): Promise<A> {
    const answer = await new Promise<A | undefined>((resolve) => {
      this.waiting.push({ item, resolve });
      this.schedule();
    });
    return answer ?? this.follow(callAlone());
  }

  private schedule(): void {
    if (this.underWay === 0) setImmediate(() => this.flush());
    else this.timer ??= setTimeout(() => this.flush(), maxWaitMs);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const items = this.waiting.splice(0, maxItems);
    if (items.length > 1) void this.follow(this.send(items));
    else items[0]?.resolve(undefined);
    if (this.waiting.length > 0) this.flush();
  }

  private async send(waiting: readonly WaitingItem<I, A>[]): Promise<void> {
    // Not in the context of the first item.
    const call = runInContext({ requestId: randomUUID() }, () => this.callTogether(waiting.map(({ item }) => item)));
    const answers = await call.catch(() => new Map<string, A>());
    for (const { item, resolve } of waiting) {
      resolve(answers.get(item.id));
      // An item that came twice has one answer.
      answers.delete(item.id);
    }
  }

  private async follow<T>(call: Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await call;
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.flush();
    }
  }
}
