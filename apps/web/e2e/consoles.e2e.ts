import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { expect, type Locator, type Page, type WebSocketRoute } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { clickRetry, installClock } from './fixtures';
import { test } from './machines';
import { desktop } from './sizes';
import { dock, field, openConsole, panel, rows, run, state, tabs, terminal } from './terminals';

/** Dispatches a paste event with its own data, because all tests share the clipboard of the browser. */
const paste = (page: Page, text: string) =>
  field(page).evaluate((element, clipboardText) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', clipboardText);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

/** Clicks at the coordinates of the text, because the screen element of the terminal receives all mouse events. */
async function clickOn(page: Page, text: string): Promise<void> {
  const boxes: { x: number; y: number }[] = [];
  // The terminal replaces a row's element when it redraws the row.
  await expect(async () => {
    const box = await rows(page).getByText(text).last().boundingBox();
    expect(box).not.toBeNull();
    if (box) boxes.push(box);
  }).toPass();
  const [x, y] = [(boxes[0]?.x ?? 0) + 12, (boxes[0]?.y ?? 0) + 8];
  await page.mouse.move(x + 8, y);
  await page.mouse.move(x, y);
  await page.mouse.click(x, y);
}

const isRunning = (commandLine: string) => spawnSync('pgrep', ['-f', commandLine]).status === 0;

test('a console opens from the row of a server, follows the window size, and survives a reload', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01', type: 'prod' });
  // The server is read before its first connection, so its host key is still unknown.
  await page.route(
    `**/api/servers/${id}`,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), host_key: null } });
    },
    { times: 1 },
  );
  await page.goto('/servers');
  await page.getByRole('link', { name: 'Voir la console de web-01' }).click();
  await expect(state(page, 'Connecté')).toBeVisible();
  await expect(page).toHaveURL(/\/servers\/[0-9a-f-]+\/console\?console=[0-9a-f-]+$/);
  await expect(rows(page)).toContainText('— Console ouverte —');
  await expect(panel(page).getByText('PROD')).toBeVisible();
  await expect(panel(page)).toHaveCSS('border-top', '2px solid rgb(217, 45, 39)');
  await expect(panel(page)).toContainText(`sh@127.0.0.1:${host.port}`);
  await expect(panel(page)).toContainText(host.hostKey);
  await expect(panel(page)).toContainText(/\d\u00a0ms/);
  await run(page, 'A=$((40+2)); echo "taille $(stty size) $A"');
  await expect(rows(page)).toContainText(/taille \d\d 1[5-9]\d 42/);
  await page.setViewportSize({ width: 900, height: 500 });
  await expect(async () => {
    await run(page, 'echo "encore $(stty size)"');
    await expect(rows(page)).toContainText(/encore 2\d 11\d/, { timeout: 1_000 });
  }).toPass();
  await page.reload();
  await expect(state(page, 'Connecté')).toBeVisible();
  await run(page, 'echo "toujours $A"');
  await expect(rows(page)).toContainText('toujours 42');
  await run(page, 'exit 3');
  await expect(state(page, 'Fermée (code 3)')).toBeVisible();
  await expect(rows(page)).toContainText('— Console fermée (code 3) —');
  await page.keyboard.press('Enter');
  await expect(state(page, 'Connecté')).toBeVisible();
  await run(page, 'echo "autre ${A:-vide}"');
  await expect(rows(page)).toContainText('autre vide');
});

