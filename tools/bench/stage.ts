import { join } from 'node:path';
import { root } from '../start/env';
import { freePort } from '../start/ports';
import { type Servers, startServers } from '../start/servers';
import { fr } from '../terminal';
import { type Product, startProduct } from './product';
import type { Workbench } from './workbench';

export type Stage = { servers: Servers; product: Product; homes: Record<'servers' | 'product', string> };

/** Starts private servers, which stop with the bench. */
export async function openServers(bench: Workbench, home: string): Promise<Servers> {
  bench.step(fr`démarre PostgreSQL, Redis et NATS`);
  const servers = await startServers({ home, log: () => undefined, addresses: {}, signal: bench.signal });
  bench.atEnd(() => servers.stop());
  return servers;
}

/** Starts the complete product on servers that its rivals also use. */
export async function setStage(
  bench: Workbench,
  env: NodeJS.ProcessEnv | ((servers: Servers) => Promise<NodeJS.ProcessEnv>) = {},
): Promise<Stage> {
  const homes = { servers: join(bench.folder, 'servers'), product: join(bench.folder, 'product') };
  const servers = await openServers(bench, homes.servers);
  bench.step(fr`construit et démarre Vigie`);
  const product = await startProduct(bench, {
    checkout: root,
    home: homes.product,
    env: { ...(await serverEnv(servers)), ...(typeof env === 'function' ? await env(servers) : env) },
  });
  return { servers, product, homes };
}

/** Metrics are enabled. The rate limiter counts each request but refuses none. */
async function serverEnv({ databaseUrl, redisUrl, natsUrl }: Servers): Promise<NodeJS.ProcessEnv> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    NATS_URL: natsUrl,
    VIGIE_METRICS_PORT: `${await freePort()}`,
    VIGIE_REQUESTS_PER_MINUTE: '100000000',
  };
}
