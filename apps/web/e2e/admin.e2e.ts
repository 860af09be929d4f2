import { expect, type Page } from '@playwright/test';
import { recordApiCalls, pauseRequests, storeToken } from './fixtures';
import { openSession, test } from './people';

const refusal = 'Accès réservé aux administrateurs.';
const usersHeading = (page: Page) => page.getByRole('heading', { name: 'Utilisateurs' });
const profileButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Profil' });
const settingsLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Paramètres' });

test('an administrator sees the users, the gear and the badge', async ({ loggedIn: page }) => {
  await test.step('without a stored admin flag the page waits for the server', async () => {
    const releaseMe = await pauseRequests(page, '**/api/auth/me');
    await page.goto('/admin/users');
    await expect(page.getByText('Chargement…')).toBeVisible();
    await expect(usersHeading(page)).toHaveCount(0);
    releaseMe();
    await expect(usersHeading(page)).toBeVisible();
  });
  await expect(usersHeading(page)).toBeVisible();
  await expect(profileButton(page).getByText('admin', { exact: true })).toBeVisible();
  await settingsLink(page).click();
  await expect(page).toHaveURL('/settings');
});

test('a client with a stored admin flag sees the screen only until the server answers', async ({
  page,
  request,
  person,
}) => {
  await storeToken(page, await openSession(request, person), { is_admin: 'true', user_id: 'somebody' });
  const releaseMe = await pauseRequests(page, '**/api/auth/me');
  const calls = recordApiCalls(page);
  await page.goto('/admin/users');
  await expect(usersHeading(page)).toBeVisible();
  await expect(profileButton(page)).toContainText('somebody');
  // The stored flag opens the screen but not its data, and this refusal shows no toast.
  await expect(page.getByText(refusal)).toBeVisible();
  expect(calls.map((call) => new URL(call.url()).pathname)).toContain('/api/admin/users');
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toHaveCount(0);
  releaseMe();
  await expect(usersHeading(page)).toHaveCount(0);
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(settingsLink(page)).toHaveCount(0);
  await expect(profileButton(page)).toContainText('Camille');
  await expect(profileButton(page).getByText('admin', { exact: true })).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('is_admin'))).toBeNull();

  await page.reload();
  await expect(page.getByText(refusal, { exact: true })).toBeVisible();
  await expect(usersHeading(page)).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Rechercher un site' }).fill('utilisateurs');
  await expect(page.getByText('Rien ne correspond à « utilisateurs ».')).toBeVisible();
});
