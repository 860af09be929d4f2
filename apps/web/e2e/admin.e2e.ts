import { expect, type Page } from '@playwright/test';
import { apiCalls, holdCalls, storeToken } from './fixtures';
import { openSession, test } from './people';

const refusal = 'Accès réservé aux administrateurs.';
const users = (page: Page) => page.getByRole('heading', { name: 'Utilisateurs' });
const profile = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Profil' });
const gear = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Paramètres' });

test('an administrator sees the users screen, the settings link and the badge', async ({ loggedIn: page }) => {
  await test.step('without a stored role the route guard waits for the server', async () => {
    const releaseMe = await holdCalls(page, '**/api/auth/me');
    await page.goto('/admin/users');
    await expect(page.getByText('Chargement…')).toBeVisible();
    await expect(users(page)).toHaveCount(0);
    releaseMe();
    await expect(users(page)).toBeVisible();
  });
  await expect(users(page)).toBeVisible();
  await expect(profile(page).getByText('admin', { exact: true })).toBeVisible();
  await gear(page).click();
  await expect(page).toHaveURL('/settings');
});

test('a client does not: a stored administrator role is dropped when the server answers', async ({
  page,
  request,
  person,
}) => {
  await storeToken(page, await openSession(request, person), { is_admin: 'true', user_id: 'somebody' });
  const releaseMe = await holdCalls(page, '**/api/auth/me');
  const calls = apiCalls(page);
  await page.goto('/admin/users');
  await expect(users(page)).toBeVisible();
  await expect(profile(page)).toContainText('somebody');
  // The stored role opens the screen but gives no access to its data; the refused call shows no message.
  await expect(page.getByText(refusal)).toBeVisible();
  expect(calls.map((call) => new URL(call.url()).pathname)).toContain('/api/admin/users');
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toHaveCount(0);
  releaseMe();
  await expect(users(page)).toHaveCount(0);
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(gear(page)).toHaveCount(0);
  await expect(profile(page)).toContainText('Camille');
  await expect(profile(page).getByText('admin', { exact: true })).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('is_admin'))).toBeNull();

  await page.reload();
  await expect(page.getByText(refusal, { exact: true })).toBeVisible();
  await expect(users(page)).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Rechercher un site' }).fill('utilisateurs');
  await expect(page.getByText('Rien ne correspond à « utilisateurs ».')).toBeVisible();
});
