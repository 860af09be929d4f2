import { expect, type Page } from '@playwright/test';
import { fillLogin, holdCalls } from './fixtures';
import { bearer, endSession, enrol, expectSessionEnded, logIn, openSession, test } from './people';

const panel = (page: Page) => page.getByRole('dialog', { name: 'Profil' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const adminMode = (page: Page) => panel(page).getByLabel('Voir toutes les données (mode admin)');
const amberLine = (page: Page) => page.getByText('Mode admin\u00a0: toutes les données sont visibles');
const secondFactor = (page: Page) => panel(page).getByRole('region', { name: /^Double authentification/ });
const sessions = (page: Page) => panel(page).getByRole('region', { name: 'Sessions ouvertes' });
const account = (page: Page) => page.getByRole('region', { name: 'Nouveau compte' });
const password = {
  current: (page: Page) => panel(page).getByLabel('Mot de passe actuel', { exact: true }),
  chosen: (page: Page) => panel(page).getByLabel('Nouveau mot de passe', { exact: true }),
  again: (page: Page) => panel(page).getByLabel('Confirmation du nouveau mot de passe', { exact: true }),
  form: (page: Page) => panel(page).locator('form').filter({ hasText: 'Changer le mot de passe' }),
};

async function changePassword(page: Page, current: string, chosen: string, again = chosen): Promise<void> {
  await password.current(page).fill(current);
  await password.chosen(page).fill(chosen);
  await password.again(page).fill(again);
  await panel(page).getByRole('button', { name: 'Changer le mot de passe' }).click();
}

test('the panel shows the account; a new password requires the old one and closes the other sessions', async ({
  page,
  makePerson,
  request,
}) => {
  const person = await makePerson({ first_name: 'Zoé', last_name: 'Évrard' });
  const other = await openSession(request, person);
  const token = await logIn(page, person);
  const releaseSecurity = await holdCalls(page, /\/api\/auth\/(sessions|2fa\/status)$/);
  await page.goto('/?panel=profile');
  const logout = panel(page).getByRole('button', { name: 'Se déconnecter' });
  const logoutBox = await logout.boundingBox();
  releaseSecurity();
  await expect(sessions(page).getByRole('listitem')).toHaveCount(2);
  await expect(secondFactor(page).getByText('Désactivée', { exact: true })).toBeVisible();
  expect(await logout.boundingBox(), 'a button that moves is missed').toEqual(logoutBox);
  await expect(panel(page).getByRole('term')).toHaveText(['Prénom', 'Nom', 'Email', 'Rôle']);
  await expect(panel(page).getByRole('definition')).toHaveText(['Zoé', 'Évrard', person.email, 'Utilisateur']);
  await expect(panel(page)).toContainText('adressez-vous à un administrateur.');
  await expect(panel(page)).toContainText('Ces réglages sont temporaires');
  await expect(adminMode(page)).toHaveCount(0);
  await expect(panel(page).getByRole('link', { name: 'Utilisateurs' })).toHaveCount(0);

  await test.step('the password form requires the old password and marks each wrong field', async () => {
    const alert = password.form(page).getByRole('alert');
    await expect(panel(page).getByText('8 caractères au moins')).toBeVisible();
    await changePassword(page, '', '');
    await expect(panel(page).getByText('Veuillez saisir votre mot de passe actuel.')).toBeVisible();
    await expect(panel(page).getByText('Veuillez saisir un nouveau mot de passe.')).toBeVisible();
    await expect(password.current(page)).toBeFocused();
    await changePassword(page, person.password, 'court');
    await expect(panel(page).getByText('Le mot de passe doit compter au moins 8 caractères.')).toBeVisible();
    await expect(password.chosen(page)).toBeFocused();
    await changePassword(page, person.password, 'le phare dans la brume', 'la brume dans le phare');
    await expect(panel(page).getByText('La confirmation ne correspond pas au nouveau mot de passe.')).toBeVisible();
    await expect(password.again(page)).toBeFocused();
    await changePassword(page, person.password, person.password);
    await expect(panel(page).getByText('Le nouveau mot de passe doit être différent de l’actuel.')).toBeVisible();

    await changePassword(page, 'not the password', 'le phare dans la brume');
    await expect(toasts(page)).toContainText('Le mot de passe actuel est incorrect.');
    await expect(alert).toHaveText('Le mot de passe actuel est incorrect.');
    await page.route('**/api/auth/change_password', (route) => route.abort());
    await changePassword(page, person.password, 'le phare dans la brume');
    await expect(alert).toHaveText('Échec du changement de mot de passe');
    await expect(password.chosen(page)).toHaveValue('le phare dans la brume');
    await page.unroute('**/api/auth/change_password');
  });

  await test.step('a new password closes the other sessions and keeps this one', async () => {
    await expect(sessions(page).getByRole('listitem')).toHaveCount(2);
    await changePassword(page, person.password, 'le phare dans la brume');
    await expect(toasts(page)).toContainText('Votre mot de passe est changé. Vos autres sessions sont fermées.');
    await expect(password.current(page)).toHaveValue('');
    await expect(password.chosen(page)).toHaveValue('');
    await expect(sessions(page).getByRole('listitem')).toHaveCount(1);
    await expectSessionEnded(request, other);
    expect((await request.get('/api/auth/me', { headers: bearer(token) })).status()).toBe(200);
    const { email, password: old } = person;
    expect((await request.post('/api/auth/login', { data: { email, password: old } })).status()).toBe(401);
    await openSession(request, { ...person, password: 'le phare dans la brume' });
  });

  await test.step('text typed while a password is saved stays', async () => {
    const release = await holdCalls(page, '**/api/auth/change_password');
    const sending = page.waitForRequest('**/api/auth/change_password');
    await changePassword(page, 'le phare dans la brume', 'la brume autour du phare');
    await sending;
    await password.chosen(page).fill('une autre brume');
    release();
    await expect(toasts(page)).toContainText('Votre mot de passe est changé.');
    await expect(password.current(page)).toHaveValue('');
    await expect(password.again(page)).toHaveValue('');
    await expect(password.chosen(page)).toHaveValue('une autre brume');
  });
});

test('admin mode starts when it is applied, and shows on every screen and in every call', async ({
  loggedIn: page,
}) => {
  await page.goto('/?panel=profile');
  await expect(panel(page).getByRole('definition').last()).toHaveText('Administrateur');
  await adminMode(page).check();
  await panel(page).getByRole('button', { name: 'Annuler' }).click();
  await expect(panel(page)).toBeHidden();
  await expect(amberLine(page)).toBeHidden();

  await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
  await expect(adminMode(page)).not.toBeChecked();
  await adminMode(page).check();
  await panel(page).getByRole('button', { name: 'Appliquer' }).click();
  await expect(toasts(page)).toContainText('Toutes les données sont visibles.');
  await expect(amberLine(page)).toBeVisible();
  const adminModeRequest = page.waitForRequest('**/api/settings/notifications');
  await page.getByRole('link', { name: 'Notifications' }).click();
  expect((await adminModeRequest).headers()['x-admin-mode']).toBe('1');

  await page.goto('/notifications?panel=profile');
  await expect(amberLine(page)).toBeVisible();
  await adminMode(page).uncheck();
  await panel(page).getByRole('button', { name: 'Appliquer' }).click();
  await expect(toasts(page)).toContainText('Seules vos données sont visibles.');
  await expect(amberLine(page)).toBeHidden();
  const ownDataRequest = page.waitForRequest('**/api/settings/notifications');
  await page.reload();
  expect((await ownDataRequest).headers()).not.toHaveProperty('x-admin-mode');

  await test.step('the panel links an administrator to the users', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
    await panel(page).getByRole('link', { name: 'Utilisateurs' }).click();
    await expect(page.getByRole('heading', { name: 'Utilisateurs' })).toBeVisible();
    await expect(panel(page)).toBeHidden();
  });
});

test('a failed list of sessions can be retried; a session of another device is revoked, then all others at once', async ({
  page,
  person,
  browser,
  request,
}) => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const other = await (await browser.newContext({ userAgent: firefox })).newPage();
  await logIn(other, person);
  await other.goto('/servers');
  await expect(other.getByRole('heading', { name: 'Serveurs' })).toBeVisible();
  const tokens = [await openSession(request, person), await openSession(request, person)];
  await logIn(page, person);
  await page.route('**/api/auth/sessions', (route) => route.abort());
  await page.goto('/?panel=profile');
  const lines = sessions(page).getByRole('listitem');
  await expect(sessions(page).getByRole('alert')).toContainText('Impossible de charger vos sessions.');
  await page.unroute('**/api/auth/sessions');
  await sessions(page).getByRole('button', { name: 'Réessayer' }).click();
  await expect(lines).toHaveCount(4);
  const own = lines.filter({ hasText: 'Cette session' });
  await expect(own).toContainText('Chrome sur Linux');
  await expect(own.getByRole('button')).toHaveCount(0);
  const firefoxLine = lines.getByRole('button', { name: /^Révoquer la session Firefox sur Windows, / });
  await page.route('**/api/auth/sessions/*', (route) => route.abort());
  await firefoxLine.click();
  await expect(sessions(page).getByRole('alert')).toHaveText('La session n’a pas pu être révoquée.');
  await expect(lines).toHaveCount(4);
  await page.unroute('**/api/auth/sessions/*');
  await firefoxLine.click();
  await expect(toasts(page)).toContainText('1\u00a0session révoquée.');
  await expect(lines).toHaveCount(3);
  await expect(sessions(page).getByRole('heading', { name: 'Sessions ouvertes' })).toBeFocused();
  await other.reload();
  await expect(other.getByText('Votre session a expiré.')).toBeVisible();
  await other.context().close();

  await test.step('all the other sessions are revoked at once', async () => {
    await sessions(page).getByRole('button', { name: 'Révoquer les autres' }).click();
    await expect(toasts(page)).toContainText('2\u00a0sessions révoquées.');
    await expect(sessions(page).getByRole('listitem')).toHaveCount(1);
    await expect(sessions(page).getByRole('button')).toHaveCount(0);
    for (const token of tokens) await expectSessionEnded(request, token);
  });
});

