import type { Locator, Page } from '@playwright/test';
import type { Operator } from './operator';

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const toasts = (page: Page) => region(page, 'Messages');
/** The line of the dock that names the newest task. */
export const dockLine = (page: Page, name: RegExp | string) =>
  region(page, 'Tâches et consoles').getByRole('link').filter({ hasText: name });
export const siteTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parties du site' }).getByRole('link', { name });

/** One of the twelve jobs that a person has most often. */
export type UsualJob = {
  name: string;
  /** Where its thing is on the screen. */
  screen: string;
  path: string;
  /** Shown once a person can begin. */
  ready: (page: Page) => Locator;
  run: (operator: Operator) => Promise<unknown>;
  /** Says why the server does not hold it for done. */
  check: (since: number) => Promise<string | undefined>;
};
