import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { apiCalls, hidePage, stepUntil, stopClock } from './fixtures';
import { test } from './machines';

const siteIdOf = (index: number) => `0192f0c1-7e57-7000-8000-${String(index).padStart(12, '0')}`;
const siteOf = (index: number) => ({
  site_id: siteIdOf(index),
  site_name: `Site ${index}`,
  version: '1.0',
  hasUpdate: index % 2 === 0,
  blockedByLicense: index === 2,
  new_version: index % 2 === 0 ? '2.0' : null,
  status: index === 3 ? 'inactive' : 'active',
});
const pluginOf = (index: number) => ({
  plugin: `plugin-${index}`,
  name: `Galerie ${index}`,
  sites_count: 60,
  updates_count: index === 1 ? 30 : 0,
  inactive_count: 1,
  blocked_count: index === 1 ? 1 : 0,
  latest_version: '2.0',
  versions: [
    { version: '1.0', sites_count: 59 },
    { version: null, sites_count: 1 },
  ],
  versions_count: 2,
  sites: Array.from({ length: 20 }, (_, siteIndex) => siteOf(siteIndex + 1)),
});
const failures = Array.from({ length: 20 }, (_, index) => ({
  site_id: siteIdOf(100 + index),
  site_name: `Muet ${index}`,
  error: 'L’hôte ne répond pas.',
}));
const diag = { sites_total: 90, sites_scanned: 88, sites_failed: 21, failures };

/** Mocks more sites than a story can scan: two pages of plugins, one of them on sixty sites. */
async function mockOverview(page: Page): Promise<void> {
  await page.route('**/api/plugins/overview?*', (route) => {
    const params = new URL(route.request().url()).searchParams;
    const offset = Number(params.get('offset'));
    const isEmpty = params.get('q') === 'rien';
    const items = isEmpty
      ? []
      : Array.from({ length: offset === 0 ? 50 : 10 }, (_, index) => pluginOf(offset + index + 1));
    // With the updates filter no site can be scanned again, and the screen says so.
    const can_refresh = params.get('only_updates') === '0';
    const refreshing = can_refresh && params.get('fresh') === '1';
    const updated_at = new Date(Date.now() - 180_000).toISOString();
    return route.fulfill({
      json: {
        items,
        total: isEmpty ? 0 : 60,
        updates_total: isEmpty ? 0 : 30,
        updated_at,
        refreshing,
        can_refresh,
        diag,
      },
    });
  });
  await page.route('**/api/plugins/overview/*/sites?*', (route) => {
    const params = new URL(route.request().url()).searchParams;
    const offset = Number(params.get('offset'));
    const onlyUpdates = params.get('only_updates') === '1';
    const lines = Array.from({ length: 60 }, (_, index) => ({
      ...siteOf(index + 1),
      url: `https://site-${index}.fr`,
      read_at: '2026-11-21T10:00:00.000Z',
      failure: index === 0 ? 'L’hôte ne répond pas.' : null,
      job_id: null,
    })).filter(({ hasUpdate, site_name: name }) => (!onlyUpdates || hasUpdate) && name.includes(params.get('q') ?? ''));
    return route.fulfill({
      json: { plugin: 'plugin-1', name: 'Galerie 1', items: lines.slice(offset, offset + 50), total: lines.length },
    });
  });
}

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader').filter({ hasText: new RegExp(`^${name}\\D`) }) });

