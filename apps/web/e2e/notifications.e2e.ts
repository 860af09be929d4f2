import { expect, type Page } from '@playwright/test';
import { env } from './env';
import { test as base } from './app-settings';
import { apiCalls, clickRetry } from './fixtures';
import { bearer, logIn, someEmail } from './people';

type Received = { to: string; from: string; subject: string };

const test = base.extend<{ setKey: (key: string | null) => Promise<void> }>({
  setKey: async ({ request, adminSession }, use) => {
    await use(async (key) => {
      const headers = bearer(adminSession.access_token);
      const answer = await request.post('/api/settings/notifications', { data: { sendgrid_api_key: key }, headers });
      expect(answer.status(), await answer.text()).toBe(200);
    });
  },
});

test.skip(env.sendgrid === undefined, 'needs the SendGrid of the tests');
// All stories share the SendGrid key, and the API never returns it, so each story starts and ends with the working one.
test.beforeEach(({ setKey }) => setKey(env.sendgridKey));
test.afterEach(({ setKey }) => setKey(env.sendgridKey));

const keyField = (page: Page) => page.getByLabel('Clé SendGrid');
const saveKey = (page: Page) => page.getByRole('button', { name: 'Enregistrer la clé' });
const senderField = (page: Page) => page.getByLabel('Adresse expéditeur');
const saveSender = (page: Page) => page.getByRole('button', { name: 'Enregistrer l’expéditeur' });
const sendTest = (page: Page) => page.getByRole('button', { name: 'Envoyer un email de test' });
const transport = (page: Page) => page.getByRole('region', { name: 'Envoi des emails' });
const testSection = (page: Page) => page.getByRole('region', { name: 'Message de test' });
const mails = (page: Page) => page.getByRole('region', { name: 'Derniers emails' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const saves = (page: Page) => {
  const calls = apiCalls(page);
  return () => calls.filter((call) => call.method() === 'POST').map((call) => call.postDataJSON());
};

const mailsTo = async (page: Page, email: string): Promise<Received[]> => {
  const received: Received[] = await (await page.request.get(`${env.sendgrid}/mails`)).json();
  return received.filter(({ to }) => to === email);
};

/** Requests a password reset, whose email goes through the queue. */
const requestReset = (page: Page, email: string) => page.request.post('/api/auth/forgot', { data: { email } });

/** Expects an error and a retry for both the settings and the emails. */
async function reloadAfterFailure(page: Page): Promise<void> {
  await page.route('**/api/settings/notifications*', (route) => route.abort());
  await page.route('**/api/settings/notifications/mails', (route) => route.abort());
  await page.clock.install();
  await page.reload();
  const settings = page.getByRole('main').getByRole('alert');
  await expect(toasts(page)).toContainText('Impossible de charger les derniers emails.');
  await expect(settings).toContainText('Les réglages d’envoi n’ont pas pu être lus.');
  await expect(mails(page)).toContainText('Impossible de charger les derniers emails.');
  await clickRetry(page, mails(page), () => page.unrouteAll());
  await expect(mails(page)).not.toContainText('Impossible de charger');
  await settings.getByRole('button', { name: 'Réessayer' }).click();
  await expect(keyField(page)).toBeVisible();
}

test('a key is checked and stored, never shown; a sender needs an address; each email is listed', async ({
  loggedIn: page,
  adminSession,
  makePerson,
  setKey,
}) => {
  await page.goto('/notifications');
  await test.step('a sender needs an address', async () => {
    const sent = saves(page);
    for (const address of ['', 'nobody']) {
      await senderField(page).fill(address);
      await saveSender(page).click();
      await expect(page.getByText('Renseignez une adresse expéditeur valide.')).toBeVisible();
      await expect(senderField(page)).toBeFocused();
    }
    expect(sent()).toEqual([]);
    await page.route('**/api/settings/app', (route) => route.abort());
    await senderField(page).fill(someEmail());
    await expect(page.getByText('Renseignez une adresse expéditeur valide.')).toBeHidden();
    await saveSender(page).click();
    await expect(page.getByRole('main').getByText("Échec de l'enregistrement.")).toBeVisible();
    await page.unroute('**/api/settings/app');
  });

  await test.step('a key is checked, and stays in the field when it cannot be saved', async () => {
    const sent = saves(page);
    await keyField(page).fill('SG.clé');
    await saveKey(page).click();
    await expect(page.getByText('Cette clé contient des caractères qu’une clé SendGrid n’a pas.')).toBeVisible();
    expect(sent()).toEqual([]);
    await page.route('**/api/settings/notifications', (route) => route.abort());
    await keyField(page).fill('SG.autre');
    await saveKey(page).click();
    await expect(toasts(page)).toContainText("Échec de l'enregistrement.");
    await expect(transport(page).getByText("Échec de l'enregistrement.")).toBeVisible();
    await expect(keyField(page)).toHaveValue('SG.autre');
    await page.unroute('**/api/settings/notifications');
  });

  await test.step('the key is stored and never shown', async () => {
    const sent = saves(page);
    await keyField(page).fill(` ${env.sendgridKey} `);
    await saveKey(page).click();
    await expect(toasts(page)).toContainText('Clé SendGrid enregistrée.');
    await expect(keyField(page)).toHaveValue('');
    await expect(keyField(page)).toHaveAttribute('placeholder', '••••••••');
    await expect(transport(page)).toContainText('Les emails partent par SendGrid');
    await expect(transport(page)).toContainText('Clé enregistrée à l’instant.');
    await reloadAfterFailure(page);
    await expect(keyField(page)).toHaveAttribute('placeholder', '••••••••');
    await expect(keyField(page)).toHaveValue('');
    expect(await page.content()).not.toContain(env.sendgridKey);
    const headers = bearer(adminSession.access_token);
    const answer = await page.request.get('/api/settings/notifications', { headers });
    expect(await answer.json()).toMatchObject({ has_sendgrid_key: true, transport: 'sendgrid' });
    expect(await answer.text()).not.toContain(env.sendgridKey);

    await saveKey(page).click();
    await expect(toasts(page)).toContainText('Clé SendGrid conservée.');
    expect(sent()).toEqual([{ sendgrid_api_key: env.sendgridKey }, { sendgrid_api_key: '' }]);
  });

  await test.step('the list shows what happened to each email', async () => {
    const [lucky, unlucky] = [await makePerson(), await makePerson()];
    await requestReset(page, lucky.email);
    await mails(page).getByRole('button', { name: 'Actualiser' }).click();
    const lineOf = (email: string) => mails(page).getByRole('listitem').filter({ hasText: email });
    await expect(lineOf(lucky.email).getByText('Envoyé', { exact: true })).toBeVisible();
    await expect(lineOf(lucky.email)).toContainText('réinitialisation de votre mot de passe');
    expect(await mailsTo(page, lucky.email)).toHaveLength(1);
    await setKey('SG.refusee');
    await requestReset(page, unlucky.email);
    await mails(page).getByRole('button', { name: 'Actualiser' }).click();
    await expect(lineOf(unlucky.email).getByText('Échec', { exact: true })).toBeVisible();
    await expect(lineOf(unlucky.email)).toContainText('SendGrid a refusé la clé d’API');
    await expect(mails(page)).not.toContainText('/reset?token=');
  });
});

test('a test email fails with a wrong key, is sent from the typed or the saved address, and needs a key', async ({
  page,
  makePerson,
  setKey,
}) => {
  const admin = await makePerson({ role: 'admin' });
  await logIn(page, admin);
  await page.goto('/notifications');
  await test.step('a key that SendGrid refuses shows an error', async () => {
    await setKey('SG.refusee');
    await sendTest(page).click();
    await expect(toasts(page)).toContainText('SendGrid a refusé la clé d’API');
    await expect(testSection(page).getByRole('alert')).toContainText('SendGrid a refusé la clé d’API');
    await expect(sendTest(page)).toBeFocused();
    expect(await mailsTo(page, admin.email)).toEqual([]);
    await page.route('**/api/settings/notifications/test', (route) => route.abort());
    await sendTest(page).click();
    await expect(testSection(page).getByRole('alert')).toHaveText("Échec de l'envoi de l'email de test.");
    await page.unroute('**/api/settings/notifications/test');
    await setKey(env.sendgridKey);
  });

  await test.step('it arrives from the typed address, then from the saved one', async () => {
    const [typed, saved] = [someEmail(), someEmail()];
    await senderField(page).fill(typed);
    await sendTest(page).click();
    await expect(toasts(page)).toContainText(`Email de test envoyé à ${admin.email}.`);
    await expect(testSection(page).getByRole('status')).toHaveText(`Email de test envoyé à ${admin.email}.`);
    const subject = expect.stringMatching(/^Vigie\s: email de test$/);
    expect(await mailsTo(page, admin.email)).toMatchObject([{ from: typed, subject }]);
    await senderField(page).fill(saved);
    await saveSender(page).click();
    await expect(toasts(page)).toContainText('Expéditeur enregistré.');
    await page.reload();
    await expect(senderField(page)).toHaveValue(saved);
    await sendTest(page).click();
    await expect(testSection(page).getByRole('status')).toHaveText(/\S/);
    expect(await mailsTo(page, admin.email)).toMatchObject([{ from: typed }, { from: saved }]);
  });

  await test.step('a key is removed after a confirmation, and without a key no email leaves', async () => {
    await page.getByRole('button', { name: 'Supprimer la clé' }).click();
    const dialog = page.getByRole('dialog', { name: 'Supprimer la clé SendGrid\u202f?' });
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Supprimer la clé' }).click();
    await expect(toasts(page)).toContainText('Clé SendGrid supprimée.');
    await expect(transport(page).getByText('Aucun envoi')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Supprimer la clé' })).toHaveCount(0);
    await saveKey(page).click();
    await expect(page.getByText('Saisissez une clé SendGrid.')).toBeVisible();
    await sendTest(page).click();
    await expect(testSection(page).getByRole('alert')).toContainText('Aucun service d’envoi n’est configuré');
    await keyField(page).fill(env.sendgridKey);
    await saveKey(page).click();
    await expect(testSection(page)).not.toContainText('Aucun service');
  });
});

test('a client can only change the theme in the settings, sees no email, and can send a test', async ({
  page,
  person,
  appSettings,
}) => {
  const onlyForAdmins = page.getByText('Certains paramètres sont réservés aux administrateurs.', { exact: true });
  await logIn(page, person);
  const calls = apiCalls(page);
  await test.step('the settings show only the theme', async () => {
    await page.goto('/settings');
    await expect(onlyForAdmins).toBeVisible();
    await expect(page.getByLabel('Nom de l’application')).toHaveValue(appSettings.app_name);
    for (const label of ['Nom de l’application', 'Expéditeur par défaut', 'Double authentification obligatoire']) {
      await expect(page.getByLabel(label)).toBeDisabled();
    }
    for (const theme of ['clair', 'sombre']) {
      await expect(page.getByRole('group', { name: `Logo, thème ${theme}` }).getByRole('button')).toBeDisabled();
    }
    await expect(page.getByRole('button', { name: 'Enregistrer' })).toHaveCount(0);
    await expect(page.getByRole('radio', { name: 'Sombre' })).toBeEnabled();
  });
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(keyField(page)).toBeVisible();
  await expect(onlyForAdmins).toBeVisible();
  for (const control of [keyField(page), saveKey(page), senderField(page), saveSender(page)]) {
    await expect(control).toBeDisabled();
  }
  await expect(mails(page)).toHaveCount(0);
  await sendTest(page).click();
  await expect(testSection(page).getByRole('status')).toHaveText(`Email de test envoyé à ${person.email}.`);
  expect(await mailsTo(page, person.email)).toHaveLength(1);
  expect(calls.filter((call) => call.url().endsWith('/mails'))).toEqual([]);
});
