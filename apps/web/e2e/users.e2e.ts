import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { env } from './env';
import { recordApiCalls, expectRetryAfterFailure, fillLogin, pauseRequests } from './fixtures';
import { requestLogin, bearer, enrolTotp, waitForSessionEnd, openSession, type Person, anEmail, test } from './people';
import { desktop } from './sizes';

const firstNameField = (page: Page) => page.getByLabel(/^Prénom de /);
const lastNameField = (page: Page) => page.getByLabel(/^Nom de /);
const roleField = (page: Page) => page.getByLabel(/^Rôle de /);
const emailCells = (page: Page) => page.getByRole('table').getByRole('rowheader');
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const form = (page: Page) => page.getByRole('region', { name: 'Nouveau compte' });
const columnHeader = (page: Page, column: string) => page.getByRole('columnheader', { name: column, exact: true });
const recordWrites = (page: Page) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => call.method() !== 'GET');
};

/** Filters the list down to one person, because other stories create people too. */
async function showAccount(page: Page, { email }: Pick<Person, 'email'>): Promise<void> {
  await page.goto(`/admin/users?q=${email}`);
  await expect(emailCells(page)).toHaveText([email]);
}

async function openAccount(page: Page, person: Pick<Person, 'email'>): Promise<void> {
  await showAccount(page, person);
  await page.getByRole('button', { name: /^Gérer le compte de / }).click();
  await expect(page.getByRole('heading', { name: 'Suppression' })).toBeVisible();
}

test('the table is filtered and sorted, and the URL keeps both', async ({ loggedIn: page, makePerson }) => {
  const familyName = randomUUID();
  const zola = await makePerson({ first_name: 'Émile', last_name: `Zola ${familyName}` });
  const abel = await makePerson({ first_name: 'Niels', last_name: `Abel ${familyName}`, role: 'admin' });
  const evrard = await makePerson({ first_name: 'Zoé', last_name: `Évrard ${familyName}` });
  await page.goto('/admin/users');
  await page.getByRole('searchbox', { name: 'Rechercher un compte' }).fill(`${familyName} EMILE`);
  await expect(emailCells(page)).toHaveText([zola.email]);
  await page.getByRole('searchbox').fill(familyName);
  await expect(emailCells(page)).toHaveText([abel.email, evrard.email, zola.email]);
  await expect(columnHeader(page, 'Nom')).toHaveAttribute('aria-sort', 'ascending');
  await columnHeader(page, 'Prénom').getByRole('button').click();
  await expect(emailCells(page)).toHaveText([zola.email, abel.email, evrard.email]);
  await columnHeader(page, 'Prénom').getByRole('button').click();
  await page.getByLabel('Filtrer par rôle').selectOption('Client');
  await expect(emailCells(page)).toHaveText([evrard.email, zola.email]);
  await expect(page.getByText(/^2\u00a0comptes sur \d+$/)).toBeVisible();

  await page.reload();
  await expect(emailCells(page)).toHaveText([evrard.email, zola.email]);
  await expect(columnHeader(page, 'Prénom')).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('searchbox')).toHaveValue(familyName);
  await expect(page.getByLabel('Filtrer par rôle')).toHaveValue('client');

  await test.step('a search without results shows a message, and the filters can be cleared', async () => {
    await page.getByRole('searchbox').fill('xyzzy');
    await expect(page.getByText('Aucun compte ne correspond.')).toBeVisible();
    await page.getByRole('button', { name: 'Effacer les filtres' }).click();
    await expect(emailCells(page).first()).toBeVisible();
    await expect(page).toHaveURL('/admin/users?sort=first_name&order=desc');
    await expect(page.getByLabel('Filtrer par rôle')).toHaveValue('');
  });
});

