import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '@vigie/contracts/contract';
import { generateKeys, type KeyFile, processes, readKeys } from '@vigie/service-kit/keys';
import { escapeLiteral } from 'pg';
import { countStart } from './counts';
import { undeclaredAnswer } from './declared-answers';
import { recreateDatabase, createDatabase, keepInitialCopy, openDatabase, type TestDatabase } from './database';
import { clearStores, leaveProduct, canLeaveProduct, takeLeftProduct } from './left-products';
import { freePort } from './ports';
import { TestProcess } from './processes';
import { testServers } from './servers';
import { migrate, migratedDatabase } from './templates';
import { until } from './until';

const schemas = { 'auth-svc': 'auth', 'sites-svc': 'sites', 'dns-svc': 'dns' } as const;
type AppWithDatabase = keyof typeof schemas;
const appsWithDatabase = ['auth-svc', 'dns-svc', 'sites-svc'] as const;
const hasDatabase = (app: Caller): app is AppWithDatabase => Object.hasOwn(schemas, app);

export const admin = { email: 'admin@localhost', password: 'phare-et-balise' };

export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

const withoutBackgroundWork: { readonly [app in Caller]?: Record<string, string> } = {
  'sites-svc': {
    VIGIE_RECONCILE_SECONDS: '1',
    VIGIE_HEALTH_SECONDS: '0',
    VIGIE_SCAN_SECONDS: '0',
    VIGIE_VISIT_SECONDS: '0',
    VIGIE_INSPECT_SECONDS: '0',
  },
  'dns-svc': { VIGIE_DNS_LOOK_SECONDS: '0' },
  'ssh-agent': { VIGIE_CANARY_URLS: 'none', VIGIE_RDAP_URL: 'none' },
};

/** Settings that only one app reads; they do not matter to a product without that app. */
const settingReaders: { readonly [setting: string]: Caller } = { VIGIE_CLOUDFLARE_URL: 'dns-svc' };

const settingsReadBy = (apps: readonly Caller[], env: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(env).filter(([setting]) => {
      const reader = settingReaders[setting];
      return reader === undefined || apps.includes(reader);
    }),
  );

/** Folders below `dist` of programs that replace an app's own. */
type Programs = { readonly [app in Caller]?: string };

export type RequestOptions = { token?: string; body?: unknown; headers?: Record<string, string>; at?: number };

type Entry = { app: Caller; process: TestProcess; url: string };

/** The product, or a part of it, as real processes with its own database and keys. */
export class TestProduct {
  readonly processes: Entry[] = [];
  /** The initial processes of a product that the next test file may reuse. */
  private initialProcesses: readonly TestProcess[] | undefined;

  private constructor(
    readonly home: string,
    public database: TestDatabase,
    readonly keys: Record<Caller, KeyFile>,
    private env: Record<string, string>,
    private readonly programs: Programs,
  ) {}

  /**
   * Returns a product with these apps and settings in its initial state, reusing the one that the previous test file
   * left. A test that changes a process beyond its database must start its own product instead.
   */
  static async shared(apps: readonly Caller[], env: Record<string, string> = {}): Promise<TestProduct> {
    if (!canLeaveProduct()) return TestProduct.start(apps, env);
    const left = await TestProduct.takeLeftProduct();
    if (left?.hasSameSettings(apps, env)) return left.endOnFailure(() => left.reuseFor(apps, env));
    await left?.end();
    const product = await TestProduct.startOn(appsWithDatabase, apps, env);
    return product.endOnFailure(async () => {
      await product.keepInitialCopy();
      return product.recordInitialProcesses();
    });
  }

  /** Starts the given apps, one process for each mention. */
  static start(
    apps: readonly Caller[],
    env: Record<string, string> = {},
    programs: Programs = {},
  ): Promise<TestProduct> {
    return TestProduct.startOn([...new Set(apps)].filter(hasDatabase).toSorted(), apps, env, programs);
  }

