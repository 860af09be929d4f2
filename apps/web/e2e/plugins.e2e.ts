import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openFromMenu } from './menu';
import { expectNoDialogFaults } from './axe';
import {
  advanceClock,
  awaitAnswers,
  countOpenCalls,
  hidePage,
  installClock,
  pauseAheadMs,
  recordApiCalls,
  runClockUntilRetry,
  stopClock,
} from './fixtures';
import { test } from './machines';
import { expectNoOverflow, onPhone } from './sizes';

const aSiteId = (index: number) => `0192f0c1-7e57-7000-8000-${String(index).padStart(12, '0')}`;
const aSite = (index: number) => ({
  site_id: aSiteId(index),
  site_name: `Site ${index}`,
  version: '1.0',
  hasUpdate: index % 2 === 0,
  blockedByLicense: index === 2,
  new_version: index % 2 === 0 ? '2.0' : null,
  status: index === 3 ? 'inactive' : 'active',
});
const aPlugin = (index: number) => ({
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
  sites: Array.from({ length: 20 }, (_, siteIndex) => aSite(siteIndex + 1)),
});
const failures = Array.from({ length: 20 }, (_, index) => ({
  site_id: aSiteId(100 + index),
  site_name: `Muet ${index}`,
  error: 'L’hôte ne répond pas.',
}));
const diag = { sites_total: 90, sites_scanned: 88, sites_failed: 21, failures };

/** Serves two pages of plugins, one of them on sixty sites, which would be too many to set up for real. */
async function mockOverview(page: Page): Promise<void> {
  await page.route('**/api/plugins/overview?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const offset = Number(query.get('offset'));
    const isEmpty = query.get('q') === 'rien';
    const items = isEmpty
      ? []
      : Array.from({ length: offset === 0 ? 50 : 10 }, (_, index) => aPlugin(offset + index + 1));
    // With the filter on updates the server refuses to read the sites again, and the screen has to say so.
    const can_refresh = query.get('only_updates') === '0';
    const refreshing = can_refresh && query.get('fresh') === '1';
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
    const query = new URL(route.request().url()).searchParams;
    const offset = Number(query.get('offset'));
    const onlyUpdates = query.get('only_updates') === '1';
    const lines = Array.from({ length: 60 }, (_, index) => ({
      ...aSite(index + 1),
      url: `https://site-${index}.fr`,
      read_at: '2026-11-21T10:00:00.000Z',
      failure: index === 0 ? 'L’hôte ne répond pas.' : null,
      job_id: null,
    })).filter(({ hasUpdate, site_name: name }) => (!onlyUpdates || hasUpdate) && name.includes(query.get('q') ?? ''));
    return route.fulfill({
      json: { plugin: 'plugin-1', name: 'Galerie 1', items: lines.slice(offset, offset + 50), total: lines.length },
    });
  });
}

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader').filter({ hasText: new RegExp(`^${name}\\D`) }) });

test('the plugins of all sites can be searched, sorted, unfolded and exported', async ({ ownerPage: page }) => {
  await countOpenCalls(page);
  await page.goto('/plugins');
  await expect(page.getByText('Aucun plugin pour l’instant.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Voir les sites' }).click();
  // Its screen comes after its address, and only then has the page been left.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sites');
  await expect(page).toHaveURL('/sites');
  // The page takes what it is still reading for new when it is opened again.
  await awaitAnswers(page);
  await mockOverview(page);
  const calls = recordApiCalls(page);
  const lastQuery = () =>
    calls.map((call) => new URL(call.url())).findLast(({ pathname }) => pathname.endsWith('/overview'))?.search;
  await openFromMenu(page, 'Plugins');
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

  await openFromMenu(page, 'Plugins');
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
  await expect(page).toHaveURL(`/sites/${aSiteId(1)}/plugins?q=plugin-1`);
  await page.goBack();
  await page.getByRole('button', { name: 'Voir les 60\u00a0sites' }).click();
  const panel = page.getByRole('dialog', { name: 'Galerie 1', exact: true });
  await expect(panel.getByRole('listitem')).toHaveCount(50);
  await expect(panel).toContainText('Dernière lecture en échec\u00a0: L’hôte ne répond pas.');
  await expectNoDialogFaults(panel);
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
  await expect(page).toHaveURL(`/sites/${aSiteId(60)}/plugins?q=plugin-1`);
  await page.goBack();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await page.getByRole('button', { name: 'Replier Galerie 1' }).click();
  await expect(page).toHaveURL('/plugins');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exporter en CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('plugins.csv');
  expect((await readFile(await file.path(), 'utf8')).startsWith('\uFEFF"Plugin";"Identifiant";"Site"')).toBe(true);
});

