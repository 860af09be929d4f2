import { expect, type Page } from '@playwright/test';

export const terminal = (page: Page) => page.locator('[data-terminal]');
export const field = (page: Page) => terminal(page).getByRole('textbox');
export const rows = (page: Page) => terminal(page).locator('.xterm-rows');
export const panel = (page: Page) => page.getByRole('region', { name: /^Console de/ });
export const dock = (page: Page) => page.getByRole('region', { name: 'Tâches et consoles', exact: true });
export const state = (page: Page, label: string) => panel(page).getByText(label, { exact: true });
export const tabs = (page: Page) => page.getByRole('navigation', { name: 'Consoles ouvertes' }).getByRole('listitem');

export async function openConsole(page: Page, id: string): Promise<void> {
  await page.goto(`/servers/${id}/console`);
  await expect(state(page, 'Connecté')).toBeVisible();
  await expect(page).toHaveURL(/\?console=/);
}

/** Types a command. Its output must differ from its text, so that a story does not find the echo. */
export async function run(page: Page, command: string): Promise<void> {
  await field(page).focus();
  await page.keyboard.insertText(command);
  await page.keyboard.press('Enter');
}
