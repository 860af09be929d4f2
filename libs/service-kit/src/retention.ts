import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Log } from './log';
import { RepeatingTask } from './repeating-task';

const complaint = 'expired rows could not be deleted';

/** Deletes one kind of expired data. A slow deletion checks whether the process is stopping. */
type Forget = (isEnding: () => boolean) => Promise<unknown>;

/** Deletes expired data, so that tables stay small. */
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

  /** A failed deletion does not stop the others. */
  private async pass(): Promise<void> {
    for (const forget of this.over) {
      await forget(() => this.isEnding).catch((error: unknown) => this.log.warn({ err: error }, complaint));
    }
  }
}
