import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claim, isAlive, type Owner, readOwner, release } from '../lock.mjs';
import { type Log, Refusal, fr } from '../terminal';
import { stopLeftovers } from './leftovers';
import { makeHome } from './place';

/** Says who has a state folder, and where the product answers: for people, and for a test that let it choose its port. */
const starterFile = (home: string) => join(home, 'starter.json');

/** The living starter that has a state folder. */
export function starterOf(home: string): Owner | undefined {
  const owner = readOwner(starterFile(home));
  return owner && isAlive(owner) ? owner : undefined;
}

/** Before anything is started or written: the folder must be free of a living starter, and of what a dead one left. */
export async function clearHome(home: string, log: Log): Promise<void> {
  const owner = starterOf(home);
  if (owner) throw alreadyRunning(home, owner);
  if (existsSync(home)) await stopLeftovers(home, log);
}

export function takeHome(home: string, address: string): () => void {
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
