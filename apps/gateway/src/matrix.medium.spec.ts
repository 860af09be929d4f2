import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dumpTables } from '@vigie/testing/dump';
import { addServer, aServer } from '@vigie/testing/hosts';
import { addUser, type Person } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { sendArchive } from '@vigie/testing/uploads';
import { aPlugin, aTheme } from '@vigie/testing/zip';
import type { Access } from './routes';

/** Decided one by one: a new route that asks for no session must be added here on purpose. */
const withoutSession: Partial<Record<Access, string[]>> = {
  public: [
    'GET /api/health/live',
    'GET /api/health/ready',
    'POST /api/auth/forgot',
    'POST /api/auth/login',
    'POST /api/auth/reset',
    'POST /api/auth/signup',
  ],
  guest: ['GET /api/settings/app'],
  ticket: ['GET /api/servers/{id}/ws'],
};

/** The same for a session that may only set up its 2FA. */
const forRestricted: Partial<Record<Access, string[]>> = {
  enrolling: ['GET /api/auth/me', 'POST /api/auth/logout'],
  security: [
    'GET /api/auth/2fa/status',
    'POST /api/auth/2fa/backup_codes',
    'POST /api/auth/2fa/disable',
    'POST /api/auth/2fa/setup',
    'POST /api/auth/2fa/verify',
  ],
};

/** Asked last of all by each identity. */
const endsTheSession = new Set(['POST /api/auth/logout']);

type Made = { params: Record<string, string>; body?: unknown; headers?: Record<string, string> };
type ForeignObject = {
  /** Makes an object of the owner's, and says what the route's path, and its body, are for it. */
  make: (owner: Person) => Promise<Made>;
  /** Whether an administrator reaches it with the admin mode on. */
  isOpenToAdminMode: boolean;
};

/** One line for each route, not an administrator's, whose path names an object. */
const objects: Record<string, ForeignObject> = {
  'DELETE /api/auth/sessions/{id}': { make: openSession, isOpenToAdminMode: false },
  'DELETE /api/consoles/{id}': { make: openConsole, isOpenToAdminMode: false },
  'GET /api/jobs/{id}': { make: (owner) => openJob(owner, 'queued'), isOpenToAdminMode: true },
  'POST /api/jobs/{id}/cancel': { make: (owner) => openJob(owner, 'queued'), isOpenToAdminMode: true },
  'POST /api/jobs/{id}/retry': { make: (owner) => openJob(owner, 'failed'), isOpenToAdminMode: true },
  'DELETE /api/groups/{id}': { make: openGroup, isOpenToAdminMode: true },
  'PUT /api/groups/{id}': {
    make: async (owner) => ({ ...(await openGroup(owner)), body: { name: 'autre' } }),
    isOpenToAdminMode: true,
  },
  'DELETE /api/sites/{id}': { make: openSite, isOpenToAdminMode: true },
  'GET /api/sites/{id}': { make: openSite, isOpenToAdminMode: true },
  'GET /api/sites/{id}/inventory': { make: openSite, isOpenToAdminMode: true },
  'GET /api/sites/{id}/http_status': { make: openVisitedSite, isOpenToAdminMode: true },
  'POST /api/sites/{id}/test': {
    make: async (owner) => ({ ...(await openSite(owner)), headers: { prefer: 'respond-async' } }),
    isOpenToAdminMode: true,
  },
  'POST /api/sites/{id}/trust': {
    make: async (owner) => ({ ...(await openSite(owner)), body: { fingerprint: host.hostKey } }),
    isOpenToAdminMode: true,
  },
  'PUT /api/sites/{id}': {
    make: async (owner) => ({ ...(await openSite(owner)), body: { name: 'autre' } }),
    isOpenToAdminMode: true,
  },
  'POST /api/servers/{id}/discover': {
    make: async (owner) => ({ ...(await openServer(owner)), headers: { prefer: 'respond-async' } }),
    isOpenToAdminMode: true,
  },
  'DELETE /api/servers/{id}': { make: openServer, isOpenToAdminMode: true },
  'GET /api/servers/{id}': { make: openServer, isOpenToAdminMode: true },
  'GET /api/servers/{id}/pubkey': { make: openServer, isOpenToAdminMode: true },
  'GET /api/servers/{id}/status': { make: openServer, isOpenToAdminMode: true },
  'POST /api/servers/{id}/ws-ticket': { make: openServer, isOpenToAdminMode: true },
  'POST /api/servers/{id}/test': { make: openServer, isOpenToAdminMode: true },
  'POST /api/servers/{id}/trust': {
    make: async (owner) => ({ ...(await openServer(owner)), body: { fingerprint: host.hostKey } }),
    isOpenToAdminMode: true,
  },
  'DELETE /api/uploads/plugins/{filename}': { make: (owner) => openUpload(owner, 'plugins'), isOpenToAdminMode: true },
  'DELETE /api/uploads/themes/{filename}': { make: (owner) => openUpload(owner, 'themes'), isOpenToAdminMode: true },
  'PUT /api/servers/{id}': {
    make: async (owner) => ({ ...(await openServer(owner)), body: { name: 'autre' } }),
    isOpenToAdminMode: true,
  },
};

