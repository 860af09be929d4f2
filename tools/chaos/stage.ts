import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '@vigie/contracts/contract';
import { inspected } from '@vigie/testing/resources';
import { addServer, aServer } from '@vigie/testing/hosts';
import type { TestProcess } from '@vigie/testing/processes';
import { TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { Pool } from 'pg';
import { type Servers, startServers } from '../start/servers';
import { fr, type Log } from '../terminal';
import { Host } from './host';
import type { Programs } from './programs';
import { Road } from './road';
import { Whole } from './whole';

const replicas = ['gateway', 'gateway', 'auth-svc', 'auth-svc', 'sites-svc', 'sites-svc'] as const;
const wholeReplicas = [...replicas, 'dns-svc', 'dns-svc'] as const;
const agents = ['ssh-agent', 'ssh-agent', 'ssh-agent'] as const;
/** That of the fleet is the third one. */
const [hostCount, wholeHostCount] = [3, 2];
const sitesPerHost = 3;

/** A host behind a road that can be cut. */
export class FarHost extends Host {
  constructor(
    sshd: SshHost,
    readonly road: Road,
    serverId: string,
  ) {
    super(sshd, serverId, road.port, sitesPerHost);
  }
}

/** The product in several replicas with servers of its own, and the hosts that it works on. */
export class Stage {
  private readonly pool: Pool;
  private readonly felled: TestProcess[] = [];
  private readonly spared = new Set<TestProcess>();
  /** Of the moments at which a replica was to die: how many came, and which did not in time. */
  readonly moments = { met: 0, missed: [] as string[] };

  private constructor(
    readonly folder: string,
    readonly servers: Servers,
    readonly product: TestProduct,
    readonly hosts: readonly FarHost[],
    readonly token: string,
    /** What lies between the services and PostgreSQL, Redis and NATS. */
    readonly serviceRoads: readonly Road[],
    readonly whole: Whole | undefined,
  ) {
    this.pool = new Pool({ connectionString: this.databaseUrl, max: 2 });
    // It is killed under it.
    this.pool.on('error', () => undefined);
  }

  /** One replica of each app lives as long as the trial, so that what it holds can be judged; faults strike it all the same. */
  spareOneOfEach(): void {
    for (const entry of oneOfEach(this.product.processes)) this.spared.add(entry.process);
  }

  /** Those that a fault may end. */
  mortals(app?: Caller): TestProduct['processes'] {
    return this.product.processes.filter(
      (entry) => (app === undefined || entry.app === app) && !this.spared.has(entry.process),
    );
  }

  /** It is out of the way before it ends. */
  async fell(entry: TestProduct['processes'][number], signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { processes } = this.product;
    const at = processes.indexOf(entry);
    if (at >= 0) processes.splice(at, 1);
    this.felled.push(entry.process);
    await entry.process.kill(signal);
  }

  noteMoment(name: string, hasMet: boolean): void {
    if (hasMet) this.moments.met += 1;
    else this.moments.missed.push(name);
  }

  /** All lines that the services have printed. */
  get said(): string[] {
    const all = [...this.felled, ...this.product.processes.map((entry) => entry.process)];
    return all.flatMap(({ output }) => output.split('\n'));
  }

  async query<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.pool.query(sql, [...values])).rows as T[];
  }

  /** By no road: whoever judges is not struck. */
  get databaseUrl(): string {
    const url = new URL(this.product.database.url);
    url.port = new URL(this.servers.databaseUrl).port;
    return url.toString();
  }

  static async open(programs: Programs, isWhole: boolean, step: Log): Promise<Stage> {
    step(fr`Démarre PostgreSQL, Redis et NATS…`);
    // Readable by the unprivileged user that PostgreSQL runs as.
    const folder = mkdtempSync(join(tmpdir(), 'vigie-chaos-'));
    chmodSync(folder, 0o755);
    const servers = await startServers({
      home: join(folder, 'servers'),
      log: () => undefined,
      // Where PostgreSQL is killed, what it committed must be there.
      durable: isWhole,
      addresses: {},
    });
    const roads = isWhole ? await roadsTo(servers) : [];
    const [DATABASE_URL, REDIS_URL, NATS_URL] = [servers.databaseUrl, servers.redisUrl, servers.natsUrl].map(
      (url, at) => by(url, roads[at]),
    );
    Object.assign(process.env, { DATABASE_URL, REDIS_URL, NATS_URL });
    if (isWhole) step(fr`Démarre de vrais sites WordPress…`);
    const whole = isWhole ? await Whole.open(folder) : undefined;
    step(fr`Démarre le produit en plusieurs exemplaires…`);
    const apps = [...(isWhole ? wholeReplicas : replicas), ...agents];
    const product = await TestProduct.start(apps, { ...inspected, ...whole?.env }, programs);
    const token = await product.login();
    step(fr`Prépare les serveurs et les sites…`);
    const open = await Promise.all(
      Array.from({ length: isWhole ? wholeHostCount : hostCount }, (_, n) => openHost(product, token, n)),
    );
    const stage = new Stage(folder, servers, product, open, token, roads, whole);
    for (const host of open) await host.addSites((sql, values) => stage.query(sql, values));
    await whole?.settle(product, token);
    return stage;
  }

  async close(): Promise<void> {
    await this.pool.end().catch(() => undefined);
    await this.product.stop().catch(() => undefined);
    for (const { sshd, road } of this.hosts) {
      road.close();
      await sshd.stop();
    }
    await this.whole?.close();
    for (const road of this.serviceRoads) road.close();
    await this.servers.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const oneOfEach = (processes: TestProduct['processes']) =>
  new Map(processes.map((entry) => [entry.app, entry])).values();

async function openHost(product: TestProduct, token: string, n: number): Promise<FarHost> {
  const sshd = await SshHost.start({ settings: ['MaxStartups 100'] });
  const road = await Road.to(sshd.port);
  const { id } = await addServer(product, token, aServer(road, { name: `web-${n}` }));
  return new FarHost(sshd, road, id);
}

const roadsTo = ({ databaseUrl, redisUrl, natsUrl }: Servers) =>
  Promise.all([databaseUrl, redisUrl, natsUrl].map((url) => Road.to(Number(new URL(url).port))));

/** The same address at the end of a road. */
function by(url: string, road: Road | undefined): string {
  if (!road) return url;
  const other = new URL(url);
  other.port = String(road.port);
  return other.toString();
}
