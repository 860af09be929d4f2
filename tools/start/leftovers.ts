import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type Mark, isAlive, readOwner } from '../lock.mjs';
import { type Log, Refusal, fr } from '../terminal';
import { pidFile } from './child';
import { waitFor } from './wait';

const Starter = z.object({ pid: z.number(), mark: z.string().optional() });

/**
 * Stops the processes that a killed starter left in this state folder, identified by pid and start time. If their starter
 * still runs, they are in use and this start is refused.
 */
export async function stopLeftovers(home: string, log: Log): Promise<void> {
  await Promise.all(recordedNames(home).map((name) => stopLeftover(home, name, log)));
}

async function stopLeftover(home: string, name: string, log: Log): Promise<void> {
  const file = pidFile(home, name);
  const recorded = readOwner(file);
  const starter = Starter.safeParse(recorded?.['starter']).data;
  if (recorded && isAlive(recorded)) {
    if (starter && isAlive(starter)) throw inUse(home, starter.pid);
    log(fr`Arrête ${name}, qu’un démarrage interrompu a laissé (processus ${recorded.pid}).`);
    await endProcess(recorded, name === 'postgresql' ? 'SIGINT' : 'SIGTERM');
  }
  rmSync(file, { force: true });
}

async function endProcess(recorded: Mark, signal: NodeJS.Signals): Promise<void> {
  const hasEnded = async () => !isAlive(recorded);
  kill(recorded, signal);
  if (await waitFor(hasEnded, { timeoutMs: 8_000 })) return;
  kill(recorded, 'SIGKILL');
  await waitFor(hasEnded, { timeoutMs: 2_000 });
}

function kill({ pid }: Mark, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const inUse = (home: string, pid: number) =>
  new Refusal(
    fr`Les serveurs de ${home} sont déjà tenus par le processus ${pid} : arrêtez-le, ou choisissez un autre VIGIE_HOME.`,
  );

function recordedNames(home: string): string[] {
  try {
    return readdirSync(join(home, 'run'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => basename(name, '.json'));
  } catch {
    return [];
  }
}
