import { expect, type Page } from '@playwright/test';
import { env } from './env';
import { recordApiCalls, fillLogin, logInByApi, storeToken } from './fixtures';
import { test } from './people';

type SentMail = { to: string; subject: string; text: string; html: string };

const alert = (page: Page) => page.getByRole('main').getByRole('alert');
const forgotButton = (page: Page) => page.getByRole('button', { name: 'Mot de passe oublié ?' });
const sentence = 'Si un compte existe, un email de réinitialisation sera envoyé.';
const someToken = 'a'.repeat(43);

async function fillPassword(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel('Nouveau mot de passe').fill(password);
  await page.getByLabel('Confirmation').fill(confirmation);
  await page.getByRole('button', { name: 'Enregistrer le mot de passe' }).click();
}

async function waitForResetLink(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  const findLink = async () => {
    const mails: SentMail[] = await (await page.request.get(`${env.sendgrid}/mails`)).json();
    const mail = mails.findLast(({ to, text }) => to === email && text.includes('/reset?token='));
    link = /\/reset\?token=[\w-]{43}/.exec(mail?.text ?? '')?.[0];
    return link;
  };
  await expect.poll(findLink, { timeout: 30_000 }).toBeTruthy();
  return link ?? '';
}

/** Lets the page believe that a passkey still opens the account. */
const countPasskey = (page: Page) =>
  page.route(
    '**/api/auth/reset',
    async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), passkey_count: 1 } });
    },
    { times: 1 },
  );

test('a forgotten password is replaced through the link of a mail', async ({ page, person, adminSession }) => {
  test.skip(env.sendgrid === undefined, 'needs the fake SendGrid');
  const headers = { authorization: `Bearer ${adminSession.access_token}` };
  const key = { sendgrid_api_key: env.sendgridKey };
  await page.request.post('/api/settings/notifications', { data: key, headers });
  await page.request.post('/api/settings/app', { data: { default_sender_email: 'vigie@vigie.test' }, headers });
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await forgotButton(page).click();
  await expect(page.getByRole('main').getByText(sentence)).toBeVisible();

  const link = await waitForResetLink(page, person.email);
  await page.goto(link);
  await countPasskey(page);
  await fillPassword(page, 'le phare dans la brume');
  const login = page.getByRole('link', { name: 'Se connecter' });
  await expect(login).toBeFocused();
  await expect(login).toHaveAttribute('href', '/login');
  await expect(page.getByRole('main').getByRole('status')).toContainText('Votre mot de passe est changé.');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('link', { name: 'Voir les clés d’accès' })).toBeFocused();
  await page.keyboard.press('Enter');
  await fillLogin(page, person.email, 'le phare dans la brume');
  await expect(page).toHaveURL('/security/2fa');

  // A used link is invalid, even for a logged-in user.
  await page.goto(link);
  await fillPassword(page, 'une autre brume, un autre phare');
  await expect(alert(page)).toHaveText(/\S/);
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Recevoir un nouveau lien' }).click();
  await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
});

test('a new password is validated, a failed save keeps it, and an invalid link offers a new one', async ({ page }) => {
  const calls = recordApiCalls(page);
  await page.goto(`/reset?token=${someToken}`);
  await test.step('the password must be long enough and typed twice', async () => {
    const password = page.getByLabel('Nouveau mot de passe');
    await expect(page.getByText('8 caractères au moins')).toBeVisible();
    await expect(password).toHaveAttribute('autocomplete', 'new-password');
    await fillPassword(page, '');
    await expect(page.getByText('Veuillez saisir un nouveau mot de passe.')).toBeVisible();
    await expect(password).toBeFocused();
    await fillPassword(page, 'court');
    await expect(page.getByText('Le mot de passe doit compter au moins 8 caractères.')).toBeVisible();
    await fillPassword(page, 'assez long pour deux', 'mais pas le même');
    await expect(page.getByText('La confirmation ne correspond pas au nouveau mot de passe.')).toBeVisible();
    await expect(page.getByLabel('Confirmation')).toBeFocused();
    await password.fill('mais pas le même');
    await expect(page.getByText('La confirmation ne correspond pas')).toBeHidden();
    expect(calls.filter((call) => call.url().endsWith('/reset'))).toEqual([]);
  });

  await test.step('a failed request keeps the form', async () => {
    await page.route('**/api/auth/reset', (route) => route.abort());
    await fillPassword(page, 'le phare dans la brume');
    await expect(alert(page)).toHaveText('Erreur de connexion');
    await expect(page.getByLabel('Nouveau mot de passe')).toHaveValue('le phare dans la brume');
    await page.unroute('**/api/auth/reset');
  });

  await test.step('a forged link is refused, and a new one can be requested', async () => {
    await fillPassword(page, 'le phare dans la brume');
    await expect(alert(page)).toHaveText(/\S/);
    await expect(page.getByRole('button', { name: 'Recevoir un nouveau lien' })).toBeVisible();
    for (const path of ['/reset', '/reset?token=court']) {
      await page.goto(path);
      await expect(alert(page)).toHaveText('Ce lien n’est pas valide ou a expiré.');
      await page.getByRole('button', { name: 'Recevoir un nouveau lien' }).click();
      await expect(page.getByText('Veuillez saisir votre email.')).toBeVisible();
    }
    await page.getByRole('link', { name: 'Connexion' }).click();
    await expect(page).toHaveURL('/login');
  });

  await test.step('a reset request needs an email address, and the answer does not reveal whether an account exists', async () => {
    await forgotButton(page).click();
    await expect(page.getByText('Veuillez saisir votre email.')).toBeVisible();
    await expect(page.getByText('Veuillez saisir votre mot de passe.')).toBeHidden();
    await expect(page.getByLabel('Email')).toBeFocused();
    expect(calls.filter((call) => call.url().endsWith('/forgot'))).toEqual([]);
    await page.getByLabel('Email').fill(`${Date.now()}@nulle-part`);
    await forgotButton(page).click();
    await expect(page.getByRole('main').getByText(sentence)).toBeVisible();
    await page.route('**/api/auth/forgot', (route) => route.abort());
    await page.getByLabel('Email').fill('x@host');
    await forgotButton(page).click();
    await expect(alert(page)).toHaveText('Impossible de traiter la demande pour le moment.');
  });
});

test('the reset form stays open while another tab logs out', async ({ page, context }) => {
  await storeToken(page, (await logInByApi(page.request)).access_token);
  await page.goto('/?panel=profile');
  const resetTab = await context.newPage();
  await resetTab.goto(`/reset?token=${someToken}`);
  await resetTab.getByLabel('Nouveau mot de passe').fill('le phare dans la brume');
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page).toHaveURL('/login');
  await expect.poll(() => resetTab.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  await expect(resetTab.getByLabel('Nouveau mot de passe')).toHaveValue('le phare dans la brume');
  await fillPassword(resetTab, 'le phare dans la brume');
  await expect(alert(resetTab)).toHaveText(/\S/);
  await expect(resetTab).toHaveURL(`/reset?token=${someToken}`);
});
