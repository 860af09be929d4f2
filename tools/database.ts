import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { isAlive, readOwner } from './lock.mjs';
import { pidFile } from './start/child';
import { Refusal, fr, reasonOf } from './terminal';
import type { Settings } from './start/env';

const ServersFile = z.object({ data: z.string(), passwords: z.object({ postgresql: z.string() }) });

/** Returns DATABASE_URL, or the address of the private database of the product that runs in the state folder. */
export function databaseUrl({ home, addresses }: Pick<Settings, 'home' | 'addresses'>): string {
  if (addresses.DATABASE_URL) return addresses.DATABASE_URL;
  const url = privateUrl(home);
  if (url !== undefined) return url;
  throw new Refusal(
    fr`La base de Vigie ne tourne pas dans ${home} : lancez npm start, ou donnez l’adresse de votre PostgreSQL par DATABASE_URL.`,
  );
}

export async function openDatabase(url: string): Promise<Client> {
  try {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    await client.connect();
    return client;
  } catch (error) {
    // When every address of a name refuses the connection, the error has a code but no message.
    throw new Refusal(fr`La base ne se laisse pas ouvrir : ${reasonOf(error) || String(Object(error).code)}`);
  }
}

/** Reads the port from PostgreSQL's own pid file, and whether PostgreSQL still runs from the starter's. */
function privateUrl(home: string): string | undefined {
  const [serversFile, owner] = [join(home, 'servers.json'), readOwner(pidFile(home, 'postgresql'))];
  if (!existsSync(serversFile) || !owner || !isAlive(owner)) return undefined;
  const { data, passwords } = ServersFile.parse(JSON.parse(readFileSync(serversFile, 'utf8')));
  const pid = join(data, 'postgresql', 'postmaster.pid');
  const port = existsSync(pid) ? readFileSync(pid, 'utf8').split('\n')[3]?.trim() : undefined;
  return port ? `postgres://postgres:${passwords.postgresql}@127.0.0.1:${port}/vigie` : undefined;
}