type Route = { method: string; path: string; access: Access; key: string };
type Identity = { token?: string; headers?: Record<string, string> };
type Known = Awaited<ReturnType<typeof addUser>>;

const strangers = ['nobody', 'forged'];
const clients = ['client', 'other client', 'impostor'];
const admins = ['admin', 'admin mode'];

let product: TestProduct;
let host: SshHost;
let routes: Route[];
let identities: Record<string, Identity>;
let people: Record<'client' | 'other' | 'admin', Known>;
const answers = new Map<string, Answer>();
const changed: string[] = [];

beforeAll(async () => {
  const env = { VIGIE_SSH_ALLOW: '127.0.0.0/8' };
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'], env);
  host = await SshHost.start();
  const root = await product.login();
  routes = await readRoutes(root);
  people = {
    client: await addUser(product, root),
    other: await addUser(product, root),
    admin: await addUser(product, root, 'admin'),
  };
  identities = await makeIdentities(root);
  await askEverything();
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});

async function readRoutes(token: string): Promise<Route[]> {
  const { body } = await product.request('GET', '/api/docs', { token });
  const paths = body['paths'] as Record<string, Record<string, { 'x-access': Access }>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { 'x-access': access }]) => {
      const method = name.toUpperCase();
      return { method, path, access, key: `${method} ${path}` };
    }),
  );
}

async function makeIdentities(root: string): Promise<Record<string, Identity>> {
  const tokenOf = ({ who }: Known) => product.login(who);
  return {
    nobody: {},
    forged: { token: randomBytes(32).toString('base64url') },
    restricted: { token: await openRestricted(root) },
    client: { token: await tokenOf(people.client) },
    'other client': { token: await tokenOf(people.other) },
    impostor: {
      token: await tokenOf(people.client),
      headers: { 'x-admin-mode': '1', 'x-user-id': people.admin.id },
    },
    admin: { token: await tokenOf(people.admin) },
    'admin mode': { token: await tokenOf(people.admin), headers: { 'x-admin-mode': '1' } },
  };
}

/** As the policy would hold it at the set-up; the policy itself would hold everybody else too. */
async function openRestricted(root: string): Promise<string> {
  const { who, id } = await addUser(product, root);
  const token = await product.login(who);
  await product.database.query('update auth.sessions set is_restricted = true where user_id = $1', [id]);
  return token;
}

/** Administrators' routes first, by those who may not: after them nothing may have changed. */
async function askEverything(): Promise<void> {
  const before = await settledTables();
  const [ofAdmins, rest] = [routes.filter(isForAdmins), routes.filter((route) => !isForAdmins(route))];
  for (const name of Object.keys(identities).filter((each) => !admins.includes(each))) {
    for (const route of ofAdmins) await askAs(name, route, { id: people.other.id });
  }
  const after = await settledTables();
  changed.push(...[...before].filter(([table, text]) => after.get(table) !== text).map(([table]) => table));
  for (const name of Object.keys(identities)) {
    const asked = admins.includes(name) ? routes : rest;
    for (const route of asked.toSorted((a, b) => isLast(a) - isLast(b))) await askAs(name, route);
  }
}

const isForAdmins = ({ access }: Route) => access === 'admin';
const isLast = ({ key }: Route) => Number(endsTheSession.has(key));

/** A body that every schema refuses, and an object that nobody has: only who may enter is asked here. */
async function askAs(name: string, route: Route, params: Record<string, string> = {}): Promise<void> {
  const body = ['POST', 'PUT', 'PATCH'].includes(route.method) ? { body: [] } : {};
  answers.set(`${route.key} as ${name}`, await ask(route, { ...identities[name] }, { params, ...body }));
}

function ask({ method, path }: Route, identity: Identity, { params, headers, ...body }: Made): Promise<Answer> {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? randomUUID()));
  return product.request(method, address, { ...identity, headers: { ...headers, ...identity.headers }, ...body });
}

/** But for what services write by themselves a moment later. */
async function settledTables(): Promise<Map<string, string>> {
  const tables = await dumpTables(product.database);
  return new Map([...tables].filter(([name]) => !/\.(?:audit_|outbox|activity)/.test(name)));
}

