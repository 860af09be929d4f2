import { expect, type Page } from '@playwright/test';
import { clickRetry, installClock, recordApiCalls, storeToken } from './fixtures';
import { test } from './machines';
import { bearer, openSession } from './people';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const names = (page: Page) => page.getByRole('table').getByRole('rowheader');
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader').filter({ hasText: new RegExp(`^${name}$`) }) });
const recordWrites = (page: Page) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => call.method() !== 'GET');
};

test('groups can be reloaded and nested, and a blank name is marked without a request', async ({ ownerPage: page }) => {
  const form = page.getByRole('dialog', { name: 'Nouveau groupe' });
  await test.step('a failed load and a failed creation show errors', async () => {
    await installClock(page);
    await page.route('**/api/groups', (route) => route.abort());
    await page.goto('/groups');
    await expect(toasts(page)).toContainText('Impossible de charger les groupes.');
    await expect(page.getByRole('main').getByText('Impossible de charger les groupes.')).toBeVisible();
    await page.getByRole('button', { name: 'Nouveau groupe' }).click();
    await form.getByLabel('Nom').fill('Clients');
    await form.getByRole('button', { name: 'Créer le groupe' }).click();
    await expect(form.getByRole('alert')).toHaveText('Échec de création du groupe.');
    await form.getByRole('button', { name: 'Annuler' }).click();
    await page.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
    await clickRetry(page, page.getByRole('main'), () => page.unroute('**/api/groups'));
    await expect(page.getByText('Aucun groupe pour l’instant.')).toBeVisible();
  });

  const listWrites = recordWrites(page);
  await page.getByRole('main').getByRole('button', { name: 'Nouveau groupe' }).first().click();
  await form.getByLabel('Nom').fill('   ');
  await form.getByRole('button', { name: 'Créer le groupe' }).click();
  await expect(form.getByText('À renseigner.')).toBeVisible();
  await expect(form.getByLabel('Nom')).toBeFocused();
  expect(listWrites()).toEqual([]);
  await expect(toasts(page)).not.toContainText('Échec');
  await form.getByLabel('Nom').fill('Clients');
  await form.getByLabel('Description').fill('Ceux qui paient');
  await form.getByRole('button', { name: 'Créer le groupe' }).click();
  await expect(toasts(page)).toContainText('Groupe Clients créé.');
  await expect(row(page, 'Clients')).toContainText('Ceux qui paient');

  await page.getByRole('button', { name: 'Nouveau groupe' }).click();
  await form.getByLabel('Nom').fill('Boutiques');
  await form.getByLabel('Groupe parent').selectOption({ label: 'Clients' });
  await form.getByLabel('Nom').press('Control+Enter');
  await expect(names(page)).toHaveText(['Clients', 'Boutiques']);
  await expect(row(page, 'Boutiques').getByRole('cell', { name: 'Clients' })).toBeVisible();
  await page.getByRole('button', { name: 'Sous-groupes de Clients' }).click();
  await expect(names(page)).toHaveText(['Clients']);
  await page.keyboard.press('/');
  await page.keyboard.type('bouti');
  await expect(names(page)).toHaveText(['Clients', 'Boutiques']);
  await expect(page).toHaveURL('/groups?q=bouti');
});