test('unsaved text survives the end of a session, and a logout asks before it is lost', async ({
  page,
  request,
  makePerson,
}) => {
  const person = await makePerson({ role: 'admin' });
  const token = await logIn(page, person);
  await page.goto('/admin/users?add=true');
  await account(page).getByLabel('Prénom').fill('Zoé');
  await account(page).getByLabel('Mot de passe', { exact: true }).fill('le phare dans la brume');
  await endSession(request, token);
  await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
  await expect(page.getByText('Votre session a expiré.')).toBeVisible();
  await fillLogin(page, person.email, person.password);
  await expect(account(page).getByLabel('Prénom')).toHaveValue('Zoé');
  await expect(account(page).getByLabel('Mot de passe', { exact: true })).toHaveValue('');

  // Another tab learns first that the session has ended, and the user logs in there.
  await endSession(request, (await page.evaluate(() => localStorage.getItem('access_token'))) ?? '');
  const other = await page.context().newPage();
  await other.goto('/servers');
  await expect(page.getByText('Votre session a expiré.')).toBeVisible();
  await fillLogin(other, person.email, person.password);
  await expect(account(page).getByLabel('Prénom')).toHaveValue('Zoé');
  const logout = panel(page).getByRole('button', { name: 'Se déconnecter' });
  await logout.click();
  const dialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(logout).toBeFocused();
  await expect(account(page).getByLabel('Prénom')).toHaveValue('Zoé');
  await logout.click();
  await dialog.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
  await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
});