/** Serves many accounts, because creating real ones would hash a password for each. */
async function mockAccounts(page: Page, count: number): Promise<void> {
  await page.route('**/api/admin/users?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    const matchingUsers = Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      email: `${index + 1}@vigie.test`,
      name: `Xylo${index + 1} Essai`,
      first_name: `Xylo${index + 1}`,
      last_name: 'Essai',
      role: 'client',
      is_admin: false,
      created_at: '2026-11-21T10:00:00.000Z',
      has_2fa: false,
      last_login_at: null,
    })).filter(({ first_name: name }) => name.toLowerCase().includes(query.get('q') ?? ''));
    return route.fulfill({
      json: { items: matchingUsers.slice(offset, offset + limit), total: matchingUsers.length, known: count },
    });
  });
}

test('accounts have pages of fifty, and a search returns to the first', async ({ loggedIn: page }) => {
  await mockAccounts(page, 51);
  await page.goto('/admin/users?q=xylo');
  await expect(emailCells(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Suivante' }).click();
  await expect(emailCells(page)).toHaveText([/^51@/]);
  await page.reload();
  await expect(emailCells(page)).toHaveText([/^51@/]);
  await page.getByRole('button', { name: 'Précédente' }).click();
  await expect(emailCells(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Suivante' }).click();
  await page.getByRole('searchbox', { name: 'Rechercher un compte' }).fill('xylo7');
  await expect(emailCells(page)).toHaveText([/^7@/]);
  await expect(page).not.toHaveURL(/page=/);
});

test('a name is edited in its row, which shows its errors', async ({ loggedIn: page, person }) => {
  await showAccount(page, person);
  await test.step('Escape restores the stored name, and an unchanged name is not sent', async () => {
    const listWrites = recordWrites(page);
    await firstNameField(page).fill('Zoé');
    await firstNameField(page).press('Escape');
    await expect(firstNameField(page)).toHaveValue('Camille');
    await firstNameField(page).fill(' Camille ');
    await firstNameField(page).press('Enter');
    await lastNameField(page).focus();
    await expect(firstNameField(page)).toHaveValue('Camille');
    await lastNameField(page).press('Enter');
    await columnHeader(page, 'Email').getByRole('button').click();
    expect(listWrites()).toEqual([]);
  });

  await test.step('a name cannot be empty', async () => {
    const listWrites = recordWrites(page);
    await firstNameField(page).fill(' ');
    await firstNameField(page).press('Tab');
    await expect(page.getByText('Le prénom ne peut pas être vide.')).toBeVisible();
    await expect(firstNameField(page)).toHaveAttribute('aria-invalid', 'true');
    await lastNameField(page).fill('');
    await lastNameField(page).press('Enter');
    await expect(page.getByText('Le nom ne peut pas être vide.')).toBeVisible();
    await firstNameField(page).press('Escape');
    await lastNameField(page).press('Escape');
    await expect(page.getByText('ne peut pas être vide.')).toHaveCount(0);
    await expect(lastNameField(page)).toHaveValue('Essai');
    expect(listWrites()).toEqual([]);
  });

  await test.step('a failed save shows its reason, keeps the name and can be retried', async () => {
    const healthRequest = page.waitForRequest('**/api/health/ready');
    const releaseApi = await pauseRequests(page, '**/api/**');
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await firstNameField(page).fill('Ève');
    await firstNameField(page).press('Tab');
    const cell = page.getByRole('cell').filter({ has: firstNameField(page) });
    await expect(toasts(page)).toContainText('Mise à jour du profil impossible.');
    await expect(cell.getByText('Mise à jour du profil impossible.')).toBeVisible();
    await expect(firstNameField(page)).toHaveValue('Ève');
    // The banner must not move the page before the health request has failed.
    await healthRequest;
    await expect(page.getByText('La console ne répond pas.')).toHaveCount(0);
    releaseApi();
    await page.unroute('**/api/admin/users/*');
    await cell.getByRole('button', { name: 'Réessayer' }).click();
    await expect(cell.getByRole('status')).toHaveText('Enregistré.');
    await expect(cell.getByRole('button')).toHaveCount(0);

    await firstNameField(page).fill('Zo\u0007é');
    await firstNameField(page).press('Enter');
    await expect(cell.getByText('Ce texte tient sur une ligne, sans caractère invisible.')).toBeVisible();
  });

  await test.step('leaving the field or pressing Enter saves the name', async () => {
    const status = page.getByRole('table').getByRole('status');
    const release = await pauseRequests(page, '**/api/admin/users/*');
    const saveRequest = page.waitForRequest('**/api/admin/users/*');
    await firstNameField(page).fill('  Zoé ');
    await firstNameField(page).press('Tab');
    expect((await saveRequest).postDataJSON()).toEqual({ first_name: 'Zoé' });
    await expect(status.filter({ hasText: 'Enregistrement…' })).toHaveCount(1);
    await expect(firstNameField(page)).not.toBeEditable();
    release();
    await expect(status.filter({ hasText: 'Enregistré.' })).toHaveCount(1);
    await expect(firstNameField(page)).toHaveValue('Zoé');
    await expect(lastNameField(page)).toBeFocused();

    await lastNameField(page).fill('Évrard');
    await lastNameField(page).press('Enter');
    await expect(page.getByRole('cell').filter({ has: lastNameField(page) })).toContainText('Enregistré.');
    await expect(lastNameField(page)).toBeFocused();
    await page.reload();
    await expect(firstNameField(page)).toHaveValue('Zoé');
    await expect(lastNameField(page)).toHaveValue('Évrard');
  });

  await test.step('a new name that no longer matches the search moves the focus to the search field', async () => {
    await page.getByRole('searchbox').fill(`${person.email} Évrard`);
    await expect(page).toHaveURL(/vrard/);
    await lastNameField(page).fill('Essai');
    await lastNameField(page).press('Enter');
    await expect(page.getByText('Aucun compte ne correspond.')).toBeVisible();
    await expect(page.getByRole('searchbox')).toBeFocused();
  });
});

test('administrators can neither change their own role nor delete their own account', async ({ loggedIn: page }) => {
  await openAccount(page, env);
  await expect(roleField(page)).toBeDisabled();
  await expect(roleField(page)).toHaveAttribute('title', 'Vous ne pouvez pas changer votre propre rôle.');
  const deleteButton = page.getByRole('button', { name: /^Supprimer le compte de / });
  await expect(deleteButton).toBeDisabled();
  await expect(deleteButton).toHaveAccessibleDescription('Vous ne pouvez pas supprimer votre propre compte.');
  await page.getByRole('link', { name: 'votre profil' }).click();
  await expect(page.getByRole('dialog', { name: 'Profil' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Sécurité 2FA' }).click();
  await expect(page).toHaveURL('/security/2fa');
});

test('each field of a new account is validated', async ({ loggedIn: page, person }) => {
  await page.goto('/admin/users');
  const listWrites = recordWrites(page);
  await page.getByRole('button', { name: 'Créer un compte' }).click();
  const createButton = form(page).getByRole('button', { name: 'Créer le compte' });
  await expect(form(page).getByLabel('Prénom')).toBeFocused();
  await createButton.click();
  await expect(form(page).getByRole('alert')).toHaveText('Email, mot de passe, prénom et nom sont requis.');
  await expect(form(page).getByText('À renseigner.')).toHaveCount(4);
  await form(page).getByLabel('Prénom').fill('Zoé');
  await form(page).getByLabel('Nom', { exact: true }).fill('Essai');
  await form(page).getByLabel('Email').fill('nobody');
  await form(page).getByLabel('Mot de passe', { exact: true }).fill('court');
  await createButton.click();
  await expect(form(page).getByText('Cette adresse email n’est pas valide.')).toBeVisible();
  await expect(form(page).getByText('Le mot de passe doit compter au moins 8 caractères.')).toBeVisible();
  await expect(form(page).getByLabel('Email')).toBeFocused();
  expect(listWrites()).toEqual([]);

  await form(page).getByLabel('Email').fill(person.email.toUpperCase());
  await form(page).getByLabel('Mot de passe', { exact: true }).fill('le phare dans la brume');
  await createButton.click();
  await expect(form(page).getByRole('alert')).toHaveText('Un compte existe déjà avec cet email.');
  await page.route('**/api/admin/users', (route) => route.abort());
  await createButton.click();
  await expect(form(page).getByRole('alert')).toHaveText('Création impossible.');
  await expect(form(page).getByLabel('Prénom')).toHaveValue('Zoé');
  await form(page).getByRole('button', { name: 'Annuler' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Quitter sans enregistrer' }).click();
  await expect(form(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Créer un compte' })).toBeFocused();

  await test.step('leaving an unsaved form needs a confirmation', async () => {
    await page.getByRole('button', { name: 'Créer un compte' }).click();
    await form(page).getByLabel('Prénom').fill('Zoé');
    await page.getByRole('link', { name: 'Serveurs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await expect(form(page).getByLabel('Prénom')).toHaveValue('Zoé');
    await page.getByRole('link', { name: 'Serveurs' }).click();
    await dialog.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
    await expect(page).toHaveURL('/servers');
  });
});

test('an account is created with a generated password, used to log in, and deleted during its session', async ({
  loggedIn: page,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const email = anEmail();
  await page.goto('/admin/users?add=true');
  await form(page).getByLabel('Prénom').fill('Zoé');
  await form(page).getByLabel('Nom', { exact: true }).fill('Essai');
  await form(page).getByLabel('Email').fill(email);
  await form(page).getByLabel('Rôle').selectOption('Client');
  await form(page).getByRole('button', { name: 'Générer' }).click();
  const password = await form(page).getByLabel('Mot de passe', { exact: true }).inputValue();
  expect(password).toMatch(/^[a-zA-Z2-9]{20}$/);
  await form(page).getByRole('button', { name: 'Copier' }).click();
  await expect(form(page).getByRole('button', { name: 'Copié' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  await form(page).getByRole('button', { name: 'Créer le compte' }).click();
  await expect(form(page).getByRole('status')).toContainText(`Compte créé pour ${email}.`);
  await expect(form(page).getByRole('button', { name: 'Créer un autre compte' })).toBeFocused();
  await expect(form(page)).not.toContainText(password);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await form(page).getByRole('button', { name: 'Copier le mot de passe' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  await form(page).getByRole('button', { name: 'Créer un autre compte' }).click();
  await expect(form(page).getByLabel('Prénom')).toHaveValue('');
  await page.getByRole('searchbox').fill(email);
  await expect(emailCells(page)).toHaveText([email]);

  const other = await (await browser.newContext()).newPage();
  await other.goto('/login');
  await fillLogin(other, email, password);
  await expect(other.getByRole('heading', { name: 'Sites' })).toBeVisible();

  await openAccount(page, { email });
  const deleteButton = page.getByRole('button', { name: 'Supprimer le compte de Zoé Essai' });
  await deleteButton.click();
  const dialog = page.getByRole('dialog', { name: 'Supprimer le compte de Zoé Essai\u202f?' });
  await expect(dialog).toContainText(`${email} ne pourra plus se connecter, dès maintenant.`);
  await expectNoDialogFaults(dialog);
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(deleteButton).toBeFocused();
  await deleteButton.click();
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(toasts(page)).toContainText('Compte de Zoé Essai supprimé.');
  await expect(page.getByText('Aucun compte ne correspond.')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Rechercher un compte' })).toBeFocused();
  await other.reload();
  await expect(other.getByText('Votre session a expiré.')).toBeVisible();
  await other.context().close();
});

test('an administrator resets the second factor and the password of an account and changes its role', async ({
  loggedIn: page,
  person,
  request,
}) => {
  await enrolTotp(page, await openSession(request, person));
  await openAccount(page, person);
  await test.step('a lost second factor is reset', async () => {
    const accountRow = page.getByRole('row').nth(1);
    await expect(accountRow.getByText('Activée', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Réinitialiser la 2FA' }).click();
    const dialog = page.getByRole('dialog', { name: 'Réinitialiser la 2FA de Camille Essai\u202f?' });
    await expectNoDialogFaults(dialog);
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Réinitialiser la 2FA' }).click();
    await expect(toasts(page)).toContainText('2FA de Camille Essai réinitialisée.');
    await expect(accountRow.getByText('Désactivée', { exact: true })).toBeVisible();
    await expect(page.getByText('Ce compte n’a pas activé sa 2FA.')).toBeVisible();
    expect(await requestLogin(request, person)).not.toHaveProperty('requires_2fa');
  });

  await test.step('a failed deletion shows an error in its dialog', async () => {
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await page.getByRole('button', { name: /^Supprimer le compte de / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Suppression impossible.');
    await page.keyboard.press('Escape');
    await expect(emailCells(page)).toHaveText([person.email]);
    await page.unroute('**/api/admin/users/*');
  });

  await test.step('Enter saves a new password, which ends the sessions opened with the old one', async () => {
    const token = await openSession(request, person);
    const listWrites = recordWrites(page);
    const field = page.getByLabel('Nouveau mot de passe');
    await field.press('Enter');
    await field.fill('court');
    await field.press('Enter');
    await expect(page.getByText('Le mot de passe doit compter au moins 8 caractères.')).toBeVisible();
    expect(listWrites()).toEqual([]);
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await field.fill('le phare dans la brume');
    await field.press('Enter');
    await expect(page.getByRole('table').getByText('Réinitialisation impossible.')).toBeVisible();
    await page.unroute('**/api/admin/users/*');
    await field.press('Enter');
    await expect(toasts(page)).toContainText('Mot de passe de Camille Essai réinitialisé.');
    await expect(field).toHaveValue('');
    await waitForSessionEnd(request, token);
    await openSession(request, { ...person, password: 'le phare dans la brume' });
  });

  await test.step('a failed change of role shows an error and keeps the role', async () => {
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await roleField(page).selectOption('Administrateur');
    await expect(toasts(page)).toContainText('Mise à jour du rôle impossible.');
    await expect(page.getByRole('table').getByText('Mise à jour du rôle impossible.')).toBeVisible();
    await expect(roleField(page)).toHaveValue('client');
    await page.unroute('**/api/admin/users/*');
  });

  await roleField(page).selectOption('Administrateur');
  await expect(toasts(page)).toContainText('Rôle de Camille Essai\u00a0: Administrateur.');
  const token = await openSession(request, { ...person, password: 'le phare dans la brume' });
  expect((await request.get('/api/admin/users', { headers: bearer(token) })).status()).toBe(200);

  await roleField(page).selectOption('Client');
  const dialog = page.getByRole('dialog', { name: 'Retirer les droits d’administration à Camille Essai\u202f?' });
  await expectNoDialogFaults(dialog, [desktop]);
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(roleField(page)).toHaveValue('admin');
  await roleField(page).selectOption('Client');
  await dialog.getByRole('button', { name: 'Passer en client' }).click();
  await expect(toasts(page)).toContainText('Rôle de Camille Essai\u00a0: Client.');
  await expect(roleField(page)).toHaveValue('client');
  await waitForSessionEnd(request, token);
});

test('a failed load of the users shows an error and can be retried', async ({ loggedIn: page }) => {
  const sentence = 'Impossible de charger les utilisateurs.';
  await expectRetryAfterFailure(page, { path: '/admin/users', calls: '**/api/admin/users?*', sentence });
  await expect(emailCells(page).first()).toBeVisible();

  await page.getByRole('link', { name: 'Serveurs' }).click();
  await expect(page.getByRole('heading', { name: 'Serveurs' })).toBeVisible();
  await page.route('**/api/admin/users?*', (route) => route.abort());
  await page.goBack();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(sentence);
  await expect(emailCells(page).first()).toBeVisible();
});
