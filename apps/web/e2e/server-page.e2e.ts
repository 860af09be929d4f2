import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { expectNoAxeFaults } from './axe';
import { test } from './machines';
import { chooseSegment } from './segments';
import { desktop, expectNoOverflow, phone } from './sizes';

const measures = (page: Page) => page.getByRole('region', { name: 'Mesures' });
const curve = (page: Page, name: RegExp) => measures(page).getByRole('img', { name });
const choose = (page: Page, name: string) => chooseSegment(measures(page), name);

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
  await page.goto(`/servers/${id}?view=table&range=hour`);
  await expect(measures(page).getByRole('row')).toHaveCount(77);
  await expect(measures(page).getByRole('row').nth(1)).toContainText(/9,6\s*40\s%\s*96\s%\s*1\s200/);
  await choose(page, 'Courbes');
  await choose(page, '30\u00a0j');
  await expect(measures(page)).toContainText('Rien n’a été mesuré sur cette période.');
  await expect(page).toHaveURL(`/servers/${id}?range=month`);
  await choose(page, '24\u00a0h');
  await expect(page).toHaveURL(`/servers/${id}`);
  expect(ranges).toEqual(expect.arrayContaining(['hour', 'month', 'day']));
  await expect(curve(page, /^Charge, sur 24\sh\s: de 0 à 9,6, dernière mesure 9,6$/)).toBeVisible();
  await expect(curve(page, /^Mémoire, sur 24\sh\s: 40\s%, dernière mesure 40\s%$/)).toBeVisible();
  await expect(measures(page)).toContainText('Alerte à partir de\u00a090\u00a0%');
  await curve(page, /^Processus/).hover();
  // The pointer shows the values of all curves at its time.
  await expect(measures(page).getByText(/\d\d:\d\d · /)).toHaveCount(4);
  await expectNoAxeFaults(page, 'server');
  await choose(page, 'Tableau');
  await expect(page).toHaveURL(`/servers/${id}?view=table`);
  await choose(page, '1\u00a0h');
  await choose(page, 'Courbes');

  await page.getByRole('navigation', { name: 'Fil d’Ariane' }).getByRole('link', { name: 'Serveurs' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'web-01' })).toContainText(/En (?:ligne|alerte)/);
  await page.getByRole('link', { name: 'web-01', exact: true }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText(/En (?:ligne|alerte)/);
  await expect(main).toContainText(`sh@127.0.0.1:${host.port}`);
  await expect(main).toContainText('OVHcloud · Connexion par mot de passe');
  await page.setViewportSize(phone);
  const canvas = curve(page, /^Charge/).locator('canvas');
  await expect.poll(() => canvas.evaluate(({ clientWidth }) => clientWidth)).toBeLessThan(330);
  await expectNoOverflow(page);
  await expectNoAxeFaults(page, 'server on a phone');
  await page.setViewportSize(desktop);

  const consoles = page.getByRole('region', { name: 'Consoles', exact: true });
  await expect(consoles).toContainText('Aucune console ouverte sur ce serveur.');
  await main.getByRole('link', { name: 'Console', exact: true }).click();
  await expect(main).toContainText('Connecté');
  await page.goBack();
  await consoles.getByRole('link', { name: /^web-01/ }).click();
  await expect(page).toHaveURL(new RegExp(`/servers/${id}/console`));
  await page.goto(`/servers/${randomUUID()}`);
  await expect(main).toContainText('Serveur introuvable');
  await main.getByRole('link', { name: 'Voir les serveurs' }).click();
  await expect(page).toHaveURL('/servers');
});