test('the panel shows the state of 2FA and links to its screen', async ({ page, person }) => {
  const token = await logIn(page, person);
  await page.goto('/?panel=profile');
  await expect(secondFactor(page).getByText('Désactivée', { exact: true })).toBeVisible();
  await secondFactor(page).getByRole('link', { name: 'Activer la 2FA' }).click();
  await expect(page).toHaveURL('/security/2fa');
  await enrol(page, token);
  await page.route('**/api/auth/2fa/status', (route) => route.abort());
  // The dashboard would load the same state, so the story opens another screen.
  await page.goto('/servers?panel=profile');
  await expect(secondFactor(page).getByRole('alert')).toContainText('L’état de la 2FA n’a pas pu être lu.');
  const again = secondFactor(page).getByRole('button', { name: 'Réessayer' });
  await page.unroute('**/api/auth/2fa/status');
  await again.click();
  await expect(secondFactor(page).getByText('Activée', { exact: true })).toBeVisible();
  await expect(secondFactor(page)).toContainText('10\u00a0codes de récupération restants.');
  await secondFactor(page).getByRole('link').click();
  await expect(page).toHaveURL('/security/2fa');

  await test.step('a user disables 2FA with the password', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
    const disable = secondFactor(page).getByRole('button', { name: 'Désactiver la 2FA' });
    const field = secondFactor(page).getByLabel('Votre mot de passe, pour désactiver la 2FA');
    const alert = secondFactor(page).getByRole('alert');
    await disable.click();
    await expect(field).toBeFocused();
    await disable.click();
    await expect(secondFactor(page).getByText('Mot de passe requis', { exact: true })).toBeVisible();
    await expect(field).toBeFocused();
    await secondFactor(page).getByRole('button', { name: 'Garder la 2FA' }).click();
    await expect(field).toBeHidden();
    await disable.click();
    await field.fill('not the password');
    await field.press('Enter');
    await expect(toasts(page)).toContainText('Mot de passe incorrect');
    await expect(alert).toHaveText('Mot de passe incorrect');
    await field.fill(person.password);
    await page.route('**/api/auth/2fa/disable', (route) => route.abort());
    await disable.click();
    await expect(alert).toHaveText('Échec de la désactivation 2FA');
    await page.unroute('**/api/auth/2fa/disable');
    await disable.click();
    await expect(secondFactor(page).getByText('Désactivée', { exact: true })).toBeVisible();
    await expect(secondFactor(page).getByRole('link', { name: 'Activer la 2FA' })).toBeVisible();
    await expect(field).toBeHidden();
  });
});
