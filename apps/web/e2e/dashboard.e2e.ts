import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { advanceClock, awaitAnswers, clickRetry, countOpenCalls, hidePage, installClock, storeToken } from './fixtures';
import { test } from './machines';
import { bearer } from './people';
import { onPhone } from './sizes';

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name });

const since = '2026-01-01T00:00:00Z';
type Fields = Record<string, unknown> & { name: string };
const server = ({ name, ...fields }: Fields) => ({
  id: randomUUID(),
  name,
  host: `${name}.exemple.fr`,
  status: 'up',
  load: 0.4,
  cores: 4,
  mem: '1/8\u00a0Gio',
  mem_pct: 12,
  disk: '40%:/',
  procs: 120,
  threads: 300,
  skew_seconds: 0,
  alerts: [],
  checked_at: new Date().toISOString(),
  ...fields,
});

/** Serves the health of many servers that are all in alert, and returns the queries that the page sends. */
async function mockHealth(page: Page, total: number): Promise<URLSearchParams[]> {
  const requests: URLSearchParams[] = [];
  const alerts = [{ kind: 'disk', value: 93, threshold: 90, since }];
  await page.route('**/api/servers/health?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    requests.push(query);
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    const count = Math.max(0, Math.min(limit, total - offset));
    const items = Array.from({ length: count }, (_, index) => server({ name: `web-${offset + index + 1}`, alerts }));
    return route.fulfill({
      json: { items, updated_at: new Date().toISOString(), refreshing: true, total, alerts_total: total },
    });
  });
  return requests;
}

