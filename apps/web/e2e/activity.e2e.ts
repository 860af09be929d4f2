import { expect, type Page } from '@playwright/test';
import { clickRetry, installClock } from './fixtures';
import { bearer, type Person, test } from './people';

const feed = (page: Page) => page.getByRole('region', { name: 'Activité récente' });

/** Makes ten changes, more than the feed shows at first. */
async function fillFeed(page: Page, person: Person, token: string): Promise<void> {
  const headers = bearer(token);
  for (let n = 0; n < 10; n += 1) {
    const data = { first_name: `Camille ${n}` };
    expect((await page.request.put(`/api/admin/users/${person.id}`, { data, headers })).status()).toBe(200);
  }
  // Other stories act as the same administrator, so the last change may stand far down the feed.
  const hasLastChange = async () => {
    const answer = await page.request.get('/api/dashboard/activity?limit=50', { headers });
    const { items }: { items: { details: object }[] } = await answer.json();
    return items.some(({ details }) => JSON.stringify(details).includes('Camille 9'));
  };
  await expect.poll(hasLastChange).toBe(true);
}

test('the feed shows an error when it cannot be read, keeps its lines and can be retried', async ({
  loggedIn: page,
  person,
  adminSession,
}) => {
  await fillFeed(page, person, adminSession.access_token);
  await page.route('**/api/dashboard/activity**', (route) => route.abort());
  await installClock(page);
  await page.goto('/');
  await expect(feed(page).getByText('Impossible de charger l’activité récente.')).toBeVisible();
  await clickRetry(page, feed(page), () => page.unroute('**/api/dashboard/activity**'));
  await expect(feed(page).getByText('a modifié le compte de').first()).toBeVisible();
  await page.route('**/api/dashboard/activity**', (route) => route.abort());
  await feed(page).getByRole('button', { name: 'Afficher plus' }).click();
  await expect(feed(page).getByText('Impossible de charger l’activité récente.')).toBeVisible();
  await expect(feed(page).getByText('a modifié le compte de').first()).toBeVisible();
});

const anne = '0192f0c1-7e57-7000-8000-0000000000a1';
const vitrine = '0192f0c1-7e57-7000-8000-0000000000b1';
const batch = '0192f0c1-7e57-7000-8000-0000000000c1';

const line = (n: number, fields: object) => ({
  id: `0192f0c1-7e57-7000-8000-${String(n).padStart(12, '0')}`,
  type: 'plugin_update',
  actor_name: 'Anne',
  site_id: vitrine,
  site_name: 'vitrine.fr',
  server_id: null,
  server_name: null,
  job_id: null,
  batch_id: null,
  details: { name: 'Akismet', from: '5.1', to: '5.3', state: 'succeeded' },
  created_at: new Date(Date.now() - n * 60_000).toISOString(),
  run: null,
  ...fields,
});

/** Serves a feed with one batch in it. A story may add to `lines` while the page polls. */
async function mockFeed(page: Page, lines: object[]): Promise<string[]> {
  const requests: string[] = [];
  await page.route('**/api/dashboard/activity?*', (route) => {
    const { search } = new URL(route.request().url());
    requests.push(search);
    const batchLines = [line(1, { batch_id: batch, job_id: batch }), line(2, { batch_id: batch, job_id: batch })];
    return route.fulfill({ json: { items: search.includes('batch_id') ? batchLines : lines } });
  });
  const choices = { people: [{ id: anne, name: 'Anne' }], sites: [{ id: vitrine, name: 'vitrine.fr' }] };
  await page.route('**/api/dashboard/activity/choices', (route) => route.fulfill({ json: choices }));
  return requests;
}

