import { expect, type Page } from '@playwright/test';
import { fillLogin, installClock, logInByApi, pauseRequests, recordApiCalls, storeToken, test } from './fixtures';
import { bearer, waitForSessionEnd } from './people';

const unknownEmail = (page: string) => `${page}-${Date.now()}@nulle-part`;

const failedAnswers = [
  { name: 'no network', answer: undefined, message: 'Erreur de connexion.' },
  { name: 'no detail', answer: { status: 500, json: {} }, message: 'Login failed' },
  { name: 'no token', answer: { status: 200, json: {} }, message: 'Token manquant' },
  { name: 'a detail', answer: { status: 403, json: { detail: 'Compte suspendu.' } }, message: 'Compte suspendu.' },
];

const codeRequiredAnswer = { status: 200, json: { requires_2fa: true, message: '' } };
const graceAnswers = [
  { remaining: 0, message: /^Il vous reste 0\u00a0connexion sans 2FA/ },
  { remaining: 1, message: /^Il vous reste 1\u00a0connexion sans 2FA/ },
  { remaining: 2, message: /^Il vous reste 2\u00a0connexions sans 2FA/ },
];
test('a visitor without a token has to log in, and each invalid field and each refusal shows a message', async ({
  page,
}) => {
  const calls = recordApiCalls(page);
  await page.goto('/nulle/part');
  await expect(page).toHaveURL('/login?next=%2Fnulle%2Fpart');
  await test.step('empty and invalid fields are marked without a request, and the first one takes the focus', async () => {
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await expect(page.getByText('Veuillez saisir votre email.')).toBeVisible();
    await expect(page.getByText('Veuillez saisir votre mot de passe.')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Email').fill('nobody');
    await page.getByLabel('Mot de passe', { exact: true }).focus();
    await expect(page.getByText('Cette adresse email n’est pas valide.')).toBeVisible();
    await page.getByLabel('Email').fill('x@host');
    await expect(page.getByText('Cette adresse email n’est pas valide.')).toBeHidden();
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await expect(page.getByLabel('Mot de passe', { exact: true })).toBeFocused();
    expect(calls.filter((call) => call.url().includes('/login'))).toEqual([]);
  });

  await test.step('Annuler clears the form, and the password can be displayed', async () => {
    const password = page.getByLabel('Mot de passe', { exact: true });
    await page.getByLabel('Email').fill('x@host');
    await password.fill('secret');
    await expect(password).toHaveAttribute('autocomplete', 'current-password');
    await page.getByRole('button', { name: 'Afficher le mot de passe' }).click();
    await expect(password).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: 'Annuler' }).click();
    await expect(password).toHaveValue('');
    await expect(page.getByLabel('Email')).toHaveValue('');
    await expect(page.getByLabel('Email')).toBeFocused();
  });

  await test.step('a wrong password shows its error in the form and in a toast', async () => {
    await fillLogin(page, unknownEmail('wrong'), 'not the password');
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toHaveText(/\S/);
    await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toContainText(
      (await alert.textContent()) ?? '?',
    );
    await expect(page).toHaveURL('/login?next=%2Fnulle%2Fpart');
    // This address is no name, so that the button of the passkeys is not beside it.
    await expect(page.getByRole('button', { name: 'Se connecter' })).toBeEnabled();
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  });

  await test.step('an answer without a token shows its reason', async () => {
    for (const { name, answer, message } of failedAnswers) {
      await page.route('**/api/auth/login', (route) => (answer ? route.fulfill(answer) : route.abort()));
      await fillLogin(page, 'x@host', 'secret');
      await expect(page.getByRole('main').getByRole('alert'), name).toHaveText(message);
      await page.unroute('**/api/auth/login');
    }
  });

  await test.step('the grace period shows the remaining logins, and skipping sends the login again', async () => {
    for (const { remaining, message } of graceAnswers) {
      const json = { grace_period: true, grace_remaining: remaining, message: '' };
      await page.route('**/api/auth/login', (route) => route.fulfill({ json }));
      await fillLogin(page, 'x@host', 'secret');
      await expect(page.getByText(message)).toBeVisible();
      const loginRequest = page.waitForRequest('**/api/auth/login');
      await page.getByRole('button', { name: 'Passer cette fois' }).click();
      expect((await loginRequest).postDataJSON()).toEqual({ email: 'x@host', password: 'secret', skip_2fa: true });
      await page.getByRole('button', { name: 'Annuler' }).click();
      await page.unroute('**/api/auth/login');
    }
  });

  await test.step('the second step has its own messages for the same failures', async () => {
    await page.route('**/api/auth/login', (route) => route.fulfill(codeRequiredAnswer));
    await fillLogin(page, 'x@host', 'secret');
    await expect(page.getByLabel('Code à 6 chiffres')).toBeVisible();
    const secondStepAnswers = [
      { answer: undefined, message: 'Erreur de connexion' },
      { answer: { status: 500, json: {} }, message: 'Login failed' },
      { answer: { status: 200, json: {} }, message: 'Token manquant' },
      { answer: codeRequiredAnswer, message: 'Token manquant' },
    ];
    for (const { answer, message } of secondStepAnswers) {
      await page.unroute('**/api/auth/login');
      await page.route('**/api/auth/login', (route) => (answer ? route.fulfill(answer) : route.abort()));
      await page.getByLabel('Code à 6 chiffres').fill('');
      await page.getByLabel('Code à 6 chiffres').fill('123456');
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(message);
    }
  });
});