test('a user can search, sort, open and export the plugins of all sites', async ({ ownerPage: page }) => {
  await page.goto('/plugins');
  await expect(page.getByText('Aucun plugin pour l’instant.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Voir les sites' }).click();
  await expect(page).toHaveURL('/sites');
  await mockOverview(page);
  const calls = apiCalls(page);
  const lastQuery = () =>
    calls.map((call) => new URL(call.url())).findLast(({ pathname }) => pathname.endsWith('/overview'))?.search;
  await page.goto('/plugins');
  await expect(page.getByText('60\u00a0plugins · 30\u00a0mises à jour')).toContainText(
    '88\u00a0sites lus sur 90, 21 en échec',
  );
  await expect(row(page, 'Galerie 1')).toContainText('Licence requise (1)');
  await expect(row(page, 'Galerie 1')).toContainText('2\u00a0versions');
  await page.getByRole('combobox', { name: 'Trier les plugins' }).selectOption('Par sites');
  await expect.poll(lastQuery).toContain('sort=sites_desc');
  await page.getByRole('checkbox', { name: 'Mises à jour seulement' }).check();
  await expect.poll(lastQuery).toContain('only_updates=1');
  await page.getByRole('searchbox', { name: 'Rechercher un plugin' }).fill('rien');
  await page.getByRole('button', { name: 'Effacer les filtres' }).press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Rechercher un plugin' })).toBeFocused();
  await expect(page).toHaveURL('/plugins?sort=sites_desc');
  await page.getByRole('button', { name: 'Suivante' }).click();
  await expect(row(page, 'Galerie 51')).toBeVisible();

  await page.getByRole('navigation', { name: 'Menu principal' }).getByRole('link', { name: 'Plugins' }).click();
  await row(page, 'Galerie 1').getByRole('button', { name: 'Déplier Galerie 1' }).click();
  const siteList = page.getByRole('list', { name: 'Sites qui ont Galerie 1' });
  await expect(siteList.getByRole('listitem')).toHaveCount(20);
  await expect(page.getByText('Versions\u00a0: 1.0 (59\u00a0sites), inconnue (1\u00a0site)')).toBeVisible();
  await expect(
    siteList.getByRole('button', { name: 'Mettre à jour Galerie 1 sur Site 2', exact: true }),
  ).toBeDisabled();
  await page.reload();
  await expect(siteList.getByRole('listitem')).toHaveCount(20);
  await siteList.getByRole('link', { name: 'Site 1', exact: true }).click();
  await expect(page).toHaveURL(`/sites/${siteIdOf(1)}?q=plugin-1`);
  await page.goBack();
  await page.getByRole('button', { name: 'Voir les 60\u00a0sites' }).click();
  const panel = page.getByRole('dialog', { name: 'Galerie 1', exact: true });
  await expect(panel.getByRole('listitem')).toHaveCount(50);
  await expect(panel).toContainText('Dernière lecture en échec\u00a0: L’hôte ne répond pas.');
  await panel.getByRole('button', { name: 'Suivante' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(10);
  await panel.getByRole('button', { name: 'Précédente' }).click();
  await panel.getByRole('checkbox', { name: 'Mises à jour seulement' }).check();
  await expect(panel).toContainText('30\u00a0sites');
  await panel.getByRole('searchbox', { name: 'Rechercher un site' }).fill('Site 60');
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await page.reload();
  await expect(panel.getByRole('searchbox')).toHaveValue('Site 60');
  await panel.getByRole('link', { name: 'Site 60' }).click();
  await expect(page).toHaveURL(`/sites/${siteIdOf(60)}?q=plugin-1`);
  await page.goBack();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await page.getByRole('button', { name: 'Replier Galerie 1' }).click();
  await expect(page).toHaveURL('/plugins');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exporter en CSV' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('plugins.csv');
  expect((await readFile(await file.path(), 'utf8')).startsWith('\uFEFF"Plugin";"Identifiant";"Site"')).toBe(true);
});

test('the overview reloads each minute, more often during a scan, and shows the sites that fail', async ({
  ownerPage: page,
}) => {
  await page.clock.install();
  await mockOverview(page);
  const calls = apiCalls(page);
  const overviewCount = () => calls.filter((call) => call.url().includes('/api/plugins/overview?')).length;
  await page.goto('/plugins');
  await expect.poll(overviewCount).toBe(1);
  // The next minute starts when the answer arrives.
  await expect(row(page, 'Galerie 1')).toBeVisible();
  await page.clock.runFor(61_000);
  await expect.poll(overviewCount).toBe(2);
  await page.getByRole('button', { name: 'Relire les sites' }).click();
  await expect.poll(overviewCount).toBe(3);
  expect(calls.findLast((call) => call.url().includes('/overview?'))?.url()).toContain('fresh=1');
  await expect(page.getByText('Relecture en cours…')).toBeVisible();
  await page.clock.runFor(2_100);
  await expect.poll(overviewCount).toBe(4);
  await expect(page.getByText('Relecture en cours…')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Mises à jour seulement' }).check();
  await page.getByRole('button', { name: 'Relire les sites' }).click();
  await expect(page.getByText('La lecture des sites est désactivée sur cette installation')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Mises à jour seulement' }).uncheck();
  await page.getByRole('button', { name: 'Voir les échecs' }).click();
  const failed = page.getByRole('list', { name: 'Sites en échec' });
  await expect(failed.getByRole('listitem')).toHaveCount(21);
  await expect(failed.getByRole('link', { name: 'Muet 0', exact: true })).toHaveAttribute(
    'href',
    `/sites/${siteIdOf(100)}`,
  );
  await expect(failed).toContainText('Et 1\u00a0autre');
  await page.getByRole('button', { name: 'Masquer les échecs' }).click();
  const retried = page.waitForResponse((answer) => answer.url().endsWith('/api/plugins/overview/retry'));
  await page.getByRole('button', { name: 'Réessayer les échecs' }).click();
  // The mocked sites do not belong to this person, so the server refuses.
  expect((await retried).status()).toBe(400);
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('Il n’y a aucun site à tester.');
  // The clock stops before the toast can close.
  await page.unroute('**/api/plugins/overview?*');
  await page.route('**/api/plugins/overview?*', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Vigie se repose.' } }),
  );
  const retryButton = page.getByRole('main').getByRole('button', { name: 'Réessayer', exact: true });
  const failOnce = async (pass: () => Promise<void>) => {
    const answered = page.waitForResponse('**/api/plugins/overview?*');
    await pass();
    await answered;
    await stepUntil(page, () => retryButton.isEnabled());
  };
  // The clock stops one minute later, and the call of that minute has ended by then.
  await failOnce(() => stopClock(page));
  await expect(messages).toContainText('Vigie se repose.');
  await page.clock.runFor(4_000);
  await expect(messages).not.toContainText('Vigie se repose.');
  // The toast appears once; the screen keeps its message, and polls less and less often.
  await failOnce(() => page.clock.runFor(62_000));
  await expect(messages).not.toContainText('Vigie se repose.');
  const countAfterFailures = overviewCount();
  await page.clock.runFor(62_000);
  expect(overviewCount()).toBe(countAfterFailures);
  await page.clock.resume();
  await retryButton.click();
  await expect(messages).toContainText('Vigie se repose.');
  await hidePage(page);
  const countWhenHidden = overviewCount();
  await page.clock.runFor(300_000);
  expect(overviewCount()).toBe(countWhenHidden);
  await page.getByRole('button', { name: 'Relire les sites' }).click();
  await expect(messages).toContainText('Vigie se repose.');
  await expect(row(page, 'Galerie 1')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('each plugin takes two lines, and a sheet shows its sites', async ({ ownerPage: page }) => {
    const isAsWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    await mockOverview(page);
    await page.goto('/plugins');
    const card = page.locator('[data-plugin=plugin-1]');
    await expect(card).toContainText('60\u00a0sites');
    expect(await isAsWide()).toBe(true);
    await card.getByRole('button', { name: 'Déplier Galerie 1' }).click();
    expect(await isAsWide()).toBe(true);
    await card.getByRole('button', { name: 'Voir sites de Galerie 1' }).click();
    await expect(page.getByRole('dialog', { name: 'Galerie 1', exact: true }).getByRole('listitem')).toHaveCount(50);
    expect(await isAsWide()).toBe(true);
  });
});
