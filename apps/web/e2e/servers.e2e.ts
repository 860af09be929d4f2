import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { hostPassword } from '@vigie/testing/sshd';
import { pauseRequests, recordApiCalls } from './fixtures';
import { makeSite, test } from './machines';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const names = (page: Page) => page.getByRole('table').getByRole('rowheader');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const addForm = (page: Page) => page.getByRole('dialog', { name: 'Ajouter un serveur' });
const report = (page: Page) => page.getByRole('region', { name: 'Test de connexion' });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const showList = (page: Page) =>
  page.getByRole('navigation', { name: 'Fil d’Ariane' }).getByRole('link', { name: 'Serveurs' }).click();
const chooseMore = async (page: Page, action: string) => {
  await page.getByRole('main').getByRole('button', { name: 'Plus', exact: true }).click();
  await page.getByRole('region', { name: 'Plus' }).getByRole('button', { name: action }).click();
};
const chooseAuthMethod = (form: Locator, method: string) =>
  form.getByRole('radio', { name: method, exact: true }).check();
const recordWrites = (page: Page) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => call.method() !== 'GET');
};
const closedPort = { port: 9 };

async function fillAddress(form: Locator, name: string, port: number): Promise<void> {
  await form.getByLabel('Nom', { exact: true }).fill(name);
  await form.getByLabel('Hôte').fill('127.0.0.1');
  await form.getByLabel('Port').fill(String(port));
  await form.getByLabel('Utilisateur').fill('sh');
}

