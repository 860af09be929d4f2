import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { env } from './env';
import { apiCalls, expectRetryAfterFailure, fillLogin, holdCalls } from './fixtures';
import { requestLogin, bearer, enrol, expectSessionEnded, openSession, type Person, someEmail, test } from './people';

const firstName = (page: Page) => page.getByLabel(/^Prénom de /);
const lastName = (page: Page) => page.getByLabel(/^Nom de /);
const role = (page: Page) => page.getByLabel(/^Rôle de /);
const emails = (page: Page) => page.getByRole('table').getByRole('rowheader');
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const form = (page: Page) => page.getByRole('region', { name: 'Nouveau compte' });
const sort = (page: Page, column: string) => page.getByRole('columnheader', { name: column, exact: true });
const edits = (page: Page) => {
  const calls = apiCalls(page);
  return () => calls.filter((call) => call.method() !== 'GET');
};

/** Filters the list to one person, because other stories create people too. */
async function showOnly(page: Page, { email }: Pick<Person, 'email'>): Promise<void> {
  await page.goto(`/admin/users?q=${email}`);
  await expect(emails(page)).toHaveText([email]);
}

async function unfold(page: Page, person: Pick<Person, 'email'>): Promise<void> {
  await showOnly(page, person);
  await page.getByRole('button', { name: /^Gérer le compte de / }).click();
  await expect(page.getByRole('heading', { name: 'Suppression' })).toBeVisible();
}

test('the table can be filtered and sorted in its URL', async ({ loggedIn: page, makePerson }) => {
  const familyName = randomUUID();
  const zola = await makePerson({ first_name: 'Émile', last_name: `Zola ${familyName}` });
  const abel = await makePerson({ first_name: 'Niels', last_name: `Abel ${familyName}`, role: 'admin' });
  const evrard = await makePerson({ first_name: 'Zoé', last_name: `Évrard ${familyName}` });
  await page.goto('/admin/users');
  await page.getByRole('searchbox', { name: 'Rechercher un compte' }).fill(`${familyName} EMILE`);
  await expect(emails(page)).toHaveText([zola.email]);
  await page.getByRole('searchbox').fill(familyName);
  await expect(emails(page)).toHaveText([abel.email, evrard.email, zola.email]);
  await expect(sort(page, 'Nom')).toHaveAttribute('aria-sort', 'ascending');
  await sort(page, 'Prénom').getByRole('button').click();
  await expect(emails(page)).toHaveText([zola.email, abel.email, evrard.email]);
  await sort(page, 'Prénom').getByRole('button').click();
  await page.getByLabel('Filtrer par rôle').selectOption('Client');
  await expect(emails(page)).toHaveText([evrard.email, zola.email]);
  await expect(page.getByText(/^2\u00a0comptes sur \d+$/)).toBeVisible();

  await page.reload();
  await expect(emails(page)).toHaveText([evrard.email, zola.email]);
  await expect(sort(page, 'Prénom')).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('searchbox')).toHaveValue(familyName);
  await expect(page.getByLabel('Filtrer par rôle')).toHaveValue('client');

  await test.step('an empty result says so, and a button clears the filters', async () => {
    await page.getByRole('searchbox').fill('xyzzy');
    await expect(page.getByText('Aucun compte ne correspond.')).toBeVisible();
    await page.getByRole('button', { name: 'Effacer les filtres' }).click();
    await expect(emails(page).first()).toBeVisible();
    await expect(page).toHaveURL('/admin/users?sort=first_name&order=desc');
    await expect(page.getByLabel('Filtrer par rôle')).toHaveValue('');
  });
});

/** Mocks accounts, since each real one would need a password hash. */
async function mockAccounts(page: Page, count: number): Promise<void> {
  await page.route('**/api/admin/users?*', (route) => {
    const params = new URL(route.request().url()).searchParams;
    const [limit, offset] = [Number(params.get('limit')), Number(params.get('offset'))];
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
    })).filter(({ first_name: name }) => name.toLowerCase().includes(params.get('q') ?? ''));
    return route.fulfill({
      json: { items: matchingUsers.slice(offset, offset + limit), total: matchingUsers.length, known: count },
    });
  });
}

