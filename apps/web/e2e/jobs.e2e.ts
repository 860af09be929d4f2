import { readFileSync } from 'node:fs';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { dock, indicator, main, openJobs, openNewest, rows } from './dock';
import {
  advanceClock,
  awaitAnswers,
  clickRetry,
  hidePage,
  installClock,
  pauseRequests,
  recordApiCalls,
} from './fixtures';
import { test } from './machines';
import { bearer } from './people';
import { desktop, expectNoOverflow, onPhone } from './sizes';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const log = (page: Page) => main(page).getByRole('log', { name: 'Journal' });
const closedPort = { port: 9 };

/** Starts a job of this server through the API, as the same person would in another tab. */
async function startJob(request: APIRequestContext, token: string, path: string): Promise<string> {
  const headers = { ...bearer(token), prefer: 'respond-async' };
  const answer = await request.post(`/api/servers/${path}`, { headers, data: {} });
  expect(answer.status(), await answer.text()).toBe(202);
  const { job_id: id }: { job_id: string } = await answer.json();
  return id;
}

const startTest = (request: APIRequestContext, token: string, serverId: string) =>
  startJob(request, token, `${serverId}/test`);
const startDiscovery = (request: APIRequestContext, token: string, serverId: string) =>
  startJob(request, token, `${serverId}/discover`);

const waitForJobEnd = (request: APIRequestContext, token: string, id: string): Promise<void> =>
  expect
    .poll(async () => {
      const job: { finished_at: string | null } = await (
        await request.get(`/api/jobs/${id}`, { headers: bearer(token) })
      ).json();
      return job.finished_at;
    })
    .not.toBeNull();

test('a new user has no jobs, and the dock can be opened for its consoles, closed and hidden', async ({
  ownerPage: page,
}) => {
  await page.goto('/sites');
  await expect(indicator(page)).toBeVisible();
  await expect(dock(page)).toBeHidden();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Ouvrir les tâches');
  await page.keyboard.press('Escape');
  await openJobs(page);
  await expect(main(page).getByText('Aucune tâche pour l’instant.')).toBeVisible();
  await page.keyboard.press('c');
  await expect(dock(page).getByText('Aucune console ouverte.')).toBeVisible();
  await expect(dock(page)).toContainText('Aucune tâche');
  expect((await dock(page).boundingBox())?.height).toBe(320);
  await dock(page).getByRole('button', { name: 'Consoles', exact: true }).click();
  await expect(dock(page).getByText('Aucune console ouverte.')).toBeHidden();
  expect((await dock(page).boundingBox())?.height).toBe(40);
  await dock(page).getByRole('button', { name: 'Masquer les tâches et consoles' }).click();
  await expect(dock(page)).toBeHidden();
  await page.reload();
  await expect(indicator(page)).toBeVisible();
  await expect(dock(page)).toBeHidden();
});

test('a running job is counted in the header and in the titles of pages', async ({
  ownerPage: page,
  request,
  owner,
  slowHost,
  makeServer,
}) => {
  const { id } = await makeServer(slowHost.host, { name: 'web-01' });
  await page.goto(`/servers/${id}`);
  await startDiscovery(request, owner.token, id);
  await expect(indicator(page)).toHaveAccessibleName('Tâches\u00a0: 1\u00a0en cours');
  await expect(page).toHaveTitle('(1) ⏳ web-01 · Vigie');
  await page.getByRole('link', { name: 'Serveurs', exact: true }).first().click();
  await expect(page).toHaveURL('/servers');
  await indicator(page).click();
  await expect(page).toHaveURL('/tasks');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Découverte des sites · web-01');
  await expect(rows(page)).toContainText('En cours');
  // With reduced motion a running job is shown by text, without animations.
  await expect(indicator(page)).toContainText('1');
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  slowHost.release();
  await expect(rows(page)).toContainText('Réussie');
});

