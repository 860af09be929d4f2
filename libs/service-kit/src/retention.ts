import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Log } from './log';
import { RepeatingTask } from './repeating-task';

const failureMessage = 'expired rows could not be deleted';

/** Deletes one kind of expired data. A slow deletion checks whether the process is stopping. */
type DeleteExpired = (isEnding: () => boolean) => Promise<unknown>;

export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: RepeatingTask;
  private isStopping = false;

  constructor(
    private readonly log: Log,
    private readonly everyMs: number,
    private readonly deletions: readonly DeleteExpired[],
  ) {
    this.task = new RepeatingTask(log, failureMessage, () => this.pass());
  }

  onApplicationBootstrap(): void {
    this.task.start(this.everyMs);
    void this.task.runNow();
  }

  onApplicationShutdown(): void {
    this.isStopping = true;
    this.task.stop();
  }

  private async pass(): Promise<void> {
    for (const deletion of this.deletions) {
      await deletion(() => this.isStopping).catch((error: unknown) => this.log.warn({ err: error }, failureMessage));
    }
  }
}
