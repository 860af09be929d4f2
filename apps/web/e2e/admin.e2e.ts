import { expect, type Page } from '@playwright/test';
import { apiCalls, holdCalls, storeToken } from './fixtures';
import { bearer, logIn, openSession, test } from './people';

const refusal = 'Accès réservé aux administrateurs.';
const users = (page: Page) => page.getByRole('heading', { name: 'Utilisateurs' });
const profile = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Profil' });
const gear = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Paramètres' });

test('an administrator sees the users, the gear and the badge', async ({ loggedIn: page }) => {
  await test.step('without a marker the guard waits for the server', async () => {
    const answerWho = await holdCalls(page, '**/api/auth/me');
    await page.goto('/admin/users');
    await expect(page.getByText('Chargement…')).toBeVisible();
    await expect(users(page)).toHaveCount(0);
    answerWho();
    await expect(users(page)).toBeVisible();
  });
  await expect(users(page)).toBeVisible();
  await expect(profile(page).getByText('admin', { exact: true })).toBeVisible();
  await gear(page).click();
  await expect(page).toHaveURL('/settings');
});

test('nobody else does, whichever way they come, and the server refuses them every call', async ({
  page,
  person,
  adminSession,
}) => {
  const token = await logIn(page, person);
  await page.goto('/admin/users');
  await expect(page.getByText(refusal, { exact: true })).toBeVisible();
  await expect(users(page)).toHaveCount(0);
  await expect(gear(page)).toHaveCount(0);
  await expect(profile(page)).toContainText('Camille');
  await expect(profile(page).getByText('admin', { exact: true })).toHaveCount(0);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Rechercher un site' }).fill('utilisateurs');
  await expect(page.getByText('Rien ne correspond à « utilisateurs ».')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('is_admin'))).toBeNull();

  await test.step('the server refuses a client every call of an administrator, whatever the headers say', async () => {
    const headers = { ...bearer(token), 'x-admin-mode': '1', 'x-user-id': adminSession.user.id };
    const { id } = person;
    const calls = [
      { method: 'GET', path: 'admin/users' },
      {
        method: 'POST',
        path: 'admin/users',
        data: { email: 'x@host', password: 'le phare dans la brume', first_name: 'X', last_name: 'Y', role: 'admin' },
      },
      { method: 'PUT', path: `admin/users/${id}`, data: { role: 'admin' } },
      { method: 'DELETE', path: `admin/users/${adminSession.user.id}` },
      { method: 'DELETE', path: `admin/users/${id}/2fa` },
      { method: 'POST', path: 'settings/app', data: { app_name: 'Pris' } },
      { method: 'POST', path: 'settings/notifications', data: { sendgrid_api_key: 'SG.prise' } },
      { method: 'GET', path: 'settings/notifications/mails' },
    ];
    for (const { path, ...call } of calls) {
      const answer = await page.request.fetch(`/api/${path}`, { ...call, headers });
      expect(answer.status(), `${call.method} ${path}`).toBe(403);
      expect(await answer.json()).toEqual({ detail: refusal });
    }
  });
});

test('the stored marker holds until the server has answered, no longer', async ({ page, request, person }) => {
  await storeToken(page, await openSession(request, person), { is_admin: 'true', user_id: 'somebody' });
  const answerWho = await holdCalls(page, '**/api/auth/me');
  const calls = apiCalls(page);
  await page.goto('/admin/users');
  await expect(users(page)).toBeVisible();
  await expect(profile(page)).toContainText('somebody');
  // The marker opens a screen, never what it would show; a refusal there is not worth a word.
  await expect(page.getByText(refusal)).toBeVisible();
  expect(calls.map((call) => new URL(call.url()).pathname)).toContain('/api/admin/users');
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toHaveCount(0);
  answerWho();
  await expect(users(page)).toHaveCount(0);
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(profile(page)).toContainText('Camille');
  expect(await page.evaluate(() => localStorage.getItem('is_admin'))).toBeNull();
});
