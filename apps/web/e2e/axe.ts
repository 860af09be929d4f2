import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Locator, type Page } from '@playwright/test';
import { findA11yFaults } from './page-faults';
import { desktop, expectNoOverflow, phone } from './sizes';

/** Playwright evaluates this source in the page, because the content security policy refuses foreign scripts. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; nodes: { html: string }[] };
declare const axe: { run: (context: Element, options: object) => Promise<{ violations: Violation[] }> };

/** Playwright runs this function in the page. It leaves out what nobody reads, which takes axe most of its time. */
async function findFaults(context: Element, rules: readonly string[] | undefined) {
  const options = { resultTypes: ['violations'], selectors: false };
  const { violations } = await axe.run(context, rules ? { ...options, runOnly: rules } : options);
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

export const contrast = ['color-contrast'];

/**
 * Runs all rules in the light theme, and only the contrast rule in the dark one, which changes nothing but colours. A part
 * of the page limits the check in the dark theme to it.
 */
export async function expectNoAxeFaults(
  page: Page,
  label: string,
  { rules, part }: { rules?: readonly string[]; part?: Locator } = {},
): Promise<void> {
  const root = page.locator('html');
  await page.evaluate(source);
  expect(await root.evaluate(findFaults, rules), label).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await (part ?? root).evaluate(findFaults, contrast), `${label} dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Checks the whole page at the widths of a phone and of a desktop. */
export async function expectNoPageFaults(page: Page, label: string): Promise<void> {
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    await expectNoOverflow(page);
    expect(await page.evaluate(findA11yFaults)).toEqual([]);
    await expectNoAxeFaults(page, `${label}, ${size.width} px`);
  }
}

/**
 * Checks an open dialog, or the open panel of a menu, at the widths of a desktop and of a phone. A whole run refuses a
 * dialog that a story uses and that this function never saw (`tools/test/controls.ts`).
 */
export async function expectNoDialogFaults(dialog: Locator, sizes = [desktop, phone]): Promise<void> {
  const page = dialog.page();
  const size = page.viewportSize() ?? desktop;
  for (const { width, height } of sizes) {
    await page.setViewportSize({ width, height });
    // The interface follows a new width in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(dialog).toBeVisible();
    await expect(dialog.locator('[data-loading]')).toHaveCount(0);
    const title = (await dialog.getAttribute('aria-label')) ?? (await dialog.getByRole('heading').first().innerText());
    await expectNoAxeFaults(page, `${title}, ${width} px`, { part: dialog });
  }
  await dialog.dispatchEvent('axe');
  await page.setViewportSize(size);
}

/** The open panel of a menu. */
export const menuPanel = (page: Page, name: string): Locator =>
  page.locator('.mantine-Popover-dropdown').getByRole('region', { name, exact: true });
