import { expect } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { indicator } from './dock';
import { installClock } from './fixtures';
import { test } from './machines';
import { bearer } from './people';
import { onPhone, phone } from './sizes';
import { openConsole, panel, rows, run, state } from './terminals';

test('a failed console says why and what to do', async ({ ownerPage: page, host, startHost, makeServer }) => {
  await page.goto('/servers/0192f0c1-7e57-7000-8000-000000000001/console');
  await expect(page.getByRole('alert')).toContainText("Impossible d'ouvrir la console.");
  const retryRequest = page.waitForRequest('**/api/servers/0192f0c1-*');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await retryRequest;
  await page.getByRole('link', { name: 'Voir les serveurs' }).click();
  await expect(page).toHaveURL('/servers');
  const { id } = await makeServer(host, { name: 'web-01' });
  await openConsole(page, id);
  await host.stop();
  await expect(state(page, 'Erreur')).toBeVisible();
  await expect(panel(page).getByText(/^Le serveur a coupé la connexion\./)).toBeVisible();
  await expect(rows(page)).toContainText('— Erreur\u00a0: Le serveur a coupé');
  const other = await startHost({ port: host.port });
  await panel(page).getByRole('button', { name: 'Nouvelle console' }).last().click();
  await expect(panel(page).getByText(/^La clé du serveur a changé/)).toContainText(other.hostKey);
  await panel(page).getByRole('link', { name: 'Voir le serveur' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('web-01');
});

test('a console can be kept open, taken over by another tab, retried, or closed to make room', async ({
  ownerPage: page,
  context,
  request,
  owner,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01' });
  await installClock(page);
  await openConsole(page, id);
  await run(page, 'exec bash --norc');
  await run(page, `trap 'echo "taille $((1+1))"' WINCH; PS1='prêt$((1+1))> '`);
  // The prompt comes last: output after the jump of the clock would come from a console that is not idle.
  await expect(rows(page)).toContainText('prêt2>');
  // A ping that is unanswered when the clock jumps would count as lost, so the story waits for the answer.
  await expect(panel(page)).toContainText(/\d\u00a0ms/);
  await page.clock.fastForward('26:00');
  const idleWarning = panel(page).getByText('Rien ne s’y passe depuis 25\u00a0minutes.');
  await expect(idleWarning).toBeVisible();
  // The note makes the terminal smaller, and what the shell prints about that must not hide it.
  await expect(rows(page)).toContainText('taille 2');
  await expect(idleWarning).toBeVisible();
  await panel(page).getByRole('button', { name: 'La garder' }).click();
  await expect(idleWarning).toBeHidden();

  // A ping sent during the jump of the clock counts as lost, so the page reconnects.
  await expect(state(page, 'Connecté')).toBeVisible();
  const readAttached = async () => {
    const { items } = await (await request.get('/api/consoles', { headers: bearer(owner.token) })).json();
    return items.map(({ is_attached: isAttached }: { is_attached: boolean }) => isAttached);
  };
  await expect.poll(readAttached).toEqual([true]);
  const secondTab = await context.newPage();
  await secondTab.goto(page.url());
  // A tab keeps the console until another tab takes it over.
  for (const [active, other] of [
    [secondTab, page],
    [page, secondTab],
  ] as const) {
    await panel(active).getByRole('button', { name: 'Reprendre ici' }).click();
    await expect(state(active, 'Connecté')).toBeVisible();
    await expect(state(other, 'Ouverte ailleurs')).toBeVisible();
  }
  await secondTab.close();

  await page.route('**/ws-ticket', (route) => route.fulfill({ status: 429, json: { detail: 'Dix sont ouvertes.' } }));
  const openAnother = async () => {
    await panel(page).getByRole('button', { name: 'Nouvelle console' }).first().click();
    await page
      .getByRole('dialog', { name: 'Nouvelle console' })
      .getByRole('button', { name: /web-01/ })
      .click();
  };
  await openAnother();
  const openConsoles = panel(page).getByRole('list', { name: 'Vos consoles ouvertes' }).getByRole('listitem');
  await expect(openConsoles).toHaveCount(1);
  await openConsoles.getByRole('button', { name: 'Fermer la console de web-01' }).click();
  await expect(openConsoles).toHaveCount(0);
  await page.unroute('**/ws-ticket');
  await page.route('**/ws-ticket', (route) => route.abort());
  await openAnother();
  const retryNow = panel(page).getByRole('button', { name: 'Réessayer maintenant' });
  await expect(async () => {
    await page.clock.fastForward('00:20');
    await expect(retryNow).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.unroute('**/ws-ticket');
  await retryNow.click();
  await expect(state(page, 'Connecté')).toBeVisible();
  await run(page, 'exit');
  await expect(state(page, 'Fermée (code 0)')).toBeVisible();
  const deletion = await request.delete(`/api/servers/${id}?force=1`, { headers: bearer(owner.token) });
  expect(deletion.ok()).toBe(true);
  await panel(page).getByRole('button', { name: 'Nouvelle console' }).last().click();
  await panel(page).getByRole('link', { name: 'Voir les serveurs' }).click();
  await expect(page).toHaveURL('/servers');
});

test.describe('when the terminal script does not load', () => {
  test.use({ expectedFaults: [/^console: Failed to load resource/] });

  test('the console shows an error and works after the page is reloaded', async ({
    ownerPage: page,
    host,
    makeServer,
  }) => {
    const { id } = await makeServer(host, { name: 'web-01' });
    await page.route('**/assets/terminal-*.js', (route) => route.abort());
    await page.goto(`/servers/${id}/console`);
    await expect(panel(page).getByRole('alert')).toContainText('Chargement du terminal échoué.');
    await page.unroute('**/assets/terminal-*.js');
    await panel(page).getByRole('button', { name: 'Recharger la page' }).click();
    await expect(state(page, 'Connecté')).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('a toolbar offers the missing keys', async ({ ownerPage: page, host, makeServer }) => {
    const { id } = await makeServer(host, { name: `web-${'long'.repeat(12)}` });
    await openConsole(page, id);
    const keys = page.getByRole('toolbar', { name: 'Touches du terminal' });
    await run(page, 'cat -v');
    const arrows = ['haut', 'bas', 'droite', 'gauche'].map((direction) => `Flèche ${direction}`);
    for (const name of ['Échap', ...arrows, 'Tab', 'Barre verticale', 'Tilde', 'Barre oblique']) {
      const key = keys.getByRole('button', { name });
      expect((await key.boundingBox())?.height).toBeGreaterThanOrEqual(40);
      await key.tap();
    }
    await page.keyboard.press('Enter');
    await expect(rows(page)).toContainText(/\^\[\^\[\[A\^\[\[B\^\[\[C\^\[\[D\s+\|~\//);
    await keys.getByRole('button', { name: 'Ctrl' }).tap();
    await page.keyboard.insertText('c');
    // `cat` reads the next line until the prompt is back.
    await expect(rows(page)).toContainText(/\^C[#$]/);
    await run(page, 'echo "rendu $((1+1))"');
    await expect(rows(page)).toContainText('rendu 2');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await panel(page).getByRole('button', { name: 'Nouvelle console' }).first().tap();
    await expectNoDialogFaults(page.getByRole('dialog', { name: 'Nouvelle console' }), [phone]);
    await page.keyboard.press('Escape');
    await panel(page).getByRole('button', { name: 'Fermer cette console' }).tap();
    await expectNoDialogFaults(page.getByRole('dialog', { name: /^Fermer la console de / }), [phone]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revenir aux serveurs' }).tap();
    await indicator(page).tap();
    await page.getByRole('button', { name: 'Voir les consoles' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Consoles' });
    await expectNoDialogFaults(sheet, [phone]);
    await sheet.getByRole('link', { name: /^web-/ }).tap();
    await expect(rows(page)).toContainText('rendu 2');
  });
});
