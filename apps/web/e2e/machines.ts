import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { hostPassword, SshHost, whyNoHost } from '@vigie/testing/sshd';
import { storeToken } from './fixtures';
import { test as base, bearer, openSession, type Person } from './people';

type Form = { name: string; auth?: { password: string } | { privateKeyPem: string }; [field: string]: unknown };
type Made = { id: string; name: string };
/** A server of this test, logged in to with the host's password unless the form says otherwise. */
type AddServer = (host: Pick<SshHost, 'port'>, form: Form) => Promise<Made>;

async function addServer(request: APIRequestContext, token: string, port: number, form: Form): Promise<Made> {
  const data = { host: '127.0.0.1', port, user: 'sh', auth: { password: hostPassword }, ...form };
  const answer = await request.post('/api/servers', { data, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id, name }: Made = await answer.json();
  return { id, name };
}

/** Vigie has looked at all of these: none moves in a list any more. */
export async function expectSeen(request: APIRequestContext, token: string, servers: readonly Made[]): Promise<void> {
  const address = `/api/servers/statuses?ids=${servers.map(({ id }) => id).join(',')}`;
  const countSeen = async () => {
    const answer = await request.get(address, { headers: bearer(token) });
    const seen: { online: boolean | null }[] = await answer.json();
    return seen.filter(({ online }) => online !== null).length;
  };
  await expect.poll(countSeen).toBe(servers.length);
}

const nowhere = { host: '127.0.0.1', port: 9, user: 'sh', wp_path: '/var/www/nulle-part' };

/** A site of the keeper's on a host that does not answer, unless the form says otherwise. */
export async function makeSite(page: Page, { token }: { token: string }, name: string, more: object = {}) {
  const url = `https://${name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z\d]/g, '')}.exemple.fr`;
  const data = { name, url, connection: { method: 'ssh', ssh: nowhere }, ...more };
  const answer = await page.request.post('/api/sites', { data, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id }: Made = await answer.json();
  return id;
}

/** What somebody leaves behind would go to the administrator of all tests. */
async function leaveNothing(request: APIRequestContext, token: string): Promise<void> {
  const headers = bearer(token);
  for (const kind of ['sites', 'groups']) {
    const left: Made[] = await (await request.get(`/api/${kind}`, { headers })).json();
    for (const { id } of left) await request.delete(`/api/${kind}/${id}`, { headers });
  }
  const servers: Made[] = await (await request.get('/api/servers', { headers })).json();
  for (const { id } of servers) await request.delete(`/api/servers/${id}?force=1`, { headers });
}

type Keeper = Person & { token: string };
type Fixtures = {
  keeper: Keeper;
  keeping: Page;
  makeServer: AddServer;
  host: SshHost;
  startHost: typeof SshHost.start;
};

/** `keeper`: an administrator of this test alone, whose servers nobody else sees; `keeping` is its page. */
export const test = base.extend<Fixtures>({
  keeper: async ({ makePerson, request }, use) => {
    const person = await makePerson({ role: 'admin' });
    const token = await openSession(request, person);
    await use({ ...person, token });
    await leaveNothing(request, token);
  },
  keeping: async ({ page, keeper }, use) => {
    await storeToken(page, keeper.token);
    await use(page);
  },
  makeServer: async ({ request, keeper }, use) => {
    await use(({ port }, form) => addServer(request, keeper.token, port, form));
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
  startHost: async ({}, use, story) => {
    const why = whyNoHost();
    story.skip(why !== undefined, why);
    const started: SshHost[] = [];
    await use(async (options) => {
      const host = await SshHost.start(options);
      started.push(host);
      return host;
    });
    await Promise.all(started.map((host) => host.stop()));
  },
  host: async ({ startHost }, use) => use(await startHost()),
});