async function openServer(owner: Person): Promise<Made> {
  const { id } = await addServer(product, await product.login(owner), aServer(host));
  return { params: { id } };
}

async function openUpload(owner: Person, kind: 'plugins' | 'themes'): Promise<Made> {
  const archive = kind === 'plugins' ? aPlugin() : aTheme();
  const made = await sendArchive(product, archive, `${randomUUID()}.zip`, { token: await product.login(owner), kind });
  return { params: { filename: String(made.body['filename']) } };
}

async function openGroup(owner: Person): Promise<Made> {
  const token = await product.login(owner);
  const { body } = await product.request('POST', '/api/groups', { token, body: { name: 'clients' } });
  return { params: { id: String(body['id']) } };
}

async function openSite(owner: Person): Promise<Made> {
  const ssh = { host: '127.0.0.1', port: host.port, user: 'sh', wp_path: '/srv/site', auth: { password: 'x' } };
  const body = { name: 'site', url: 'https://exemple.fr', connection: { ssh } };
  const made = await product.request('POST', '/api/sites', { token: await product.login(owner), body });
  return { params: { id: String(made.body['id']) } };
}

/** A moment ago, so that nobody is sent there now. */
async function openVisitedSite(owner: Person): Promise<Made> {
  const made = await openSite(owner);
  const seen = { code: 200, error: null, method: 'GET', url: 'https://exemple.fr', ms: 1, checked_at: new Date() };
  await product.database.query('update sites.sites set http = $2 where id = $1', [made.params['id'], seen]);
  return made;
}

/** Of a kind that no agent knows, so that it stays as it is. */
async function openJob(owner: Person, state: string): Promise<Made> {
  const { rows } = await product.database.query<{ id: string }>(
    `insert into sites.jobs (id, kind, owner_id, actor_id, queue, lane, is_exclusive, is_heavy, input, state)
     select gen_random_uuid(), 'none', id, id, 'site-ops', '', false, false, '{}', $2 from auth.users where email = $1
     returning id`,
    [owner.email, state],
  );
  return { params: { id: rows[0]?.id ?? '' } };
}

/** Of an agent that is not there. */
async function openConsole(owner: Person): Promise<Made> {
  const { rows } = await product.database.query<{ id: string }>(
    `insert into sites.consoles (id, user_id, sid, admin_mode, server_id, server_name, server_type, host, port, login)
     select gen_random_uuid(), id, id, false, id, 'web-03', 'prod', 'h', 22, 'sh' from auth.users where email = $1
     returning id`,
    [owner.email],
  );
  return { params: { id: rows[0]?.id ?? '' } };
}

/** A session of the owner's beside the one it is named by. */
async function openSession(owner: Person): Promise<Made> {
  const token = await product.login(owner);
  const { body } = await product.request('GET', '/api/auth/sessions', { token });
  const current = (body['items'] as { id: string; is_current: boolean }[]).find(({ is_current }) => is_current);
  return { params: { id: current?.id ?? '' } };
}

function objectOf({ key }: Route): ForeignObject {
  const known = objects[key];
  if (!known) throw new Error(whatToAdd(key));
  return known;
}

const whatToAdd = (key: string) =>
  `${key} names an object: say in \`objects\` how its owner makes one, and who reaches it`;

/** Lines that say what was answered where something else was due; empty when all is well. */
function faults(names: readonly string[], which: readonly Access[], isDue: (answer: Answer) => boolean): string[] {
  const asked = routes.filter(({ access }) => which.includes(access));
  expect(asked).not.toEqual([]);
  const keys = names.flatMap((name) => asked.map(({ key }) => `${key} as ${name}`));
  return keys.flatMap((key) => {
    const answer = answers.get(key);
    return answer && isDue(answer) ? [] : [`${key}: ${answer?.status} ${answer?.text}`];
  });
}

const needSession: Access[] = ['enrolling', 'user', 'fresh', 'security', 'admin'];
const isAdmitted = ({ status }: Answer) => status !== 401 && status !== 403;

