import { expect, type Page } from '@playwright/test';
import { clickRetry, fillLogin, installClock, pauseRequests } from './fixtures';
import { bearer, endSession, enrolTotp, waitForSessionEnd, logIn, openSession, test } from './people';

const panel = (page: Page) => page.getByRole('dialog', { name: 'Profil' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const adminModeField = (page: Page) => panel(page).getByLabel('Voir toutes les données (mode admin)');
const adminModeBanner = (page: Page) => page.getByText('Mode admin\u00a0: toutes les données sont visibles');
const secondFactorSection = (page: Page) => panel(page).getByRole('region', { name: /^Double authentification/ });
const sessionsSection = (page: Page) => panel(page).getByRole('region', { name: 'Sessions ouvertes' });
const accountForm = (page: Page) => page.getByRole('region', { name: 'Nouveau compte' });
const passwordFields = {
  current: (page: Page) => panel(page).getByLabel('Mot de passe actuel', { exact: true }),
  next: (page: Page) => panel(page).getByLabel('Nouveau mot de passe', { exact: true }),
  confirmation: (page: Page) => panel(page).getByLabel('Confirmation du nouveau mot de passe', { exact: true }),
  form: (page: Page) => panel(page).locator('form').filter({ hasText: 'Changer le mot de passe' }),
};

async function changePassword(page: Page, current: string, next: string, confirmation = next): Promise<void> {
  await passwordFields.current(page).fill(current);
  await passwordFields.next(page).fill(next);
  await passwordFields.confirmation(page).fill(confirmation);
  await panel(page).getByRole('button', { name: 'Changer le mot de passe' }).click();
}

test('the panel shows the account, and a password change needs the old password and ends the other sessions', async ({
  page,
  makePerson,
  request,
}) => {
  const person = await makePerson({ first_name: 'Zoé', last_name: 'Évrard' });
  const otherToken = await openSession(request, person);
  const token = await logIn(page, person);
  const releaseSecurity = await pauseRequests(page, /\/api\/auth\/(sessions|2fa\/status)$/);
  await page.goto('/?panel=profile');
  const logout = panel(page).getByRole('button', { name: 'Se déconnecter' });
  const logoutBox = await logout.boundingBox();
  releaseSecurity();
  await expect(sessionsSection(page).getByRole('listitem')).toHaveCount(2);
  await expect(secondFactorSection(page).getByText('Désactivée', { exact: true })).toBeVisible();
  expect(await logout.boundingBox(), 'the logout button must not move').toEqual(logoutBox);
  await expect(panel(page).getByRole('term')).toHaveText(['Prénom', 'Nom', 'Email', 'Rôle']);
  await expect(panel(page).getByRole('definition')).toHaveText(['Zoé', 'Évrard', person.email, 'Utilisateur']);
  await expect(panel(page)).toContainText('adressez-vous à un administrateur.');
  await expect(adminModeField(page)).toHaveCount(0);
  await expect(panel(page).getByRole('link', { name: 'Utilisateurs' })).toHaveCount(0);

  await test.step('each field of the password form is validated', async () => {
    const alert = passwordFields.form(page).getByRole('alert');
    await expect(panel(page).getByText('8 caractères au moins')).toBeVisible();
    await changePassword(page, '', '');
    await expect(panel(page).getByText('Veuillez saisir votre mot de passe actuel.')).toBeVisible();
    await expect(panel(page).getByText('Veuillez saisir un nouveau mot de passe.')).toBeVisible();
    await expect(passwordFields.current(page)).toBeFocused();
    await changePassword(page, person.password, 'court');
    await expect(panel(page).getByText('Le mot de passe doit compter au moins 8 caractères.')).toBeVisible();
    await expect(passwordFields.next(page)).toBeFocused();
    await changePassword(page, person.password, 'le phare dans la brume', 'la brume dans le phare');
    await expect(panel(page).getByText('La confirmation ne correspond pas au nouveau mot de passe.')).toBeVisible();
    await expect(passwordFields.confirmation(page)).toBeFocused();
    await changePassword(page, person.password, person.password);
    await expect(panel(page).getByText('Le nouveau mot de passe doit être différent de l’actuel.')).toBeVisible();

    await changePassword(page, 'not the password', 'le phare dans la brume');
    await expect(toasts(page)).toContainText('Le mot de passe actuel est incorrect.');
    await expect(alert).toHaveText('Le mot de passe actuel est incorrect.');
    await page.route('**/api/auth/change_password', (route) => route.abort());
    await changePassword(page, person.password, 'le phare dans la brume');
    await expect(alert).toHaveText('Échec du changement de mot de passe');
    await expect(passwordFields.next(page)).toHaveValue('le phare dans la brume');
    await page.unroute('**/api/auth/change_password');
  });

  await test.step('a password change ends the other sessions and keeps this one', async () => {
    await expect(sessionsSection(page).getByRole('listitem')).toHaveCount(2);
    await changePassword(page, person.password, 'le phare dans la brume');
    await expect(toasts(page)).toContainText('Votre mot de passe est changé. Vos autres sessions sont fermées.');
    await expect(passwordFields.current(page)).toHaveValue('');
    await expect(passwordFields.next(page)).toHaveValue('');
    await expect(sessionsSection(page).getByRole('listitem')).toHaveCount(1);
    await waitForSessionEnd(request, otherToken);
    expect((await request.get('/api/auth/me', { headers: bearer(token) })).status()).toBe(200);
    const { email, password: oldPassword } = person;
    expect((await request.post('/api/auth/login', { data: { email, password: oldPassword } })).status()).toBe(401);
    await openSession(request, { ...person, password: 'le phare dans la brume' });
  });

  await test.step('text typed while the change is saved is kept', async () => {
    const release = await pauseRequests(page, '**/api/auth/change_password');
    const changeRequest = page.waitForRequest('**/api/auth/change_password');
    await changePassword(page, 'le phare dans la brume', 'la brume autour du phare');
    await changeRequest;
    await passwordFields.next(page).fill('une autre brume');
    release();
    await expect(toasts(page)).toContainText('Votre mot de passe est changé.');
    await expect(passwordFields.current(page)).toHaveValue('');
    await expect(passwordFields.confirmation(page)).toHaveValue('');
    await expect(passwordFields.next(page)).toHaveValue('une autre brume');
  });
});

test('the admin mode starts when it is applied, and appears on every screen and in every request', async ({
  loggedIn: page,
}) => {
  await page.goto('/?panel=profile');
  await expect(panel(page).getByRole('definition').last()).toHaveText('Administrateur');
  await expect(panel(page)).toContainText('Ce réglage est temporaire\u00a0: il s’efface à la déconnexion.');
  await adminModeField(page).check();
  await panel(page).getByRole('button', { name: 'Annuler' }).click();
  await expect(panel(page)).toBeHidden();
  await expect(adminModeBanner(page)).toBeHidden();

  await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
  await expect(adminModeField(page)).not.toBeChecked();
  await adminModeField(page).check();
  await panel(page).getByRole('button', { name: 'Appliquer' }).click();
  await expect(toasts(page)).toContainText('Toutes les données sont visibles.');
  await expect(adminModeBanner(page)).toBeVisible();
  const adminModeRequest = page.waitForRequest('**/api/settings/notifications');
  await page.getByRole('link', { name: 'Notifications' }).click();
  expect((await adminModeRequest).headers()['x-admin-mode']).toBe('1');

  await page.goto('/notifications?panel=profile');
  await expect(adminModeBanner(page)).toBeVisible();
  await adminModeField(page).uncheck();
  // The screen reads everything again, as it is without the mode.
  const ownDataRequest = page.waitForRequest(
    (request) => request.url().endsWith('/api/settings/notifications') && !('x-admin-mode' in request.headers()),
  );
  await panel(page).getByRole('button', { name: 'Appliquer' }).click();
  await ownDataRequest;
  await expect(toasts(page)).toContainText('Seules vos données sont visibles.');
  await expect(adminModeBanner(page)).toBeHidden();

  await test.step('the panel of an administrator links to the users', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
    await panel(page).getByRole('link', { name: 'Utilisateurs' }).click();
    await expect(page.getByRole('heading', { name: 'Utilisateurs' })).toBeVisible();
    await expect(panel(page)).toBeHidden();
  });
});

test('the session list can be retried, and one session or all the others can be revoked', async ({
  page,
  person,
  browser,
  request,
}) => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const otherDevice = await (await browser.newContext({ userAgent: firefox })).newPage();
  await logIn(otherDevice, person);
  await otherDevice.goto('/servers');
  await expect(otherDevice.getByRole('heading', { name: 'Serveurs' })).toBeVisible();
  const tokens = [await openSession(request, person), await openSession(request, person)];
  await logIn(page, person);
  await page.route('**/api/auth/sessions', (route) => route.abort());
  await installClock(page);
  await page.goto('/?panel=profile');
  const lines = sessionsSection(page).getByRole('listitem');
  await expect(sessionsSection(page).getByRole('alert')).toContainText('Impossible de charger vos sessions.');
  await clickRetry(page, sessionsSection(page), () => page.unroute('**/api/auth/sessions'));
  await expect(lines).toHaveCount(4);
  const currentSession = lines.filter({ hasText: 'Cette session' });
  await expect(currentSession).toContainText('Chrome sur Linux');
  await expect(currentSession.getByRole('button')).toHaveCount(0);
  const revokeButton = lines.getByRole('button', { name: /^Révoquer la session Firefox sur Windows, / });
  await page.route('**/api/auth/sessions/*', (route) => route.abort());
  // A request that is on its way while the browser's interception ends may never be answered.
  const readAgain = page.waitForResponse('**/api/auth/sessions');
  await revokeButton.click();
  await expect(sessionsSection(page).getByRole('alert')).toHaveText('La session n’a pas pu être révoquée.');
  await expect(lines).toHaveCount(4);
  await readAgain;
  await page.unroute('**/api/auth/sessions/*');
  await revokeButton.click();
  await expect(toasts(page)).toContainText('1\u00a0session révoquée.');
  await expect(lines).toHaveCount(3);
  await expect(sessionsSection(page).getByRole('heading', { name: 'Sessions ouvertes' })).toBeFocused();
  await otherDevice.reload();
  await expect(otherDevice.getByText('Votre session a expiré.')).toBeVisible();
  await otherDevice.context().close();

  await test.step('all other sessions are revoked together', async () => {
    await sessionsSection(page).getByRole('button', { name: 'Révoquer les autres' }).click();
    await expect(toasts(page)).toContainText('2\u00a0sessions révoquées.');
    await expect(sessionsSection(page).getByRole('listitem')).toHaveCount(1);
    await expect(sessionsSection(page).getByRole('button')).toHaveCount(0);
    for (const token of tokens) await waitForSessionEnd(request, token);
  });
});