test('a new user is guided through the first steps, and each total links to its list', async ({
  ownerPage: page,
  owner,
  host,
  makeServer,
}) => {
  await countOpenCalls(page);
  await page.goto('/');
  const steps = section(page, 'Premiers pas');
  await expect(steps).toContainText('0 sur 4');
  await expect(section(page, 'Santé des serveurs')).toContainText('Aucun serveur pour l’instant.');
  await expect(section(page, 'À traiter')).toContainText('Rien à traiter pour l’instant.');
  const tiles = section(page, 'Vue d’ensemble');
  await expect(tiles.getByRole('link', { name: 'Mises à jour' })).toContainText('—');
  await steps.getByRole('link', { name: 'Ajouter un serveur' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const { id, name } = await makeServer(host, { name: `web-${randomUUID().slice(0, 8)}` });
  const headers = bearer(owner.token);
  const site = {
    name: 'Vitrine',
    url: 'https://exemple.fr',
    connection: { ssh: { server_id: id, wp_path: '/srv/www' } },
  };
  await page.goto('/');
  await expect(steps).toContainText('1 sur 4');
  await steps.getByRole('link', { name: 'Découvrir les sites' }).click();
  // Its screen comes after its address, and only then has the dashboard been left.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Serveurs');
  await expect(page).toHaveURL('/servers');
  // The dashboard takes what it is still reading for new when it is opened again.
  await awaitAnswers(page);
  expect((await page.request.post('/api/sites', { data: site, headers })).status()).toBe(201);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(steps).toContainText('2 sur 4');
  await steps.getByRole('link', { name: 'Faire une première sauvegarde' }).click();
  await expect(page).toHaveURL('/sites');
  await page.goBack();
  await steps.getByRole('link', { name: 'Activer la double authentification' }).click();
  await expect(page).toHaveURL('/security/2fa');
  await page.goBack();
  await steps.getByRole('button', { name: 'Masquer les premiers pas' }).press('Enter');
  await expect(steps).toHaveCount(0);
  await expect(tiles.getByRole('link', { name: 'Sites' })).toBeFocused();
  await page.reload();
  await expect(tiles.getByRole('link', { name: 'Sites' })).toContainText('1');
  await expect(steps).toHaveCount(0);
  for (const [tile, url] of [
    ['Sites', '/sites'],
    ['Groupes', '/groups'],
    ['Serveurs', '/servers'],
    ['Mises à jour', '/sites?q=maj%3Aoui&sort=-updates'],
  ] as const) {
    await tiles.getByRole('link', { name: tile }).press('Enter');
    await expect(page).toHaveURL(url);
    await page.goBack();
  }
  await expect(section(page, 'Santé des serveurs').getByRole('link', { name })).toBeVisible();
  await section(page, 'Santé des serveurs').getByRole('link', { name }).click();
  await expect(page).toHaveURL(`/servers/${id}`);
});

test('each pending item links to its screen, and a thousand servers can be sorted, paged and refreshed', async ({
  ownerPage: page,
}) => {
  const requests = await mockHealth(page, 1_000);
  const [siteId, jobId] = [randomUUID(), randomUUID()];
  const downAlert = [{ kind: 'status', value: null, threshold: null, since }];
  const items = [
    {
      kind: 'sites_down',
      count: 2,
      worst: [{ id: siteId, name: 'panne.fr', reason: 'Le site répond 502.', http_code: 502 }],
    },
    { kind: 'servers_in_alert', count: 1, worst: [{ id: siteId, name: 'web-03', alerts: downAlert }] },
    {
      kind: 'jobs_failed',
      count: 1,
      worst: [
        { id: jobId, kind: 'backups.create', about: null, site_name: 'jobs.fr', server_name: null, finished_at: since },
      ],
    },
    { kind: 'backups_never', count: 1, worst: [{ id: siteId, name: 'jamais.fr' }] },
    { kind: 'backups_late', count: 1, worst: [{ id: siteId, name: 'retard.fr', last_backup_at: since }] },
    { kind: 'updates', count: 1, worst: [{ id: siteId, name: 'vieux.fr', updates: 12 }] },
  ];
  await page.route('**/api/dashboard/todo', (route) => route.fulfill({ json: { items } }));
  await page.goto('/');
  const todoSection = section(page, 'À traiter');
  await expect(todoSection).toContainText('Le site répond 502.');
  const expectLink = async (name: string | RegExp, url: string | RegExp) => {
    await todoSection.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(url);
    await page.goBack();
    await expect(todoSection).toBeVisible();
  };
  await expectLink('2 sites en erreur', '/sites?status=error');
  await expectLink('panne.fr', `/sites/${siteId}`);
  await expectLink('Regarder panne.fr', `/sites/${siteId}?repairs=true`);
  await expectLink('et 1 autre', '/sites?status=error');
  await expectLink('1 serveur en alerte', '/?alert=true#server-health');
  await expectLink('web-03', `/servers/${siteId}`);
  await expectLink('Sauvegarde · jobs.fr', `/tasks/${jobId}`);
  await expectLink('1 site n’a jamais été sauvegardé', '/sites?q=sauvegarde%3Ajamais');
  await expectLink('jamais.fr', `/sites/${siteId}/backups`);
  await expectLink(/plus de 7 jours sans sauvegarde/, '/sites?q=sauvegarde%3A%3E7j');
  await expectLink('1 site attend des mises à jour', '/sites?q=maj%3Aoui&sort=-updates');

  const [alerts, health] = [section(page, /^Serveurs en alerte/), section(page, 'Santé des serveurs')];
  await expect(alerts.getByRole('listitem').filter({ hasText: 'exemple.fr' })).toHaveCount(20);
  await expect(alerts).toContainText(/disque\s93\s%\s≥\s90\s%/);
  await expect(health.getByRole('row')).toHaveCount(21);
  for (const name of ['Charge', 'Mémoire', 'Disque', 'Processus', 'Threads', 'Nom']) {
    await health.getByRole('button', { name, exact: true }).click();
    await expect(health.getByRole('columnheader', { name })).toHaveAttribute('aria-sort', 'ascending');
  }
  await health.getByRole('button', { name: 'Charge', exact: true }).press('Enter');
  await health.getByRole('button', { name: 'Charge', exact: true }).press('Enter');
  await expect(page).toHaveURL('/?sort=-load');
  await health.getByRole('button', { name: 'Suivante' }).click();
  await expect(page).toHaveURL('/?sort=-load&page=2');
  await expect(health).toContainText(/21–40 sur 1\s000/);
  await page.reload();
  await expect(health.getByRole('columnheader', { name: 'Charge' })).toHaveAttribute('aria-sort', 'descending');
  await health.getByRole('button', { name: 'Précédente' }).click();
  await expect(page).toHaveURL('/?sort=-load');
  requests.length = 0;
  await alerts.getByRole('button', { name: 'Actualiser les alertes' }).click();
  await expect.poll(() => requests.filter((query) => query.get('fresh') === '1').length).toBe(2);
  // The page reads the result of the new check a moment later.
  await expect.poll(() => requests.filter((query) => !query.has('fresh')).length).toBeGreaterThan(1);
  // The page refreshes only the page of servers that is displayed.
  expect(requests.filter((query) => query.get('fresh') === '1').map((query) => query.get('sort'))).toEqual([
    'name',
    '-load',
  ]);
  const failure = { status: 503, json: { detail: 'Vigie se repose.' } };
  await page.route('**/api/servers/health?*fresh=1', (route) => route.fulfill(failure));
  await alerts.getByRole('button', { name: 'Actualiser les alertes' }).click();
  await expect(alerts.getByRole('alert')).toContainText('Vigie se repose.');
  await page.unroute('**/api/servers/health?*fresh=1');
  await alerts.getByRole('button', { name: 'Réessayer' }).click();
  await expect(alerts.getByText('Vigie se repose.')).toHaveCount(0);
  await alerts.getByRole('link', { name: 'web-3', exact: true }).click();
  await expect(page).toHaveURL(/\/servers\/[0-9a-f-]{36}$/);
  await page.goBack();
  await alerts.getByRole('link', { name: /^Voir les 1/ }).click();
  await expect(page).toHaveURL(/alert=true/);
  await expect(health.getByRole('checkbox', { name: 'En alerte seulement' })).toBeChecked();
  await page.unroute('**/api/servers/health?*');
  await page.reload();
  await health.getByRole('button', { name: 'Voir tous les serveurs' }).press('Enter');
  await expect(health.getByRole('checkbox', { name: 'En alerte seulement' })).toBeFocused();
  await health.getByRole('checkbox', { name: 'En alerte seulement' }).check();
  await expect(page).toHaveURL(/alert=true/);

  await todoSection.getByRole('button', { name: '1 tâche n’a pas abouti' }).click();
  await expect(page.getByRole('radio', { name: 'Échecs' })).toBeChecked();
});

test('a failing section shows its error while the others work, and a hidden page sends no requests', async ({
  ownerPage: page,
}) => {
  for (const path of ['**/api/dashboard/summary', '**/api/servers/health?*'])
    await page.route(path, (route) => route.abort());
  await installClock(page);
  await page.goto('/');
  await expect(page.getByText('Les totaux n’ont pas pu être lus.')).toBeVisible();
  await expect(section(page, 'À traiter')).toContainText('Rien à traiter pour l’instant.');
  const health = section(page, 'Santé des serveurs');
  await clickRetry(page, health, () => page.unroute('**/api/servers/health?*'));
  await expect(health).toContainText('Aucun serveur pour l’instant.');
  await clickRetry(page, page.getByRole('main'), () => page.unroute('**/api/dashboard/summary'), 'Recompter');
  await expect(page.getByText('Les totaux n’ont pas pu être lus.')).toHaveCount(0);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await advanceClock(page, 21_000);
  await expect.poll(() => requests).toContain('/api/dashboard/activity');
  expect(requests).not.toContain('/api/dashboard/summary');
  await advanceClock(page, 40_000);
  await expect.poll(() => requests).toContain('/api/dashboard/summary');
  await hidePage(page);
  // Requests sent before the page was hidden are reported before this one.
  await page.evaluate(() => fetch('/apres'));
  await expect.poll(() => requests).toContain('/apres');
  requests.length = 0;
  await advanceClock(page, 61_000);
  expect(requests.filter((path) => path.startsWith('/api/dashboard/'))).toEqual([]);
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('servers are cards, sorted with a select field', async ({ page, owner }) => {
    await storeToken(page, owner.token);
    await mockHealth(page, 3);
    await page.goto('/');
    const health = section(page, 'Santé des serveurs');
    await health.getByLabel('Trier par').selectOption('Mémoire');
    await expect(page).toHaveURL('/?sort=mem');
    await health.getByRole('button', { name: 'Trier dans l’ordre décroissant' }).tap();
    await expect(page).toHaveURL('/?sort=-mem');
    await expect(health.getByRole('listitem')).toHaveCount(3);
  });
});