test('servers are put in groups whose counts link to them, and a deleted group leaves its subgroups to its parent', async ({
  ownerPage: page,
  request,
  owner,
  makeServer,
}) => {
  const headers = bearer(owner.token);
  const createGroup = async (name: string, parent: string | null) => {
    const answer = await request.post('/api/groups', { data: { name, parent_id: parent }, headers });
    const { id }: { id: string } = await answer.json();
    return id;
  };
  await createGroup('Boutiques', await createGroup('Lyon', await createGroup('Clients', null)));
  const { id } = await makeServer({ port: 9 }, { name: 'web-01' });
  await makeServer({ port: 9 }, { name: 'web-02' });
  await page.goto(`/servers?edit=${id}`);
  const form = page.getByRole('dialog', { name: 'Modifier web-01' });
  await form.getByRole('checkbox', { name: 'Lyon' }).check();
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'web-01' })).toContainText('Lyon');
  await page.getByRole('link', { name: 'Groupes' }).click();
  await row(page, 'Clients').getByRole('link', { name: '1\u00a0serveur' }).click();
  await expect(page).toHaveURL(/\/servers\?group=/);
  await expect(names(page)).toHaveText([/web-01/]);
  await page.getByLabel('Filtrer par groupe').selectOption({ label: 'Tous les groupes' });
  await expect(names(page)).toHaveCount(2);

  await test.step('a group cannot be moved under itself, and its subgroups move to its parent when it is deleted', async () => {
    await page.getByRole('link', { name: 'Groupes', exact: true }).click();
    await page.getByRole('button', { name: 'Modifier Lyon' }).click();
    const editDialog = page.getByRole('dialog', { name: 'Modifier le groupe' });
    await expect(editDialog.getByLabel('Groupe parent').getByRole('option')).toHaveText(['Aucun', 'Clients']);
    await editDialog.getByLabel('Nom').fill('Lyon 2');
    const saveRequest = page.waitForRequest((call) => call.method() === 'PUT');
    await editDialog.getByRole('button', { name: 'Enregistrer' }).click();
    expect((await saveRequest).postDataJSON()).toEqual({ name: 'Lyon 2' });
    await expect(names(page)).toHaveText(['Clients', 'Lyon 2', 'Boutiques']);

    await page.getByRole('button', { name: 'Supprimer Lyon 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Supprimer le groupe Lyon 2\u202f?' });
    await expect(dialog).toContainText('Son sous-groupe Boutiques ira dans le groupe Clients.');
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(names(page)).toHaveText(['Clients', 'Boutiques']);
    await expect(page.getByRole('searchbox', { name: 'Rechercher un groupe' })).toBeFocused();
    await expect(row(page, 'Boutiques').getByRole('cell', { name: 'Clients' })).toBeVisible();
  });
});

test('in admin mode a form offers only the groups and servers of the same owner', async ({
  page,
  request,
  owner,
  person,
  makeServer,
}) => {
  const token = await openSession(request, person);
  const createGroup = async (name: string, session: string) => {
    const answer = await request.post('/api/groups', { data: { name }, headers: bearer(session) });
    const { id }: { id: string } = await answer.json();
    return id;
  };
  await createGroup('À moi', owner.token);
  const clientGroupId = await createGroup('À un client', token);
  const { id } = await makeServer({ port: 9 }, { name: 'web-01' });
  const data = { name: 'web-02', host: '127.0.0.1', port: 9, user: 'sh', auth: { password: 'x' } };
  const created = await request.post('/api/servers', { data, headers: bearer(token) });
  const { id: clientServerId }: { id: string } = await created.json();
  // These fill the twenty options of the select field and sort before the administrator's own server.
  const clientServerForms = Array.from({ length: 20 }, (_, n) => ({ ...data, name: `alpha-${n}`, auth: null }));
  const clientServerIds = await Promise.all(
    clientServerForms.map(async (one) => {
      const answer = await request.post('/api/servers', { data: one, headers: bearer(token) });
      return ((await answer.json()) as { id: string }).id;
    }),
  );

  await storeToken(page, owner.token, { user_id: owner.id, is_admin: 'true', admin_mode: '1' });
  const groups = page.getByRole('dialog').getByRole('group', { name: 'Groupes' });
  const ownGroup = groups.getByRole('checkbox', { name: 'À moi' });
  const clientGroup = groups.getByRole('checkbox', { name: 'À un client' });
  for (const address of [`/servers?edit=${id}`, '/servers?add=true', '/sites?add=true']) {
    await page.goto(address);
    await ownGroup.check();
    await ownGroup.uncheck();
    await expect(clientGroup).toHaveCount(0);
  }
  const servers = page.getByRole('dialog').getByLabel('Serveur SSH').getByRole('option');
  await expect(servers).toHaveText(['Aucun', /^web-01/]);
  await page.goto(`/servers?edit=${clientServerId}`);
  await clientGroup.check();
  await expect(ownGroup).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click();
  await expect(toasts(page)).toContainText('Serveur web-02 enregistré.');

  const ownerLabel = 'à Camille Essai';
  // Other stories may have servers of the same name.
  const clientRow = page.getByRole('row').filter({ hasText: 'web-02' }).filter({ hasText: 'À un client' });
  await expect(clientRow).toContainText(ownerLabel);
  await page.goto('/groups?add=true');
  await expect(page.getByRole('row').filter({ hasText: 'À un client' })).toContainText(ownerLabel);
  const parents = page.getByRole('dialog').getByLabel('Groupe parent').getByRole('option');
  await expect(parents.filter({ hasText: 'À moi' })).toHaveCount(1);
  await expect(parents.filter({ hasText: 'À un client' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Modifier À un client' }).click();
  await expect(parents).toHaveText(['Aucun']);
  for (const one of [...clientServerIds, clientServerId])
    await request.delete(`/api/servers/${one}`, { headers: bearer(token) });
  await request.delete(`/api/groups/${clientGroupId}`, { headers: bearer(token) });
});
