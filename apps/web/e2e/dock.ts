import { expect, type Page } from '@playwright/test';

export const dock = (page: Page) => page.getByRole('region', { name: 'Tâches', exact: true });
export const rows = (page: Page) =>
  dock(page)
    .getByRole('list', { name: /^Tâches/ })
    .getByRole('listitem');
export const detail = (page: Page) => dock(page).getByRole('region', { name: 'Tâche', exact: true });
export const indicator = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Tâches/ });

export async function openDock(page: Page): Promise<void> {
  await expect(indicator(page)).toBeVisible();
  await page.keyboard.press('t');
}
