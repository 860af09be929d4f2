import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrl } from '../database';
import type { Settings } from '../start/env';
import { requireFreeHome, findStarter, lockHome } from '../start/home';
import { startDatabase } from '../start/servers';
import { say } from '../terminal';

type DatabaseSource = { url: string; close: () => Promise<void> };

/** Opens the database. If it belongs to a stopped `npm start`, runs it meanwhile and locks the state folder. */
export async function openDatabaseSource(settings: Settings, signal: AbortSignal): Promise<DatabaseSource> {
  const { home, addresses } = settings;
  const isOwn = addresses.DATABASE_URL === undefined && existsSync(join(home, 'servers.json'));
  if (!isOwn || findStarter(home)) return { url: databaseUrl(settings), close: async () => undefined };
  await requireFreeHome(home, say);
  const releaseHome = lockHome(home, 'npm run backup');
  try {
    const { databaseUrl: url, stop } = await startDatabase({ home, log: say, addresses, signal });
    return { url, close: () => stop().finally(releaseHome) };
  } catch (error) {
    releaseHome();
    throw error;
  }
}
