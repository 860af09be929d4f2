import { expect, type Page } from '@playwright/test';
import { expectRetryAfterFailure, pauseRequests } from './fixtures';
import { waitForServerStatuses, test } from './machines';

const names = (page: Page) => page.getByRole('table').getByRole('rowheader');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const columnHeader = (page: Page, column: string) => page.getByRole('columnheader', { name: column, exact: true });
const closedPort = { port: 9 };

test('offline servers come first until the list is sorted or searched, and the URL keeps both', async ({
  ownerPage: page,
  request,
  owner,
  host,
  makeServer,
}) => {
  const created = [
    await makeServer(host, { name: 'web-10', provider: 'OVHcloud', type: 'dev' }),
    await makeServer(closedPort, { name: 'web-2', provider: 'Hetzner', type: 'backup' }),
    await makeServer(host, { name: 'Élan', provider: 'OVHcloud' }),
  ];
  await waitForServerStatuses(request, owner.token, created);
  await page.goto('/servers');
  await expect(names(page)).toHaveText(['web-2', 'Élan', 'web-10']);
  await expect(row(page, 'web-2')).toContainText('Hors ligne');
  await expect(page.getByText('3\u00a0serveurs, dont 1 hors ligne')).toBeVisible();
  await expect(columnHeader(page, 'Nom')).toHaveAttribute('aria-sort', 'ascending');
  await columnHeader(page, 'Nom').getByRole('button').click();
  await expect(names(page)).toHaveText(['web-10', 'web-2', 'Élan']);
  await expect(columnHeader(page, 'Nom')).toHaveAttribute('aria-sort', 'descending');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Rechercher un serveur' })).toBeFocused();
  await page.keyboard.type('web');
  await expect(names(page)).toHaveText(['web-10', 'web-2']);
  await expect(page).toHaveURL('/servers?sort=-name&q=web');
  await page.reload();
  await expect(names(page)).toHaveText(['web-10', 'web-2']);
  await expect(page.getByRole('searchbox')).toHaveValue('web');
  await page.getByRole('searchbox').fill('personne');
  await expect(page.getByText('Aucun serveur ne correspond.')).toBeVisible();
  await page.getByRole('button', { name: 'Effacer la recherche' }).click();
  await expect(names(page)).toHaveCount(3);
  await columnHeader(page, 'Hôte').getByRole('button').click();
  await expect(names(page)).toHaveText(['Élan', 'web-2', 'web-10']);
});

test('a failed load shows an error, and loaded servers stay displayed during a failed or slow refresh', async ({
  ownerPage: page,
  makeServer,
}) => {
  const sentence = 'Impossible de charger les serveurs.';
  await makeServer(closedPort, { name: 'web-01' });
  await expectRetryAfterFailure(page, { path: '/servers', calls: '**/api/servers?*', sentence });
  await expect(names(page)).toHaveText(['web-01']);
  await page.route('**/api/servers?*', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Un service manque.' } }),
  );
  await page.getByRole('button', { name: 'Actualiser', exact: true }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Un service manque.');
  await expect(names(page)).toHaveText(['web-01']);

  await page.unroute('**/api/servers?*');
  await page.getByRole('button', { name: 'Choisir quoi actualiser' }).click();
  await page.getByRole('button', { name: 'Actualiser la liste' }).click();
  await expect(page.getByRole('main').getByText('Un service manque.')).toHaveCount(0);
  await expect(row(page, 'web-01')).toContainText('Hors ligne');
  const release = await pauseRequests(page, '**/api/servers?*');
  await makeServer(closedPort, { name: 'web-02' });
  await page.getByRole('button', { name: 'Actualiser', exact: true }).click();
  await expect(names(page)).toHaveText(['web-01']);
  release();
  await expect(names(page)).toHaveText(['web-01', 'web-02']);
});
