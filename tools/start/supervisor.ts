import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, fr, seconds } from '../terminal';
import { nextDelay } from './backoff';
import { type Exit, type Program, type RunningProcess, launch, stopRunning } from './child';
import { lastError, linesSince, logFile, rotateOpenLog } from './logs';

const rotateEveryMs = 60_000;

type Hooks = {
  /** Called at each start of the program, the first and those after a death. */
  onStart?: (running: RunningProcess) => void;
  /** Returns true if the program must not be restarted. */
  onExit?: (running: RunningProcess, exit: Exit) => boolean;
};

type SupervisedProgram = {
  running: RunningProcess;
  stopping: AbortController;
  restarting: AbortController;
  ended: Promise<void>;
};

/** Keeps programs running: restarts them when they die, with a longer wait after each early death. */
export class Supervisor {
  private readonly programs = new Map<string, SupervisedProgram>();
  private readonly rotation = setInterval(() => this.rotate(), rotateEveryMs).unref();

  constructor(
    private readonly home: string,
    private readonly log: Log,
  ) {}

  /** `first` is the process of a program that runs already. */
  keep(program: Program, hooks: Hooks = {}, first?: RunningProcess): void {
    const running = first ?? launch(this.home, program);
    const supervised: SupervisedProgram = {
      running,
      stopping: new AbortController(),
      restarting: new AbortController(),
      ended: Promise.resolve(),
    };
    this.programs.set(program.name, supervised);
    supervised.ended = this.watch(supervised, hooks);
  }

  async restart(name: string): Promise<void> {
    const supervised = this.programs.get(name);
    if (!supervised) return;
    supervised.restarting.abort();
    await stopRunning(supervised.running, 8_000);
  }

  async stop(graceMs: number): Promise<void> {
    clearInterval(this.rotation);
    const all = [...this.programs.values()];
    this.programs.clear();
    for (const { stopping } of all) stopping.abort();
    await Promise.all(all.map(({ running }) => stopRunning(running, graceMs)));
    await Promise.all(all.map(({ ended: over }) => over));
  }

  private async watch(supervised: SupervisedProgram, hooks: Hooks): Promise<void> {
    const { signal } = supervised.stopping;
    let delay: number | undefined;
    for (;;) {
      const { running } = supervised;
      hooks.onStart?.(running);
      const exit = await running.exited;
      if (signal.aborted || hooks.onExit?.(running, exit)) return;
      if (!supervised.restarting.signal.aborted) {
        const previous = delay;
        delay = nextDelay(previous, performance.now() - running.startedAt);
        this.logExit(running, exit, delay, previous !== undefined && delay > previous);
        await sleep(delay, undefined, { signal: AbortSignal.any([signal, supervised.restarting.signal]) }).catch(
          () => {},
        );
        if (signal.aborted) return;
      }
      supervised.restarting = new AbortController();
      supervised.running = launch(this.home, running.program);
    }
  }

  private logExit({ program, logStart }: RunningProcess, exit: Exit, delay: number, isRepeated: boolean): void {
    const reason = isRepeated ? lastError(linesSince(logFile(this.home, program.name), logStart)) : undefined;
    const line = fr`${program.title} s’est arrêté (${exit.signal ?? `code ${exit.code}`}) ; relance dans ${seconds(delay)}.`;
    this.log(reason ? fr`${line} Dernière erreur : ${reason}` : line);
  }

  private rotate(): void {
    for (const name of this.programs.keys()) rotateOpenLog(this.home, name);
  }
}
