import { expect, type Page } from '@playwright/test';
import { expectNoAxeFaults } from './axe';
import { test } from './machines';

const measures = (page: Page) => page.getByRole('region', { name: 'Mesures' });
const curve = (page: Page, name: RegExp) => measures(page).getByRole('img', { name });
const stepMs = 900_000;

/** Serves a history of a day with a gap, which takes a day to measure. */
async function mockHistory(page: Page): Promise<string[]> {
  const ranges: string[] = [];
  await page.route('**/health/history?*', (route) => {
    const range = new URL(route.request().url()).searchParams.get('range') ?? '';
    ranges.push(range);
    const to = Date.now();
    const points = Array.from({ length: range === 'month' ? 0 : 97 }, (_, index) => ({
      at: new Date(to - (96 - index) * stepMs).toISOString(),
      load: index / 10,
      mem_pct: 40,
      disk_pct: index,
      procs: 1_200,
    })).filter((_, index) => index < 30 || index > 50);
    const from = new Date(to - 96 * stepMs).toISOString();
    return route.fulfill({ json: { from, to: new Date(to).toISOString(), step_seconds: stepMs / 1_000, points } });
  });
  return ranges;
}

test('the page of a server shows its state, its measures as curves and as a table, and its consoles', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01', provider: 'OVHcloud' });
  const ranges = await mockHistory(page);
  await page.goto('/servers');
  await expect(page.getByRole('row').filter({ hasText: 'web-01' })).toContainText(/En (?:ligne|alerte)/);
  await page.getByRole('link', { name: 'web-01', exact: true }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText(/En (?:ligne|alerte)/);
  await expect(main).toContainText(`sh@127.0.0.1:${host.port}`);
  await expect(main).toContainText('OVHcloud · Connexion par mot de passe');
  await expect(curve(page, /^Charge, sur 24\sh\s: de 0 à 9,6, dernière mesure 9,6$/)).toBeVisible();
  await expect(curve(page, /^Mémoire, sur 24\sh\s: 40\s%, dernière mesure 40\s%$/)).toBeVisible();
  await expect(measures(page)).toContainText('Alerte à partir de\u00a090\u00a0%');
  await curve(page, /^Processus/).hover();
  // The pointer in the middle of one curve shows the value of each at that time: there, nothing was measured.
  await expect(measures(page).getByText(/\d\d:\d\d · /)).toHaveCount(4);
  await expectNoAxeFaults(page, 'server');

  await measures(page).getByRole('radio', { name: 'Tableau' }).check({ force: true });
  await expect(page).toHaveURL(`/servers/${id}?view=table`);
  await expect(measures(page).getByRole('row')).toHaveCount(77);
  await expect(measures(page).getByRole('row').nth(1)).toContainText(/9,6\s*40\s%\s*96\s%\s*1\s200/);
  await measures(page).getByRole('radio', { name: '1\u00a0h' }).check({ force: true });
  await expect(page).toHaveURL(`/servers/${id}?view=table&range=hour`);
  await page.reload();
  await expect(measures(page).getByRole('row')).toHaveCount(77);
  await measures(page).getByRole('radio', { name: 'Courbes' }).check({ force: true });
  await measures(page).getByRole('radio', { name: '30\u00a0j' }).check({ force: true });
  await expect(measures(page)).toContainText('Rien n’a été mesuré sur cette période.');
  await measures(page).getByRole('radio', { name: '24\u00a0h' }).check({ force: true });
  await expect(page).toHaveURL(`/servers/${id}`);
  expect(new Set(ranges)).toEqual(new Set(['day', 'hour', 'month']));

  await page.setViewportSize({ width: 360, height: 740 });
  const width = await curve(page, /^Charge/)
    .locator('canvas')
    .evaluate(({ clientWidth }) => clientWidth);
  expect(width).toBeLessThan(330);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await expectNoAxeFaults(page, 'server on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });

  const consoles = page.getByRole('region', { name: 'Consoles', exact: true });
  await expect(consoles).toContainText('Aucune console ouverte sur ce serveur.');
  await main.getByRole('link', { name: 'Console', exact: true }).click();
  await expect(main).toContainText('Connecté');
  await page.goBack();
  await consoles.getByRole('link', { name: /^web-01/ }).click();
  await expect(page).toHaveURL(new RegExp(`/servers/${id}/console`));
});

test('the alerts of a server say since when, and its key is copied from its page', async ({
  ownerPage: page,
  context,
  makeServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await makeServer({ port: 9 }, { name: 'web-01' });
  await page.goto(`/servers/${id}`);
  const alerts = page.getByRole('list', { name: 'Alertes' });
  await expect(alerts).toHaveText('Ne répond pas par SSH, depuis moins d’une minute');
  await expect(page.getByRole('main').getByText('Hors ligne', { exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('refuse les connexions au port 9');
  await page.getByRole('button', { name: 'Plus', exact: true }).click();
  await page.getByRole('button', { name: 'Copier la clé publique' }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Clé publique de web-01 copiée.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^ssh-ed25519 \S+ vigie$/);
});