test('an unsaved form survives an expired session, and a logout over it needs a confirmation', async ({
  page,
  request,
  makePerson,
}) => {
  const person = await makePerson({ role: 'admin' });
  const token = await logIn(page, person);
  await page.goto('/admin/users?add=true');
  await accountForm(page).getByLabel('Prénom').fill('Zoé');
  await accountForm(page).getByLabel('Mot de passe', { exact: true }).fill('le phare dans la brume');
  await endSession(request, token);
  await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
  await expect(page.getByText('Votre session a expiré.')).toBeVisible();
  await fillLogin(page, person.email, person.password);
  await expect(accountForm(page).getByLabel('Prénom')).toHaveValue('Zoé');
  await expect(accountForm(page).getByLabel('Mot de passe', { exact: true })).toHaveValue('');

  // Another tab notices the end of the session first, and the user logs in there.
  await endSession(request, (await page.evaluate(() => localStorage.getItem('access_token'))) ?? '');
  const otherTab = await page.context().newPage();
  await otherTab.goto('/servers');
  await expect(page.getByText('Votre session a expiré.')).toBeVisible();
  await fillLogin(otherTab, person.email, person.password);
  await expect(accountForm(page).getByLabel('Prénom')).toHaveValue('Zoé');
  const logout = panel(page).getByRole('button', { name: 'Se déconnecter' });
  await logout.click();
  const dialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(logout).toBeFocused();
  await expect(accountForm(page).getByLabel('Prénom')).toHaveValue('Zoé');
  await logout.click();
  await dialog.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
  await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
});

