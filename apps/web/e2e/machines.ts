import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { hostPassword, SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { storeToken } from './fixtures';
import { test as base, bearer, openSession, type Person } from './people';

type Form = { name: string; auth?: { password: string } | { privateKeyPem: string }; [field: string]: unknown };
type Created = { id: string; name: string };
/** Creates a server of this test; the default login is the host's password. */
type AddServer = (host: Pick<SshHost, 'port'>, form: Form) => Promise<Created>;

async function addServer(request: APIRequestContext, token: string, port: number, form: Form): Promise<Created> {
  const data = { host: '127.0.0.1', port, user: 'sh', auth: { password: hostPassword }, ...form };
  const answer = await request.post('/api/servers', { data, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id, name }: Created = await answer.json();
  return { id, name };
}

/** Waits until Vigie has checked all these servers, so that none changes its position in a list any more. */
export async function expectStatusesKnown(
  request: APIRequestContext,
  token: string,
  servers: readonly Created[],
): Promise<void> {
  const address = `/api/servers/statuses?ids=${servers.map(({ id }) => id).join(',')}`;
  const countKnown = async () => {
    const answer = await request.get(address, { headers: bearer(token) });
    const statuses: { online: boolean | null }[] = await answer.json();
    return statuses.filter(({ online }) => online !== null).length;
  };
  await expect.poll(countKnown).toBe(servers.length);
}

const unreachable = { host: '127.0.0.1', port: 9, user: 'sh', wp_path: '/var/www/nulle-part' };

/** Creates a site of the owner; by default its host does not answer. */
export async function makeSite(page: Page, { token }: { token: string }, name: string, overrides: object = {}) {
  const url = `https://${name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z\d]/g, '')}.exemple.fr`;
  const data = { name, url, connection: { method: 'ssh', ssh: unreachable }, ...overrides };
  const answer = await page.request.post('/api/sites', { data, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id }: Created = await answer.json();
  return id;
}

/** Deletes the owner's data, which would otherwise pass to the administrator that all tests share. */
async function deleteEverything(request: APIRequestContext, token: string): Promise<void> {
  const headers = bearer(token);
  for (const kind of ['sites', 'groups']) {
    const remaining: Created[] = await (await request.get(`/api/${kind}`, { headers })).json();
    for (const { id } of remaining) await request.delete(`/api/${kind}/${id}`, { headers });
  }
  const servers: Created[] = await (await request.get('/api/servers', { headers })).json();
  for (const { id } of servers) await request.delete(`/api/servers/${id}?force=1`, { headers });
}

type Owner = Person & { token: string };
type Fixtures = {
  owner: Owner;
  ownerPage: Page;
  makeServer: AddServer;
  host: SshHost;
  startHost: typeof SshHost.start;
};

/** `owner` is an administrator of this test alone, whose servers nobody else sees; `ownerPage` is its page. */
export const test = base.extend<Fixtures>({
  owner: async ({ makePerson, request }, use) => {
    const person = await makePerson({ role: 'admin' });
    const token = await openSession(request, person);
    await use({ ...person, token });
    await deleteEverything(request, token);
  },
  ownerPage: async ({ page, owner }, use) => {
    await storeToken(page, owner.token);
    await use(page);
  },
  makeServer: async ({ request, owner }, use) => {
    await use(({ port }, form) => addServer(request, owner.token, port, form));
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
  startHost: async ({}, use, story) => {
    const skipReason = hostUnavailableReason();
    story.skip(skipReason !== undefined, skipReason);
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