const paste = (field: Locator, text: string) =>
  field.evaluate((element, clipboardText) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', clipboardText);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test('a new user has no servers, and an incomplete form is marked without a request', async ({ ownerPage: page }) => {
  await page.goto('/servers');
  await expect(page.getByText('Aucun serveur pour l’instant.')).toBeVisible();
  const listWrites = recordWrites(page);
  for (const button of await page.getByRole('button', { name: 'Ajouter un serveur' }).all()) {
    await button.click();
    await addForm(page).getByRole('button', { name: 'Annuler' }).click();
    await expect(addForm(page)).toBeHidden();
  }
  await page.getByRole('button', { name: 'Ajouter un serveur' }).first().click();
  await addForm(page).getByRole('link', { name: 'Créer un groupe' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Groupes');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('ajouter un serveur');
  await page.keyboard.press('Enter');
  const form = addForm(page);
  await expect(form.getByLabel('Nom', { exact: true })).toBeFocused();
  await form.getByLabel('Hôte').press('Control+Enter');
  await expect(form.getByRole('alert').filter({ hasText: 'Renseignez un nom et un hôte.' })).toBeVisible();
  await expect(form.getByText('À renseigner.')).toHaveCount(2);
  await expect(form.getByLabel('Nom', { exact: true })).toBeFocused();
  await form.getByLabel('Nom', { exact: true }).fill('web-01');
  await form.getByLabel('Hôte').fill('deux mots');
  await form.getByLabel('Hôte').press('Tab');
  await expect(form.getByText('Cet hôte n’est pas valide')).toBeVisible();
  await expect(form.getByText('Renseignez un nom et un hôte.')).toBeHidden();
  expect(listWrites()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL('/servers');

  await test.step('a failed save keeps the form, and is retried with the same idempotency key', async () => {
    await page.getByRole('button', { name: 'Ajouter un serveur' }).first().click();
    await fillAddress(form, 'web-01', 22);
    const keys: (string | null)[] = [];
    await page.route('**/api/servers', (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? null);
      return keys.length === 1 ? route.abort() : route.fulfill({ status: 409, json: { detail: 'Ce nom est pris.' } });
    });
    const saveButton = form.getByRole('button', { name: 'Ajouter le serveur' });
    await saveButton.click();
    const errorText = "Échec de l'enregistrement du serveur.";
    await expect(toasts(page)).toContainText(errorText);
    await expect(form.getByRole('alert').filter({ hasText: errorText })).toBeVisible();
    await expect(form.getByLabel('Nom', { exact: true })).toHaveValue('web-01');
    await saveButton.click();
    await expect(form.getByRole('alert').filter({ hasText: 'Ce nom est pris.' })).toBeVisible();
    expect(keys[1]).toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('a server without a secret gets a key, and its test succeeds once the key is authorized', async ({
  ownerPage: page,
  context,
  host,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const showStatus = await pauseRequests(page, '**/api/servers/statuses?*');
  await page.goto('/servers?add=true');
  const form = addForm(page);
  await form.getByLabel('Nom', { exact: true }).fill('web-01');
  await paste(form.getByLabel('Hôte'), `ssh -p ${host.port} sh@127.0.0.1`);
  await expect(form.getByLabel('Hôte')).toHaveValue('127.0.0.1');
  await expect(form.getByLabel('Port')).toHaveValue(String(host.port));
  await expect(form.getByLabel('Utilisateur')).toHaveValue('sh');
  await form.getByLabel('Utilisateur').press('Control+Enter');
  const keySection = page.getByRole('region', { name: 'Autoriser la clé sur le serveur' });
  await expect(keySection).toBeVisible();
  await expect(page).toHaveURL(/\/servers\/[0-9a-f-]{36}$/);
  const key = (await keySection.getByText(/^ssh-ed25519 /).textContent()) ?? '';
  await keySection.getByRole('button', { name: 'Copier' }).nth(1).click();
  const line = `mkdir -p ~/.ssh && chmod 700 ~/.ssh && echo '${key}' >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`;
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(line);

  const button = report(page).getByRole('button', { name: 'Tester la connexion' });
  const place = await button.boundingBox();
  showStatus();
  await expect(page.getByText('Seul le port répond.')).toBeVisible();
  expect(await button.boundingBox(), 'the first status moves nothing away from the pointer').toEqual(place);
  await button.click();
  await expect(report(page).getByRole('alert')).toContainText('Le serveur refuse la clé de cet utilisateur.');
  const loginStep = report(page).getByRole('listitem').filter({ hasText: 'Authentification' });
  await expect(loginStep).toContainText('Échec');
  appendFileSync(join(host.home, '.ssh/authorized_keys'), `${key}\n`);
  await report(page).getByRole('button', { name: 'Tester de nouveau' }).click();
  await expect(toasts(page)).toContainText('Connexion OK • Linux');
  await expect(loginStep).toContainText('OK');
  await expect(report(page).getByRole('listitem')).toHaveCount(10);
  await expect(page.getByRole('region', { name: 'Accès par clé' })).toContainText(host.hostKey);
  await showList(page);
  await expect(row(page, 'web-01')).toContainText(/En (?:ligne|alerte)/);
  await expect(row(page, 'web-01')).toContainText(/\d\s(?:j|h|min)/);
});

test('a password and a private key are tested as soon as they are saved', async ({ ownerPage: page, host }) => {
  await page.goto('/servers?add=true');
  const form = addForm(page);
  await fillAddress(form, 'web-01', host.port);
  await chooseAuthMethod(form, 'Mot de passe');
  await form.getByRole('button', { name: 'Ajouter le serveur' }).click();
  await expect(form.getByText('Saisissez un mot de passe')).toBeVisible();
  await expect(form.getByLabel('Mot de passe', { exact: true }).last()).toBeFocused();
  await form.getByLabel('Mot de passe', { exact: true }).last().fill(hostPassword);
  const createRequest = page.waitForRequest((request) => request.method() === 'POST');
  await page.keyboard.press('Enter');
  expect((await createRequest).postDataJSON()).toEqual({
    name: 'web-01',
    host: '127.0.0.1',
    port: host.port,
    user: 'sh',
    provider: '',
    type: 'prod',
    groups: [],
    auth: { password: hostPassword },
  });
  await expect(toasts(page)).toContainText('Connexion OK • Linux');
  await expect(report(page)).toContainText('Connexion établie avec le mot de passe.');
  await showList(page);

  await page.getByRole('button', { name: 'Ajouter un serveur' }).first().click();
  await fillAddress(form, 'web-02', host.port);
  await form.getByLabel('Fournisseur').fill('OVHcloud');
  await form.getByLabel('Type').selectOption('backup');
  await chooseAuthMethod(form, 'Clé privée');
  await form.getByRole('textbox', { name: 'Clé privée' }).fill('-----BEGIN');
  await form.getByLabel('Phrase secrète de la clé').fill('de trop');
  await form.getByLabel('Phrase secrète de la clé').fill('');
  const chooser = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: 'Choisir un fichier' }).click();
  await chooser;
  await form.getByLabel('Fichier de la clé privée').setInputFiles({
    name: 'id_ed25519',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(host.privateKey),
  });
  await expect(form.getByRole('textbox', { name: 'Clé privée' })).toHaveValue(host.privateKey);
  await form.getByRole('button', { name: 'Ajouter le serveur' }).click();
  await expect(report(page)).toContainText('Connexion établie avec la clé.');
  await showList(page);
  await expect(row(page, 'web-02')).toContainText('OVHcloud');
  await page.getByRole('link', { name: 'web-01', exact: true }).click();
  await page.getByRole('main').getByRole('link', { name: 'Console', exact: true }).click();
  await expect(page).toHaveURL(/\/servers\/[0-9a-f-]+\/console\?console=/);
  // The server is deleted after the story, so the console has to finish connecting first.
  await expect(page.getByRole('main')).toContainText('Connecté');
});

test('an edit sends only the changed fields, and an empty secret is kept', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  await makeServer(host, { name: 'web-01' });
  await page.goto('/servers');
  await page.getByRole('button', { name: 'Modifier web-01' }).click();
  const form = page.getByRole('dialog', { name: 'Modifier web-01' });
  const password = form.getByLabel('Mot de passe', { exact: true }).last();
  await expect(password).toHaveValue('');
  await expect(password).toHaveAttribute('placeholder', '••••••••');
  await form.getByLabel('Nom', { exact: true }).fill('web-09');
  await form.getByLabel('Fournisseur').fill('OVHcloud');
  await form.getByLabel('Type').selectOption('dev');
  const saveRequest = page.waitForRequest((request) => request.method() === 'PUT');
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  expect((await saveRequest).postDataJSON()).toEqual({ name: 'web-09', provider: 'OVHcloud', type: 'dev' });
  await expect(toasts(page)).toContainText('Serveur web-09 enregistré.');
  await expect(page.getByRole('button', { name: 'Modifier web-09' })).toBeVisible();
  await expect(row(page, 'web-09')).toContainText('OVHcloud');
  await page.getByRole('button', { name: 'Tester la connexion à web-09' }).click();
  await expect(report(page)).toContainText('Connexion établie avec le mot de passe.');

  await test.step('a changed address requires the password again, but a key created by Vigie does not', async () => {
    await showList(page);
    await page.getByRole('button', { name: 'Modifier web-09' }).click();
    const editForm = page.getByRole('dialog', { name: 'Modifier web-09' });
    const listWrites = recordWrites(page);
    await editForm.getByLabel('Hôte').fill('localhost');
    await expect(editForm.getByText('Saisissez-le de nouveau.')).toBeVisible();
    await editForm.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(editForm.getByText('L’adresse a changé\u00a0: saisissez de nouveau le mot de passe.')).toBeVisible();
    await expect(editForm.getByLabel('Mot de passe', { exact: true }).last()).toBeFocused();
    expect(listWrites()).toEqual([]);

    await chooseAuthMethod(editForm, 'Clé créée par Vigie');
    const moveRequest = page.waitForRequest((request) => request.method() === 'PUT');
    await editForm.getByRole('button', { name: 'Enregistrer' }).click();
    expect((await moveRequest).postDataJSON()).toEqual({ host: 'localhost', auth: null });
    await expect(page.getByRole('heading', { name: 'Autoriser la clé sur le serveur' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(`sh@localhost:${host.port}`);
  });
});

test('Escape, Back and links do not discard a form silently, and a deletion names the server and its sites', async ({
  ownerPage: page,
  owner,
  makeServer,
}) => {
  const { id } = await makeServer(closedPort, { name: 'web-01' });
  const { id: other } = await makeServer(closedPort, { name: 'web-02' });
  await page.goto('/servers');
  await page.getByRole('link', { name: 'web-01', exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'Modifier', exact: true }).click();
  await expect(page).toHaveURL(`/servers/${id}?edit=true`);
  const form = page.getByRole('dialog', { name: 'Modifier web-01' });
  await form.getByLabel('Nom', { exact: true }).fill('web-02');
  const leaveDialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
  await page.keyboard.press('Escape');
  await expect(leaveDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(leaveDialog).toBeHidden();
  await expect(form.getByLabel('Nom', { exact: true })).toHaveValue('web-02');
  await page.goBack();
  await leaveDialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(form.getByLabel('Nom', { exact: true })).toHaveValue('web-02');
  await form.getByRole('button', { name: 'Annuler' }).click();
  await leaveDialog.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
  await expect(form).toBeHidden();
  await expect(heading(page)).toHaveText('web-01');

  // A form opened from the list replaces its loading dialog, and the focus still returns to the row.
  await showList(page);
  const editButton = page.getByRole('button', { name: 'Modifier web-02' });
  await editButton.click();
  const otherForm = page.getByRole('dialog', { name: 'Modifier web-02' });
  await expect(otherForm.getByLabel('Nom', { exact: true })).toHaveValue('web-02');
  await page.keyboard.press('Escape');
  await expect(otherForm).toBeHidden();
  await expect(editButton).toBeFocused();

  await test.step('a deletion names the server and moves the focus to the search field', async () => {
    const dialog = page.getByRole('dialog', { name: 'Supprimer le serveur web-01\u202f?' });
    await page.getByRole('link', { name: 'web-01', exact: true }).click();
    await chooseMore(page, 'Supprimer');
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await showList(page);
    const deleteButton = page.getByRole('button', { name: 'Supprimer web-01' });
    await deleteButton.click();
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(deleteButton).toBeFocused();
    await page.route('**/api/servers/*', (route) => route.abort());
    await deleteButton.click();
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Échec suppression.');
    await page.unroute('**/api/servers/*');
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(toasts(page)).toContainText('Serveur web-01 supprimé.');
    await expect(names(page)).toHaveText(['web-02']);
    await expect(page.getByRole('searchbox')).toBeFocused();
  });

  await test.step('the sites that use a server are counted and named before they are detached', async () => {
    const connection = { ssh: { server_id: other, wp_path: '/var/www/site' } };
    const siteNames = Array.from({ length: 21 }, (_, index) => `site-${String(index + 1).padStart(2, '0')}`);
    for (const name of siteNames) await makeSite(page, owner, name, { connection });
    await page.getByRole('link', { name: 'web-02', exact: true }).click();
    const sites = page.getByRole('region', { name: 'Sites', exact: true });
    await expect(sites.getByRole('listitem')).toHaveCount(20);
    await expect(sites.getByRole('link', { name: 'Voir les 21\u00a0sites' })).toHaveAttribute(
      'href',
      `/sites?server=${other}`,
    );
    await chooseMore(page, 'Supprimer');
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click();
    const dialog = page.getByRole('dialog', { name: 'web-02 est utilisé par des sites' });
    await expect(dialog).toContainText('21\u00a0sites utilisent ce serveur.');
    await expect(dialog.getByRole('listitem')).toHaveText(siteNames.slice(0, 20));
    await expect(dialog).toContainText('et 1\u00a0autre.');
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Supprimer quand même et détacher les sites' }).click();
    await expect(toasts(page)).toContainText('Serveur web-02 supprimé.');
    await expect(page.getByText('Aucun serveur pour l’instant.')).toBeVisible();
  });
});