test('the overview is polled each minute, more often during a refresh, and lists the failing sites', async ({
  ownerPage: page,
}) => {
  await installClock(page);
  await mockOverview(page);
  const calls = recordApiCalls(page);
  const countRequests = () => calls.filter((call) => call.url().includes('/api/plugins/overview?')).length;
  await page.goto('/plugins');
  await expect.poll(countRequests).toBe(1);
  // The polling interval starts when the answer arrives.
  await expect(row(page, 'Galerie 1')).toBeVisible();
  await advanceClock(page, 61_000);
  await expect.poll(countRequests).toBe(2);
  // The page asks again two seconds after the click.
  await stopClock(page);
  await page.getByRole('button', { name: 'Relire les sites' }).click();
  await expect.poll(countRequests).toBe(3);
  expect(calls.findLast((call) => call.url().includes('/overview?'))?.url()).toContain('fresh=1');
  await expect(page.getByText('Relecture en cours…')).toBeVisible();
  await expect.poll(() => page.clock.runFor(1_000).then(countRequests)).toBe(4);
  await page.clock.resume();
  await expect(page.getByText('Relecture en cours…')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Mises à jour seulement' }).check();
  await page.getByRole('button', { name: 'Relire les sites' }).click();
  await expect(page.getByText('La lecture des sites est désactivée sur cette installation')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Mises à jour seulement' }).uncheck();
  await page.getByRole('button', { name: 'Voir les échecs' }).click();
  const failedSites = page.getByRole('list', { name: 'Sites en échec' });
  await expect(failedSites.getByRole('listitem')).toHaveCount(21);
  await expect(failedSites.getByRole('link', { name: 'Muet 0', exact: true })).toHaveAttribute(
    'href',
    `/sites/${aSiteId(100)}`,
  );
  await expect(failedSites).toContainText('Et 1\u00a0autre');
  const retryAnswer = page.waitForResponse((answer) => answer.url().endsWith('/api/plugins/overview/retry'));
  await page.getByRole('button', { name: 'Réessayer les échecs' }).click();
  // The server refuses the retry, because the faked sites do not belong to this person.
  expect((await retryAnswer).status()).toBe(400);
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('Il n’y a aucun site à tester.');
  await page.getByRole('button', { name: 'Masquer les échecs' }).click();
  // The clock is stopped below, so that the toast stays until it has been checked.
  await page.unroute('**/api/plugins/overview?*');
  const retryButton = page.getByRole('main').getByRole('button', { name: 'Réessayer', exact: true });
  await page.route('**/api/plugins/overview?*', (route) =>
    route.fulfill({ status: 500, json: { detail: 'Vigie se repose.' } }),
  );
  await stopClock(page);
  await awaitAnswers(page);
  const response = page.waitForResponse('**/api/plugins/overview?*');
  // A minute triggers one poll.
  await page.clock.fastForward(60_000 - pauseAheadMs);
  await response;
  await runClockUntilRetry(page, retryButton);
  await expect(messages).toContainText('Vigie se repose.');
  await page.clock.runFor(4_000);
  await expect(messages).not.toContainText('Vigie se repose.');
  // A repeated failure shows no second toast and lengthens the polling interval.
  const countAfterFailure = countRequests();
  while (countRequests() === countAfterFailure) await advanceClock(page, 10_000);
  await runClockUntilRetry(page, retryButton);
  await expect(messages).not.toContainText('Vigie se repose.');
  const countAfterFailures = countRequests();
  await advanceClock(page, 62_000);
  expect(countRequests()).toBe(countAfterFailures);
  await page.clock.resume();
  await retryButton.click();
  await expect(messages).toContainText('Vigie se repose.');
  await hidePage(page);
  const countWhenHidden = countRequests();
  await advanceClock(page, 300_000);
  expect(countRequests()).toBe(countWhenHidden);
  await page.getByRole('button', { name: 'Relire les sites' }).click();
  await expect(messages).toContainText('Vigie se repose.');
  await expect(row(page, 'Galerie 1')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('each plugin is a card of two lines, and its sites open in a sheet', async ({ ownerPage: page }) => {
    await mockOverview(page);
    await page.goto('/plugins');
    const card = page.locator('[data-plugin=plugin-1]');
    await expect(card).toContainText('60\u00a0sites');
    await expectNoOverflow(page);
    // The list begins in the upper half of the screen.
    expect((await card.boundingBox())?.y).toBeLessThan(370);
    await page.getByRole('button', { name: 'Filtres' }).tap();
    await page.getByRole('checkbox', { name: 'Mises à jour seulement' }).check();
    await page.getByRole('button', { name: 'Filtres (1)' }).tap();
    await expect(page.getByRole('checkbox', { name: 'Mises à jour seulement' })).toHaveCount(0);
    await card.getByRole('button', { name: 'Déplier Galerie 1' }).click();
    await expectNoOverflow(page);
    await card.getByRole('button', { name: 'Voir sites de Galerie 1' }).click();
    await expect(page.getByRole('dialog', { name: 'Galerie 1', exact: true }).getByRole('listitem')).toHaveCount(50);
    await expectNoOverflow(page);
  });
});
