import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrl } from '../database';
import type { Settings } from '../start/env';
import { clearHome, starterOf, takeHome } from '../start/home';
import { startDatabase } from '../start/servers';
import { say } from '../terminal';

type Source = { url: string; close: () => Promise<void> };

/** The database, which `npm start` may have stopped: then it runs for as long as it is read, and nobody starts meanwhile. */
export async function openSource(settings: Settings, signal: AbortSignal): Promise<Source> {
  const { home, addresses } = settings;
  const isOwn = addresses.DATABASE_URL === undefined && existsSync(join(home, 'servers.json'));
  if (!isOwn || starterOf(home)) return { url: databaseUrl(settings), close: async () => undefined };
  await clearHome(home, say);
  const leave = takeHome(home, 'npm run backup');
  try {
    const { databaseUrl: url, stop } = await startDatabase({ home, log: say, addresses, signal });
    return { url, close: () => stop().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}
