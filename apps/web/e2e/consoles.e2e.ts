import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { expect, type Page, type WebSocketRoute } from '@playwright/test';
import { test } from './machines';

const terminal = (page: Page) => page.locator('[data-terminal]');
const rows = (page: Page) => terminal(page).locator('.xterm-rows');
const panel = (page: Page) => page.getByRole('region', { name: /^Console de/ });
const state = (page: Page, word: string) => panel(page).getByText(word, { exact: true });
const dialog = (page: Page, name: RegExp) => page.getByRole('dialog', { name });

async function openConsole(page: Page, id: string): Promise<void> {
  await page.goto(`/servers/${id}/console`);
  await expect(state(page, 'Connecté')).toBeVisible();
}

/** Typed as somebody would; what it prints is not what was typed. */
async function run(page: Page, command: string): Promise<void> {
  await terminal(page).getByRole('textbox').focus();
  await page.keyboard.insertText(command);
  await page.keyboard.press('Enter');
}

const isRunning = (words: string) => spawnSync('pgrep', ['-f', words]).status === 0;

test('a console opens from the line of a server, is as wide as its window, and is there again after a reload', async ({
  keeping: page,
  host,
  makeServer,
}) => {
  await makeServer(host, { name: 'web-01', type: 'prod' });
  await page.goto('/servers');
  await page.getByRole('link', { name: 'Voir la console de web-01' }).click();
  await expect(state(page, 'Connecté')).toBeVisible();
  await expect(page).toHaveURL(/\/servers\/[0-9a-f-]+\/console\?console=[0-9a-f-]+$/);
  await expect(rows(page)).toContainText('— Console ouverte —');
  await expect(panel(page)).toContainText('PROD');
  await expect(panel(page)).toContainText(`sh@127.0.0.1:${host.port}`);
  await run(page, 'A=$((40+2)); echo "taille $(stty size) $A"');
  await expect(rows(page)).toContainText(/taille \d+ 1\d\d 42/);
  await page.setViewportSize({ width: 800, height: 500 });
  await expect(async () => {
    await run(page, 'echo "encore $(stty size)"');
    await expect(rows(page)).toContainText(/encore [12]\d \d\d(?!\d)/, { timeout: 1_000 });
  }).toPass();
  await page.reload();
  await expect(state(page, 'Connecté')).toBeVisible();
  await run(page, 'echo "toujours $A"');
  await expect(rows(page)).toContainText('toujours 42');
});
