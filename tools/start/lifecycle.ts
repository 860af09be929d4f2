import { watchNpm } from '../orphan.mjs';
import { Refusal, fr, reasonOf, say } from '../terminal';
import { stopCommands } from './command';
import { isUnderNpm } from './env';

const stopMs = 9_500;
/** The exit code of an interrupted command; an interrupted product exits with 0. */
const interruptedCode = 130;

/** Collects what a start must stop, and stops it at a signal or a failure. */
export class Lifecycle {
  private readonly stops: ((graceMs: number) => Promise<void> | void)[] = [];
  private readonly aborter = new AbortController();
  private stopping: Promise<never> | undefined;

  /** Fires when nothing more may be started. */
  readonly signal = this.aborter.signal;

  constructor(private readonly kind: 'start' | 'command' = 'start') {}

  /** Stops run in reverse order; each is told how long it may take. */
  atStop(stop: (graceMs: number) => Promise<void> | void): void {
    this.stops.push(stop);
  }

  /** Runs a start, then waits for a signal. */
  async run(start: (life: Lifecycle) => Promise<void>): Promise<void> {
    const starting = start(this);
    this.handleSignals(starting);
    await starting.catch((error: unknown) => this.stopping ?? this.stop(starting, 1, error));
  }

  /** Waits for both promises; the failure of one aborts the other. */
  async waitForBoth<A, B>(parts: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
    try {
      return await Promise.all(parts);
    } catch (error) {
      this.aborter.abort();
      await stopCommands();
      await Promise.allSettled(parts);
      throw error;
    }
  }

  private handleSignals(starting: Promise<void>): void {
    const stop = (why: string) => {
      if (!this.stopping) say(fr`Arrêt demandé (${why})…`);
      void this.stop(starting, this.kind === 'start' ? 0 : interruptedCode);
    };
    // Under npm a Ctrl-C arrives twice, from the terminal and from npm; and people press it twice.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
    process.on('uncaughtException', (error) => void this.stop(starting, 1, error));
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    if (isUnderNpm()) watchNpm(() => stop('npm a disparu'));
  }

  private stop(starting: Promise<void>, code: number, error?: unknown): Promise<never> {
    if (error !== undefined) console.error(error instanceof Refusal ? error.message : error);
    this.stopping ??= this.stopNow(starting, code);
    return this.stopping;
  }

  private async stopNow(starting: Promise<void>, code: number): Promise<never> {
    const deadline = performance.now() + stopMs;
    this.aborter.abort();
    await stopCommands();
    await starting.catch((error: unknown) => {
      if (code === interruptedCode && error instanceof Refusal) console.error(error.message);
    });
    for (const stop of this.stops.toReversed()) {
      await Promise.resolve(stop(Math.max(deadline - performance.now(), 500))).catch((cause) =>
        console.error(reasonOf(cause)),
      );
    }
    if (code === 0) say(fr`Tout est arrêté.`);
    process.exit(code);
  }
}
