import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { env } from './env';
import { clickRetry, installClock, recordApiCalls } from './fixtures';
import { bearer, logIn, anEmail } from './people';
import { fetchMailsTo, test } from './sendgrid';

test.skip(env.sendgrid === undefined, 'needs the fake SendGrid');
// All stories share the key and none can read it, so the valid one is restored around each story.
test.beforeEach(({ setKey }) => setKey(env.sendgridKey));
test.afterEach(({ setKey }) => setKey(env.sendgridKey));

const keyField = (page: Page) => page.getByLabel('Clé SendGrid');
const saveKeyButton = (page: Page) => page.getByRole('button', { name: 'Enregistrer la clé' });
const senderField = (page: Page) => page.getByLabel('Adresse expéditeur');
const saveSenderButton = (page: Page) => page.getByRole('button', { name: 'Enregistrer l’expéditeur' });
const sendTestButton = (page: Page) => page.getByRole('button', { name: 'Envoyer un email de test' });
const transportSection = (page: Page) => page.getByRole('region', { name: 'Envoi des emails' });
const testSection = (page: Page) => page.getByRole('region', { name: 'Message de test' });
const mailsSection = (page: Page) => page.getByRole('region', { name: 'Derniers emails' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const recordSaves = (page: Page) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => call.method() === 'POST').map((call) => call.postDataJSON());
};

/** Requests a mail that is sent through the queue, unlike the test mail. */
const requestReset = (page: Page, email: string) => page.request.post('/api/auth/forgot', { data: { email } });

/** Reloads the page while its requests fail, checks both error messages, and retries one; the other recovers. */
async function reloadAfterFailure(page: Page): Promise<void> {
  await page.route('**/api/settings/notifications*', (route) => route.abort());
  await page.route('**/api/settings/notifications/mails', (route) => route.abort());
  await installClock(page);
  await page.reload();
  const settingsAlert = page.getByRole('main').getByRole('alert');
  await expect(toasts(page)).toContainText('Impossible de charger les derniers emails.');
  await expect(settingsAlert).toContainText('Les réglages d’envoi n’ont pas pu être lus.');
  await expect(mailsSection(page)).toContainText('Impossible de charger les derniers emails.');
  await clickRetry(page, mailsSection(page), () => page.unrouteAll());
  await expect(mailsSection(page)).not.toContainText('Impossible de charger');
  // What is not retried by hand comes back by itself, since Vigie responds again.
  await expect(keyField(page)).toBeVisible();
  await expect(page.getByText('Les réglages d’envoi n’ont pas pu être lus.')).toHaveCount(0);
}

test('the API key is validated and never displayed, the sender needs an address, and each mail is listed', async ({
  loggedIn: page,
  adminSession,
  makePerson,
  setKey,
}) => {
  await page.goto('/notifications');
  await test.step('the sender needs a valid address', async () => {
    const listSaves = recordSaves(page);
    for (const address of ['', 'nobody']) {
      await senderField(page).fill(address);
      await saveSenderButton(page).click();
      await expect(page.getByText('Renseignez une adresse expéditeur valide.')).toBeVisible();
      await expect(senderField(page)).toBeFocused();
    }
    expect(listSaves()).toEqual([]);
    await page.route('**/api/settings/app', (route) => route.abort());
    await senderField(page).fill(anEmail());
    await expect(page.getByText('Renseignez une adresse expéditeur valide.')).toBeHidden();
    await saveSenderButton(page).click();
    await expect(page.getByRole('main').getByText("Échec de l'enregistrement.")).toBeVisible();
    await page.unroute('**/api/settings/app');
  });

  await test.step('the key is validated, and a failed save keeps it in the field', async () => {
    const listSaves = recordSaves(page);
    await keyField(page).fill('SG.clé');
    await saveKeyButton(page).click();
    await expect(page.getByText('Cette clé contient des caractères qu’une clé SendGrid n’a pas.')).toBeVisible();
    expect(listSaves()).toEqual([]);
    await page.route('**/api/settings/notifications', (route) => route.abort());
    await keyField(page).fill('SG.autre');
    await saveKeyButton(page).click();
    await expect(toasts(page)).toContainText("Échec de l'enregistrement.");
    await expect(transportSection(page).getByText("Échec de l'enregistrement.")).toBeVisible();
    await expect(keyField(page)).toHaveValue('SG.autre');
    await page.unroute('**/api/settings/notifications');
  });

  await test.step('the saved key is never returned', async () => {
    const listSaves = recordSaves(page);
    await keyField(page).fill(` ${env.sendgridKey} `);
    await saveKeyButton(page).click();
    await expect(toasts(page)).toContainText('Clé SendGrid enregistrée.');
    await expect(keyField(page)).toHaveValue('');
    await expect(keyField(page)).toHaveAttribute('placeholder', '••••••••');
    await expect(transportSection(page)).toContainText('Les emails partent par SendGrid');
    await expect(transportSection(page)).toContainText('Clé enregistrée à l’instant.');
    await reloadAfterFailure(page);
    await expect(keyField(page)).toHaveAttribute('placeholder', '••••••••');
    await expect(keyField(page)).toHaveValue('');
    expect(await page.content()).not.toContain(env.sendgridKey);
    const headers = bearer(adminSession.access_token);
    const answer = await page.request.get('/api/settings/notifications', { headers });
    expect(await answer.json()).toMatchObject({ has_sendgrid_key: true, transport: 'sendgrid' });
    expect(await answer.text()).not.toContain(env.sendgridKey);

    await saveKeyButton(page).click();
    await expect(toasts(page)).toContainText('Clé SendGrid conservée.');
    expect(listSaves()).toEqual([{ sendgrid_api_key: env.sendgridKey }, { sendgrid_api_key: '' }]);
  });

  await test.step('the list shows whether each mail was sent', async () => {
    const [recipient, refusedRecipient] = [await makePerson(), await makePerson()];
    await requestReset(page, recipient.email);
    await mailsSection(page).getByRole('button', { name: 'Actualiser' }).click();
    const mailRow = (email: string) => mailsSection(page).getByRole('listitem').filter({ hasText: email });
    await expect(mailRow(recipient.email).getByText('Envoyé', { exact: true })).toBeVisible();
    await expect(mailRow(recipient.email)).toContainText('réinitialisation de votre mot de passe');
    expect(await fetchMailsTo(page, recipient.email)).toHaveLength(1);
    await setKey('SG.refusee');
    await requestReset(page, refusedRecipient.email);
    await mailsSection(page).getByRole('button', { name: 'Actualiser' }).click();
    await expect(mailRow(refusedRecipient.email).getByText('Échec', { exact: true })).toBeVisible();
    await expect(mailRow(refusedRecipient.email)).toContainText('SendGrid a refusé la clé d’API');
    await expect(mailsSection(page)).not.toContainText('/reset?token=');
  });
});