test('a session loses no output and no input when the network drops and comes back', async ({
  ownerPage: page,
  context,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01' });
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket('**/ws?*', (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await openConsole(page, id);
  await run(page, 'for i in 1 2 3 4 5 6 7 8 9; do echo "ligne $((i*11))"; sleep 0.4; done; read B; echo "lu <$B>"');
  await expect(rows(page)).toContainText('ligne 22');
  await context.setOffline(true);
  await sockets.at(-1)?.close({ code: 4503 });
  // Each attempt is displayed for some seconds from the second one on.
  await expect(panel(page).getByText(/^Reconnexion [2-5]\/5$/)).toBeVisible();
  await page.keyboard.insertText('tapé hors ligne');
  await page.keyboard.press('Enter');
  await context.setOffline(false);
  await expect(state(page, 'Connecté')).toBeVisible();
  await expect(rows(page)).toContainText('lu <tapé hors ligne>');
  const text = (await rows(page).innerText()).replaceAll('\u00a0', ' ');
  expect(text.match(/^ligne \d+/gm)).toEqual([11, 22, 33, 44, 55, 66, 77, 88, 99].map((number) => `ligne ${number}`));
});

test('several consoles stay in the dock on every screen until they are closed', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  const seconds = `${randomInt(10_000_000, 99_999_999)}`;
  const { id } = await makeServer(host, { name: 'web-01' });
  await makeServer(host, { name: 'web-02', type: 'backup' });
  await openConsole(page, id);
  await run(page, `sleep ${seconds}`);
  await expect.poll(() => isRunning(`sleep ${seconds}`)).toBe(true);
  await page.getByRole('button', { name: 'Placer dans le dock' }).click();
  await expect(page).toHaveURL('/servers');
  await dock(page).getByRole('button', { name: 'Nouvelle console' }).click();
  const serverDialog = page.getByRole('dialog', { name: 'Nouvelle console' });
  await serverDialog.getByRole('searchbox', { name: 'Serveur' }).fill('web-02');
  await expect(serverDialog.getByRole('list', { name: 'Serveurs' }).getByRole('listitem')).toHaveCount(1);
  await expectNoDialogFaults(serverDialog, [desktop]);
  await serverDialog.getByRole('button', { name: /web-02/ }).click();
  await expect(tabs(page)).toHaveCount(2);
  await expect(state(page, 'Connecté')).toBeVisible();
  await run(page, 'echo "deux $((1+1))"');
  await expect(rows(page)).toContainText('deux 2');
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  await expect(rows(page)).toContainText('deux 2');
  await dock(page)
    .getByRole('button', { name: /^Consoles/ })
    .click();
  await expect(rows(page)).toBeHidden();
  await dock(page)
    .getByRole('button', { name: /^Consoles/ })
    .click();
  await expect(rows(page)).toContainText('deux 2');
  await field(page).press('Control+Shift+ArrowLeft');
  await expect(rows(page)).toContainText(`sleep ${seconds}`);
  await tabs(page)
    .getByRole('button', { name: /^web-02/ })
    .click();
  await expect(rows(page)).toContainText('deux 2');
  await tabs(page)
    .getByRole('button', { name: /^web-01/ })
    .click();
  await dock(page).getByRole('button', { name: 'Chercher dans le terminal' }).click();
  await dock(page).getByRole('searchbox', { name: 'Chercher dans le terminal' }).fill(`sleep ${seconds}`);
  await expect(dock(page).getByText(/^\d sur \d$/)).toBeVisible();
  await dock(page).getByRole('button', { name: 'Fermer la recherche' }).click();
  await expect(field(page)).toBeFocused();
  await field(page).press('Alt+w');
  const dialog = page.getByRole('dialog', { name: 'Fermer la console de web-01\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expectNoDialogFaults(dialog, [desktop]);
  await dialog.getByRole('button', { name: 'Fermer la console' }).click();
  await expect(tabs(page)).toHaveCount(1);
  await expect.poll(() => isRunning(`sleep ${seconds}`)).toBe(false);
  // A failed request for the list does not remove the open consoles.
  await page.route('**/api/consoles', (route) => route.fulfill({ status: 503, json: { detail: 'Vigie se repose.' } }));
  await installClock(page);
  await page.reload();
  await expect(dock(page).getByRole('alert')).toContainText('Recherche de vos consoles…');
  await clickRetry(page, dock(page), () => page.unroute('**/api/consoles'));
  await expect(rows(page)).toContainText('deux 2');
  await run(page, 'exit');
  await expect(state(page, 'Fermée (code 0)')).toBeVisible();
  // A console that has ended closes without a confirmation.
  await tabs(page).getByRole('button', { name: 'Fermer la console web-02' }).click();
  const emptyMessage = dock(page).getByText('Aucune console ouverte.');
  await expect(emptyMessage).toBeVisible();
  await dock(page).getByRole('button', { name: 'Consoles', exact: true }).click();
  await expect(emptyMessage).toBeHidden();
  await dock(page).getByRole('button', { name: 'Consoles', exact: true }).click();
  await expect(emptyMessage).toBeVisible();
  await dock(page).getByRole('button', { name: 'Nouvelle console' }).last().click();
  await serverDialog.getByRole('button', { name: /web-02/ }).click();
  await expect(state(page, 'Connecté')).toBeVisible();
  await dock(page).getByRole('button', { name: 'Plein écran' }).click();
  await expect(page).toHaveURL(/\/servers\/[0-9a-f-]+\/console\?console=/);
  await run(page, 'exit');
  await expect(state(page, 'Fermée (code 0)')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Fermer cette console' }).click();
  await expect(page).toHaveURL('/servers');
});

test('a host cannot write to the clipboard, change the title or open a link without confirmation', async ({
  ownerPage: page,
  context,
  host,
  makeServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await makeServer(host, { name: 'web-01' });
  await openConsole(page, id);
  await page.evaluate(() => navigator.clipboard.writeText('à moi'));
  await run(page, String.raw`printf '\033]52;c;cGlyYXRl\007\033]0;pirate\007\033]2;pirate\007'; echo "fin $((1+1))"`);
  await expect(rows(page)).toContainText('fin 2');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('à moi');
  await expect(page).toHaveTitle('Console · Vigie');
  await run(
    page,
    String.raw`clear; printf '\033]8;;javascript:alert(1)\033\\mauvais\033]8;;\033\\ \n%s/favicon.svg\n' http://` +
      `${new URL(page.url()).host}; echo "prêt $((3+4))"`,
  );
  // `clear` has removed the typed command by the time this text appears.
  await expect(rows(page)).toContainText('prêt 7');
  await clickOn(page, 'mauvais');
  await clickOn(page, '/favicon.svg');
  const linkDialog = page.getByRole('dialog', { name: 'Ouvrir ce lien\u202f?' });
  await expect(linkDialog).toContainText(/http:\/\/[^/]+\/favicon\.svg/);
  await expectNoDialogFaults(linkDialog);
  const popup = context.waitForEvent('page');
  await linkDialog.getByRole('button', { name: 'Ouvrir dans un nouvel onglet' }).click();
  const newTab = await popup;
  await expect(newTab).toHaveURL(/favicon\.svg$/);
  expect(await newTab.evaluate(() => window.opener)).toBeNull();
});

test('the shell receives all keys but the shortcuts of the console, and a long paste only after a preview', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01' });
  await openConsole(page, id);
  // The search counts this printed text, because text typed before the prompt may be echoed twice.
  await run(page, "printf 'tr%s ' ois ois ois ois ois ois; echo");
  await expect(rows(page)).toContainText('trois trois trois trois trois trois');
  await run(page, 'cat -v');
  await test.step('a paste of several lines is previewed first, and its invisible characters are removed', async () => {
    await paste(page, 'un seul');
    await expect(rows(page)).toContainText('un seul');
    await paste(page, '<b>un</b>\ndeux\u001b[201~\n');
    const pasteDialog = page.getByRole('dialog', { name: 'Coller 2 lignes\u202f?' });
    await expect(pasteDialog).toContainText('<b>un</b>');
    await expect(pasteDialog.locator('mark')).toHaveText('^[');
    await expectNoDialogFaults(pasteDialog);
    await page.keyboard.press('Escape');
    await expect(pasteDialog).toBeHidden();
    await expect(rows(page)).not.toContainText('<b>');
    await paste(page, '<b>un</b>\ndeux\u001b[201~\n');
    await pasteDialog.getByRole('button', { name: 'Coller', exact: true }).click();
    // The text appears twice: as the terminal echo and as the output of `cat`.
    await expect(rows(page)).toContainText(/<b>un<\/b>\s*deux\[201~\s*un seul<b>un<\/b>\s*deux\[201~/);
    await expect(field(page)).toBeFocused();
  });
  for (const key of ['Control+k', 'Control+r', 'Control+w', 'Escape']) await field(page).press(key);
  await field(page).press('x');
  await field(page).press('Enter');
  await expect(rows(page)).toContainText('^K');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await field(page).press('Control+Shift+F');
  const searchField = page.getByRole('searchbox', { name: 'Chercher dans le terminal' });
  await expect(searchField).toBeFocused();
  await searchField.fill('cat -v');
  await expect(panel(page).getByText(/^\d sur \d$/)).toBeVisible();
  const [next, previous] = ['Résultat suivant', 'Résultat précédent'].map((name) =>
    panel(page).getByRole('button', { name }),
  ) as [Locator, Locator];
  const expectPosition = (position: number) =>
    expect(panel(page).getByText(`${position} sur 6`)).toBeVisible({ timeout: 2_000 });
  // xterm loses its position in the results if the browser reports a change of focus late.
  await expect(async () => {
    await searchField.fill('');
    await searchField.fill('trois');
    await expectPosition(1);
    await next.click();
    await expectPosition(2);
    await next.press('Enter');
    await expectPosition(3);
    await previous.press('Enter');
    await expectPosition(2);
    await searchField.press('Shift+Enter');
    await expectPosition(1);
  }).toPass();
  await panel(page).getByRole('button', { name: 'Chercher dans le terminal' }).click();
  await expect(searchField).toBeHidden();
  await field(page).press('Control+Shift+F');
  await expect(searchField).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeFocused();
  await field(page).press('Control+Shift+ArrowUp');
  await expect(page.getByRole('button', { name: /^web-01/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.getByRole('button', { name: 'Affichage du terminal' }).click();
  await page.getByRole('button', { name: 'Agrandir le texte' }).click();
  await expect(rows(page)).toHaveCSS('font-size', '14px');
  await page.getByRole('button', { name: 'Réduire le texte' }).click();
  await expect(rows(page)).toHaveCSS('font-size', '13px');
  await page.getByRole('checkbox', { name: 'Adapter à un lecteur d’écran' }).check();
  await expect(terminal(page).locator('.xterm-accessibility')).toContainText('cat -v');
});
