import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { type FleetOnHost, test as base } from './fleets';
import { bearer } from './people';

type RegisteredSite = { id: string; name: string; path: string };
type Fixtures = { site: RegisteredSite; sites: RegisteredSite[] };
type Import = { request: APIRequestContext; token: string; server: string };

const names = ['Atelier', 'Boutique', 'Comptoir'];

/** Registers sites of the fleet and waits until WordPress has told their updates. */
async function importSites(sites: FleetOnHost['sites'], { request, token, server }: Import) {
  const headers = bearer(token);
  const items = sites.map(({ path, url }, index) => ({ path, url, name: names[index] }));
  const answer = await request.post('/api/sites/import', { data: { server_id: server, items, groups: [] }, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
  const imported: { items: RegisteredSite[] } = await answer.json();
  const read = async ({ id }: RegisteredSite) => {
    // `fresh=1` makes the answer wait until WordPress has been read, or say 202 on a busy machine.
    const get = () => request.get(`/api/sites/${id}/inventory?fresh=1`, { headers, timeout: 60_000 });
    let inventory = await get();
    while (inventory.status() === 202) inventory = await get();
    expect(inventory.status(), await inventory.text()).toBe(200);
  };
  await Promise.all(imported.items.map(read));
  return imported.items;
}

/** `sites` are the fleet's sites, with updates available; `site` is its first one, and then the only one. */
export const test = base.extend<Fixtures & { server: string }>({
  server: async ({ updatesFleet: fleet, makeServer }, use) => {
    const form = { name: 'web-07', user: 'deploy', auth: { privateKeyPem: fleet.privateKey } };
    await use((await makeServer(fleet, form)).id);
  },
  site: async ({ updatesFleet: fleet, server, owner: { token }, request }, use) => {
    const [site] = await importSites(fleet.sites.slice(0, 1), { request, token, server });
    if (!site) throw new Error('the fleet has no site');
    await use(site);
  },
  sites: async ({ updatesFleet: fleet, server, owner: { token }, request }, use) => {
    await use(await importSites(fleet.sites, { request, token, server }));
  },
});

export const line = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Plugins et thèmes' })
    .getByRole('row')
    .filter({
      has: page.getByRole('rowheader').filter({ hasText: name }),
    });
export const message = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Plugins et thèmes' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: `Voir la tâche de ${name}` }) });
export const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
export const rowButton = (page: Page, action: string, name: string) =>
  line(page, name).getByRole('button', { name: `${action} ${name}`, exact: true });
