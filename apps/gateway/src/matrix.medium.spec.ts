import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allContracts } from '@vigie/contracts/all';
import { type GrantRole, grantRoles, includesRole } from '@vigie/contracts/grant-roles';
import type { Access } from '@vigie/contracts/routes';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { type TokenScope, tokenScopes } from '@vigie/contracts/token-scopes';
import { dumpTables } from '@vigie/testing/dump';
import { type ForeignObject, foreignObjects, type RequestParts } from '@vigie/testing/foreign-objects';
import { foreignZones } from '@vigie/testing/foreign-zones';
import { addUser, sessionOf } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { type Identity, readRoutes, requestRoute, type Route } from '@vigie/testing/routes';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

/** A new route that needs no session must be added here on purpose. */
const withoutSession: Partial<Record<Access, string[]>> = {
  public: [
    'GET /api/etat/{secret}',
    'GET /api/health/live',
    'GET /api/health/ready',
    'POST /api/auth/forgot',
    'POST /api/auth/login',
    'POST /api/auth/passkey',
    'POST /api/auth/passkey/options',
    'POST /api/auth/reset',
    'POST /api/auth/signup',
  ],
  guest: ['GET /api/settings/app'],
  ticket: ['GET /api/backups/files/{token}', 'GET /api/servers/{id}/ws', 'GET /api/sites/{id}/ws'],
};

/** The same for routes open to a session that may only set up its 2FA. */
const forRestricted: Partial<Record<Access, string[]>> = {
  enrolling: ['GET /api/auth/me', 'POST /api/auth/logout'],
  security: [
    'DELETE /api/passkeys/{id}',
    'GET /api/auth/2fa/status',
    'GET /api/passkeys',
    'POST /api/auth/2fa/backup_codes',
    'POST /api/auth/2fa/disable',
    'POST /api/auth/2fa/setup',
    'POST /api/auth/2fa/verify',
    'POST /api/passkeys',
    'POST /api/passkeys/options',
    'PUT /api/passkeys/{id}',
  ],
};

/** Requested last by each identity. */
const endsTheSession = new Set(['POST /api/auth/logout']);

type TestUser = Awaited<ReturnType<typeof addUser>>;

const strangers = ['nobody', 'forged'];
const clients = ['client', 'other client', 'impostor'];
const admins = ['admin', 'admin mode'];

let product: TestProduct;
let host: SshHost;
let cloudflare: FakeCloudflare;
let objects: Record<string, ForeignObject>;
let routes: Route[];
let identities: Record<string, Identity>;
let users: Record<'client' | 'other' | 'admin', TestUser>;
const answers = new Map<string, Answer>();
const changed: string[] = [];

beforeAll(async () => {
  cloudflare = await FakeCloudflare.start();
  const env = { VIGIE_SSH_ALLOW: '127.0.0.0/8', VIGIE_CLOUDFLARE_URL: cloudflare.url };
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc'], env);
  host = await SshHost.start();
  objects = { ...foreignObjects(product, host), ...foreignZones(product, cloudflare) };
  const root = await product.login();
  routes = await readRoutes(product, root);
  users = {
    client: await addUser(product, root),
    other: await addUser(product, root),
    admin: await addUser(product, root, 'admin'),
  };
  identities = await makeIdentities(root);
  await requestEverything();
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
  await cloudflare?.close();
});

async function makeIdentities(root: string): Promise<Record<string, Identity>> {
  const tokenOf = ({ credentials: who }: TestUser) => product.login(who);
  return {
    nobody: {},
    forged: { token: randomBytes(32).toString('base64url') },
    restricted: { token: await openRestricted(root) },
    client: { token: await tokenOf(users.client) },
    'other client': { token: await tokenOf(users.other) },
    impostor: {
      token: await tokenOf(users.client),
      headers: { 'x-admin-mode': '1', 'x-user-id': users.admin.id },
    },
    admin: { token: await tokenOf(users.admin) },
    'admin mode': { token: await tokenOf(users.admin), headers: { 'x-admin-mode': '1' } },
  };
}

