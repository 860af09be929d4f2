import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { hostPassword, SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { storeToken } from './fixtures';
import { test as base, bearer, openSession, type Person } from './people';

type Form = { name: string; auth?: { password: string } | { privateKeyPem: string }; [field: string]: unknown };
type CreatedRow = { id: string; name: string };
/** Adds a server that Vigie reaches with the password of the host, unless the form overrides it. */
type MakeServer = (host: Pick<SshHost, 'port'>, form: Form) => Promise<CreatedRow>;

async function addServer(request: APIRequestContext, token: string, port: number, form: Form): Promise<CreatedRow> {
  const data = { host: '127.0.0.1', port, user: 'sh', auth: { password: hostPassword }, ...form };
  const answer = await request.post('/api/servers', { data, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id, name }: CreatedRow = await answer.json();
  return { id, name };
}

/** Waits until Vigie has checked these servers, because a changed status moves a server in its list. */
export async function waitForServerStatuses(
  request: APIRequestContext,
  token: string,
  servers: readonly CreatedRow[],
): Promise<void> {
  const address = `/api/servers/statuses?ids=${servers.map(({ id }) => id).join(',')}`;
  const countCheckedServers = async () => {
    const answer = await request.get(address, { headers: bearer(token) });
    const statuses: { online: boolean | null }[] = await answer.json();
    return statuses.filter(({ online }) => online !== null).length;
  };
  await expect.poll(countCheckedServers).toBe(servers.length);
}

const unreachable = { host: '127.0.0.1', port: 9, user: 'sh', wp_path: '/var/www/nulle-part' };

/** Creates a site of the owner on a closed port, unless the overrides say otherwise. */
export async function makeSite(page: Page, { token }: { token: string }, name: string, overrides: object = {}) {
  const url = `https://${name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z\d]/g, '')}.exemple.fr`;
  const data = { name, url, connection: { method: 'ssh', ssh: unreachable }, ...overrides };
  const answer = await page.request.post('/api/sites', { data, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id }: CreatedRow = await answer.json();
  return id;
}

/** Deletes everything of a person, because the administrator of all tests would inherit it. */
export async function deleteEverything(request: APIRequestContext, token: string): Promise<void> {
  const headers = bearer(token);
  for (const kind of ['sites', 'groups']) {
    const remaining: CreatedRow[] = await (await request.get(`/api/${kind}`, { headers })).json();
    for (const { id } of remaining) await request.delete(`/api/${kind}/${id}`, { headers });
  }
  const servers: CreatedRow[] = await (await request.get('/api/servers', { headers })).json();
  for (const { id } of servers) await request.delete(`/api/servers/${id}?force=1`, { headers });
}

type Owner = Person & { token: string };
type Fixtures = {
  owner: Owner;
  ownerPage: Page;
  makeServer: MakeServer;
  host: SshHost;
  startHost: typeof SshHost.start;
  slowHost: SlowHost;
};

/** A host on which a search for sites finds nothing, and lasts until it is released, or for minutes. */
type SlowHost = { host: SshHost; release: () => void };

/** The programs of a slow host: Vigie asks PHP for its version, and `find` for each folder with sites. */
const slowPrograms = {
  php: '#!/bin/sh\necho 8.3.0 cli json tokenizer mysqli posix\n',
  find: '#!/bin/sh\nwhile [ -e "$0" ] && ! [ -e "$HOME/released" ]; do sleep 0.1; done\n',
};
const preferHome = 'ForceCommand PATH="$HOME:$PATH" exec sh -c "$SSH_ORIGINAL_COMMAND"';

/** `owner` is an administrator created for one test, and `ownerPage` is a page with a session of that person. */
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
    const reason = hostUnavailableReason();
    story.skip(reason !== undefined, reason);
    const hosts: SshHost[] = [];
    await use(async (options) => {
      const host = await SshHost.start(options);
      hosts.push(host);
      return host;
    });
    await Promise.all(hosts.map((host) => host.stop()));
  },
  host: async ({ startHost }, use) => use(await startHost()),
  // Vigie waits for a search for minutes, and for a stopped server only as long as a few steps of a busy story take.
  slowHost: async ({ startHost }, use) => {
    const host = await startHost({ settings: [preferHome], home: slowPrograms });
    for (const name of Object.keys(slowPrograms)) chmodSync(join(host.home, name), 0o755);
    await use({ host, release: () => writeFileSync(join(host.home, 'released'), '') });
  },
});
