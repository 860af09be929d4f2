import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

/** Playwright evaluates this source in the page, because the content security policy refuses foreign scripts. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function findAxeFaults(page: Page, options = ''): Promise<unknown> {
  return page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  );
}

/** Runs all rules in the light theme, and only the contrast rule in the dark one, which changes nothing but colours. */
export async function expectNoAxeFaults(page: Page, label: string, options = ''): Promise<void> {
  await page.evaluate(axe);
  expect(await findAxeFaults(page, options), label).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await findAxeFaults(page, '{ runOnly: ["color-contrast"] }'), `${label} dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}
