import type { Page } from '@playwright/test';

/** The link to a part of the page of a site. */
export const siteTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parties du site' }).getByRole('link', { name });

/** An action in the menu of the page of a site. */
export async function chooseInSiteMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Plus', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
}
