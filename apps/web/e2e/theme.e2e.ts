import { expect, type Page } from '@playwright/test';
import { storeToken, test } from './fixtures';

const html = (page: Page) => page.locator('html');

/** Notes the class of <html> when <body> comes into being: nothing can have been painted before. */
async function noteFirstTheme(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      const { classList, dataset } = document.documentElement;
      dataset['first'] = `${classList.contains('dark')} ${dataset['mantineColorScheme']}`;
    }).observe(document, { childList: true, subtree: true });
  });
}
const firstTheme = (page: Page) => html(page).getAttribute('data-first');

test('the stored theme is there before the first paint, against the system', async ({ page, adminSession }) => {
  await storeToken(page, adminSession.access_token, { theme: 'dark' });
  await noteFirstTheme(page);
  await page.goto('/');
  expect(await firstTheme(page)).toBe('true dark');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(14, 17, 22)');
});

test('without a choice the system rules, also when it changes its mind', async ({ page }) => {
  await noteFirstTheme(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/login');
  expect(await firstTheme(page)).toBe('true dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html(page)).not.toHaveClass(/dark/);
  await expect(html(page)).toHaveAttribute('data-mantine-color-scheme', 'light');
});

test('the toggle chooses, the choice lasts and reaches the other tabs', async ({ loggedIn: page, context }) => {
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/');
  await page.getByRole('button', { name: 'Passer au thème sombre' }).click();
  await expect(html(page)).toHaveClass(/dark/);
  await expect(html(other)).toHaveClass(/dark/);
  await page.reload();
  await expect(html(page)).toHaveClass(/dark/);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html(page)).toHaveClass(/dark/);
});

test('the profile offers light, dark and the system', async ({ loggedIn: page }) => {
  await page.goto('/?panel=profile');
  const theme = page.getByRole('group', { name: 'Thème' });
  await expect(theme.getByRole('radio', { name: 'Système' })).toBeChecked();
  await theme.getByRole('radio', { name: 'Sombre' }).check({ force: true });
  await expect(html(page)).toHaveClass(/dark/);
  await theme.getByRole('radio', { name: 'Système' }).check({ force: true });
  await expect(html(page)).not.toHaveClass(/dark/);
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull();
});