test('a page shows fifty accounts, and a search returns to the first page', async ({ loggedIn: page }) => {
  await mockAccounts(page, 51);
  await page.goto('/admin/users?q=xylo');
  await expect(emails(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Suivante' }).click();
  await expect(emails(page)).toHaveText([/^51@/]);
  await page.reload();
  await expect(emails(page)).toHaveText([/^51@/]);
  await page.getByRole('button', { name: 'Précédente' }).click();
  await expect(emails(page)).toHaveCount(50);
  await page.getByRole('button', { name: 'Suivante' }).click();
  await page.getByRole('searchbox', { name: 'Rechercher un compte' }).fill('xylo7');
  await expect(emails(page)).toHaveText([/^7@/]);
  await expect(page).not.toHaveURL(/page=/);
});

test('a name is edited in its line, which shows an invalid name or a failed save', async ({
  loggedIn: page,
  person,
}) => {
  await showOnly(page, person);
  await test.step('Escape restores the stored name, and an unchanged name is not sent', async () => {
    const sent = edits(page);
    await firstName(page).fill('Zoé');
    await firstName(page).press('Escape');
    await expect(firstName(page)).toHaveValue('Camille');
    await firstName(page).fill(' Camille ');
    await firstName(page).press('Enter');
    await lastName(page).focus();
    await expect(firstName(page)).toHaveValue('Camille');
    await lastName(page).press('Enter');
    await sort(page, 'Email').getByRole('button').click();
    expect(sent()).toEqual([]);
  });

  await test.step('it cannot be empty', async () => {
    const sent = edits(page);
    await firstName(page).fill(' ');
    await firstName(page).press('Tab');
    await expect(page.getByText('Le prénom ne peut pas être vide.')).toBeVisible();
    await expect(firstName(page)).toHaveAttribute('aria-invalid', 'true');
    await lastName(page).fill('');
    await lastName(page).press('Enter');
    await expect(page.getByText('Le nom ne peut pas être vide.')).toBeVisible();
    await firstName(page).press('Escape');
    await lastName(page).press('Escape');
    await expect(page.getByText('ne peut pas être vide.')).toHaveCount(0);
    await expect(lastName(page)).toHaveValue('Essai');
    expect(sent()).toEqual([]);
  });

  await test.step('a failed save says why, keeps the text and can be retried', async () => {
    const readinessRequest = page.waitForRequest('**/api/health/ready');
    const releaseApi = await holdCalls(page, '**/api/**');
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await firstName(page).fill('Ève');
    await firstName(page).press('Tab');
    const cell = page.getByRole('cell').filter({ has: firstName(page) });
    await expect(toasts(page)).toContainText('Mise à jour du profil impossible.');
    await expect(cell.getByText('Mise à jour du profil impossible.')).toBeVisible();
    await expect(firstName(page)).toHaveValue('Ève');
    // The banner appears only once the readiness check has failed too.
    await readinessRequest;
    await expect(page.getByText('La console ne répond pas.')).toHaveCount(0);
    releaseApi();
    await page.unroute('**/api/admin/users/*');
    await cell.getByRole('button', { name: 'Réessayer' }).click();
    await expect(cell.getByRole('status')).toHaveText('Enregistré.');
    await expect(cell.getByRole('button')).toHaveCount(0);

    await firstName(page).fill('Zo\u0007é');
    await firstName(page).press('Enter');
    await expect(cell.getByText('Ce texte tient sur une ligne, sans caractère invisible.')).toBeVisible();
  });

  await test.step('leaving the field or Enter saves it, with a message', async () => {
    const statusText = page.getByRole('table').getByRole('status');
    const release = await holdCalls(page, '**/api/admin/users/*');
    const sent = page.waitForRequest('**/api/admin/users/*');
    await firstName(page).fill('  Zoé ');
    await firstName(page).press('Tab');
    expect((await sent).postDataJSON()).toEqual({ first_name: 'Zoé' });
    await expect(statusText.filter({ hasText: 'Enregistrement…' })).toHaveCount(1);
    await expect(firstName(page)).not.toBeEditable();
    release();
    await expect(statusText.filter({ hasText: 'Enregistré.' })).toHaveCount(1);
    await expect(firstName(page)).toHaveValue('Zoé');
    await expect(lastName(page)).toBeFocused();

    await lastName(page).fill('Évrard');
    await lastName(page).press('Enter');
    await expect(page.getByRole('cell').filter({ has: lastName(page) })).toContainText('Enregistré.');
    await expect(lastName(page)).toBeFocused();
    await page.reload();
    await expect(firstName(page)).toHaveValue('Zoé');
    await expect(lastName(page)).toHaveValue('Évrard');
  });

  await test.step('when the new name removes its line from the list, the focus moves to the search', async () => {
    await page.getByRole('searchbox').fill(`${person.email} Évrard`);
    await expect(page).toHaveURL(/vrard/);
    await lastName(page).fill('Essai');
    await lastName(page).press('Enter');
    await expect(page.getByText('Aucun compte ne correspond.')).toBeVisible();
    await expect(page.getByRole('searchbox')).toBeFocused();
  });
});

test('administrators can neither change their own role nor delete their own account', async ({ loggedIn: page }) => {
  await unfold(page, env);
  await expect(role(page)).toBeDisabled();
  await expect(role(page)).toHaveAttribute('title', 'Vous ne pouvez pas changer votre propre rôle.');
  const deleteButton = page.getByRole('button', { name: /^Supprimer le compte de / });
  await expect(deleteButton).toBeDisabled();
  await expect(deleteButton).toHaveAccessibleDescription('Vous ne pouvez pas supprimer votre propre compte.');
  await page.getByRole('link', { name: 'votre profil' }).click();
  await expect(page.getByRole('dialog', { name: 'Profil' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Sécurité 2FA' }).click();
  await expect(page).toHaveURL('/security/2fa');
});

test('the form of a new account marks each missing field', async ({ loggedIn: page, person }) => {
  await page.goto('/admin/users');
  const sent = edits(page);
  await page.getByRole('button', { name: 'Créer un compte' }).click();
  const create = form(page).getByRole('button', { name: 'Créer le compte' });
  await expect(form(page).getByLabel('Prénom')).toBeFocused();
  await create.click();
  await expect(form(page).getByRole('alert')).toHaveText('Email, mot de passe, prénom et nom sont requis.');
  await expect(form(page).getByText('À renseigner.')).toHaveCount(4);
  await form(page).getByLabel('Prénom').fill('Zoé');
  await form(page).getByLabel('Nom', { exact: true }).fill('Essai');
  await form(page).getByLabel('Email').fill('nobody');
  await form(page).getByLabel('Mot de passe', { exact: true }).fill('court');
  await create.click();
  await expect(form(page).getByText('Cette adresse email n’est pas valide.')).toBeVisible();
  await expect(form(page).getByText('Le mot de passe doit compter au moins 8 caractères.')).toBeVisible();
  await expect(form(page).getByLabel('Email')).toBeFocused();
  expect(sent()).toEqual([]);

  await form(page).getByLabel('Email').fill(person.email.toUpperCase());
  await form(page).getByLabel('Mot de passe', { exact: true }).fill('le phare dans la brume');
  await create.click();
  await expect(form(page).getByRole('alert')).toHaveText('Un compte existe déjà avec cet email.');
  await page.route('**/api/admin/users', (route) => route.abort());
  await create.click();
  await expect(form(page).getByRole('alert')).toHaveText('Création impossible.');
  await expect(form(page).getByLabel('Prénom')).toHaveValue('Zoé');
  await form(page).getByRole('button', { name: 'Annuler' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Quitter sans enregistrer' }).click();
  await expect(form(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Créer un compte' })).toBeFocused();

  await test.step('one click does not drop the typed text', async () => {
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

test('an administrator creates an account with a generated password and deletes it while its owner is logged in', async ({
  loggedIn: page,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const email = someEmail();
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
  await expect(emails(page)).toHaveText([email]);

  const other = await (await browser.newContext()).newPage();
  await other.goto('/login');
  await fillLogin(other, email, password);
  await expect(other.getByRole('heading', { name: 'Tableau de bord' })).toBeVisible();

  await unfold(page, { email });
  const deleteButton = page.getByRole('button', { name: 'Supprimer le compte de Zoé Essai' });
  await deleteButton.click();
  const dialog = page.getByRole('dialog', { name: 'Supprimer le compte de Zoé Essai\u202f?' });
  await expect(dialog).toContainText(`${email} ne pourra plus se connecter, dès maintenant.`);
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

test('an administrator resets the 2FA and the password of an account, and changes its role', async ({
  loggedIn: page,
  person,
  request,
}) => {
  await enrol(page, await openSession(request, person));
  await unfold(page, person);
  await test.step('an administrator resets a lost 2FA', async () => {
    const state = page.getByRole('row').nth(1);
    await expect(state.getByText('Activée', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Réinitialiser la 2FA' }).click();
    const dialog = page.getByRole('dialog', { name: 'Réinitialiser la 2FA de Camille Essai\u202f?' });
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Réinitialiser la 2FA' }).click();
    await expect(toasts(page)).toContainText('2FA de Camille Essai réinitialisée.');
    await expect(state.getByText('Désactivée', { exact: true })).toBeVisible();
    await expect(page.getByText('Ce compte n’a pas activé sa 2FA.')).toBeVisible();
    expect(await requestLogin(request, person)).not.toHaveProperty('requires_2fa');
  });

  await test.step('a deletion that fails says so in its dialog', async () => {
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await page.getByRole('button', { name: /^Supprimer le compte de / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Suppression impossible.');
    await page.keyboard.press('Escape');
    await expect(emails(page)).toHaveText([person.email]);
    await page.unroute('**/api/admin/users/*');
  });

  await test.step('Enter sets a new password, which closes the sessions of the account', async () => {
    const token = await openSession(request, person);
    const sent = edits(page);
    const field = page.getByLabel('Nouveau mot de passe');
    await field.press('Enter');
    await field.fill('court');
    await field.press('Enter');
    await expect(page.getByText('Le mot de passe doit compter au moins 8 caractères.')).toBeVisible();
    expect(sent()).toEqual([]);
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await field.fill('le phare dans la brume');
    await field.press('Enter');
    await expect(page.getByRole('table').getByText('Réinitialisation impossible.')).toBeVisible();
    await page.unroute('**/api/admin/users/*');
    await field.press('Enter');
    await expect(toasts(page)).toContainText('Mot de passe de Camille Essai réinitialisé.');
    await expect(field).toHaveValue('');
    await expectSessionEnded(request, token);
    await openSession(request, { ...person, password: 'le phare dans la brume' });
  });

  await test.step('a failed change of the role says so and keeps the role', async () => {
    await page.route('**/api/admin/users/*', (route) => route.abort());
    await role(page).selectOption('Administrateur');
    await expect(toasts(page)).toContainText('Mise à jour du rôle impossible.');
    await expect(page.getByRole('table').getByText('Mise à jour du rôle impossible.')).toBeVisible();
    await expect(role(page)).toHaveValue('client');
    await page.unroute('**/api/admin/users/*');
  });

  await role(page).selectOption('Administrateur');
  await expect(toasts(page)).toContainText('Rôle de Camille Essai\u00a0: Administrateur.');
  const token = await openSession(request, { ...person, password: 'le phare dans la brume' });
  const headers = bearer(token);
  expect((await request.get('/api/admin/users', { headers })).status()).toBe(200);

  await role(page).selectOption('Client');
  const dialog = page.getByRole('dialog', { name: 'Retirer les droits d’administration à Camille Essai\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(role(page)).toHaveValue('admin');
  await role(page).selectOption('Client');
  await dialog.getByRole('button', { name: 'Passer en client' }).click();
  await expect(toasts(page)).toContainText('Rôle de Camille Essai\u00a0: Client.');
  await expect(role(page)).toHaveValue('client');
  await expectSessionEnded(request, token);
});

test('a failed load of users shows an error and can be retried', async ({ loggedIn: page }) => {
  const sentence = 'Impossible de charger les utilisateurs.';
  await expectRetryAfterFailure(page, { path: '/admin/users', calls: '**/api/admin/users?*', sentence });
  await expect(emails(page).first()).toBeVisible();

  await page.getByRole('link', { name: 'Serveurs' }).click();
  await expect(page.getByRole('heading', { name: 'Serveurs' })).toBeVisible();
  await page.route('**/api/admin/users?*', (route) => route.abort());
  await page.goBack();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(sentence);
  await expect(emails(page).first()).toBeVisible();
});