/** Restricts one session to the set-up of 2FA; the policy itself would restrict all of them. */
async function openRestricted(root: string): Promise<string> {
  const { credentials: who, id } = await addUser(product, root);
  const token = await product.login(who);
  await product.database.query('update auth.sessions set is_restricted = true where user_id = $1', [id]);
  return token;
}

/** Requests the routes of administrators by everybody else first, after which nothing may have changed. */
async function requestEverything(): Promise<void> {
  const before = await settledTables();
  const [adminRoutes, rest] = [routes.filter(isForAdmins), routes.filter((route) => !isForAdmins(route))];
  for (const name of Object.keys(identities).filter((each) => !admins.includes(each))) {
    for (const route of adminRoutes) await requestAs(name, route, { id: users.other.id });
  }
  const after = await settledTables();
  changed.push(...[...before].filter(([table, text]) => after.get(table) !== text).map(([table]) => table));
  for (const name of Object.keys(identities)) {
    const requested = admins.includes(name) ? routes : rest;
    for (const route of requested.toSorted((a, b) => isLast(a) - isLast(b))) await requestAs(name, route);
  }
}

const isForAdmins = ({ access }: Route) => access === 'admin';
const isLast = ({ key }: Route) => Number(endsTheSession.has(key));

/** Sends a body that every schema refuses, and an unknown id, since only the access is tested here. */
async function requestAs(name: string, route: Route, params: Record<string, string> = {}): Promise<void> {
  const body = ['POST', 'PUT', 'PATCH'].includes(route.method) ? { body: [] } : {};
  answers.set(`${route.key} as ${name}`, await request(route, { ...identities[name] }, { params, ...body }));
}

const request = (route: Route, identity: Identity, parts: RequestParts) =>
  requestRoute(product, route, identity, parts);

/** Without the tables that services write a moment later. */
async function settledTables(): Promise<Map<string, string>> {
  const tables = await dumpTables(product.database);
  return new Map([...tables].filter(([name]) => !/\.(?:audit_|outbox|activity)/.test(name)));
}

function objectOf({ key }: Route): ForeignObject {
  const object = objects[key];
  if (!object) throw new Error(missingObjectText(key));
  return object;
}

const missingObjectText = (key: string) =>
  `${key} names an object: add to \`foreignObjects\` how its owner makes one, and who may reach it`;

/** The answers that were not expected, as lines; empty when all is well. */
function faults(
  names: readonly string[],
  accesses: readonly Access[],
  isExpected: (answer: Answer) => boolean,
): string[] {
  const requested = routes.filter(({ access }) => accesses.includes(access));
  expect(requested).not.toEqual([]);
  const keys = names.flatMap((name) => requested.map(({ key }) => `${key} as ${name}`));
  return keys.flatMap((key) => {
    const answer = answers.get(key);
    return answer && isExpected(answer) ? [] : [`${key}: ${answer?.status} ${answer?.text}`];
  });
}

const needSession: Access[] = ['enrolling', 'user', 'bearer', 'fresh', 'security', 'admin'];
const isAdmitted = ({ status }: Answer) => status !== 401 && status !== 403;

