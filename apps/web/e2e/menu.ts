import type { Page } from '@playwright/test';

/** Goes to another screen as a person does, without loading the page anew. */
export const openFromMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Menu principal' }).getByRole('link', { name }).click();
