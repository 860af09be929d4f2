import { expect, type Page } from '@playwright/test';

export const dock = (page: Page) => page.getByRole('region', { name: 'Tâches et consoles', exact: true });
/** The page of a job, or of all of them. */
export const main = (page: Page) => page.getByRole('main');
/** The jobs of the page, or those of the batch on it. */
export const rows = (page: Page) =>
  main(page)
    .getByRole('list', { name: /^Tâches/ })
    .getByRole('listitem');
/** The breadcrumb of a job has a link of the same name. */
export const indicator = (page: Page) => page.getByRole('banner').locator('a[href="/tasks"][aria-label]');

export async function openJobs(page: Page): Promise<void> {
  await expect(indicator(page)).toBeVisible();
  await page.keyboard.press('t');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tâches');
}

/** Opens the page of the newest job or batch from the line of the dock, which must have this text. */
export async function openNewest(page: Page, text: string | RegExp): Promise<void> {
  await dock(page).getByRole('link').filter({ hasText: text }).click();
  await expect(page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/);
}
