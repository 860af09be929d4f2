import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { namedUrl } from './authenticator';
import { expectNoDialogFaults } from './axe';
import { clickRetry, fillLogin, installClock, recordApiCalls } from './fixtures';
import { openFromMenu } from './menu';
import { requestLogin, enrolTotp, logIn, openSession, test, totp } from './people';
import { expectNoOverflow, onPhone } from './sizes';

const alert = (page: Page) => page.getByRole('main').getByRole('alert');
const codeField = (page: Page) => page.getByLabel('Code de vérification à 6 chiffres');
const totpField = (page: Page) => page.getByLabel('Code à 6 chiffres');
const recoveryField = (page: Page) => page.getByLabel('Code à 6 caractères');
const recoveryCodes = (page: Page) => page.getByRole('list', { name: 'Codes de récupération' }).getByRole('listitem');
const passwordField = (page: Page) => page.getByLabel('Mot de passe', { exact: true });

const remainingCodes = (page: Page, count: number) =>
  page.getByRole('main').getByText(`${count} codes de récupération restants`);

async function openSetUp(page: Page): Promise<string> {
  await page.goto('/security/2fa');
  return startSetUp(page);
}

async function startSetUp(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Activer 2FA' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveAttribute('src', /^data:image\/png;base64,/);
  const secretText = await page.getByRole('main').locator('code').first().textContent();
  expect(secretText).toMatch(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
  return (secretText ?? '').replaceAll(' ', '');
}

const profilePanel = (page: Page) => page.getByRole('dialog', { name: 'Profil' });

/** Checks the number of recovery codes in the profile panel and logs out there. */
async function logOut(page: Page, count: number): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
  await expect(profilePanel(page)).toContainText(`${count}\u00a0codes de récupération restants.`);
  await profilePanel(page).getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
}

test('a user sets up a second factor and logs in with it, then with a recovery code', async ({ page, person }) => {
  await logIn(page, person);
  const secret = await openSetUp(page);
  await codeField(page).fill(totp(secret));
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(recoveryCodes(page)).toHaveCount(10);
  const codes = await recoveryCodes(page).allTextContents();
  const finishButton = page.getByRole('button', { name: 'Terminer' });
  await expect(finishButton).toBeDisabled();
  await page.getByLabel('J’ai enregistré mes codes').check();
  await finishButton.click();
  await expect(page.getByText('Activée', { exact: true })).toBeVisible();
  await expect(remainingCodes(page, 10)).toBeVisible();

  await logOut(page, 10);
  await fillLogin(page, person.email, person.password);
  await expect(totpField(page)).toBeFocused();
  const code = totp(secret, 1);
  await totpField(page).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(page.getByRole('heading', { name: 'Sites' })).toBeVisible();
  await logOut(page, 10);
  await fillLogin(page, person.email, person.password);
  await page.getByRole('tab', { name: 'Code de récupération' }).click();
  const recoveryCode = codes[0] ?? '';
  await recoveryField(page).fill(` ${recoveryCode.slice(0, 3)} ${recoveryCode.slice(3).toLowerCase()}`);
  await expect(recoveryField(page)).toHaveValue(recoveryCode);
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(page.getByRole('heading', { name: 'Sites' })).toBeVisible();
  await page.goto('/security/2fa');
  await expect(remainingCodes(page, 9)).toBeVisible();
});

