import { stopCommands } from './start/command';
import { fr, Refusal, say } from './terminal';

const quietMs = 15_000;
/** The exit code that shells use for an interrupted command. */
const interruptedCode = 130;
let reminder: NodeJS.Timeout | undefined;

/** Prints the current step of a long run, and repeats it from time to time until the next one. */
export function step(line: string, print: (line: string) => void = say): void {
  clearInterval(reminder);
  print(line);
  const startedAt = performance.now();
  const remind = () => print(fr`  … ${line}, depuis ${Math.round((performance.now() - startedAt) / 1000)}\u00a0s`);
  reminder = setInterval(remind, quietMs).unref();
}

/** Stops the reminders, when the run only waits. */
export const stopReminders = () => clearInterval(reminder);

/**
 * Runs a bench or a trial and exits with its code, or with `failure`. After an interrupt it starts nothing more, lets
 * package installations finish, and leaves the rest to its reaper.
 */
export async function runTrial(work: (signal: AbortSignal) => Promise<number>, failure = 1): Promise<never> {
  const interruption = new AbortController();
  const stop = () => {
    interruption.abort();
    // Code that awaits a command must run before the exit.
    void stopCommands().then(() => setImmediate(() => process.exit(interruptedCode)));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const { signal } = interruption;
  const fail = (error: unknown) => {
    if (!signal.aborted) console.error(error instanceof Refusal ? error.message : error);
    return failure;
  };
  // An error after an interrupt is a consequence, and must not end the process early.
  process.on('uncaughtException', (error) => signal.aborted || process.exit(fail(error)));
  const code = await work(signal).catch(fail);
  return signal.aborted ? new Promise<never>(() => undefined) : process.exit(code);
}
