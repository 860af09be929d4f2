import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { measureShift, pauseRequests } from './fixtures';
import { makeSite, test } from './machines';
import { bearer } from './people';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const id = (n: number) => `0192f0c1-7e57-7000-8000-${String(n).padStart(12, '0')}`;

type Sizes = { sites: number; servers: number };

/** Serves a fleet whose first site is in error and whose second has work under way; the others wait for updates. */
async function mockFleet(page: Page, { sites: count, servers }: Sizes): Promise<void> {
  const places = Array.from({ length: count }, (_, at) => at);
  const fleet = {
    servers: Array.from({ length: servers }, (_, at) => ({ id: id(9_000 + at), name: `web-${at + 1}` })),
    groups: [{ id: id(8_000), name: 'Clients', parent_id: null }],
    sites: {
      ids: places.map(id),
      names: places.map((at) => `site-${at + 1}.fr`),
      statuses: places.map((at) => (at === 0 ? 'error' : 'warning')),
      servers: places.map((at) => at % servers),
      groups: places.map((at) => (at % 2 ? [] : [0])),
      updates: places.map((at) => (at === 0 ? 0 : 2)),
    },
    busy: [1],
    reasons: [{ text: 'HTTP 500', sites: [0] }],
    total: count + 7,
  };
  await page.route('**/api/dashboard/fleet', (route) => route.fulfill({ json: fleet }));
}

const pixels = (canvas: Locator) => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());

