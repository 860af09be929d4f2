import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claim, isAlive, type Owner, readOwner, release } from '../lock.mjs';
import { type Log, Refusal, fr } from '../terminal';
import { stopLeftovers } from './leftovers';
import { makeHome } from './server-storage';

/** The lock of a state folder. It also holds the address of the product, for people and for tests. */
const starterFile = (home: string) => join(home, 'starter.json');

export function findStarter(home: string): Owner | undefined {
  const owner = readOwner(starterFile(home));
  return owner && isAlive(owner) ? owner : undefined;
}

/** Refuses a folder that is in use, and stops the processes that a dead starter has left. */
export async function requireFreeHome(home: string, log: Log): Promise<void> {
  const owner = findStarter(home);
  if (owner) throw alreadyRunning(home, owner);
  if (existsSync(home)) await stopLeftovers(home, log);
}

export function lockHome(home: string, address: string): () => void {
  makeHome(home);
  const owner = claim(starterFile(home), { address });
  if (owner) throw alreadyRunning(home, owner);
  return () => release(starterFile(home));
}

function alreadyRunning(home: string, { pid, address }: Record<string, unknown>): Refusal {
  return new Refusal(
    fr`Vigie tourne déjà avec ${home} : processus ${String(pid)}, ${String(address)}. Arrêtez-la, ou donnez à celle-ci un autre VIGIE_HOME et un autre PORT.`,
  );
}
