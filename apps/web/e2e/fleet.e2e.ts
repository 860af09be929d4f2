import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { main, openNewest, rows } from './dock';
import { recordApiCalls } from './fixtures';
import { test } from './machines';
import { bearer } from './people';
import { desktop, expectNoOverflow, phone } from './sizes';

const checkbox = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Sélectionner ${name}`, exact: true });
const selectionBar = (page: Page) => page.getByRole('toolbar', { name: 'Sélection' });
const loadChart = (page: Page) => page.getByRole('img', { name: /^charge\s: (de )?[\d,]+( à [\d,]+)? en une heure$/ });
const closedPort = { port: 9 };

/** Requests a fresh measurement instead of waiting for the next one. */
async function expectLoadMeasured(request: APIRequestContext, token: string, count: number): Promise<void> {
  const countMeasured = async (): Promise<number> => {
    const answer = await request.get('/api/servers/health?fresh=1', { headers: bearer(token) });
    const { items }: { items: { load: number | null }[] } = await answer.json();
    return items.filter((item) => item.load !== null).length;
  };
  // A failed SSH measurement is repeated ten seconds later.
  await expect.poll(countMeasured, { timeout: 30_000 }).toBe(count);
}

test('one request reads the load of all servers, and all are tested in one batch whose failures can be retried', async ({
  ownerPage: page,
  request,
  owner,
  host,
  makeServer,
}) => {
  for (const name of ['web-01', 'web-02']) await makeServer(host, { name });
  await makeServer(closedPort, { name: 'web-03' });
  await expectLoadMeasured(request, owner.token, 2);
  const calls = recordApiCalls(page);
  await page.goto('/servers');
  await expect(loadChart(page)).toHaveCount(2);
  await expect(page.getByRole('row').filter({ hasText: 'web-03' }).getByRole('img')).toHaveCount(0);
  expect(calls.filter((call) => call.url().includes('/api/servers/health'))).toHaveLength(1);
  await page.setViewportSize({ width: 1000, height: 800 });
  await expect(loadChart(page)).toHaveCount(2);
  await page.setViewportSize(phone);
  await expect(loadChart(page)).toHaveCount(2);
  await expectNoOverflow(page);
  await page.setViewportSize(desktop);

  await page.getByRole('button', { name: 'Tester tous' }).click();
  await openNewest(page, /^Test de connexion · web-0\d et 2\u00a0autres/);
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).filter({ hasText: 'Réussie' })).toHaveCount(2);
  await expect(rows(page).filter({ hasText: 'web-03' })).toContainText('refuse les connexions au port 9');
  await expect(main(page)).toContainText('2\u00a0tests réussis. 1\u00a0échec.');
  await main(page).getByRole('button', { name: 'Relancer les échecs' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Test de connexion · web-03');
  await expect(main(page)).toContainText('1\u00a0échec.');
  await expect(rows(page)).toHaveCount(1);
});

test('selected servers are tested, be they a range or all', async ({ ownerPage: page, makeServer }) => {
  for (let n = 1; n <= 6; n += 1) await makeServer(closedPort, { name: `web-0${n}` });
  const calls = recordApiCalls(page);
  const firstAnswer = page.waitForResponse('**/servers/statuses*');
  await page.goto('/servers');
  await firstAnswer;
  // One request loads the statuses of all servers of a page. Those that have none yet are asked for again later.
  expect(calls.filter((call) => call.url().includes('/servers/statuses'))).toHaveLength(1);
  await expect(page.getByRole('row').filter({ hasText: 'refuse les connexions' })).toHaveCount(6);
  // Offline servers are sorted first: a list that was read before all were offline has another order.
  await page.reload();
  await expect(page.getByRole('table').getByRole('rowheader')).toHaveText(
    Array.from({ length: 6 }, (_, n) => new RegExp(`web-0${n + 1}`)),
  );
  const all = page.getByRole('checkbox', { name: 'Sélectionner tous les serveurs affichés' });
  await all.check();
  await expect(selectionBar(page)).toContainText('6\u00a0serveurs sélectionnés');
  await page.keyboard.press('Escape');
  await expect(selectionBar(page)).toBeHidden();
  await expect(all).not.toBeChecked();
  await checkbox(page, 'web-01').check();
  await selectionBar(page).getByRole('button', { name: 'Tout désélectionner' }).click();
  await expect(selectionBar(page)).toBeHidden();

  await checkbox(page, 'web-02').check();
  await checkbox(page, 'web-04').click({ modifiers: ['Shift'] });
  await expect(selectionBar(page)).toContainText('3\u00a0serveurs sélectionnés');
  await checkbox(page, 'web-03').uncheck();
  const testRequestSent = page.waitForRequest('**/api/servers/test');
  await selectionBar(page).getByRole('button', { name: 'Tester', exact: true }).click();
  const testRequest = await testRequestSent;
  expect(testRequest.postDataJSON()).toEqual({ ids: [expect.any(String), expect.any(String)] });
  expect(testRequest.headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  await openNewest(page, /^Test de connexion · web-0\d et 1\u00a0autre/);
  await expect(rows(page)).toHaveCount(2);
  await page.goBack();
  await page.getByRole('searchbox', { name: 'Rechercher un serveur' }).fill('web-04');
  await page.getByRole('button', { name: 'Tester le serveur affiché' }).click();
  await openNewest(page, /^Test de connexion · web-04 · /);
  await expect(rows(page)).toHaveCount(1);
});
