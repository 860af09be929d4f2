import { stopCommands } from './start/command';
import { fr, Refusal, say } from './terminal';

const quietMs = 15_000;
/** As a shell says it of a command that was interrupted. */
const interrupted = 130;
let reminder: NodeJS.Timeout | undefined;

/** Says what a long run is at, and says it again now and then until the next step. */
export function step(line: string, print: (line: string) => void = say): void {
  clearInterval(reminder);
  print(line);
  const since = performance.now();
  const remind = () => print(fr`  … ${line}, depuis ${Math.round((performance.now() - since) / 1000)}\u00a0s`);
  reminder = setInterval(remind, quietMs).unref();
}

/** What follows is not a step that comes to an end: it only waits. */
export const stepsAreOver = () => clearInterval(reminder);

/**
 * Runs a bench or a trial and exits with its code, or with `failure`. Once it is interrupted it begins nothing more, lets
 * packages be installed whole, and leaves all else to the reaper that runs it.
 */
export async function runTrial(work: (signal: AbortSignal) => Promise<number>, failure = 1): Promise<never> {
  const interruption = new AbortController();
  const stop = () => {
    interruption.abort();
    // Whoever waited for a command has its turn before the end.
    void stopCommands().then(() => setImmediate(() => process.exit(interrupted)));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const { signal: isOver } = interruption;
  const fail = (error: unknown) => {
    if (!isOver.aborted) console.error(error instanceof Refusal ? error.message : error);
    return failure;
  };
  // What fails because it was interrupted must not cut short what is waited for.
  process.on('uncaughtException', (error) => isOver.aborted || process.exit(fail(error)));
  const code = await work(isOver).catch(fail);
  return isOver.aborted ? new Promise<never>(() => undefined) : process.exit(code);
}
