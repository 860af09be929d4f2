import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Log } from './log';
import { RepeatingTask } from './repeating-task';

const complaint = 'what is over could not be forgotten';

/** One thing that a service forgets. One that takes its time looks whether the process ends meanwhile. */
type Forget = (isEnding: () => boolean) => Promise<unknown>;

/** Removes what nobody can use any more, so that tables stay small. */
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rounds: RepeatingTask;
  private isEnding = false;

  constructor(
    private readonly log: Log,
    private readonly everyMs: number,
    private readonly over: readonly Forget[],
  ) {
    this.rounds = new RepeatingTask(log, complaint, () => this.pass());
  }

  onApplicationBootstrap(): void {
    this.rounds.start(this.everyMs);
    void this.rounds.go();
  }

  onApplicationShutdown(): void {
    this.isEnding = true;
    this.rounds.stop();
  }

  /** One that fails keeps none of the others from theirs. */
  private async pass(): Promise<void> {
    for (const forget of this.over) {
      await forget(() => this.isEnding).catch((error: unknown) => this.log.warn({ err: error }, complaint));
    }
  }
}