test('the setup takes six digits, shows errors, and keeps the recovery codes when an answer is lost', async ({
  page,
  person,
  request,
}) => {
  await logIn(page, person);
  await openSetUp(page);
  await test.step('the code has exactly six digits, and an empty one shows an error', async () => {
    const calls = recordApiCalls(page);
    const verifyButton = page.getByRole('button', { name: 'Vérifier' });
    await codeField(page).press('Enter');
    await expect(page.getByText('Veuillez saisir le code de vérification')).toBeVisible();
    await codeField(page).pressSequentially('12a 34-5');
    await expect(codeField(page)).toHaveValue('12345');
    await expect(verifyButton).toBeDisabled();
    await codeField(page).pressSequentially('678');
    await expect(codeField(page)).toHaveValue('123456');
    await expect(verifyButton).toBeEnabled();
    expect(calls.filter((call) => call.url().endsWith('/verify'))).toEqual([]);
    await page.getByRole('button', { name: 'Annuler' }).click();
    await expect(page.getByRole('button', { name: 'Activer 2FA' })).toBeVisible();
  });

  const secret = await startSetUp(page);
  await test.step('a wrong code shows an error in the form and in a toast, with a hint about the clock', async () => {
    const validCode = totp(secret);
    await codeField(page).fill(validCode === '000000' ? '111111' : '000000');
    await codeField(page).press('Enter');
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Code invalide');
    await expect(alert(page)).toHaveText('Code invalide');
    await expect(page.getByText('l’heure de votre téléphone')).toBeVisible();
    await expect(codeField(page)).toBeFocused();
  });

  await test.step('a lost answer does not lose the recovery codes', async () => {
    const code = totp(secret);
    await page.route('**/api/auth/2fa/verify', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await codeField(page).fill(code);
    await codeField(page).press('Enter');
    await expect(alert(page)).toHaveText('Erreur de connexion');
    await expect(page.getByText('l’heure de votre téléphone')).toBeHidden();
    await page.unroute('**/api/auth/2fa/verify');
    await codeField(page).press('Enter');
    await expect(recoveryCodes(page)).toHaveCount(10);
    const [recoveryCode = ''] = await recoveryCodes(page).allTextContents();
    expect(await requestLogin(request, person, { backup_code: recoveryCode })).toHaveProperty('access_token');
  });
});

test('the recovery codes can be copied, printed and downloaded, and leaving them needs a confirmation', async ({
  page,
  person,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await logIn(page, person);
  const secret = await openSetUp(page);
  await page.getByRole('button', { name: 'Copier la clé' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await codeField(page).fill(totp(secret));
  await codeField(page).press('Enter');
  await expect(recoveryCodes(page)).toHaveCount(10);
  const codes = await recoveryCodes(page).allTextContents();
  await page.getByRole('button', { name: 'Copier', exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  const printCall = page.evaluate(
    () =>
      new Promise((resolve) => {
        window.print = () => resolve('printed');
      }),
  );
  await page.getByRole('button', { name: 'Imprimer' }).click();
  expect(await printCall).toBe('printed');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Télécharger' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toContain(codes.join('\n'));
  expect(file).toContain(person.email);

  await page.getByRole('link', { name: 'Serveurs' }).click();
  const leaveDialog = page.getByRole('dialog', { name: /Quitter sans garder vos codes/ });
  await expect(leaveDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expectNoDialogFaults(leaveDialog);
  await page.keyboard.press('Enter');
  await expect(recoveryCodes(page)).toHaveCount(10);
  await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
  await profilePanel(page).getByRole('button', { name: 'Se déconnecter' }).click();
  await leaveDialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(recoveryCodes(page)).toHaveCount(10);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Serveurs' }).click();
  await leaveDialog.getByRole('button', { name: 'Quitter sans les garder' }).click();
  await expect(page).toHaveURL('/servers');
});

test('the second step marks empty fields, keeps refused codes, and works by keyboard alone', async ({
  page,
  person,
}) => {
  const { secret, codes } = await enrolTotp(page, await openSession(page.request, person));
  await requestLogin(page.request, person, { backup_code: codes[0] });
  await page.goto('/login');
  await test.step('an empty code shows an error, and the first step keeps its fields', async () => {
    await fillLogin(page, person.email, person.password);
    await expect(totpField(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(totpField(page)).toHaveAttribute('inputmode', 'numeric');
    await expect(page.locator('input[autocomplete=username]')).toHaveValue(person.email);
    await page.getByRole('button', { name: 'Vérifier' }).click();
    await expect(page.getByText('Veuillez saisir le code 2FA')).toBeVisible();
    await expect(totpField(page)).toBeFocused();
    await page.getByRole('tab', { name: 'Code de récupération' }).click();
    await page.getByRole('button', { name: 'Vérifier' }).click();
    await expect(page.getByText('Veuillez saisir un code de récupération')).toBeVisible();
    await page.getByRole('button', { name: 'Annuler' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(person.email);
    await expect(passwordField(page)).toHaveValue(person.password);
    await page.getByRole('button', { name: 'Annuler' }).click();
    await expect(page.getByLabel('Email')).toHaveValue('');
  });

  await test.step('a refused code stays in the second step', async () => {
    await fillLogin(page, person.email, person.password);
    await page.getByRole('tab', { name: 'Code de récupération' }).click();
    await recoveryField(page).fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await expect(alert(page)).toHaveText(/\S/);
    await expect(recoveryField(page)).toBeFocused();
    // A refused code is not sent again, because each request would use up an attempt.
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    await page.keyboard.press('Enter');
    await recoveryField(page).fill('ZZZZZ2');
    await page.keyboard.press('Enter');
    await expect.poll(() => calls.filter((url) => url.endsWith('/login'))).toHaveLength(1);
    await expect(recoveryField(page)).toBeEditable();
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  });

  await test.step('a user logs in with a code by keyboard alone', async () => {
    await page.reload();
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await expect(totpField(page)).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(recoveryField(page)).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect(totpField(page)).toBeFocused();
    await page.keyboard.type(totp(secret, 1));
    await expect(page.getByRole('heading', { name: 'Sites' })).toBeVisible();
  });
});

test('the password is needed for new recovery codes, which replace the old ones, and to disable the second factor', async ({
  page,
  person,
}) => {
  const { codes } = await enrolTotp(page, await logIn(page, person));
  await page.goto('/security/2fa');
  await expect(page.getByRole('region', { name: 'Clés d’accès' })).toContainText(
    `Les clés d’accès ne marchent qu’à l’adresse ${namedUrl}\u00a0:`,
  );
  await page.getByRole('button', { name: 'Générer de nouveaux codes' }).click();
  await expect(passwordField(page)).toBeFocused();
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await expect(recoveryCodes(page)).toHaveCount(10);
  const newCodes = await recoveryCodes(page).allTextContents();
  expect(newCodes.filter((code) => codes.includes(code))).toEqual([]);
  const { email, password } = person;
  const answer = await page.request.post('/api/auth/login', { data: { email, password, backup_code: codes[0] } });
  expect(answer.status()).toBe(401);

  await test.step('the second factor is disabled with the password', async () => {
    await page.getByLabel('J’ai enregistré mes codes').check();
    await page.getByRole('button', { name: 'Terminer' }).click();
    const disableButton = page.getByRole('button', { name: 'Désactiver la 2FA' });
    await disableButton.click();
    await disableButton.click();
    await expect(page.getByText('Veuillez saisir votre mot de passe', { exact: true })).toBeVisible();
    await expect(passwordField(page)).toBeFocused();
    await passwordField(page).fill('not the password');
    await disableButton.click();
    await expect(alert(page)).toHaveText('Mot de passe incorrect');
    await passwordField(page).fill(person.password);
    await disableButton.click();
    await expect(page.getByText('Désactivée', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Activer 2FA' })).toBeVisible();
  });
});

test('a failed load and a failed or outdated setup show errors, and few recovery codes show a warning', async ({
  page,
  person,
}) => {
  const token = await logIn(page, person);
  await page.route('**/api/auth/2fa/*', (route) => route.abort());
  await installClock(page);
  await page.goto('/security/2fa');
  await expect(alert(page)).toContainText('Erreur de connexion');
  await clickRetry(page, page.getByRole('main'), () => page.unroute('**/api/auth/2fa/*'));
  const enableButton = page.getByRole('button', { name: 'Activer 2FA' });
  await page.route('**/api/auth/2fa/setup', (route) => route.abort());
  await enableButton.click();
  await expect(alert(page)).toHaveText('Erreur de connexion');
  await page.unroute('**/api/auth/2fa/setup');
  await page.route('**/api/auth/2fa/setup', (route) => route.fulfill({ status: 500, json: {} }));
  await enableButton.click();
  await expect(alert(page)).toHaveText('Erreur lors de la génération du QR code');
  await page.unrouteAll();

  await test.step('a setup completed in another tab discards the recovery codes of this one', async () => {
    const secret = await startSetUp(page);
    await enrolTotp(page, token);
    await codeField(page).fill(totp(secret));
    await codeField(page).press('Enter');
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('est déjà activée.');
    await expect(remainingCodes(page, 10)).toBeVisible();
    await expect(recoveryCodes(page)).toHaveCount(0);
  });

  await test.step('few remaining recovery codes show a warning', async () => {
    for (const [count, sentence] of [
      [3, '3 codes de récupération restants.'],
      [1, '1 code de récupération restant.'],
      [0, '0 code de récupération restant.'],
    ] as const) {
      const status = { enabled: true, backup_codes_count: count, is_required: false };
      await page.route('**/api/auth/2fa/status', (route) => route.fulfill({ json: status }));
      await openFromMenu(page, 'Serveurs');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Serveurs');
      await page.goBack();
      await expect(page.getByText(sentence)).toContainText('énérez-en de nouveaux');
      await page.unroute('**/api/auth/2fa/status');
    }
  });
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('each step fits the screen', async ({ page, person }) => {
    await logIn(page, person);
    const secret = await openSetUp(page);
    await expectNoOverflow(page);
    await codeField(page).fill(totp(secret));
    await page.getByRole('button', { name: 'Vérifier' }).tap();
    await expect(recoveryCodes(page)).toHaveCount(10);
    await expectNoOverflow(page);
    await page.getByLabel('J’ai enregistré mes codes').check();
    await page.getByRole('button', { name: 'Terminer' }).tap();
    await page.evaluate(() => localStorage.clear());
    await page.goto('/login');
    await fillLogin(page, person.email, person.password);
    await expect(totpField(page)).toBeFocused();
    await expectNoOverflow(page);
    expect((await page.getByRole('tab').first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });
});
