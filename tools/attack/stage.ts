import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { type ForeignObject, foreignObjects, type RequestParts } from '@vigie/testing/foreign-objects';
import { foreignZones } from '@vigie/testing/foreign-zones';
import { inspectorEnv } from '@vigie/testing/resources';
import type { FakeSsh } from '@vigie/testing/hostile-ssh';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { Random } from '../chaos/random';
import type { Target } from './cases';
import { startHostileHost, hostBehaviours } from './hosts';
import type { Canary } from './judge';
import { ownerName, People } from './people';
import { type OwnedData, createOwnedData } from './owned-data';
import { paramsIn, readRoutes, type Route, takesBody } from './routes';
import { createExample, listFields } from './schemas';
import { type HostileValue, hostileValues, toJson } from './values';

const apps = ['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'] as const;
const [serverRoute, siteRoute] = ['GET /api/servers/{id}', 'GET /api/sites/{id}'];
/** A closed port. */
const closedAddress = 'http://127.0.0.1:9';

/** The whole product with users, objects of every kind, hostile hosts and a fake DNS provider. */
export class Stage {
  routes: Route[] = [];
  readonly canaries: Canary[] = [];
  hostile: HostileValue[] = [];
  /** The ids of another user's objects, by kind. */
  foreignIds: Readonly<Record<string, string>> = {};
  private ownedData = new Map<string, OwnedData>();
  private objects: Record<string, ForeignObject> = {};
  private knownValues: Record<string, unknown> = {};

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
      startHostileHost(
        new Random(seed),
        Object.keys(hostBehaviours).filter((name) => name !== 'inondation'),
      ),
    ]);
    const product = await TestProduct.start(apps, environment(folder, cloudflare.url));
    const root = await product.login();
    const stage = new Stage(folder, product, cloudflare, host, root, await People.create(product, root));
    await stage.setUp();
    return stage;
  }

  /** Restores sessions and Cloudflare accounts that an attack may have removed. */
  async renew(): Promise<void> {
    await this.people.renew();
    for (const [name, { connectCloudflare }] of this.ownedData) await connectCloudflare(this.people.token(name));
  }

  /** Creates a valid request for the route, with new objects of the owner. */
  async createTarget(route: Route): Promise<Target> {
    const objects = await this.createObjects(route);
    const input = route.contract?.input;
    const names = paramsIn(route.path);
    const fields = input ? listFields(input) : [];
    const ids = fields.some(({ path }) => path[0] === 'ids') ? await this.createIds(route) : [];
    const example = input ? Object(createExample(input, { ...this.knownValues, ids })) : {};
    const notSent = [...names, ...(leftOut[route.key] ?? [])];
    const own = Object.fromEntries(Object.entries(example).filter(([name]) => !notSent.includes(name)));
    const query = Object.fromEntries(new URLSearchParams(objects.query));
    const isQueryValid = input?.safeParse({ ...objects.params, ...query }).success ?? true;
    return {
      route,
      fields,
      params: objects.params,
      query: takesBody(route) || isQueryValid ? query : { ...toTexts(own), ...query },
      body: takesBody(route) ? (objects.body ?? own) : undefined,
      headers: objects.headers ?? {},
      isOwned: this.objects[route.key] !== undefined,
      isShared: objects.sharing !== undefined,
    };
  }

  /** Temporary files that services have left. */
  leftovers(): string[] {
    const incoming = join(this.product.home, 'store', 'incoming');
    return [...readdirSync(join(this.folder, 'tmp')), ...readdirSync(incoming)];
  }

  async close(): Promise<void> {
    await this.product.stop();
    await Promise.all([this.cloudflare.close(), this.host.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async setUp(): Promise<void> {
    const { product, cloudflare, host, people } = this;
    const createFor = (name: string) =>
      createOwnedData(product, cloudflare, { name, token: people.token(name) }, host.port);
    const [own, foreignIds] = await Promise.all([createFor(ownerName), createFor('autre client')]);
    this.ownedData = new Map([
      [ownerName, own],
      ['autre client', foreignIds],
    ]);
    this.canaries.push(...own.canaries, ...foreignIds.canaries);
    this.foreignIds = foreignIds.ids;
    this.hostile = hostileValues(Object.values(foreignIds.ids));
    const sshHost = { port: host.port, hostKey: `SHA256:${'A'.repeat(43)}`, home: join(this.folder, 'home') };
    const accounts = new Map([[people.accounts.owner.email, Promise.resolve(own.account)]]);
    this.objects = { ...foreignObjects(product, sshHost), ...foreignZones(product, cloudflare, accounts) };
    const confidant = await addUser(product, this.root);
    this.knownValues = {
      ...own.ids,
      site_ids: [own.ids['site_id']],
      parent_id: own.ids['group_id'],
      groups: [own.ids['group_id']],
      // Shares what is his with somebody who sends nothing, so that no other sender may read his canaries.
      user_id: confidant.id,
      user_ids: [confidant.id],
      slug: 'wordpress',
      verb: 'join',
      port: host.port,
      auth: { password: 'phare-et-balise' },
    };
    this.routes = await readRoutes(product, this.root);
  }

  /** Shares the object with the guest as far as reading goes. */
  private async shared(made: RequestParts): Promise<RequestParts> {
    if (made.sharing)
      await this.create('/api/grants', { ...made.sharing, user_id: this.people.ids.guest, role: 'viewer' });
    return made;
  }

  private createTeam(): Promise<string> {
    return this.create('/api/teams', { name: randomUUID(), user_ids: [this.people.ids.guest] }, this.root);
  }

  private async create(path: string, body: object, token = this.people.token(ownerName)): Promise<string> {
    const { status, body: made, text } = await this.product.request('POST', path, { token, body });
    if (status !== 201) throw new Error(`nothing at ${path}: ${status} ${text}`);
    return String(made['id']);
  }

  /** Creates a new object, because requests with `ids` may delete it. */
  private async createIds({ key }: Route): Promise<unknown[]> {
    const objects = await this.objects[key.includes('/servers') ? serverRoute : siteRoute]?.make(
      this.people.accounts.owner,
    );
    return [objects?.params['id']];
  }

  private async createObjects(route: Route): Promise<RequestParts> {
    const object = this.objects[route.key];
    if (object) return this.shared(await object.make(this.people.accounts.owner));
    if (route.path === '/api/teams/{id}') return { params: { id: await this.createTeam() } };
    // Creates a user, because a request may delete the one that it names.
    if (route.access === 'admin' && route.path.includes('{id}')) {
      return { params: { id: (await addUser(this.product, this.root)).id } };
    }
    const randomIds = Object.fromEntries(paramsIn(route.path).map((name) => [name, randomUUID()]));
    return {
      params: { ...randomIds, ...(route.access === 'ticket' && { id: String(this.knownValues['server_id']) }) },
    };
  }
}

/** Of two fields that exclude each other, those that a valid request leaves out. */
const leftOut: Readonly<Record<string, readonly string[]>> = { 'POST /api/grants': ['group_id', 'team_id'] };

/** Rate limits are tested elsewhere; here they would hide other answers. */
const environment = (folder: string, cloudflareUrl: string) => ({
  VIGIE_SSH_ALLOW: '127.0.0.0/8',
  VIGIE_CLOUDFLARE_URL: cloudflareUrl,
  VIGIE_SENDGRID_URL: closedAddress,
  VIGIE_WORDPRESS_API_URL: closedAddress,
  VIGIE_ALLOW_SIGNUP: '1',
  VIGIE_REQUESTS_PER_MINUTE: '1000000000',
  TMPDIR: join(folder, 'tmp'),
  ...inspectorEnv,
});

const toTexts = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'string' ? value : toJson(value)]],
    ),
  );
