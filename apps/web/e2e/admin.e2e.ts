import { expect, type Page } from '@playwright/test';
import { test } from './fixtures';

/** Until users can be made, somebody who is no administrator is an answer that says so. */
async function demote(page: Page): Promise<void> {
  await page.route('**/api/auth/me', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), role: 'client', is_admin: false } });
  });
}

test('an administrator sees the users, the gear and the badge', async ({ loggedIn: page }) => {
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { name: 'Utilisateurs' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Paramètres' }).click();
  await expect(page).toHaveURL('/settings');
});

test('nobody else does', async ({ loggedIn: page }) => {
  await demote(page);
  await page.goto('/admin/users');
  await expect(page.getByText('Accès réservé aux administrateurs.', { exact: true })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Paramètres' })).toHaveCount(0);
  const profile = page.getByRole('banner').getByRole('button', { name: 'Profil' });
  await expect(profile.getByText('admin', { exact: true })).toHaveCount(0);
});

test('the stored marker holds until the server has answered, no longer', async ({ loggedIn: page }) => {
  await page.evaluate(() => {
    localStorage.setItem('is_admin', 'true');
    localStorage.setItem('user_id', 'somebody');
  });
  const gate: (() => void)[] = [];
  const opened = new Promise<void>((resolve) => gate.push(resolve));
  await page.route('**/api/auth/me', async (route) => {
    await opened;
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), role: 'client', is_admin: false } });
  });
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { name: 'Utilisateurs' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: 'Profil' })).toContainText('somebody');
  gate[0]?.();
  await expect(page.getByText('Accès réservé aux administrateurs.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('is_admin'))).toBeNull();
});

test('without a marker the guard waits for the server', async ({ loggedIn: page }) => {
  await page.route('**/api/auth/me', () => undefined);
  await page.goto('/admin/users');
  await expect(page.getByText('Chargement…')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Utilisateurs' })).toHaveCount(0);
});