test('a test mail needs a valid key and is sent from the typed or the saved address', async ({
  page,
  makePerson,
  setKey,
}) => {
  const admin = await makePerson({ role: 'admin' });
  await logIn(page, admin);
  await page.goto('/notifications');
  await test.step('a key that SendGrid refuses shows an error', async () => {
    await setKey('SG.refusee');
    await sendTestButton(page).click();
    await expect(toasts(page)).toContainText('SendGrid a refusé la clé d’API');
    await expect(testSection(page).getByRole('alert')).toContainText('SendGrid a refusé la clé d’API');
    await expect(sendTestButton(page)).toBeFocused();
    expect(await fetchMailsTo(page, admin.email)).toEqual([]);
    await page.route('**/api/settings/notifications/test', (route) => route.abort());
    await sendTestButton(page).click();
    await expect(testSection(page).getByRole('alert')).toHaveText("Échec de l'envoi de l'email de test.");
    await page.unroute('**/api/settings/notifications/test');
    await setKey(env.sendgridKey);
  });

  await test.step('the test mail is sent from the typed address, and later from the saved one', async () => {
    const [typedAddress, savedAddress] = [anEmail(), anEmail()];
    await senderField(page).fill(typedAddress);
    await sendTestButton(page).click();
    await expect(toasts(page)).toContainText(`Email de test envoyé à ${admin.email}.`);
    await expect(testSection(page).getByRole('status')).toHaveText(`Email de test envoyé à ${admin.email}.`);
    const subject = expect.stringMatching(/^Vigie\s: email de test$/);
    expect(await fetchMailsTo(page, admin.email)).toMatchObject([{ from: typedAddress, subject }]);
    await senderField(page).fill(savedAddress);
    await saveSenderButton(page).click();
    await expect(toasts(page)).toContainText('Expéditeur enregistré.');
    await page.reload();
    await expect(senderField(page)).toHaveValue(savedAddress);
    await sendTestButton(page).click();
    await expect(testSection(page).getByRole('status')).toHaveText(/\S/);
    expect(await fetchMailsTo(page, admin.email)).toMatchObject([{ from: typedAddress }, { from: savedAddress }]);
  });

  await test.step('the key is deleted after a confirmation, and no mail is sent without it', async () => {
    await page.getByRole('button', { name: 'Supprimer la clé' }).click();
    const dialog = page.getByRole('dialog', { name: 'Supprimer la clé SendGrid\u202f?' });
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await expectNoDialogFaults(dialog);
    await dialog.getByRole('button', { name: 'Supprimer la clé' }).click();
    await expect(toasts(page)).toContainText('Clé SendGrid supprimée.');
    await expect(transportSection(page).getByText('Aucun envoi')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Supprimer la clé' })).toHaveCount(0);
    await saveKeyButton(page).click();
    await expect(page.getByText('Saisissez une clé SendGrid.')).toBeVisible();
    await sendTestButton(page).click();
    await expect(testSection(page).getByRole('alert')).toContainText('Aucun service d’envoi n’est configuré');
    await keyField(page).fill(env.sendgridKey);
    await saveKeyButton(page).click();
    await expect(testSection(page)).not.toContainText('Aucun service');
  });
});

test('a client can change only the theme, sees no mails, and can send a test mail', async ({
  page,
  person,
  appSettings,
}) => {
  const adminsOnlyNotice = page.getByText('Certains paramètres sont réservés aux administrateurs.', { exact: true });
  await logIn(page, person);
  const calls = recordApiCalls(page);
  await test.step('only the theme of the settings is enabled', async () => {
    await page.goto('/settings');
    await expect(adminsOnlyNotice).toBeVisible();
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
  await expect(adminsOnlyNotice).toBeVisible();
  for (const control of [keyField(page), saveKeyButton(page), senderField(page), saveSenderButton(page)]) {
    await expect(control).toBeDisabled();
  }
  await expect(mailsSection(page)).toHaveCount(0);
  await sendTestButton(page).click();
  await expect(testSection(page).getByRole('status')).toHaveText(`Email de test envoyé à ${person.email}.`);
  expect(await fetchMailsTo(page, person.email)).toHaveLength(1);
  expect(calls.filter((call) => call.url().endsWith('/mails'))).toEqual([]);
});
