import { join } from 'node:path';
import type { Caller } from '@vigie/contracts/contract';
import { TestProduct } from '@vigie/testing/product';
import { fr } from '../terminal';
import { recordedPids } from './memory';
import { openServers } from './stage';
import type { Workbench } from './workbench';

type Options = {
  apps: readonly Caller[];
  env: Record<string, string>;
  /** Replacement programs below `dist`. */
  programs: { readonly [app in Caller]?: string };
};

export type Replicas = {
  product: TestProduct;
  databaseUrl: string;
  /** Pids of all app processes and servers. */
  pids: () => Map<string, number>;
};

/** Starts the product with its own servers. Replicas of each app can be added. */
export async function startReplicas(bench: Workbench, { apps, env, programs }: Options): Promise<Replicas> {
  const home = join(bench.folder, 'servers');
  const servers = await openServers(bench, home);
  const { databaseUrl, redisUrl, natsUrl } = servers;
  Object.assign(process.env, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, NATS_URL: natsUrl });
  bench.step(fr`démarre Vigie`);
  const product = await TestProduct.start(apps, { VIGIE_REQUESTS_PER_MINUTE: '100000000', ...env }, programs);
  bench.atEnd(() => product.stop());
  const pids = () => {
    const own = product.processes.map(({ app, process }) => {
      const index = product.processesOf(app).indexOf(process) + 1;
      return [index === 1 ? app : `${app} ${index}`, process.pid] as const;
    });
    return new Map([...own, ...recordedPids(home)]);
  };
  return { product, databaseUrl, pids };
}
