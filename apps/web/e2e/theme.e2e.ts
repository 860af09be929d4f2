import { expect, type Page } from '@playwright/test';
import { test } from './fixtures';
import { chooseSegment } from './segments';

const html = (page: Page) => page.locator('html');

/** Records the theme of <html> when <body> is created, because nothing can be painted earlier. */
async function recordFirstTheme(page: Page): Promise<void> {
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

test('the theme follows the system until the user chooses one', async ({ page }) => {
  await recordFirstTheme(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/login');
  expect(await firstTheme(page)).toBe('true dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html(page)).not.toHaveClass(/dark/);
  await expect(html(page)).toHaveAttribute('data-mantine-color-scheme', 'light');
});

test('the theme is chosen in the profile or with the toggle, and applies to all tabs before the first paint', async ({
  loggedIn: page,
  context,
}) => {
  await recordFirstTheme(page);
  await page.goto('/?panel=profile');
  await test.step('the profile offers light, dark and the system', async () => {
    const theme = page.getByRole('group', { name: 'Thème' });
    await expect(theme.getByRole('radio', { name: 'Système' })).toBeChecked();
    await chooseSegment(theme, 'Sombre');
    await expect(html(page)).toHaveClass(/dark/);
    await chooseSegment(theme, 'Système');
    await expect(html(page)).not.toHaveClass(/dark/);
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull();
  });

  await test.step('the toggle changes the theme in all tabs', async () => {
    await page.keyboard.press('Escape');
    const otherTab = await context.newPage();
    await otherTab.goto('/');
    await page.getByRole('button', { name: 'Passer au thème sombre' }).click();
    await expect(html(page)).toHaveClass(/dark/);
    await expect(html(otherTab)).toHaveClass(/dark/);
  });

  await test.step('the choice survives a reload, precedes the first paint and overrides the system', async () => {
    await page.reload();
    expect(await firstTheme(page)).toBe('true dark');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(14, 17, 22)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(html(page)).toHaveClass(/dark/);
  });
});