const cancelledSteps = [
  { name: 'credentials', answer: undefined, submit: (page: Page) => fillLogin(page, 'x@host', 'secret') },
  {
    name: 'code',
    answer: codeRequiredAnswer.json,
    submit: (page: Page) => page.getByLabel('Code à 6 chiffres').fill('123456'),
  },
  {
    name: 'grace',
    answer: { grace_period: true, grace_remaining: 3, message: '' },
    submit: (page: Page) => page.getByRole('button', { name: 'Passer cette fois' }).click(),
  },
];
test('a user who cancels a step before its answer arrives is not logged in', async ({ page }) => {
  const session = await logInByApi(page.request);
  await page.goto('/login');
  for (const { name, answer, submit } of cancelledSteps) {
    await test.step(name, async () => {
      let json: object | undefined = answer;
      await page.route('**/api/auth/login', (route) => route.fulfill({ json }));
      if (answer) await fillLogin(page, 'x@host', 'secret');
      if (answer) await expect(page.getByRole('heading', { name: 'Double authentification' })).toBeVisible();
      json = session;
      const release = await pauseRequests(page, '**/api/auth/login');
      const loginRequest = page.waitForRequest('**/api/auth/login');
      await submit(page);
      const response = (await loginRequest).response().catch(() => null);
      await page.getByRole('button', { name: 'Annuler' }).click();
      release();
      await response;
      await expect(page.getByRole('button', { name: 'Se connecter' })).toBeEnabled();
      await page.getByLabel('Email').fill('y@host');
      await expect(page).toHaveURL('/login');
      expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
      await page.unrouteAll();
    });
  }
});

test('after too many attempts the message of the server and a countdown are displayed', async ({ page }) => {
  await installClock(page);
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '90' }, json: { detail: 'Trop de tentatives.' } }),
  );
  await page.goto('/login');
  await fillLogin(page, 'x@host', 'secret');
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Trop de tentatives.');
  // The page's clock keeps running, so a slow machine may read the timer some seconds later.
  await expect(page.getByRole('timer')).toHaveText(/^Nouvel essai possible dans 1\u00a0min (?:30|2\d|1\d)\u00a0s\.$/);
  await page.clock.runFor(31_000);
  await expect(page.getByRole('timer')).toHaveText(/dans [45]\d\u00a0s/);
  await page.clock.runFor(60_000);
  await expect(page.getByRole('timer')).toHaveText('Vous pouvez réessayer.');
});

test('a login never redirects to another site', async ({ page }) => {
  const { access_token: token, user } = await logInByApi(page.request);
  await page.route('**/api/auth/login', (route) => route.fulfill({ json: { access_token: token, user } }));
  await page.goto(`/login?next=${encodeURIComponent('//evil.example')}`);
  await fillLogin(page, 'x@host', 'secret');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Tableau de bord' })).toBeVisible();
});

test('an unknown token leads to the login screen, and the login returns to the requested page', async ({ page }) => {
  await storeToken(page, 'forged', { user_id: 'nobody', is_admin: 'true', admin_mode: '1', theme: 'dark' });
  await page.goto('/sites?panel=profile');
  await expect(page).toHaveURL(/\/login\?next=%2Fsites/);
  await expect(page.getByText('Votre session a expiré.')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['theme']);
  await fillLogin(page);
  await expect(page).toHaveURL('/sites?panel=profile');
  await expect(page.getByRole('heading', { name: 'Sites', level: 1 })).toBeVisible();
  const keys = await page.evaluate(() => Object.keys(localStorage).sort());
  expect(keys).toEqual(['access_token', 'is_admin', 'theme', 'user_id']);
});

test('a failed start can be retried, and a logout works even if the server does not answer', async ({
  loggedIn: page,
}) => {
  await page.route('**/api/auth/me', (route) => route.fulfill({ status: 503, json: { detail: 'Un instant.' } }));
  const releaseMe = await pauseRequests(page, '**/api/auth/me');
  await page.goto('/groups');
  await test.step('a message is displayed while the user is loading', async () => {
    await expect(page.getByText('Chargement…')).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    releaseMe();
  });

  await test.step('a failed request can be retried, and the token is kept', async () => {
    await expect(page.getByText('Un instant.')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).not.toBeNull();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Réessayer' }).click();
    await expect(page.getByRole('heading', { name: 'Groupes' })).toBeVisible();
  });

  await test.step('the login screen redirects a logged-in user to the dashboard', async () => {
    await page.goto('/login');
    await expect(page).toHaveURL('/');
  });

  await test.step('a logout whose request fails still clears the browser', async () => {
    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
    await page.getByRole('button', { name: 'Se déconnecter' }).click();
    await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
});

test('requests carry the token and the user id, and a logout keeps only the theme and the other sessions', async ({
  page,
  adminSession: otherSession,
}) => {
  const { access_token: token, user } = await logInByApi(page.request);
  await storeToken(page, token, { theme: 'dark', user_id: user.id, is_admin: 'true', admin_mode: '1' });
  const meRequest = page.waitForRequest('**/api/auth/me');
  await page.goto('/sites?panel=profile');
  const headers = (await meRequest).headers();
  expect(headers['authorization']).toBe(`Bearer ${token}`);
  expect(headers['x-user-id']).toBe(user.id);
  expect(headers['x-admin-mode']).toBe('1');
  await expect(page.getByText('Mode admin\u00a0: toutes les données sont visibles')).toBeVisible();
  await page.getByRole('dialog', { name: 'Profil' }).getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
  expect(await page.evaluate(() => Object.entries(localStorage))).toEqual([['theme', 'dark']]);
  await waitForSessionEnd(page.request, token);
  expect((await page.request.get('/api/auth/me', { headers: bearer(otherSession.access_token) })).status()).toBe(200);

  await test.step('the next login starts at the dashboard', async () => {
    await fillLogin(page);
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: 'Tableau de bord' })).toBeVisible();
  });
});
