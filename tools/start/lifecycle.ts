import { watchNpm } from '../orphan.mjs';
import { Refusal, fr, reasonOf, say } from '../terminal';
import { stopCommands } from './command';
import { isUnderNpm } from './env';

const stopMs = 9_500;
/** Of a command that did not come to its end; a product that was asked to stop has. */
const calledOff = 130;

/** What a start has to undo, and the end of it by a signal or a failure. */
export class Lifecycle {
  private readonly stops: ((graceMs: number) => Promise<void> | void)[] = [];
  private readonly aborter = new AbortController();
  private stopping: Promise<never> | undefined;

  /** Fires when the starter must not begin anything more. */
  readonly signal = this.aborter.signal;

  constructor(private readonly what: 'start' | 'command' = 'start') {}

  /** The last thing started is the first stopped; each is told how long it may take. */
  atStop(stop: (graceMs: number) => Promise<void> | void): void {
    this.stops.push(stop);
  }

  /** Runs a start; then lives until a signal. */
  async run(start: (life: Lifecycle) => Promise<void>): Promise<void> {
    const started = start(this);
    this.listen(started);
    await started.catch((error: unknown) => this.stopping ?? this.stop(started, 1, error));
  }

  /** Of several things under way, the first failure cuts the others short. */
  async together<A, B>(parts: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
    try {
      return await Promise.all(parts);
    } catch (error) {
      this.aborter.abort();
      await stopCommands();
      await Promise.allSettled(parts);
      throw error;
    }
  }

  private listen(started: Promise<void>): void {
    const stop = (why: string) => {
      if (!this.stopping) say(fr`Arrêt demandé (${why})…`);
      void this.stop(started, this.what === 'start' ? 0 : calledOff);
    };
    // Ctrl-C comes twice under npm, which passes on what the terminal has sent already; and people press it twice.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
    process.on('uncaughtException', (error) => void this.stop(started, 1, error));
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    if (isUnderNpm()) watchNpm(() => stop('npm a disparu'));
  }

  private stop(started: Promise<void>, code: number, error?: unknown): Promise<never> {
    if (error !== undefined) console.error(error instanceof Refusal ? error.message : error);
    this.stopping ??= this.stopNow(started, code);
    return this.stopping;
  }

  private async stopNow(started: Promise<void>, code: number): Promise<never> {
    const end = performance.now() + stopMs;
    this.aborter.abort();
    await stopCommands();
    await started.catch((error: unknown) => {
      if (code === calledOff && error instanceof Refusal) console.error(error.message);
    });
    for (const stop of this.stops.toReversed()) {
      await Promise.resolve(stop(Math.max(end - performance.now(), 500))).catch((cause) =>
        console.error(reasonOf(cause)),
      );
    }
    if (code === 0) say(fr`Tout est arrêté.`);
    process.exit(code);
  }
}
