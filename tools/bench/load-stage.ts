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
/** Three operations at once on each, and one at a time on a site. */
const [hostCount, sitesPerHost] = [6, 6];
/** Operations that wait for their host four times as long, on it. */
const operationSeconds = 0.1;
const ordersPerSite = 60;
const fleets = {
  quick: { sites: 1_000, servers: 100, plugins: 30, groups: 20 },
  usual: { sites: 10_000, servers: 1_000, plugins: 30, groups: 200 },
} satisfies Record<string, Sizes>;
const ofClient: Sizes = { sites: 50, servers: 5, plugins: 30, groups: 4 };
const [adminCount, clientCount] = [2, 3];
const maxOpened = 500;

export type LoadStage = Replicas & {
  client: Client;
  sizes: Sizes;
  hosts: readonly Host[];
  crowd: Crowd;
  /** Of whoever has the fleet and the hosts. */
  token: string;
};

/** The product with one of each process, a fleet that nobody visits, hosts that work, and people. */
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
  const replicas = await startReplicas(bench, { name: 'load', apps, env, programs });
  const { product } = replicas;
  const token = await product.login(administrator);
  const client = new Client({ connectionString: product.database.url });
  client.on('error', () => undefined);
  await client.connect();
  bench.atEnd(() => client.end());
  await openZone({ product, cloudflare, token });
  bench.step(fr`démarre les hôtes et crée les comptes`);
  const hosts = await openHosts(bench, product, token, { hosts: hostCount, sites: sitesPerHost });
  const people = await addPeople(product, client, token);
  const sizes = isQuick ? fleets.quick : fleets.usual;
  bench.step(fr`crée ${sizes.sites} sites`);
  await seed(product.database.url, sizes);
  bench.step(fr`prépare les opérations`);
  const ordered = await addOrders(client, hosts);
  const readers = await readersOf(product, people);
  const crowd: Crowd = {
    readers,
    gateways: 1,
    orderer: 0,
    nextOrder: () => {
      const id = ordered.pop();
      if (id === undefined) throw new Error('no more orders were prepared');
      return id;
    },
    hosts: hosts.map(({ serverId }) => serverId),
  };
  return { ...replicas, client, sizes, hosts, crowd, token };
}

type Somebody = { token: string; isAdmin: boolean; hasZones: boolean };

/** Whoever has the fleet, twice, administrators who see everybody's, and clients with a few sites each. */
async function addPeople(product: TestProduct, client: Client, token: string): Promise<Somebody[]> {
  const owner = { isAdmin: false, hasZones: true };
  const people: Somebody[] = [
    { token, ...owner },
    { token: await product.login(administrator), ...owner },
  ];
  for (let place = 0; place < adminCount; place++) {
    const { token: own } = await addUser(product, token, 'admin');
    people.push({ token: own, isAdmin: true, hasZones: false });
  }
  for (let place = 0; place < clientCount; place++) {
    const { id, token: own } = await addUser(product, token);
    await seedFleet((sql, values) => client.query(sql, values), id, ofClient);
    people.push({ token: own, isAdmin: false, hasZones: false });
  }
  return people;
}

async function readersOf(product: TestProduct, people: readonly Somebody[]): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (const { token, isAdmin, hasZones } of people) {
    const mode: Record<string, string> = isAdmin ? { 'x-admin-mode': '1' } : {};
    const idsAt = async (path: string) => {
      const { status, text } = await product.request('GET', path, { token, headers: mode });
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
    };
    const sites = await idsAt(`/api/sites?limit=${maxOpened}`);
    const servers = await idsAt(`/api/servers?limit=${maxOpened}`);
    readers.push({ headers: { authorization: `Bearer ${token}`, ...mode }, sites, servers, hasZones });
  }
  return readers;
}

/** Work that failed, each of which may be tried again once: that is how a person orders what only trials know. */
async function addOrders(client: Client, hosts: readonly Host[]): Promise<string[]> {
  const all: string[][] = [];
  for (const host of hosts) {
    const trials = Array.from({ length: ordersPerSite }, () => host.sites.map((site) => trialAt(site))).flat();
    await addTrialJobs((sql, values) => client.query(sql, values), host, trials, 'failed');
    all.push(trials.map(({ id }) => id));
  }
  // From one host to the next, as people's sites lie.
  return Array.from({ length: ordersPerSite * sitesPerHost }, (_, place) =>
    all.flatMap((ids) => ids[place] ?? []),
  ).flat();
}

const trialAt = (site: Host['sites'][number]) => ({
  id: randomUUID(),
  kind: 'sleep',
  site,
  seconds: operationSeconds,
});