test('the fleet is a picture that the keys and the pointer can explore, in sections that link to the list', async ({
  ownerPage: page,
}) => {
  await mockFleet(page, { sites: 120, servers: 60 });
  await page.goto('/');
  const fleet = section(page, 'Votre flotte');
  const cell = (name: string | RegExp) => fleet.getByRole('link', { name });
  await cell('site-1.fr, Erreur : HTTP 500, sur web-1, case 1 sur 120').focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell('site-61.fr, OK, 2 mises à jour, sur web-1, case 2 sur 120')).toBeFocused();
  await expect(fleet.getByRole('status').filter({ hasText: 'site-61.fr' })).toHaveCount(1);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/sites/${id(0)}`);
  await page.goBack();

  await fleet.getByLabel('Grouper la flotte').selectOption('Par état');
  await expect(page).toHaveURL('/?by=status');
  const picture = fleet.locator('canvas').last();
  const light = await pixels(picture);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => pixels(picture)).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  // Below the first heading is the only site in error.
  const head = await fleet.getByRole('link', { name: 'Erreur 1' }).last().boundingBox();
  const { x = 0, y = 0, height = 0 } = head ?? {};
  await page.mouse.move(x + 8, y + height + 8);
  await expect(fleet.getByText('Erreur\u00a0: HTTP 500, sur web-1', { exact: true })).toBeVisible();
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(`/sites/${id(0)}`);
  await page.goBack();
  await fleet.getByRole('link', { name: 'Mises à jour 119' }).last().click();
  await expect(page).toHaveURL('/sites?q=maj%3Aoui&sort=-updates');
  await page.goBack();
  await fleet.getByRole('link', { name: 'et 7 autres sites' }).click();
  await expect(page).toHaveURL('/sites');
  await page.goBack();

  await fleet.getByLabel('Grouper la flotte').selectOption('Par groupe');
  await fleet.getByRole('link', { name: 'Clients 60' }).click();
  await expect(page).toHaveURL(`/sites?group=${id(8_000)}`);
  await page.goBack();
  await fleet.getByLabel('Grouper la flotte').selectOption('Par serveur');
  await fleet.getByRole('button', { name: 'Voir en liste' }).click();
  await expect(page).toHaveURL('/?list=true');
  const lines = fleet.getByRole('list', { name: 'Votre flotte' }).locator('> li');
  await expect(lines).toHaveCount(50);
  await fleet.getByRole('button', { name: 'Afficher la suite' }).click();
  await expect(lines).toHaveCount(60);
  await lines.first().getByRole('link', { name: 'Erreur 1' }).click();
  await expect(page).toHaveURL(`/sites?server=${id(9_000)}&status=error`);
  await page.goBack();
  await lines.first().getByRole('link', { name: 'web-1', exact: true }).click();
  await expect(page).toHaveURL(`/sites?server=${id(9_000)}`);
  await page.goBack();
  await fleet.getByRole('button', { name: 'Voir en image' }).click();
  await expect(page).toHaveURL('/');
});

test('what waits is updated, backed up or taken note of from the dashboard', async ({ ownerPage: page, owner }) => {
  const headers = { ...bearer(owner.token), prefer: 'respond-async' };
  const siteId = await makeSite(page, owner, 'Vitrine');
  const ticket = await page.request.post(`/api/sites/${siteId}/test`, { data: {}, headers });
  const { job_id: job }: { job_id: string } = await ticket.json();
  await expect
    .poll(async () => (await (await page.request.get(`/api/jobs/${job}`, { headers })).json()).state)
    .toBe('failed');
  await page.goto('/');
  const todo = section(page, 'À traiter');
  await page.route('**/api/jobs/acknowledge', (route) => route.abort());
  await todo.getByRole('button', { name: 'Prendre en compte' }).click();
  await expect(todo.getByText('Les échecs n’ont pas pu être pris en compte.')).toBeVisible();
  await page.unroute('**/api/jobs/acknowledge');
  await todo.getByRole('button', { name: 'Prendre en compte' }).click();
  await expect(todo.getByText('1\u00a0tâche n’a pas abouti')).toHaveCount(0);

  const named = { count: 2, worst: [{ id: siteId, name: 'Vitrine', updates: 1 }], ids: [siteId, siteId] };
  const items = [
    { ...named, kind: 'backups_never' },
    { ...named, kind: 'updates', count: 1, ids: [siteId] },
  ];
  await page.route('**/api/dashboard/todo', (route) => route.fulfill({ json: { items } }));
  await page.reload();
  await todo.getByRole('button', { name: 'Sauvegarder ces 2 sites…' }).click();
  const backups = page.getByRole('dialog', { name: 'Sauvegarder 2 sites' });
  await expect(backups.getByText('Vitrine', { exact: true })).toBeVisible();
  await expectNoDialogFaults(backups);
  await backups.getByRole('button', { name: 'Annuler' }).click();
  await todo.getByRole('button', { name: 'Mettre à jour ce site…' }).click();
  const updates = page.getByRole('dialog', { name: 'Mettre à jour 1 site' });
  await expectNoDialogFaults(updates);
  await updates.getByRole('button', { name: 'Annuler' }).click();
  await expect(updates).toHaveCount(0);
  await expect(todo.getByRole('button', { name: 'Mettre à jour ce site…' })).toBeFocused();
});

for (const [width, height] of [
  [1440, 900],
  [360, 740],
] as const) {
  test(`nothing moves while the dashboard loads, ${width} pixels wide`, async ({ ownerPage: page }) => {
    await page.setViewportSize({ width, height });
    await mockFleet(page, { sites: 600, servers: 12 });
    const worst = Array.from({ length: 3 }, (_, at) => ({ id: id(at), name: `site-${at + 1}.fr`, updates: 3 }));
    const items = ['backups_never', 'updates'].map((kind) => ({ kind, count: 13, worst, ids: [id(0)] }));
    await page.route('**/api/dashboard/todo', (route) => route.fulfill({ json: { items } }));
    // What stands on top comes last.
    const release = await pauseRequests(page, '**/api/dashboard/todo');
    void page.waitForResponse('**/api/dashboard/activity?*').then(release);
    expect(await measureShift(page, '/')).toBeLessThan(0.05);
    await expect(section(page, 'Votre flotte').getByRole('link', { name: /case 1 sur 600/ })).toBeVisible();
  });
}
