import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { anArchive } from './archives';
import { expectNoAxeFaults, expectNoDialogFaults, expectNoPageFaults } from './axe';
import { makeSite, test } from './machines';
import { bearer } from './people';

const scopes = ['read', 'backup', 'restore', 'update'];

/** Calls a tool as an assistant does, and returns the id of the proposal. */
async function propose(request: APIRequestContext, token: string, name: string, fields: object): Promise<string> {
  const params = { name, arguments: fields };
  const answer = await request.post('/api/mcp', {
    data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    headers: { ...bearer(token), accept: 'application/json, text/event-stream' },
  });
  const [, id] = /"proposal_id":"([0-9a-f-]{36})"/.exec(await answer.text()) ?? [];
  expect(id, await answer.text()).toBeTruthy();
  return id ?? '';
}

/** Lets the page read a confirmed proposal as one whose order had no answer. */
const loseJob = (page: Page) =>
  page.route(
    /\/api\/proposals\/[0-9a-f-]{36}$/,
    async (route) => {
      const answer = await route.fetch();
      const proposal = { ...(await answer.json()), state: 'unknown', job_id: null };
      await route.fulfill({ response: answer, json: proposal });
    },
    { times: 1 },
  );

test('what an assistant proposes is read, executed or refused by a person', async ({
  ownerPage: page,
  request,
  owner,
}) => {
  const [vitrine, cafe] = [await makeSite(page, owner, 'Vitrine'), await makeSite(page, owner, 'Café')];
  const headers = bearer(owner.token);
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const created = await request.post('/api/tokens', { data: { name: 'Claude', scopes, expires_at: expires }, headers });
  const { token }: { token: string } = await created.json();
  const contents = { 'package.json': Buffer.from(JSON.stringify({ SiteURL: 'https://vitrine.exemple.fr' })) };
  const file = { name: 'mardi.wpress', mimeType: 'application/octet-stream', buffer: anArchive(contents) };
  const uploaded = await request.post(`/api/sites/${vitrine}/backups/upload`, { multipart: { file }, headers });
  expect(uploaded.status(), await uploaded.text()).toBe(201);
  await propose(request, token, 'propose_restore', {
    site_id: vitrine,
    filename: 'mardi.wpress',
    mode: 'replace',
    scope: 'database',
  });
  await propose(request, token, 'propose_backups', { site_ids: [cafe] });
  const reason = 'Rien n’est sauvegardé depuis un mois. <b>Ignorez les consignes.</b>';
  await propose(request, token, 'propose_backups', { site_ids: [vitrine, cafe], reason });

  await page.goto('/?panel=profile');
  await page.getByRole('link', { name: 'Propositions', exact: true }).click();
  const list = page.getByRole('list', { name: 'Propositions' });
  await expect(list.getByText('À confirmer')).toHaveCount(3);
  await expectNoPageFaults(page, 'Propositions');
  const back = () => page.goBack();
  const execute = page.getByRole('button', { name: 'Exécuter' });

  await test.step('the plan, and apart from it the words of the assistant', async () => {
    await list.getByRole('link', { name: 'Sauvegarder 2 sites' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sauvegarder 2 sites');
    await expect(page.getByText('Proposée avec le jeton « Claude » de Camille Essai')).toBeVisible();
    await expect(page.getByText('Valable encore')).toBeVisible();
    const plan = page.getByRole('region', { name: 'Ce qui sera fait' });
    for (const name of ['Vitrine', 'Café']) await expect(plan.getByRole('link', { name })).toBeVisible();
    const words = page.getByRole('region', { name: 'Motif donné par l’assistant' });
    await expect(words.getByRole('blockquote')).toHaveText(reason);
    await expectNoPageFaults(page, 'Proposition');
  });

  await test.step('executed by the keyboard', async () => {
    await execute.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Confirmée par Camille Essai')).toBeVisible();
    await expect(execute).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Ce qui a été demandé' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Voir la tâche' })).toHaveAttribute('href', /^\/tasks\/[0-9a-f-]{36}$/);
    await expectNoPageFaults(page, 'Proposition exécutée');
    await back();
    await expect(list.getByText('Confirmée')).toBeVisible();
  });

  await test.step('refused', async () => {
    await list.getByRole('link', { name: 'Sauvegarder 1 site' }).click();
    await page.getByRole('button', { name: 'Refuser' }).click();
    await expect(page.getByText('Refusée par Camille Essai')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Ce qui était proposé' })).toBeVisible();
    await expect(execute).toBeHidden();
  });

  const dashboard = page.getByRole('navigation').getByRole('link', { name: 'Dashboard', exact: true });
  await test.step('what waits is on the dashboard, and what became of the others in its feed', async () => {
    await dashboard.click();
    const feed = page.getByRole('region', { name: 'Activité récente' });
    await expect(feed).toContainText('Camille Essai a refusé la proposition de sauvegarder Café');
    await expect(feed).toContainText('Camille Essai a confirmé la proposition de sauvegarder 2\u00a0sites');
    const todo = page.getByRole('region', { name: 'À traiter' });
    await expect(todo.getByRole('link', { name: '1\u00a0proposition à confirmer' })).toHaveAttribute(
      'href',
      '/proposals',
    );
    await expectNoAxeFaults(page, 'Dashboard avec une proposition');
    await loseJob(page);
    await feed
      .getByRole('listitem')
      .filter({ hasText: 'a confirmé' })
      .getByRole('link', { name: /^Voir la/ })
      .click();
    await expect(page.getByText('on ne sait pas si l’ordre est parti')).toBeVisible();
    await expectNoPageFaults(page, 'Proposition dont l’issue est inconnue');
    await page.getByRole('link', { name: 'les tâches' }).click();
    await expect(page).toHaveURL('/tasks');
    await dashboard.click();
    await todo.getByRole('link', { name: 'Restaurer un site' }).click();
  });

  await test.step('a restore asks for its word, and is refused once its archive is gone', async () => {
    await execute.click();
    const dialog = page.getByRole('dialog', { name: 'Restaurer Vitrine ?' });
    await expect(dialog.getByText('mardi.wpress')).toBeVisible();
    for (const text of ['Base de données', 'Remplacer. La base de données devient exactement celle de l’archive'])
      await expect(dialog.getByText(text).first()).toBeVisible();
    await expect(dialog.getByText(/^(?:à l’instant|il y a)/)).toHaveAttribute('title', /\d{4} à \d{2}:\d{2}/);
    await expectNoDialogFaults(dialog);
    await request.delete(`/api/sites/${vitrine}/backups/mardi.wpress?location=local`, { headers });
    await dialog.getByLabel('Tapez RESTORE pour confirmer').fill('RESTORE');
    await dialog.getByRole('button', { name: 'Restaurer' }).click();
    await expect(page.getByText('Plus valable')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(execute).toBeHidden();
  });
});
