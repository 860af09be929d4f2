import { expect } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { dock, main, openJobs, rows } from './dock';
import { storeToken } from './fixtures';
import { test } from './machines';
import { bearer, openSession } from './people';

test('each owner sees the jobs that an administrator started on the servers of several people', async ({
  page,
  request,
  owner,
  makePerson,
}) => {
  const clients = await Promise.all(
    ['web-01', 'web-02'].map(async (name) => {
      const token = await openSession(request, await makePerson());
      const data = { name, host: '127.0.0.1', port: 9, user: 'sh', auth: { password: 'x' } };
      const { id }: { id: string } = await (
        await request.post('/api/servers', { data, headers: bearer(token) })
      ).json();
      return { id, token };
    }),
  );
  const headers = { ...bearer(owner.token), 'x-admin-mode': '1', prefer: 'respond-async' };
  const answer = await request.post('/api/servers/test', { data: { ids: clients.map(({ id }) => id) }, headers });
  const { job_id: batch }: { job_id: string } = await answer.json();
  const readState = async () => (await (await request.get(`/api/jobs/${batch}`, { headers })).json()).state;
  await expect.poll(readState).toBe('failed');

  await storeToken(page, clients[0]?.token ?? '');
  await page.goto('/');
  await page.getByRole('region', { name: 'À traiter' }).getByText('1\u00a0tâche n’a pas abouti').click();
  await expect(main(page).getByRole('radio', { name: 'Échecs' })).toBeChecked();
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('link', { name: 'Test de connexion · web-01' }).click();
  await expect(main(page)).toContainText('Adresse non autorisée');
  await expect(main(page).getByRole('link', { name: 'Serveur web-01' })).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'Tout le lot' })).toHaveCount(0);

  const ownerKeys = { user_id: owner.id, is_admin: 'true' };
  await storeToken(page, owner.token, ownerKeys);
  await page.goto(`/tasks/${batch}`);
  await expect(main(page)).toContainText('Aucune tâche de ce lot ne vous appartient');
  await expect(main(page).getByRole('button', { name: /^Relancer/ })).toHaveCount(0);
  await storeToken(page, owner.token, { ...ownerKeys, admin_mode: '1' });
  await page.goto(`/tasks/${batch}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Test de connexion · web-0\d et 1\u00a0autre$/);
  await expect(main(page)).toContainText('2\u00a0échecs.');
  await expect(rows(page)).toHaveCount(2);
  await rows(page).getByRole('link', { name: 'web-02' }).click();
  await main(page).getByRole('link', { name: 'Tout le lot' }).click();
  await expect(main(page).getByRole('button', { name: 'Relancer les échecs', exact: true })).toBeVisible();
  for (const { id, token } of clients) await request.delete(`/api/servers/${id}`, { headers: bearer(token) });
});

test('a batch is one row that leads to its page, and its failed jobs are retried together', async ({
  ownerPage: page,
}) => {
  // The answers are faked, because two hundred hosts would have to fail for real ones.
  const baseJob = {
    kind: 'plugins.update',
    site_id: null,
    site_name: null,
    server_id: null,
    server_name: null,
    state: 'failed',
    progress: null,
    error: null,
    created_at: '2026-11-21T10:00:00.000Z',
    started_at: '2026-11-21T10:00:00.000Z',
    finished_at: '2026-11-21T10:02:05.000Z',
    attempts: 1,
    actor_name: 'Camille',
    batch_id: null,
    retry_of: null,
    is_cancelling: false,
    counts: null,
  };
  const jobId = (n: number) => `0192f0c1-7e57-7000-8000-${String(n).padStart(12, '0')}`;
  const counts = { total: 2, queued: 0, running: 0, succeeded: 1, failed: 1, cancelled: 0, unknown: 0 };
  const targets = { name: 'boutique.fr', count: 2, site_id: null, server_id: null };
  const batch = { ...baseJob, id: jobId(1), counts, targets };
  const child = { ...baseJob, batch_id: batch.id };
  const children = [
    { ...child, id: jobId(2), site_name: 'boutique.fr', error: { message: 'Plus de place.' } },
    { ...child, id: jobId(3), site_name: 'vitrine.fr', state: 'succeeded' },
  ];
  await page.route('**/api/jobs?*', (route) =>
    route.fulfill({ json: { items: route.request().url().includes('batch_id=') ? children : [batch] } }),
  );
  await page.route('**/api/jobs/*-*', (route) => route.fulfill({ json: { ...batch, log: [], result: null } }));
  await page.goto('/sites');
  await expect(dock(page)).toContainText(
    'plugins.update · boutique.fr et 1\u00a0autre · 1\u00a0réussie · 1\u00a0échec, il y a',
  );
  await openJobs(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('1\u00a0réussie · 1\u00a0échec');
  await expect(rows(page)).toContainText('2\u00a0min 05\u00a0s');
  await rows(page).getByRole('link', { name: 'plugins.update · boutique.fr et 1\u00a0autre' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('Plus de place.');
  await expect(main(page)).toContainText('en 2\u00a0min 05\u00a0s');
  await page.goBack();
  const retryRequest = page.waitForRequest((request) => request.method() === 'POST');
  await rows(page).getByRole('button', { name: 'Relancer les échecs\u00a0: plugins.update' }).click();
  expect((await retryRequest).url()).toMatch(new RegExp(`/api/jobs/${batch.id}/retry$`));

  // Retrying a large batch or a restore needs a confirmation, and these lists have more than one page.
  const makeJobs = (from: number, count: number, state: string) =>
    Array.from({ length: count }, (_, n) => ({
      ...baseJob,
      state,
      id: jobId(from + n),
      site_name: `site-${from + n}.fr`,
    }));
  const failedBatch = {
    ...batch,
    id: jobId(10),
    counts: { ...counts, total: 201, succeeded: 0, failed: 2, cancelled: 199 },
  };
  const cancelledBatch = {
    ...batch,
    id: jobId(11),
    state: 'cancelled',
    counts: { ...counts, succeeded: 0, failed: 0, cancelled: 2 },
  };
  const restore = { ...baseJob, id: jobId(12), kind: 'backups.restore', about: 'a.wpress', site_name: 'boutique.fr' };
  const listJobs = (query: URLSearchParams) => {
    if (query.has('batch_id'))
      return query.has('before') ? makeJobs(900, 1, 'cancelled') : makeJobs(300, 200, 'failed');
    if (query.get('state') === 'failures') return [failedBatch, restore];
    if (query.has('before')) return makeJobs(800, 1, 'succeeded');
    return [failedBatch, cancelledBatch, restore, ...makeJobs(100, 47, 'succeeded')];
  };
  await page.unroute('**/api/jobs?*');
  await page.route('**/api/jobs/*-*', (route) => route.fulfill({ json: { ...failedBatch, log: [], result: null } }));
  await page.route('**/api/jobs?*', (route) =>
    route.fulfill({ json: { items: listJobs(new URL(route.request().url()).searchParams) } }),
  );
  await page.reload();
  await expect(rows(page)).toHaveCount(50);
  await main(page).getByRole('button', { name: 'Afficher plus' }).click();
  await expect(rows(page)).toHaveCount(51);
  await expect(main(page).getByRole('button', { name: 'Afficher plus' })).toHaveCount(0);
  // The focused button has disappeared, so another element of the dock takes the focus.
  await expect(main(page).locator(':focus')).toBeVisible();
  await main(page).getByRole('radio', { name: 'Échecs' }).check();
  await expect(rows(page)).toHaveCount(2);
  await rows(page)
    .getByRole('link', { name: /^plugins\.update/ })
    .click();
  await expect(main(page)).toContainText('200 sur 201');
  await main(page).getByRole('button', { name: 'Afficher plus' }).click();
  await expect(rows(page)).toHaveCount(201);
  await page.goBack();
  await main(page).getByRole('button', { name: 'Relancer les échecs\u00a0: plugins.update' }).click();
  const retryDialog = page.getByRole('dialog', { name: 'Relancer 2\u00a0tâches\u202f?' });
  await expect(retryDialog).toContainText('199\u00a0tâches annulées ne le sont pas.');
  await expectNoDialogFaults(retryDialog);
  const failedRetry = page.waitForRequest((request) => request.method() === 'POST');
  await retryDialog.getByRole('button', { name: 'Relancer les échecs' }).click();
  expect((await failedRetry).url()).toMatch(new RegExp(`/api/jobs/${failedBatch.id}/retry$`));
  await expect(retryDialog.getByRole('alert')).toContainText('n’existe plus');
  await retryDialog.getByRole('button', { name: 'Annuler' }).click();
  await main(page).getByRole('radio', { name: 'Toutes' }).check();
  await main(page).getByRole('button', { name: 'Relancer les annulées\u00a0: plugins.update' }).click();
  const cancelledRetry = page.waitForRequest((request) => request.method() === 'POST');
  await retryDialog.getByRole('button', { name: 'Relancer les annulées' }).click();
  expect((await cancelledRetry).url()).toMatch(new RegExp(`/api/jobs/${cancelledBatch.id}/retry$`));
  await expect(retryDialog.getByRole('alert')).toContainText('n’existe plus');
  await page.keyboard.press('Escape');
  await main(page).getByRole('button', { name: 'Relancer\u00a0: Restauration · boutique.fr · a.wpress' }).click();
  const restoreDialog = page.getByRole('dialog', { name: 'Relancer la restauration de boutique.fr\u202f?' });
  await expect(restoreDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expect(restoreDialog.getByRole('button', { name: 'Relancer' })).toBeDisabled();
  await expectNoDialogFaults(restoreDialog);
  await restoreDialog.getByRole('textbox', { name: 'Tapez RESTORE pour confirmer' }).fill('RESTORE');
  const restoreRetry = page.waitForRequest((request) => request.method() === 'POST');
  await page.keyboard.press('Enter');
  expect((await restoreRetry).url()).toMatch(new RegExp(`/api/jobs/${restore.id}/retry$`));
  await expect(restoreDialog.getByRole('alert')).toContainText('n’existe plus');
  await restoreDialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(restoreDialog).toBeHidden();
});
