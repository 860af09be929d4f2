import { randomUUID } from 'node:crypto';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { openZone } from '@vigie/testing/dns';
import { addUser } from '@vigie/testing/people';
import type { TestProduct } from '@vigie/testing/product';
import { seedFleet, type Sizes } from '@vigie/testing/seed';
import { Client } from 'pg';
import { addTrialJobs, type Host } from '../chaos/host';
import { bundlePrograms } from '../chaos/programs';
import { build } from '../start/build';
import { inherited } from '../start/env';
import { fr } from '../terminal';
import { seed } from './fleet-seed';
import type { Crowd, Reader } from './load-plan';
import { administrator } from './product';
import { ensureSshPrograms } from './ssh-stage';
import { type Replicas, startReplicas } from './replicas';
import { openHosts } from './waits';
import type { Workbench } from './workbench';

export const apps = ['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'] as const;
/** A host runs three operations at once and a site one. */
const [hostCount, sitesPerHost] = [6, 6];
/** An operation waits four times this long on its host. */
const operationSeconds = 0.1;
const ordersPerSite = 60;
const fleetSizes = {
  quick: { sites: 1_000, servers: 100, plugins: 30, groups: 20 },
  usual: { sites: 10_000, servers: 1_000, plugins: 30, groups: 200 },
} satisfies Record<string, Sizes>;
const clientSizes: Sizes = { sites: 50, servers: 5, plugins: 30, groups: 4 };
const [adminCount, clientCount] = [2, 3];
const maxOpened = 500;

export type LoadStage = Replicas & {
  client: Client;
  sizes: Sizes;
  hosts: readonly Host[];
  crowd: Crowd;
  /** Token of the owner of the fleet and of the hosts. */
  token: string;
};

/** Starts one process of each app, and creates a fleet without background visits, hosts and users. */
export async function setLoadStage(bench: Workbench, isQuick: boolean): Promise<LoadStage> {
  await ensureSshPrograms(bench);
  await build((line) => bench.step(line), inherited, bench.signal);
  const programs = await bundlePrograms(undefined);
  const cloudflare = await FakeCloudflare.start();
  bench.atEnd(() => cloudflare.close());
  const env = {
    VIGIE_ADMIN_EMAIL: administrator.email,
    VIGIE_ADMIN_PASSWORD: administrator.password,
    VIGIE_CLOUDFLARE_URL: cloudflare.url,
    VIGIE_DNS_LOOK_SECONDS: '0',
    VIGIE_METRICS_PORT: '0',
  };
  const replicas = await startReplicas(bench, { apps, env, programs });
  const { product } = replicas;
  const token = await product.login(administrator);
  const client = new Client({ connectionString: product.database.url });
  client.on('error', () => undefined);
  await client.connect();
  bench.atEnd(() => client.end());
  await openZone({ product, cloudflare, token });
  bench.step(fr`démarre les hôtes et crée les comptes`);
  const hosts = await openHosts(bench, product, token, { hosts: hostCount, sites: sitesPerHost });
  const users = await addUsers(product, client, token);
  const sizes = isQuick ? fleetSizes.quick : fleetSizes.usual;
  bench.step(fr`crée ${sizes.sites} sites`);
  await seed(product.database.url, sizes);
  bench.step(fr`prépare les opérations`);
  const jobIds = await addOrders(client, hosts);
  const readers = await createReaders(product, users);
  const crowd: Crowd = {
    readers,
    gateways: 1,
    orderer: 0,
    nextOrder: () => {
      const id = jobIds.pop();
      if (id === undefined) throw new Error('no more orders were prepared');
      return id;
    },
    hosts: hosts.map(({ serverId }) => serverId),
  };
  return { ...replicas, client, sizes, hosts, crowd, token };
}

type User = { token: string; isAdmin: boolean; hasZones: boolean };

/** Creates two sessions of the owner, administrators who see all sites, and clients with few sites. */
async function addUsers(product: TestProduct, client: Client, token: string): Promise<User[]> {
  const owner = { isAdmin: false, hasZones: true };
  const users: User[] = [
    { token, ...owner },
    { token: await product.login(administrator), ...owner },
  ];
  for (let index = 0; index < adminCount; index++) {
    const { token: userToken } = await addUser(product, token, 'admin');
    users.push({ token: userToken, isAdmin: true, hasZones: false });
  }
  for (let index = 0; index < clientCount; index++) {
    const { id, token: userToken } = await addUser(product, token);
    await seedFleet((sql, values) => client.query(sql, values), id, clientSizes);
    users.push({ token: userToken, isAdmin: false, hasZones: false });
  }
  return users;
}

async function createReaders(product: TestProduct, users: readonly User[]): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (const { token, isAdmin, hasZones } of users) {
    const mode: Record<string, string> = isAdmin ? { 'x-admin-mode': '1' } : {};
    const fetchIds = async (path: string) => {
      const { status, text } = await product.request('GET', path, { token, headers: mode });
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
    };
    const sites = await fetchIds(`/api/sites?limit=${maxOpened}`);
    const servers = await fetchIds(`/api/servers?limit=${maxOpened}`);
    readers.push({ headers: { authorization: `Bearer ${token}`, ...mode }, sites, servers, hasZones });
  }
  return readers;
}

/** Inserts failed jobs, each of which can be retried once. A retry is the only API order of a trial job. */
async function addOrders(client: Client, hosts: readonly Host[]): Promise<string[]> {
  const idsByHost: string[][] = [];
  for (const host of hosts) {
    const trials = Array.from({ length: ordersPerSite }, () => host.sites.map((site) => createTrialJob(site))).flat();
    await addTrialJobs((sql, values) => client.query(sql, values), host, trials, 'failed');
    idsByHost.push(trials.map(({ id }) => id));
  }
  // Orders alternate between the hosts.
  return Array.from({ length: ordersPerSite * sitesPerHost }, (_, index) =>
    idsByHost.flatMap((ids) => ids[index] ?? []),
  ).flat();
}

const createTrialJob = (site: Host['sites'][number]) => ({
  id: randomUUID(),
  kind: 'sleep',
  site,
  seconds: operationSeconds,
});
