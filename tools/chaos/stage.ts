import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '@vigie/contracts/contract';
import { inspectorEnv } from '@vigie/testing/resources';
import { addServer, aServer } from '@vigie/testing/hosts';
import type { TestProcess } from '@vigie/testing/processes';
import { TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { Pool } from 'pg';
import { type Servers, startServers } from '../start/servers';
import { fr, type Log } from '../terminal';
import { Host } from './host';
import type { Programs } from './programs';
import { TcpProxy } from './tcp-proxy';
import { WholeStage } from './whole-stage';

const replicas = ['gateway', 'gateway', 'auth-svc', 'auth-svc', 'sites-svc', 'sites-svc'] as const;
const wholeReplicas = [...replicas, 'dns-svc', 'dns-svc'] as const;
const agents = ['ssh-agent', 'ssh-agent', 'ssh-agent'] as const;
/** A whole trial has two, because the host of the fleet is the third. */
const [hostCount, wholeHostCount] = [3, 2];
const sitesPerHost = 3;

/** A host behind a proxy, whose connections can be cut. */
export class ProxiedHost extends Host {
  constructor(
    sshd: SshHost,
    readonly proxy: TcpProxy,
    serverId: string,
  ) {
    super(sshd, serverId, proxy.port, sitesPerHost);
  }
}

/** The product in several replicas with private servers, and its hosts. */
export class Stage {
  private readonly pool: Pool;
  private readonly stopped: TestProcess[] = [];
  private readonly spared = new Set<TestProcess>();
  /** The number of reached moments, and the names of those that were not reached in time. */
  readonly moments = { reached: 0, missed: [] as string[] };

  private constructor(
    readonly folder: string,
    readonly servers: Servers,
    readonly product: TestProduct,
    readonly hosts: readonly ProxiedHost[],
    readonly token: string,
    /** The proxies between the services and PostgreSQL, Redis and NATS. */
    readonly serviceProxies: readonly TcpProxy[],
    readonly whole: WholeStage | undefined,
  ) {
    this.pool = new Pool({ connectionString: this.databaseUrl, max: 2 });
    // PostgreSQL is killed during the trial.
    this.pool.on('error', () => undefined);
  }

  /** Exempts one replica of each app from kills, so that its resources can be judged over the whole trial. */
  spareOneOfEach(): void {
    for (const entry of oneOfEach(this.product.processes)) this.spared.add(entry.process);
  }

  /** The processes that a fault may kill. */
  killable(app?: Caller): TestProduct['processes'] {
    return this.product.processes.filter(
      (entry) => (app === undefined || entry.app === app) && !this.spared.has(entry.process),
    );
  }

  /** Removes the process from the product, then kills it. */
  async stopProcess(entry: TestProduct['processes'][number], signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { processes } = this.product;
    const index = processes.indexOf(entry);
    if (index >= 0) processes.splice(index, 1);
    this.stopped.push(entry.process);
    await entry.process.kill(signal);
  }

  recordMoment(name: string, isReached: boolean): void {
    if (isReached) this.moments.reached += 1;
    else this.moments.missed.push(name);
  }

  get logLines(): string[] {
    const processes = [...this.stopped, ...this.product.processes.map((entry) => entry.process)];
    return processes.flatMap(({ output }) => output.split('\n'));
  }

  async query<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.pool.query(sql, [...values])).rows as T[];
  }

  /** The direct address, so that faults do not affect the audit. */
  get databaseUrl(): string {
    const url = new URL(this.product.database.url);
    url.port = new URL(this.servers.databaseUrl).port;
    return url.toString();
  }

  static async open(programs: Programs, isWhole: boolean, step: Log): Promise<Stage> {
    step(fr`Démarre PostgreSQL, Redis et NATS…`);
    // The unprivileged user of PostgreSQL must be able to read it.
    const folder = mkdtempSync(join(tmpdir(), 'vigie-chaos-'));
    chmodSync(folder, 0o755);
    const servers = await startServers({
      home: join(folder, 'servers'),
      log: () => undefined,
      // A long trial kills PostgreSQL, which must keep what it committed.
      durable: isWhole,
      addresses: {},
    });
    const proxies = isWhole ? await startProxies(servers) : [];
    const [DATABASE_URL, REDIS_URL, NATS_URL] = [servers.databaseUrl, servers.redisUrl, servers.natsUrl].map(
      (url, index) => viaProxy(url, proxies[index]),
    );
    Object.assign(process.env, { DATABASE_URL, REDIS_URL, NATS_URL });
    if (isWhole) step(fr`Démarre de vrais sites WordPress…`);
    const whole = isWhole ? await WholeStage.open(folder) : undefined;
    step(fr`Démarre le produit en plusieurs exemplaires…`);
    const apps = [...(isWhole ? wholeReplicas : replicas), ...agents];
    const product = await TestProduct.start(apps, { ...inspectorEnv, ...whole?.env }, programs);
    const token = await product.login();
    step(fr`Prépare les serveurs et les sites…`);
    const hosts = await Promise.all(
      Array.from({ length: isWhole ? wholeHostCount : hostCount }, (_, n) => openHost(product, token, n)),
    );
    const stage = new Stage(folder, servers, product, hosts, token, proxies, whole);
    for (const host of hosts) await host.addSites((sql, values) => stage.query(sql, values));
    await whole?.register(product, token);
    return stage;
  }

  async close(): Promise<void> {
    await this.pool.end().catch(() => undefined);
    await this.product.stop().catch(() => undefined);
    for (const { sshd, proxy } of this.hosts) {
      proxy.close();
      await sshd.stop();
    }
    await this.whole?.close();
    for (const proxy of this.serviceProxies) proxy.close();
    await this.servers.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const oneOfEach = (processes: TestProduct['processes']) =>
  new Map(processes.map((entry) => [entry.app, entry])).values();

async function openHost(product: TestProduct, token: string, n: number): Promise<ProxiedHost> {
  const sshd = await SshHost.start({ settings: ['MaxStartups 100'] });
  const proxy = await TcpProxy.to(sshd.port);
  const { id } = await addServer(product, token, aServer(proxy, { name: `web-${n}` }));
  return new ProxiedHost(sshd, proxy, id);
}

const startProxies = ({ databaseUrl, redisUrl, natsUrl }: Servers) =>
  Promise.all([databaseUrl, redisUrl, natsUrl].map((url) => TcpProxy.to(Number(new URL(url).port))));

function viaProxy(url: string, proxy: TcpProxy | undefined): string {
  if (!proxy) return url;
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  return proxied.toString();
}
