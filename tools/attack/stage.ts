import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { type ForeignObject, foreignObjects, type Made } from '@vigie/testing/foreign-objects';
import { foreignZones } from '@vigie/testing/foreign-zones';
import { inspected } from '@vigie/testing/resources';
import type { FakeSsh } from '@vigie/testing/hostile-ssh';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { Random } from '../chaos/random';
import type { Target } from './cases';
import { startHostile, ways } from './hosts';
import type { Planted } from './judge';
import { ownerName, People } from './people';
import { type Garden, plant } from './planted';
import { paramsIn, readRoutes, type Route, takesBody } from './routes';
import { exampleOf, fieldsOf } from './schemas';
import { type Hostile, hostileValues, toJson } from './values';

const apps = ['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'] as const;
const [ofServer, ofSite] = ['GET /api/servers/{id}', 'GET /api/sites/{id}'];
/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9';

/** The whole product with people, and with objects of each kind, on hosts and a provider that are not what they seem. */
export class Stage {
  routes: Route[] = [];
  readonly planted: Planted[] = [];
  hostile: Hostile[] = [];
  /** The ids of what somebody else has, by what they are of. */
  others: Readonly<Record<string, string>> = {};
  private gardens = new Map<string, Garden>();
  private objects: Record<string, ForeignObject> = {};
  private known: Record<string, unknown> = {};

  private constructor(
    readonly folder: string,
    readonly product: TestProduct,
    readonly cloudflare: FakeCloudflare,
    readonly host: FakeSsh,
    readonly root: string,
    readonly people: People,
  ) {}

  static async open(seed: number): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'vigie-attack-'));
    chmodSync(folder, 0o755);
    for (const name of ['tmp', 'home']) mkdirSync(join(folder, name), { mode: 0o1777 });
    const [cloudflare, host] = await Promise.all([
      FakeCloudflare.start(),
      startHostile(
        new Random(seed),
        Object.keys(ways).filter((name) => name !== 'inondation'),
      ),
    ]);
    const product = await TestProduct.start(apps, environment(folder, cloudflare.url));
    const root = await product.login();
    const stage = new Stage(folder, product, cloudflare, host, root, await People.make(product, root));
    await stage.furnish();
    return stage;
  }

  /** What an attack may have ended, of which there is one. */
  async renew(): Promise<void> {
    await this.people.renew();
    for (const [name, { connect }] of this.gardens) await connect(this.people.token(name));
  }

  /** A request that the route takes, with objects of the owner's that were made for it. */
  async target(route: Route): Promise<Target> {
    const made = await this.made(route);
    const input = route.contract?.input;
    const names = paramsIn(route.path);
    const fields = input ? fieldsOf(input) : [];
    const ids = fields.some(({ path }) => path[0] === 'ids') ? await this.someIds(route) : [];
    const example = input ? Object(exampleOf(input, { ...this.known, ids })) : {};
    const own = Object.fromEntries(Object.entries(example).filter(([name]) => !names.includes(name)));
    const asked = Object.fromEntries(new URLSearchParams(made.query));
    const isEnough = input?.safeParse({ ...made.params, ...asked }).success ?? true;
    return {
      route,
      fields,
      params: made.params,
      query: takesBody(route) || isEnough ? asked : { ...textsOf(own), ...asked },
      body: takesBody(route) ? (made.body ?? own) : undefined,
      headers: made.headers ?? {},
      isOwned: this.objects[route.key] !== undefined,
    };
  }

  /** What services wrote beside what they keep. */
  leftovers(): string[] {
    const incoming = join(this.product.home, 'store', 'incoming');
    return [...readdirSync(join(this.folder, 'tmp')), ...readdirSync(incoming)];
  }

  async close(): Promise<void> {
    await this.product.stop();
    await Promise.all([this.cloudflare.close(), this.host.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async furnish(): Promise<void> {
    const { product, cloudflare, host, people } = this;
    const plantFor = (name: string) => plant(product, cloudflare, { name, token: people.token(name) }, host.port);
    const [own, others] = await Promise.all([plantFor(ownerName), plantFor('autre client')]);
    this.gardens = new Map([
      [ownerName, own],
      ['autre client', others],
    ]);
    this.planted.push(...own.planted, ...others.planted);
    this.others = others.ids;
    this.hostile = hostileValues(Object.values(others.ids));
    const sshHost = { port: host.port, hostKey: `SHA256:${'A'.repeat(43)}`, home: join(this.folder, 'home') };
    const accounts = new Map([[people.accounts.owner.email, Promise.resolve(own.account)]]);
    this.objects = { ...foreignObjects(product, sshHost), ...foreignZones(product, cloudflare, accounts) };
    this.known = {
      ...own.ids,
      site_ids: [own.ids['site_id']],
      parent_id: own.ids['group_id'],
      groups: [own.ids['group_id']],
      slug: 'wordpress',
      verb: 'join',
      port: host.port,
      auth: { password: 'phare-et-balise' },
    };
    this.routes = await readRoutes(product, this.root);
  }

  /** Of something new: what many are named for is deleted too. */
  private async someIds({ key }: Route): Promise<unknown[]> {
    const made = await this.objects[key.includes('/servers') ? ofServer : ofSite]?.make(this.people.accounts.owner);
    return [made?.params['id']];
  }

  private async made(route: Route): Promise<Made> {
    const object = this.objects[route.key];
    if (object) return object.make(this.people.accounts.owner);
    // Whoever else were named there would be missed.
    if (route.access === 'admin' && route.path.includes('{id}')) {
      return { params: { id: (await addUser(this.product, this.root)).id } };
    }
    const unknown = Object.fromEntries(paramsIn(route.path).map((name) => [name, randomUUID()]));
    return { params: { ...unknown, ...(route.access === 'ticket' && { id: String(this.known['server_id']) }) } };
  }
}

/** Limits on how much is asked are tried elsewhere: here they would only shorten what is. */
const environment = (folder: string, cloudflareUrl: string) => ({
  VIGIE_SSH_ALLOW: '127.0.0.0/8',
  VIGIE_CLOUDFLARE_URL: cloudflareUrl,
  VIGIE_SENDGRID_URL: nowhere,
  VIGIE_WORDPRESS_API_URL: nowhere,
  VIGIE_ALLOW_SIGNUP: '1',
  VIGIE_REQUESTS_PER_MINUTE: '1000000000',
  TMPDIR: join(folder, 'tmp'),
  ...inspected,
});

const textsOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'string' ? value : toJson(value)]],
    ),
  );