describe('every route', () => {
  it('that needs no session was decided to need none', () => {
    expect({ ...keysOf('public'), ...keysOf('guest'), ...keysOf('ticket') }).toEqual(withoutSession);
  });

  it('that a session without its 2FA may use was decided to be that', () => {
    expect({ ...keysOf('enrolling'), ...keysOf('security') }).toEqual(forRestricted);
  });

  it('under /api/admin is for administrators', () => {
    const strayed = routes.filter(({ path, access }) => path.startsWith('/api/admin/') && access !== 'admin');
    expect(strayed).toEqual([]);
  });

  it('answers everybody without a failure of its own', () => {
    expect(answers.size).toBe(routes.length * Object.keys(identities).length);
    expect(faults(Object.keys(identities), ['public', 'guest', ...needSession], ({ status }) => status < 500)).toEqual(
      [],
    );
  });

  it('that is public asks nobody who they are', () => {
    expect(faults(Object.keys(identities), ['public', 'guest'], isAdmitted)).toEqual([]);
    const statuses = (key: string) => Object.keys(identities).map((name) => answers.get(`${key} as ${name}`)?.status);
    const open = routes.filter(({ access }) => access === 'public' || access === 'guest');
    expect(open.filter(({ key }) => new Set(statuses(key)).size > 1)).toEqual([]);
  });

  it('refuses nobody and a forged token alike where a session is needed', () => {
    expect(faults(strangers, needSession, ({ status }) => status === 401)).toEqual([]);
  });

  it('leaves a restricted session nothing but the set-up of its 2FA', () => {
    const isSentToSetup = ({ status, body }: Answer) =>
      status === 403 && Object(body['detail']).code === 'requires_2fa_setup';
    expect(faults(['restricted'], ['user', 'fresh', 'admin'], isSentToSetup)).toEqual([]);
    expect(faults(['restricted'], ['enrolling', 'security'], isAdmitted)).toEqual([]);
  });

  it('admits clients to what is for everybody', () => {
    expect(faults([...clients, ...admins], ['enrolling', 'user', 'fresh', 'security'], isAdmitted)).toEqual([]);
  });

  it('refuses clients what is for administrators, whatever headers they send, and changes nothing', () => {
    expect(faults(clients, ['admin'], ({ status }) => status === 403)).toEqual([]);
    expect(changed).toEqual([]);
  });

  it('admits administrators with and without the admin mode', () => {
    expect(faults(admins, ['admin'], isAdmitted)).toEqual([]);
  });

  function keysOf(access: Access) {
    const found = routes.filter((route) => route.access === access).map(({ key }) => key);
    return { [access]: found.toSorted() };
  }
});

it('shows a client the same with an administrator’s headers as without', async () => {
  const token = await product.login(people.client.who);
  const headers = { 'x-admin-mode': '1', 'x-user-id': people.admin.id };
  const logins = async () =>
    (await product.request('GET', '/api/dashboard/activity?limit=50', { token })).body['items'];
  await until(async () => Object(await logins()).length === 4);
  const reads = routes.filter(
    ({ method, path, access }) => method === 'GET' && needSession.includes(access) && !path.includes('{'),
  );
  for (const route of reads) {
    const plain = await ask(route, { token }, { params: {} });
    const dressed = await ask(route, { token, headers }, { params: {} });
    expect([route.key, dressed.status, dressed.text]).toEqual([route.key, plain.status, plain.text]);
  }
});

describe('an object of somebody else', () => {
  const named = () =>
    routes.filter(({ path, access }) => path.includes('{') && access !== 'admin' && access !== 'ticket');

  it('can be made for each route that names one', () => {
    const missing = named().filter(({ key }) => objects[key] === undefined);
    expect(missing.map(({ key }) => whatToAdd(key))).toEqual([]);
    expect(Object.keys(objects).filter((key) => !routes.some((route) => route.key === key))).toEqual([]);
  });

  it('is not there for another client, nor for an administrator without the admin mode', async () => {
    const tokens = { other: await product.login(people.other.who), admin: await product.login(people.admin.who) };
    const headers = { 'x-admin-mode': '1', 'x-user-id': people.client.id };
    for (const route of named()) {
      const made = await objectOf(route).make(people.client.who);
      const statuses = [
        (await ask(route, {}, made)).status,
        (await ask(route, { token: tokens.other }, made)).status,
        (await ask(route, { token: tokens.other, headers }, made)).status,
        (await ask(route, { token: tokens.admin }, made)).status,
      ];
      expect([route.key, ...statuses]).toEqual([route.key, 401, 404, 404, 404]);
      // It was there all along.
      expect((await ask(route, { token: await product.login(people.client.who) }, made)).status).toBeLessThan(300);
    }
  });

  it('is there for an administrator with the admin mode, where that opens it', async () => {
    const token = await product.login(people.admin.who);
    for (const route of named()) {
      const { make, isOpenToAdminMode } = objectOf(route);
      const { status } = await ask(route, { token, headers: { 'x-admin-mode': '1' } }, await make(people.client.who));
      expect([route.key, status < 300, status === 404]).toEqual([route.key, isOpenToAdminMode, !isOpenToAdminMode]);
    }
  });
});
