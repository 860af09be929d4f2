import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, fr, seconds } from '../terminal';
import { nextDelay } from './backoff';
import { type Exit, type Program, type Running, launch, stopRunning } from './child';
import { lastError, linesSince, logFile, rotateOpenLog } from './logs';

const rotateEveryMs = 60_000;

type Hooks = {
  /** Of each life of the program: its first, and those after a death. */
  onStart?: (life: Running) => void;
  /** True when it must not be started again. */
  onExit?: (life: Running, exit: Exit) => boolean;
};

type Kept = { life: Running; stopping: AbortController; asked: AbortController; over: Promise<void> };

/** Keeps programs running: what dies is started again, later each time it dies young. */
export class Supervisor {
  private readonly kept = new Map<string, Kept>();
  private readonly rotation = setInterval(() => this.rotate(), rotateEveryMs).unref();

  constructor(
    private readonly home: string,
    private readonly log: Log,
  ) {}

  /** `first` is its first life, where it is running already. */
  keep(program: Program, hooks: Hooks = {}, first?: Running): void {
    const life = first ?? launch(this.home, program);
    const kept: Kept = { life, stopping: new AbortController(), asked: new AbortController(), over: Promise.resolve() };
    this.kept.set(program.name, kept);
    kept.over = this.watch(kept, hooks);
  }

  /** Stops one program on purpose; it is started anew at once. */
  async restart(name: string): Promise<void> {
    const kept = this.kept.get(name);
    if (!kept) return;
    kept.asked.abort();
    await stopRunning(kept.life, 8_000);
  }

  async stop(graceMs: number): Promise<void> {
    clearInterval(this.rotation);
    const all = [...this.kept.values()];
    this.kept.clear();
    for (const { stopping } of all) stopping.abort();
    await Promise.all(all.map(({ life }) => stopRunning(life, graceMs)));
    await Promise.all(all.map(({ over }) => over));
  }

  private async watch(kept: Kept, hooks: Hooks): Promise<void> {
    const { signal } = kept.stopping;
    let delay: number | undefined;
    for (;;) {
      const { life } = kept;
      hooks.onStart?.(life);
      const exit = await life.exited;
      if (signal.aborted || hooks.onExit?.(life, exit)) return;
      if (!kept.asked.signal.aborted) {
        const previous = delay;
        delay = nextDelay(previous, performance.now() - life.startedAt);
        this.tell(life, exit, delay, previous !== undefined && delay > previous);
        await sleep(delay, undefined, { signal: AbortSignal.any([signal, kept.asked.signal]) }).catch(() => {});
        if (signal.aborted) return;
      }
      kept.asked = new AbortController();
      kept.life = launch(this.home, life.program);
    }
  }

  private tell({ program, logStart }: Running, exit: Exit, delay: number, isRepeated: boolean): void {
    const said = isRepeated ? lastError(linesSince(logFile(this.home, program.name), logStart)) : undefined;
    const line = fr`${program.title} s’est arrêté (${exit.signal ?? `code ${exit.code}`}) ; relance dans ${seconds(delay)}.`;
    this.log(said ? fr`${line} Dernière erreur : ${said}` : line);
  }

  private rotate(): void {
    for (const name of this.kept.keys()) rotateOpenLog(this.home, name);
  }
}