test('a running test is followed in the dock and on its page, across reloads, and its log is kept', async ({
  ownerPage: page,
  context,
  host,
  makeServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await makeServer(host, { name: 'web-01' });
  await page.goto(`/servers/${id}`);
  // The worker waits at most fifteen seconds for the stopped host.
  host.signal('SIGSTOP');
  await page.getByRole('button', { name: 'Tester la connexion', exact: true }).click();
  await indicator(page).click();
  await expect(rows(page)).toContainText('Test de connexion · web-01');
  await expect(rows(page).getByRole('progressbar')).toHaveAttribute('max', '10');
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  await expect(dock(page).getByRole('progressbar')).toHaveAttribute('max', '10');
  await openNewest(page, 'Test de connexion · web-01');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Test de connexion · web-01');
  await expect(page.getByRole('navigation', { name: 'Fil d’Ariane' })).toContainText('Tâches');
  await expect(log(page)).toContainText('Adresse\u00a0: 127.0.0.1');
  const followButton = main(page).getByRole('button', { name: 'Suivre le journal' });
  await followButton.click();
  await expect(followButton).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await expect(log(page)).toContainText('Connexion\u00a0:');
  await expect(page).toHaveTitle('(1) ⏳ Test de connexion · web-01 · Vigie');

  host.signal('SIGCONT');
  await expect(main(page).getByText('Réussie', { exact: true })).toBeVisible();
  await expect(log(page)).toContainText('Horloge\u00a0:');
  await expect(page).toHaveTitle('Test de connexion · web-01 · Vigie');
  await expect(dock(page)).toContainText('Test de connexion · web-01 · Réussie, à l’instant');
  await expect(toasts(page).getByRole('listitem')).toHaveCount(0);

  await test.step('its log can be searched, copied and downloaded', async () => {
    await expect(log(page).getByText(/^Horloge/)).toBeVisible();
    await main(page).getByRole('searchbox').fill('authentification');
    await expect(main(page).getByText('1\u00a0ligne')).toBeVisible();
    await expect(log(page).getByText(/^Horloge/)).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(log(page).getByText(/^Horloge/)).toBeVisible();
    await main(page).getByRole('button', { name: 'Copier le journal' }).click();
    await expect(main(page).getByRole('button', { name: 'Journal copié' })).toBeVisible();
    const clipboardText = await page.evaluate(() => navigator.clipboard.readText());
    expect(clipboardText).toContain('Test de connexion · web-01\u00a0: Réussie');
    const download = page.waitForEvent('download');
    await main(page).getByRole('button', { name: 'Télécharger le journal' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^servers\.test-web-01-[0-9a-f-]+\.log$/);
    expect(readFileSync(await file.path(), 'utf8')).toBe(clipboardText);
  });
  await main(page).getByRole('link', { name: 'Serveur web-01' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('web-01');
  await expect(page).toHaveURL(`/servers/${id}`);
});

test('a person who started a job and moved to another screen is told once when it ends', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01' });
  await page.goto(`/servers/${id}`);
  host.signal('SIGSTOP');
  const releaseTest = await pauseRequests(page, '**/test');
  await page.getByRole('button', { name: 'Tester la connexion', exact: true }).click();
  await expect(page.getByText('Test en cours…')).toBeVisible();
  // The page is left before the answer, so the toast has to report the result.
  await page.getByRole('link', { name: 'Serveurs', exact: true }).first().click();
  await expect(page).toHaveURL('/servers');
  releaseTest();
  await expect(indicator(page)).toHaveAccessibleName('Tâches\u00a0: 1\u00a0en cours');
  await expect(page).toHaveURL('/servers');
  await page.reload();
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  host.signal('SIGCONT');
  await expect(toasts(page)).toContainText('Réussie\u00a0: Test de connexion · web-01');
  await expect(toasts(page).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('link', { name: 'Serveurs', exact: true }).first().click();
  await page.getByRole('link', { name: 'web-01', exact: true }).click();
  // The first connection pinned the host key.
  await expect(page.getByRole('region', { name: 'Accès par clé' })).toContainText(host.hostKey);
});

test('a running job is cancelled after a confirmation', async ({
  ownerPage: page,
  request,
  owner,
  slowHost,
  makeServer,
}) => {
  const { id } = await makeServer(slowHost.host, { name: 'web-01' });
  const job = await startDiscovery(request, owner.token, id);
  await page.goto(`/tasks/${job}`);
  // The name of its progress bar, once there is one, says the same.
  await expect(main(page).getByText('En cours', { exact: true }).first()).toBeVisible();
  await main(page).getByRole('button', { name: 'Annuler' }).click();
  const dialog = page.getByRole('dialog', { name: 'Annuler cette tâche en cours\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Laisser continuer' })).toBeFocused();
  await expectNoDialogFaults(dialog);
  await dialog.getByRole('button', { name: 'Laisser continuer' }).click();
  await expect(dialog).toBeHidden();
  // The error of a refused cancellation disappears when the dialog opens again.
  await page.route('**/cancel', (route) => route.fulfill({ status: 503, json: { detail: 'Un service manque.' } }));
  await main(page).getByRole('button', { name: 'Annuler' }).click();
  await dialog.getByRole('button', { name: 'Annuler la tâche' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Un service manque.');
  await dialog.getByRole('button', { name: 'Laisser continuer' }).click();
  await page.unroute('**/cancel');
  await main(page).getByRole('button', { name: 'Annuler' }).click();
  await expect(dialog.getByRole('button', { name: 'Laisser continuer' })).toBeFocused();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Laisser continuer' }).click();
  await indicator(page).click();
  await rows(page).getByRole('button', { name: 'Annuler\u00a0: Découverte des sites · web-01' }).click();
  await dialog.getByRole('button', { name: 'Annuler la tâche' }).click();
  await expect(rows(page).getByText('Annulée', { exact: true })).toBeVisible();
  await expect(indicator(page)).toHaveAccessibleName('Tâches');
});

test('a job that waits for a free slot on its host is cancelled at once', async ({
  ownerPage: page,
  request,
  owner,
  slowHost,
  makeServer,
}) => {
  const ids: string[] = [];
  for (const name of ['web-01', 'web-02', 'web-03', 'web-04']) ids.push((await makeServer(slowHost.host, { name })).id);
  for (const id of ids) await startDiscovery(request, owner.token, id);
  await page.goto('/');
  await expect(indicator(page)).toHaveAccessibleName('Tâches\u00a0: 4\u00a0en cours');
  await dock(page).getByRole('link', { name: 'et 3\u00a0autres tâches' }).click();
  await expect(page).toHaveURL('/tasks?show=open');
  await main(page).getByRole('radio', { name: 'Toutes' }).check();
  const queuedRow = rows(page).filter({ hasText: 'web-04' });
  await expect(queuedRow).toContainText('En file');
  await queuedRow.getByRole('button', { name: /^Annuler/ }).click();
  await expect(queuedRow).toContainText('Annulée');
  await queuedRow.getByRole('button', { name: /^Relancer/ }).click();
  await expect(rows(page).filter({ hasText: 'web-04' })).toHaveCount(2);
  slowHost.release();
  await rows(page).getByRole('link', { name: 'Réussie depuis\u00a0: Découverte des sites · web-04' }).click();
  await expect(main(page).getByText('Réussie', { exact: true }).first()).toBeVisible();
  await main(page).getByRole('link', { name: 'Tâche d’origine' }).click();
  await expect(main(page).getByRole('link', { name: 'Réussie depuis' })).toBeVisible();
  await expect(main(page).getByRole('button', { name: 'Relancer' })).toHaveCount(0);
});

test('arrow keys move between rows, the dock never covers the focus, and failures are taken note of or retried', async ({
  ownerPage: page,
  request,
  owner,
  makeServer,
}) => {
  const jobs: string[] = [];
  for (const name of ['web-01', 'web-02', 'web-03']) {
    const { id } = await makeServer(closedPort, { name });
    const job = await startTest(request, owner.token, id);
    await waitForJobEnd(request, owner.token, job);
    jobs.push(job);
  }
  await page.goto('/servers');
  await expect(dock(page)).toContainText('Test de connexion · web-03');
  await page.setViewportSize({ width: 1440, height: 640 });
  const lastButton = main(page).getByRole('button').last();
  const measureEdges = async () => {
    const [button, dockBox] = [await lastButton.boundingBox(), await dock(page).boundingBox()];
    if (!button || !dockBox) throw new Error('not drawn');
    return { button: button.y + button.height, dock: dockBox };
  };
  // The page must follow the new window height first, or the focus scrolls to a position of the old height.
  await expect.poll(async () => (await measureEdges()).dock.y + (await measureEdges()).dock.height).toBeLessThan(640);
  await lastButton.focus();
  const { button, dock: dockBox } = await measureEdges();
  expect(button).toBeLessThanOrEqual(dockBox.y);
  await page.setViewportSize(desktop);

  await openJobs(page);
  const link = (name: string) => rows(page).getByRole('link', { name: `Test de connexion · ${name}` });
  await link('web-03').focus();
  await page.keyboard.press('ArrowDown');
  await expect(link('web-02')).toBeFocused();
  await page.keyboard.press('End');
  await expect(link('web-01')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(rows(page).getByRole('button', { name: 'Relancer\u00a0: Test de connexion · web-01' })).toBeFocused();

  await test.step('a failure that was taken note of leaves the failures, and the focus goes on to the next', async () => {
    await main(page).getByRole('radio', { name: 'Échecs' }).check();
    await expect(page).toHaveURL('/tasks?show=failed');
    await expect(rows(page)).toHaveCount(3);
    await rows(page).getByRole('button', { name: 'Prendre en compte\u00a0: Test de connexion · web-01' }).click();
    await expect(rows(page)).toHaveCount(2);
    await expect(link('web-03')).toBeFocused();
    await link('web-02').click();
    await main(page).getByRole('button', { name: 'Prendre en compte', exact: true }).click();
    await expect(main(page)).toContainText(/Pris en compte par .+ à l’instant/);
    await expect(main(page).getByRole('button', { name: 'Prendre en compte', exact: true })).toHaveCount(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(page.getByRole('region', { name: 'À traiter' })).toContainText('1\u00a0tâche n’a pas abouti');
  });

  await test.step('a failed job shows its reason and is retried as a new job', async () => {
    await openJobs(page);
    await link('web-03').click();
    await expect(page).toHaveURL(`/tasks/${jobs.at(-1)}`);
    await expect(main(page)).toContainText('127.0.0.1 refuse les connexions au port 9.');
    await main(page).getByRole('button', { name: 'Relancer' }).click();
    await expect(page).not.toHaveURL(`/tasks/${jobs.at(-1)}`);
    await main(page).getByRole('link', { name: 'Tâche d’origine' }).click();
    await expect(page).toHaveURL(`/tasks/${jobs.at(-1)}`);
    await page.getByRole('navigation', { name: 'Fil d’Ariane' }).getByRole('link', { name: 'Tâches' }).click();
    await expect(rows(page)).toHaveCount(4);
    await main(page).getByRole('radio', { name: 'En cours' }).check();
    await expect(main(page).getByText('Rien n’est en cours.')).toBeVisible();
    await main(page).getByRole('button', { name: 'Toutes les tâches' }).click();
    await expect(rows(page)).toHaveCount(4);
  });
});

test('a failed load shows an error, and a link to a missing or foreign job the usual page', async ({
  ownerPage: page,
}) => {
  await installClock(page);
  await page.route('**/api/jobs?*', (route) => route.abort());
  await page.goto('/tasks');
  await expect(main(page).getByText('Impossible de charger les tâches.')).toBeVisible();
  await clickRetry(page, main(page), () => page.unroute('**/api/jobs?*'));
  await expect(main(page).getByText('Aucune tâche pour l’instant.')).toBeVisible();
  // An address of an earlier release.
  await page.goto('/sites?tache=0192f0c1-7e57-7000-8000-000000000001');
  await expect(page).toHaveURL('/tasks/0192f0c1-7e57-7000-8000-000000000001');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page introuvable');
});

test('an idle page polls its jobs slowly, and a hidden page not at all', async ({ ownerPage: page }) => {
  await installClock(page);
  const calls = recordApiCalls(page);
  const countRequests = () => calls.filter((call) => call.url().includes('/api/jobs?')).length;
  await page.goto('/sites');
  await expect.poll(countRequests).toBe(2);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The polling interval starts when the previous answer arrives.
  const advanceFourSeconds = () => page.clock.runFor(4_000).then(countRequests);
  await expect.poll(advanceFourSeconds).toBe(3);
  await awaitAnswers(page);
  await hidePage(page);
  await advanceClock(page, 120_000);
  expect(countRequests()).toBe(3);
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('the log of a job is read on its page', async ({ ownerPage: page, request, owner, makeServer }) => {
    const { id } = await makeServer(closedPort, { name: `web-${'long'.repeat(20)}` });
    await waitForJobEnd(request, owner.token, await startTest(request, owner.token, id));
    await page.goto('/');
    await indicator(page).tap();
    await expectNoOverflow(page);
    await rows(page)
      .getByRole('link', { name: /^Test de connexion/ })
      .tap();
    await expect(log(page)).toContainText('Connexion\u00a0:');
    await expectNoOverflow(page);
    await main(page).getByRole('button', { name: 'Relancer', exact: true }).tap();
    await expect(main(page).getByRole('link', { name: 'Tâche d’origine' })).toBeVisible();
    await indicator(page).tap();
    await expect(rows(page)).toHaveCount(2);
  });
});
