import { join } from 'node:path';
import type { Caller } from '@vigie/contracts/contract';
import { TestProduct } from '@vigie/testing/product';
import { startServers } from '../start/servers';
import { fr } from '../terminal';
import { notedIn } from './memory';
import type { Workbench } from './workbench';

type Asked = {
  /** Of its folder. */
  name: string;
  apps: readonly Caller[];
  env: Record<string, string>;
  /** What takes the place of a service's own program, below `dist`. */
  programs: { readonly [app in Caller]?: string };
};

export type Replicas = {
  product: TestProduct;
  databaseUrl: string;
  /** Of all that takes part: its processes, in their order, and its servers. */
  pids: () => Map<string, number>;
};

/** The product as processes of its own, of which there may be more than one of each, on servers of its own. */
export async function startReplicas(bench: Workbench, { name, apps, env, programs }: Asked): Promise<Replicas> {
  const home = join(bench.folder, `${name}-servers`);
  bench.step(fr`démarre PostgreSQL, Redis et NATS`);
  const servers = await startServers({ home, log: () => undefined, addresses: {}, signal: bench.signal });
  bench.atEnd(() => servers.stop());
  const { databaseUrl, redisUrl, natsUrl } = servers;
  Object.assign(process.env, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, NATS_URL: natsUrl });
  bench.step(fr`démarre Vigie`);
  const product = await TestProduct.start(apps, { VIGIE_REQUESTS_PER_MINUTE: '100000000', ...env }, programs);
  bench.atEnd(() => product.stop());
  const pids = () => {
    const own = product.processes.map(({ app, process }) => {
      const place = product.of(app).indexOf(process) + 1;
      return [place === 1 ? app : `${app} ${place}`, process.pid] as const;
    });
    return new Map([...own, ...notedIn(home)]);
  };
  return { product, databaseUrl, pids };
}