describe('every route', () => {
  it('without a session is listed in this file', () => {
    expect({ ...keysOf('public'), ...keysOf('guest'), ...keysOf('ticket') }).toEqual(withoutSession);
  });

  it('open to a session without its 2FA is listed in this file', () => {
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

  it('that is public answers everybody alike', () => {
    expect(faults(Object.keys(identities), ['public', 'guest'], isAdmitted)).toEqual([]);
    const statuses = (key: string) => Object.keys(identities).map((name) => answers.get(`${key} as ${name}`)?.status);
    const open = routes.filter(({ access }) => access === 'public' || access === 'guest');
    expect(open.filter(({ key }) => new Set(statuses(key)).size > 1)).toEqual([]);
  });

  it('refuses requests without a token and with a forged one if a session is needed', () => {
    expect(faults(strangers, needSession, ({ status }) => status === 401)).toEqual([]);
  });

  it('leaves a restricted session nothing but the set-up of its 2FA', () => {
    const isSentToSetup = ({ status, body }: Answer) =>
      status === 403 && Object(body['detail']).code === 'requires_2fa_setup';
    expect(faults(['restricted'], ['user', 'fresh', 'admin'], isSentToSetup)).toEqual([]);
    expect(faults(['restricted'], ['enrolling', 'security'], isAdmitted)).toEqual([]);
  });

  it('admits clients to routes for everybody', () => {
    expect(faults([...clients, ...admins], ['enrolling', 'user', 'fresh', 'security'], isAdmitted)).toEqual([]);
  });

  it('refuses clients on routes for administrators, whatever headers they send, and changes nothing', () => {
    expect(faults(clients, ['admin'], ({ status }) => status === 403)).toEqual([]);
    expect(changed).toEqual([]);
  });

  it('admits administrators with and without the admin mode', () => {
    expect(faults(admins, ['admin'], isAdmitted)).toEqual([]);
  });

  function keysOf(access: Access) {
    const keys = routes.filter((route) => route.access === access).map(({ key }) => key);
    return { [access]: keys.toSorted() };
  }
});

it('shows a client the same with an administrator’s headers as without', async () => {
  const token = await product.login(users.client.credentials);
  const headers = { 'x-admin-mode': '1', 'x-user-id': users.admin.id };
  const logins = async () =>
    (await product.request('GET', '/api/dashboard/activity?limit=50', { token })).body['items'];
  await until(async () => Object(await logins()).length === 4);
  const reads = routes.filter(
    ({ method, path, access }) => method === 'GET' && needSession.includes(access) && !path.includes('{'),
  );
  for (const route of reads) {
    const plain = await request(route, { token }, { params: {} });
    const withHeaders = await request(route, { token, headers }, { params: {} });
    expect([route.key, withHeaders.status, withHeaders.text]).toEqual([route.key, plain.status, plain.text]);
  }
});

describe('an object of another user', () => {
  const named = () => routes.filter(({ path, access }) => path.includes('{') && !openByThemselves.has(access));
  /** The secret in the address is all that the route needs. */
  const openByThemselves = new Set<Access>(['admin', 'ticket', 'public']);

  it('can be created for each route that names one', () => {
    const missing = named().filter(({ key }) => objects[key] === undefined);
    expect(missing.map(({ key }) => missingObjectText(key))).toEqual([]);
    expect(Object.keys(objects).filter((key) => !routes.some((route) => route.key === key))).toEqual([]);
  });

  it('does not exist for another client, nor for an administrator without the admin mode', async () => {
    const tokens = {
      other: await product.login(users.other.credentials),
      admin: await product.login(users.admin.credentials),
    };
    const headers = { 'x-admin-mode': '1', 'x-user-id': users.client.id };
    for (const route of named()) {
      const made = await objectOf(route).make(users.client.credentials);
      const statuses = [
        (await request(route, {}, made)).status,
        (await request(route, { token: tokens.other }, made)).status,
        (await request(route, { token: tokens.other, headers }, made)).status,
        (await request(route, { token: tokens.admin }, made)).status,
      ];
      expect([route.key, ...statuses]).toEqual([route.key, 401, 404, 404, 404]);
      // The object exists: its owner reaches it.
      const own = await request(route, { token: await sessionOf(product, users.client.credentials) }, made);
      expect(own.status < 300 || own.text).toBe(true);
    }
  });

  it('exists for an administrator with the admin mode, if that opens it', async () => {
    const token = await product.login(users.admin.credentials);
    for (const route of named()) {
      const { make, isOpenToAdminMode } = objectOf(route);
      const { status } = await request(
        route,
        { token, headers: { 'x-admin-mode': '1' } },
        await make(users.client.credentials),
      );
      expect([route.key, status < 300, status === 404]).toEqual([route.key, isOpenToAdminMode, !isOpenToAdminMode]);
    }
  });

  it('is opened by a grant as far as the contract of the route says', async () => {
    const guests = new Map<GrantRole, TestUser>();
    const root = await product.login();
    for (const role of grantRoles) guests.set(role, await addUser(product, root));
    for (const route of named()) {
      let made: RequestParts | undefined;
      for (const [role, guest] of guests) {
        made ??= await objectOf(route).make(users.client.credentials);
        await share(made, guest, role);
        const { status } = await request(route, { token: guest.token }, made);
        expect([route.key, role, status < 300 ? 'done' : status]).toEqual([
          route.key,
          role,
          expectedOf(route, made, role),
        ]);
        // A person who was refused changed nothing.
        if (status < 300) made = undefined;
      }
    }
  });

  async function share({ sharing }: RequestParts, guest: TestUser, role: GrantRole): Promise<void> {
    if (!sharing) return;
    const token = await sessionOf(product, users.client.credentials);
    const answer = await product.request('POST', '/api/grants', {
      token,
      body: { ...sharing, user_id: guest.id, role },
    });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
  }

  function expectedOf({ key }: Route, { sharing }: RequestParts, role: GrantRole): 'done' | 403 | 404 {
    const needed = grantRoleOf(key);
    if (!sharing) return 404;
    if (needed && includesRole(role, needed)) return installsUpload.test(key) ? 404 : 'done';
    // A grant is known to those who manage what it shares.
    return key.includes('/grants/') ? 404 : 403;
  }

  /** What is installed is an upload of the owner, which no grant opens. */
  const installsUpload = /\/install$/;

  const grantRoleOf = (key: string) =>
    allContracts.find(({ endpoints }) =>
      endpoints.some(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}` === key),
    )?.grantRole;
});

describe('a token', () => {
  const tokens = new Map<string, string>();
  const tokenWith = async (scopes: readonly TokenScope[], person: TestUser): Promise<string> => {
    const key = `${person.id} ${scopes.join(' ')}`;
    const known = tokens.get(key);
    if (known !== undefined) return known;
    const body = { name: 'matrice', scopes, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    const token = await sessionOf(product, person.credentials);
    const made = await product.request('POST', '/api/tokens', { token, body });
    tokens.set(key, String(made.body['token']));
    return String(made.body['token']);
  };
  const refusalOf = async (route: Route, scopes: readonly TokenScope[], person: TestUser) => {
    const { status, text } = await request(route, { token: await tokenWith(scopes, person) }, { params: {} });
    return [route.key, status, text.includes('Ce jeton n’a pas le droit') || text.includes('demande une session')];
  };
  /** Any token may use a route of `bearer`, which checks the scopes of what it calls itself. */
  const withSession = () => routes.filter(({ access }) => access !== 'bearer' && needSession.includes(access));

  it('with all scopes but the one of the route is refused, and by a route without one with all of them', async () => {
    for (const route of withSession()) {
      const scopes = tokenScopes.filter((scope) => scope !== route.scope);
      expect(await refusalOf(route, scopes, users.admin)).toEqual([route.key, 403, true]);
    }
  });

  it('is a guest where no session is needed', async () => {
    for (const route of routes.filter(({ access }) => access === 'guest')) {
      const token = await tokenWith(tokenScopes, users.admin);
      const both = [await request(route, { token }, { params: {} }), await request(route, {}, { params: {} })];
      expect(new Set(both.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    }
  });

  it('with the scope of the route is admitted as its user', async () => {
    for (const route of withSession()) {
      if (!route.scope || route.path.includes('{') || route.method !== 'GET') continue;
      const person = route.access === 'admin' ? users.admin : users.client;
      const session = { token: await sessionOf(product, person.credentials) };
      const byToken = await request(route, { token: await tokenWith([route.scope], person) }, { params: {} });
      expect([route.key, byToken.status]).toEqual([route.key, (await request(route, session, { params: {} })).status]);
    }
  });

  it('reaches what its user owns, and nothing of others', async () => {
    for (const route of routes.filter(({ path, scope }) => scope && path.includes('{'))) {
      const scopes = route.scope ? [route.scope] : [];
      const made = await objectOf(route).make(users.client.credentials);
      const foreign = await request(route, { token: await tokenWith(scopes, users.other) }, made);
      const own = await request(route, { token: await tokenWith(scopes, users.client) }, made);
      expect([route.key, foreign.status, own.status < 300]).toEqual([route.key, 404, true]);
    }
  });
});