test('the panel shows the state of the second factor and links to its screen', async ({ page, person }) => {
  const token = await logIn(page, person);
  await page.goto('/?panel=profile');
  await expect(secondFactorSection(page).getByText('Désactivée', { exact: true })).toBeVisible();
  await secondFactorSection(page).getByRole('link', { name: 'Activer la 2FA' }).click();
  await expect(page).toHaveURL('/security/2fa');
  await enrolTotp(page, token);
  await page.route('**/api/auth/2fa/status', (route) => route.abort());
  // The dashboard requests this status too, so the story uses another screen.
  await installClock(page);
  await page.goto('/servers?panel=profile');
  await expect(secondFactorSection(page).getByRole('alert')).toContainText('L’état de la 2FA n’a pas pu être lu.');
  await clickRetry(page, secondFactorSection(page), () => page.unroute('**/api/auth/2fa/status'));
  await expect(secondFactorSection(page).getByText('Activée', { exact: true })).toBeVisible();
  await expect(secondFactorSection(page)).toContainText('10\u00a0codes de récupération restants.');
  await secondFactorSection(page).getByRole('link').click();
  await expect(page).toHaveURL('/security/2fa');

  await test.step('the second factor is disabled with the password', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
    const disableButton = secondFactorSection(page).getByRole('button', { name: 'Désactiver la 2FA' });
    const field = secondFactorSection(page).getByLabel('Votre mot de passe, pour désactiver la 2FA');
    const alert = secondFactorSection(page).getByRole('alert');
    await disableButton.click();
    await expect(field).toBeFocused();
    await disableButton.click();
    await expect(secondFactorSection(page).getByText('Mot de passe requis', { exact: true })).toBeVisible();
    await expect(field).toBeFocused();
    await secondFactorSection(page).getByRole('button', { name: 'Garder la 2FA' }).click();
    await expect(field).toBeHidden();
    await disableButton.click();
    await field.fill('not the password');
    await field.press('Enter');
    await expect(toasts(page)).toContainText('Mot de passe incorrect');
    await expect(alert).toHaveText('Mot de passe incorrect');
    await field.fill(person.password);
    await page.route('**/api/auth/2fa/disable', (route) => route.abort());
    await disableButton.click();
    await expect(alert).toHaveText('Échec de la désactivation 2FA');
    await page.unroute('**/api/auth/2fa/disable');
    await disableButton.click();
    await expect(secondFactorSection(page).getByText('Désactivée', { exact: true })).toBeVisible();
    await expect(secondFactorSection(page).getByRole('link', { name: 'Activer la 2FA' })).toBeVisible();
    await expect(field).toBeHidden();
  });
});
