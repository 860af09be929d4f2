import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServers } from './start/servers';
import { fr } from './terminal';
import { step } from './trials';

/** Replaces the addresses of the shell by those of temporary servers. */
export async function withPrivateServers(signal: AbortSignal, work: () => Promise<number>): Promise<number> {
  step(fr`Démarre PostgreSQL, Redis et NATS…`);
  // The unprivileged user of PostgreSQL must be able to read it.
  const folder = mkdtempSync(join(tmpdir(), 'vigie-trial-'));
  chmodSync(folder, 0o755);
  const home = join(folder, 'servers');
  const servers = await startServers({ home, log: () => undefined, durable: false, addresses: {}, signal });
  try {
    const { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL, natsUrl: NATS_URL } = servers;
    Object.assign(process.env, { DATABASE_URL, REDIS_URL, NATS_URL });
    return await work();
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