  /** `schemas` names the apps whose schemas the database has. */
  private static async startOn(
    schemaOwners: readonly AppWithDatabase[],
    apps: readonly Caller[],
    env: Record<string, string>,
    programs: Programs = {},
  ): Promise<TestProduct> {
    // A product left by an earlier test file would use processor time until the end.
    await (await TestProduct.takeLeftProduct())?.end();
    countStart('products');
    const home = await mkdtemp(join(tmpdir(), 'vigie-test-'));
    const keys = generateKeys();
    for (const [app, file] of Object.entries(keys)) await writeFile(join(home, `${app}.json`), JSON.stringify(file));
    const template =
      schemaOwners.length === 0 ? undefined : await migratedDatabase(schemaOwners, (app) => join(home, `${app}.json`));
    const product = new TestProduct(home, await createDatabase(template), keys, env, programs);
    return product.endOnFailure(async () => {
      for (const app of schemaOwners) await product.createRole(app, template);
      await Promise.all(apps.map((app) => product.add(app)));
      return product;
    });
  }

  /** Ends the product when the work fails, because the caller does not have it yet. */
  private async endOnFailure(work: () => Promise<TestProduct>): Promise<TestProduct> {
    try {
      return await work();
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Starts apps on existing keys and an existing database. */
  static async onExisting(home: string, database: TestDatabase, apps: readonly Caller[]): Promise<TestProduct> {
    const product = new TestProduct(home, database, await keysIn(home), {}, {});
    await Promise.all(apps.map((app) => product.add(app)));
    return product;
  }

  private static async takeLeftProduct(): Promise<TestProduct | undefined> {
    const left = takeLeftProduct();
    if (!left) return undefined;
    const { home, env, database, processes: running } = left;
    const product = new TestProduct(home, await openDatabase(database), await keysIn(home), env, {});
    for (const { running: process, ...entry } of running)
      product.processes.push({ ...entry, process: TestProcess.takeOver(process) });
    return product;
  }

  /** Whether the left product has the settings that the requested apps read. */
  private hasSameSettings(apps: readonly Caller[], env: Record<string, string>): boolean {
    return isDeepStrictEqual(settingsReadBy(apps, this.env), settingsReadBy(apps, env));
  }

  /** Ends processes of other apps and starts the missing ones. */
  private async reuseFor(apps: readonly Caller[], env: Record<string, string>): Promise<this> {
    this.env = env;
    const missing = [...apps];
    await this.keepOnly(({ app }) => {
      const index = missing.indexOf(app);
      if (index !== -1) missing.splice(index, 1);
      return index !== -1;
    });
    await Promise.all(missing.map((app) => this.add(app)));
    return this.recordInitialProcesses();
  }

  private async keepOnly(isKept: (entry: Entry) => boolean): Promise<void> {
    const keptEntries = this.processes.filter(isKept);
    const others = this.processes.filter((entry) => !keptEntries.includes(entry));
    await Promise.all(others.map(({ process }) => process.kill()));
    this.processes.splice(0, this.processes.length, ...keptEntries);
  }

  /** Records the initial processes, so that `stop` ends all others. */
  private async recordInitialProcesses(): Promise<this> {
    this.initialProcesses = this.processes.map(({ process }) => process);
    await until(() => this.areDatabasesReachable());
    return this;
  }

  migrate(app: Caller): Promise<void> {
    return migrate(app, join(this.home, `${app}.json`), this.database.url);
  }

  /** Creates the app's role with the rights of the template's role. */
  private async createRole(app: AppWithDatabase, template = ''): Promise<void> {
    const schema = schemas[app];
    const password = escapeLiteral(this.keys[app].database_password);
    const name = new URL(this.database.url).pathname.slice(1);
    await this.database.query(`create role ${name}_${schema} login password ${password} in role ${template}_${schema}`);
  }

  async add(app: Caller, env: Record<string, string> = {}): Promise<TestProcess> {
    const port = app === 'gateway' ? await freePort() : 0;
    const all = { ...this.envOf(app), PORT: String(port), ...env };
    const started = TestProcess.start(`${this.programs[app] ?? app}/main.js`, all, this.home);
    const entry = { app, process: started, url: `http://127.0.0.1:${port}` };
    this.processes.push(entry);
    return started.ready().catch((error: unknown) => {
      // Another process took the port after it was found free.
      if (port === 0 || !started.output.includes(`${port} is taken`)) throw error;
      this.processes.splice(this.processes.indexOf(entry), 1);
      return this.add(app, env);
    });
  }

  processesOf(app: Caller): TestProcess[] {
    return this.processes.filter((entry) => entry.app === app).map((entry) => entry.process);
  }

  /** Addresses of the gateways, in the order of `of('gateway')`. */
  get gateways(): string[] {
    return this.processes.filter((entry) => entry.app === 'gateway').map((entry) => entry.url);
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { token, body, headers = {}, at: gateway = 0 } = options;
    const response = await fetch(`${this.gateways[gateway]}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // Trials send what no document allows.
    const isTest = process.env['VITEST'] !== undefined;
    const contradiction = isTest ? undeclaredAnswer(method, path, response.status) : undefined;
    if (contradiction !== undefined) throw new Error(`${contradiction}\n${text}`);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : {} };
  }

  /** Opens a TCP connection to the first gateway, to send what no HTTP client would. */
  dial(options: { allowHalfOpen?: boolean } = {}): Socket {
    const { hostname: host, port } = new URL(this.gateways[0] ?? '');
    return connect({ host, port: Number(port), ...options });
  }

  /** Like `request`, and repeats it after the `retry-after` of a 503, which a busy machine causes. */
  async requestPatiently(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const answer = await this.request(method, path, options);
    const waitSeconds = answer.status === 503 ? Number(answer.headers.get('retry-after')) : 0;
    if (waitSeconds === 0) return answer;
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000));
    return this.requestPatiently(method, path, options);
  }

  async login(person = admin, gateway = 0): Promise<string> {
    const { status, body, text } = await this.requestPatiently('POST', '/api/auth/login', {
      body: person,
      at: gateway,
    });
    if (status !== 200) throw new Error(`login failed: ${text}`);
    return String(body['access_token']);
  }

  /** Reads an app's metrics, in a product started with `VIGIE_METRICS_PORT=0`. */
  async scrape(app: Caller): Promise<string> {
    const port = /"port":(\d+),"msg":"metrics"/.exec(this.processesOf(app)[0]?.output ?? '')?.[1];
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (!response.ok) throw new Error(`${app} measures nothing: ${response.status}`);
    return response.text();
  }

  private async areDatabasesReachable(): Promise<boolean> {
    const dead = this.processes.find(({ process }) => !process.isAlive());
    if (dead) throw new Error(`${dead.app} ended between two files of tests:\n${dead.process.output}`);
    const { body } = await this.request('GET', '/api/health/ready');
    const services = body['services'] as Record<string, boolean>;
    return this.processes.every(({ app }) => app === 'gateway' || services[app]);
  }

  private async keepInitialCopy(): Promise<void> {
    await this.database.close();
    await keepInitialCopy(this.database.name);
    this.database = await openDatabase(this.database.name);
  }

  /** Ends the product, or leaves it in its initial state to the next test file. */
  async stop(): Promise<void> {
    const { initialProcesses = [] } = this;
    await this.keepOnly(({ process }) => initialProcesses.includes(process) && process.isAlive());
    if (this.processes.length === 0) return this.end();
    await this.database.close();
    await recreateDatabase(this.database.name);
    await clearStores(this.home, this.keys.gateway.instance);
    const running = this.processes.map(({ process, ...entry }) => ({ ...entry, running: process.leaveRunning() }));
    return leaveProduct({ home: this.home, env: this.env, database: this.database.name, processes: running });
  }

  private async end(): Promise<void> {
    await Promise.all(this.processes.map(({ process }) => process.kill('SIGKILL')));
    await this.database.drop();
    await rm(this.home, { recursive: true });
  }

  envOf(app: Caller): Record<string, string> {
    const { redisUrl, natsUrl } = testServers();
    const address = new URL(this.database.url);
    address.username = '';
    address.password = '';
    return {
      VIGIE_KEYS_FILE: join(this.home, `${app}.json`),
      NATS_URL: natsUrl,
      REDIS_URL: redisUrl,
      DATABASE_URL: address.toString(),
      // No background work contacts hosts or providers unless a test sets it.
      ...withoutBackgroundWork[app],
      ...(['gateway', 'sites-svc', 'ssh-agent'].includes(app) && {
        VIGIE_STORE: pathToFileURL(join(this.home, 'store')).href,
      }),
      ...(app === 'gateway' && { VIGIE_WEB_ROOT: join(this.home, 'web') }),
      ...(app === 'auth-svc' && { VIGIE_ADMIN_EMAIL: admin.email, VIGIE_ADMIN_PASSWORD: admin.password }),
      ...this.env,
    };
  }
}

async function keysIn(home: string): Promise<Record<Caller, KeyFile>> {
  const read = async (app: Caller) => [app, readKeys(join(home, `${app}.json`), app)] as const;
  return Object.fromEntries(await Promise.all(processes.map(read))) as Record<Caller, KeyFile>;
}
