import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { apiCalls } from './fixtures';
import { test } from './machines';
import { bearer } from './people';

const dock = (page: Page) => page.getByRole('region', { name: 'Tâches', exact: true });
const detail = (page: Page) => dock(page).getByRole('region', { name: 'Tâche', exact: true });
const lines = (page: Page) =>
  detail(page).getByRole('list', { name: 'Tâches du lot', exact: true }).getByRole('listitem');
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Sélectionner ${name}`, exact: true });
const selection = (page: Page) => page.getByRole('toolbar', { name: 'Sélection' });
const load = (page: Page) => page.getByRole('img', { name: /^charge\s: (de )?[\d,]+( à [\d,]+)? en une heure$/ });
const isAsWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
const closedPort = { port: 9 };

/** Asks for new measurements now instead of within the minute. */
async function expectLoadMeasured(request: APIRequestContext, token: string, count: number): Promise<void> {
  const read = async (): Promise<number> => {
    const answer = await request.get('/api/servers/health?fresh=1', { headers: bearer(token) });
    const { items }: { items: { load: number | null }[] } = await answer.json();
    return items.filter((item) => item.load !== null).length;
  };
  // Vigie measures over SSH, and once more ten seconds later when the first answer was empty.
  await expect.poll(read, { timeout: 30_000 }).toBe(count);
}

test('one request loads the health of all servers; they are tested together, and the failed ones again', async ({
  ownerPage: page,
  request,
  owner,
  host,
  makeServer,
}) => {
  for (const name of ['web-01', 'web-02']) await makeServer(host, { name });
  await makeServer(closedPort, { name: 'web-03' });
  await expectLoadMeasured(request, owner.token, 2);
  const calls = apiCalls(page);
  await page.goto('/servers');
  await expect(load(page)).toHaveCount(2);
  await expect(page.getByRole('row').filter({ hasText: 'web-03' }).getByRole('img')).toHaveCount(0);
  expect(calls.filter((call) => call.url().includes('/api/servers/health'))).toHaveLength(1);
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect(load(page)).toHaveCount(2);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(load(page)).toHaveCount(2);
  expect(await isAsWide(page)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('button', { name: 'Tester tous' }).click();
  await expect(lines(page)).toHaveCount(3);
  await expect(lines(page).filter({ hasText: 'Réussie' })).toHaveCount(2);
  await expect(lines(page).filter({ hasText: 'web-03' })).toContainText('refuse les connexions au port 9');
  await expect(detail(page)).toContainText('3\u00a0serveurs · 1\u00a0échec');
  await detail(page).getByRole('button', { name: 'Relancer les échecs' }).click();
  await expect(detail(page)).toContainText('1\u00a0serveur · 1\u00a0échec');
  await expect(lines(page)).toHaveCount(1);
});

test('the selected servers are tested, and a selection can be a range, all or none', async ({
  ownerPage: page,
  makeServer,
}) => {
  for (let n = 1; n <= 6; n += 1) await makeServer(closedPort, { name: `web-0${n}` });
  const calls = apiCalls(page);
  await page.goto('/servers');
  // Servers that are down come first: their order is stable only once each status is known.
  await expect(page.getByRole('row').filter({ hasText: 'refuse les connexions' })).toHaveCount(6);
  // One request loads the statuses of a whole page.
  expect(calls.filter((call) => call.url().includes('/servers/statuses'))).toHaveLength(1);
  const all = page.getByRole('checkbox', { name: 'Sélectionner tous les serveurs affichés' });
  await all.check();
  await expect(selection(page)).toContainText('6\u00a0serveurs sélectionnés');
  await page.keyboard.press('Escape');
  await expect(selection(page)).toBeHidden();
  await expect(all).not.toBeChecked();
  await tick(page, 'web-01').check();
  await selection(page).getByRole('button', { name: 'Tout désélectionner' }).click();
  await expect(selection(page)).toBeHidden();

  await tick(page, 'web-02').check();
  await tick(page, 'web-04').click({ modifiers: ['Shift'] });
  await expect(selection(page)).toContainText('3\u00a0serveurs sélectionnés');
  await tick(page, 'web-03').uncheck();
  const sent = page.waitForRequest('**/api/servers/test');
  await selection(page).getByRole('button', { name: 'Tester', exact: true }).click();
  const testRequest = await sent;
  expect(testRequest.postDataJSON()).toEqual({ ids: [expect.any(String), expect.any(String)] });
  expect(testRequest.headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  await expect(lines(page)).toHaveCount(2);
  await expect(lines(page).first()).toContainText('web-02');
  await page.getByRole('searchbox', { name: 'Rechercher un serveur' }).fill('web-04');
  await page.getByRole('button', { name: 'Tester le serveur affiché' }).click();
  await expect(lines(page)).toHaveCount(1);
});
