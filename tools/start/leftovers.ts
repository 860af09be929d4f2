import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type Mark, isAlive, readOwner } from '../lock.mjs';
import { type Log, Refusal, fr } from '../terminal';
import { pidFile } from './child';
import { waitFor } from './wait';

const Starter = z.object({ pid: z.number(), mark: z.string().optional() });

/**
 * Stops what a killed starter left of this state folder. A process counts as left only if it is the very one that was
 * noted, by pid and start time; when its starter lives it is in use, and the start is refused.
 */
export async function stopLeftovers(home: string, log: Log): Promise<void> {
  await Promise.all(notedNames(home).map((name) => stopLeftover(home, name, log)));
}

async function stopLeftover(home: string, name: string, log: Log): Promise<void> {
  const file = pidFile(home, name);
  const noted = readOwner(file);
  const starter = Starter.safeParse(noted?.['starter']).data;
  if (noted && isAlive(noted)) {
    if (starter && isAlive(starter)) throw inUse(home, starter.pid);
    log(fr`Arrête ${name}, qu’un démarrage interrompu a laissé (processus ${noted.pid}).`);
    await end(noted, name === 'postgresql' ? 'SIGINT' : 'SIGTERM');
  }
  rmSync(file, { force: true });
}

async function end(noted: Mark, signal: NodeJS.Signals): Promise<void> {
  const isGone = async () => !isAlive(noted);
  kill(noted, signal);
  if (await waitFor(isGone, { timeoutMs: 8_000 })) return;
  kill(noted, 'SIGKILL');
  await waitFor(isGone, { timeoutMs: 2_000 });
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

function notedNames(home: string): string[] {
  try {
    return readdirSync(join(home, 'run'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => basename(name, '.json'));
  } catch {
    return [];
  }
}