test('a batch unfolds, lines link to their subjects, and the URL keeps the filters', async ({ loggedIn: page }) => {
  const lines = [
    line(1, { batch_id: batch, run: { id: batch, lines: 60, sites: 5, failed: 3, undone: 1 } }),
    line(3, {
      type: 'server_create',
      site_id: null,
      site_name: null,
      server_id: anne,
      server_name: 'web-03',
      details: {},
    }),
    line(4, { job_id: anne }),
  ];
  const requests = await mockFeed(page, lines);
  await page.goto('/');
  await expect(feed(page)).toContainText('2\u00a0sans succès');
  await expect(feed(page)).toContainText('1\u00a0annulée, site rétabli');
  const run = feed(page).getByRole('button', { name: /a lancé 60\smises à jour sur 5\ssites/ });
  await run.press('Enter');
  await expect(run).toHaveAttribute('aria-expanded', 'true');
  await expect(feed(page)).toContainText('et 58\u00a0autres');
  await run.press('Enter');
  await expect(feed(page).getByText('58\u00a0autres')).toHaveCount(0);
  await feed(page).getByRole('link', { name: 'web-03' }).click();
  await expect(page).toHaveURL(`/servers/${anne}`);
  await page.goBack();
  await feed(page).getByRole('link', { name: 'vitrine.fr' }).click();
  await expect(page).toHaveURL(`/sites/${vitrine}`);
  await page.goBack();
  await feed(page).getByLabel('Filtrer par personne').selectOption('Anne');
  await feed(page).getByLabel('Filtrer par type d’activité').selectOption('Sauvegardes');
  await feed(page).getByLabel('Filtrer par site').selectOption('vitrine.fr');
  await expect(page).toHaveURL(`/?person=${anne}&kind=backups&site=${vitrine}`);
  await expect.poll(() => requests.at(-1)).toContain(`kind=backups&actor_id=${anne}&site_id=${vitrine}`);
  await page.reload();
  await expect(feed(page).getByLabel('Filtrer par site')).toHaveValue(vitrine);
  await feed(page).getByRole('button', { name: 'Tout afficher' }).press('Enter');
  await expect(feed(page).getByLabel('Filtrer par personne')).toBeFocused();
  await expect(page).toHaveURL('/');
  await feed(page)
    .getByRole('link', { name: /^Voir la tâche/ })
    .last()
    .click();
  await expect(page).toHaveURL(`/tasks/${anne}`);
});

test('new lines wait while the list has the focus, and a batch that cannot be read can be retried', async ({
  loggedIn: page,
}) => {
  const lines = [line(1, { batch_id: batch, run: { id: batch, lines: 2, sites: 1, failed: 0 } })];
  await mockFeed(page, lines);
  await installClock(page);
  await page.goto('/');
  const batchButton = feed(page).getByRole('button', { name: /a lancé/ });
  await batchButton.focus();
  lines.unshift(line(0, { type: 'login', site_id: null, site_name: null, details: {} }));
  await page.clock.runFor(21_000);
  const showMore = feed(page).getByRole('button', { name: /^Afficher 1\snouvelle ligne/ });
  await expect(showMore).toBeVisible();
  await expect(feed(page).getByText('a ouvert une session')).toHaveCount(0);
  await showMore.press('Enter');
  await expect(feed(page).getByText('a ouvert une session')).toBeVisible();
  // The button disappears, so the list takes the focus and shows new lines again.
  await expect(feed(page).getByRole('list', { name: 'Activité récente' })).toBeFocused();
  lines.unshift(
    line(5, {
      type: 'settings_edit',
      site_id: null,
      site_name: null,
      details: {},
      created_at: new Date().toISOString(),
    }),
  );
  await page.clock.runFor(21_000);
  await expect(feed(page).getByText('a modifié les paramètres')).toBeVisible();
  await page.route('**/api/dashboard/activity?*batch_id*', (route) => route.abort());
  await batchButton.click();
  await expect(feed(page).getByText('Le détail de ce lot n’a pas pu être lu.')).toBeVisible();
  await page.unroute('**/api/dashboard/activity?*batch_id*');
  await feed(page).getByRole('button', { name: 'Relire le lot' }).click();
  await expect(feed(page).getByText('a mis à jour le plugin')).toHaveCount(2);
});
