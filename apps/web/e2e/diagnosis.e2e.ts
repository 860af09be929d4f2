import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { hostPassword } from '@vigie/testing/sshd';
import { expectNoDialogFaults } from './axe';
import { advanceClock, awaitAnswers, hidePage, installClock, pauseRequests, recordApiCalls } from './fixtures';
import { makeSite, test } from './machines';
import { bearer } from './people';
import { expectNoOverflow, onPhone } from './sizes';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const panel = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const report = (page: Page) => page.getByRole('region', { name: 'Test de connexion' });
const showList = (page: Page) =>
  page.getByRole('navigation', { name: 'Fil d’Ariane' }).getByRole('link', { name: 'Serveurs' }).click();
const step = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Étapes du test' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const recordCalls = (page: Page, path: string) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => call.url().includes(path));
};
const closedPort = { port: 9 };

test('a test of a closed port fails at the connection with its reason, and a public key can be copied', async ({
  ownerPage: page,
  context,
  makeServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await makeServer(closedPort, { name: 'web-01' });
  await page.goto('/servers');
  const button = page.getByRole('button', { name: 'Tester la connexion à web-01' });
  await button.click();
  // The toast is read first, because it disappears after three seconds.
  const toastText = await toasts(page).getByRole('alert').innerText();
  await expect(step(page, 'Adresse')).toContainText('OK');
  await expect(step(page, 'Connexion')).toContainText('Échec');
  await expect(step(page, 'Authentification')).toContainText('Non testé');
  expect(toastText).toContain(await report(page).getByRole('alert').innerText());
  await report(page).getByRole('button', { name: 'Copier les détails' }).click();
  const alerts = page.getByRole('list', { name: 'Alertes' });
  await expect(alerts).toHaveText(/^Ne répond pas par SSH, depuis (?:moins d’une|\d+\s)\s?min/);
  await expect(page.getByRole('main').getByText('Hors ligne', { exact: true })).toBeVisible();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(readClipboard).toContain('web-01 (sh@127.0.0.1:9)');
  expect(await readClipboard()).toContain('Connexion\u00a0: Échec');

  await test.step('a failing test shows its message and output, and an interrupted test has a message of its own', async () => {
    const detail = { message: 'La commande a échoué.', stderr: 'sh: introuvable\n', stdout: 'bonjour' };
    await page.route('**/test', (route) => route.fulfill({ status: 502, json: { detail } }));
    await report(page).getByRole('button', { name: 'Tester de nouveau' }).click();
    await expect(toasts(page)).toContainText('La commande a échoué. | sh: introuvable | bonjour');
    await report(page).getByText('Ce que le serveur a répondu').click();
    await expect(report(page).getByText('sh: introuvable')).toBeVisible();
    await page.unroute('**/test');
    await page.route('**/test', (route) => route.abort());
    await page.getByRole('main').getByRole('button', { name: 'Tester', exact: true }).click();
    await expect(toasts(page)).toContainText('Test de connexion échoué.');
    await expect(report(page).getByRole('alert')).toHaveText('Test de connexion échoué.');
    await page.getByRole('main').getByRole('button', { name: 'Plus', exact: true }).click();
    await page.getByRole('button', { name: 'Copier la clé publique' }).click();
    await expect(toasts(page)).toContainText('Clé publique de web-01 copiée.');
    await showList(page);
    // Without a test to follow, the list stays.
    await button.click();
    const alert = page.getByRole('main').getByRole('alert').filter({ hasText: 'Test de connexion échoué.' });
    await expect(alert).toBeVisible();
    await expect(page).toHaveURL('/servers');
  });

  await test.step('a public key is copied, or shown when the clipboard refuses, and a failed request shows an error', async () => {
    const copyButton = page.getByRole('button', { name: 'Copier la clé publique de web-01' });
    // The message of the copy on the page of the server is gone.
    await expect(toasts(page)).not.toContainText('copiée');
    await copyButton.click();
    await expect(toasts(page)).toContainText('Clé publique de web-01 copiée.');
    const key = await page.evaluate(() => navigator.clipboard.readText());
    expect(key).toMatch(/^ssh-ed25519 \S+/);

    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await copyButton.click();
    const dialog = page.getByRole('dialog', { name: 'Clé publique de web-01' });
    await expect(dialog.getByLabel('Clé publique')).toHaveValue(key);
    await expect(dialog.getByLabel('Clé publique')).toBeFocused();
    const end = await dialog.getByLabel('Clé publique').evaluate((area: HTMLTextAreaElement) => area.selectionEnd);
    expect(end).toBe(key.length);
    await dialog.getByLabel('Clé publique').click();
    await page.keyboard.press('Escape');
    await expect(copyButton).toBeFocused();
    await copyButton.click();
    await expectNoDialogFaults(dialog);
    await page.keyboard.press('Escape');

    await page.route('**/pubkey', (route) => route.abort());
    await copyButton.click();
    await expect(toasts(page)).toContainText("Impossible d'obtenir la clé publique.");
  });
});

test('a key that the server does not know is refused, and a long test shows its progress and can be cancelled', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01', auth: { privateKeyPem: host.otherKey } });
  await makeServer(host, { name: 'web-02' });
  await page.goto(`/servers?open=${id}`);
  await expect(page).toHaveURL(`/servers/${id}`);
  await report(page).getByRole('button', { name: 'Tester la connexion' }).click();
  await expect(step(page, 'Clé du serveur')).toContainText('OK');
  await expect(step(page, 'Authentification')).toContainText('Échec');
  await expect(step(page, 'Authentification')).toContainText('authorized_keys');
  await expect(page.getByText(/^mkdir -p ~\/\.ssh /)).toBeVisible();
  await showList(page);
  await expect(row(page, 'web-01')).toContainText('Seul le port répond.');

  const openedPanel = report(page);
  await test.step('a long test shows its progress', async () => {
    await page.getByRole('link', { name: 'web-02', exact: true }).click();
    // The worker waits at most fifteen seconds for the stopped host.
    host.signal('SIGSTOP');
    await openedPanel.getByRole('button', { name: 'Tester la connexion' }).click();
    await expect(openedPanel.getByText('Test en cours…')).toBeVisible();
    await expect(openedPanel.getByRole('list', { name: 'Ce qui est fait' })).toContainText('Adresse\u00a0:');
    await expect(openedPanel.getByRole('progressbar')).toHaveAttribute('value', /[1-9]/);
    await expect(page).toHaveURL(/[?&]test=[0-9a-f-]{36}/);
    host.signal('SIGCONT');
    await expect(openedPanel.getByRole('button', { name: /^Tester/ })).toBeVisible();
  });

  await test.step('it survives a reload and can be cancelled', async () => {
    const earlierTest = page.url();
    host.signal('SIGSTOP');
    await openedPanel.getByRole('button', { name: /^Tester/ }).click();
    await expect(page).toHaveURL((url) => url.searchParams.has('test') && url.href !== earlierTest);
    await page.reload();
    await expect(openedPanel.getByText('Test en cours…')).toBeVisible();
    await expect(openedPanel.getByText(/^\d+\u00a0s/)).toBeVisible();
    // The cancel request is paused, because the worker could end the job before the page shows its cancellation.
    const releaseCancel = await pauseRequests(page, '**/cancel');
    await openedPanel.getByRole('button', { name: 'Annuler' }).click();
    await expect(openedPanel.getByText('Annulation en cours…')).toBeVisible();
    releaseCancel();
    // The test ends when the worker sees the cancellation or gives up on the stopped host.
    await expect(openedPanel.getByRole('button', { name: /^Tester/ })).toBeVisible();
  });
});

test('a changed host key is shown beside the old one and refused until it is accepted', async ({
  ownerPage: page,
  request,
  owner,
  startHost,
  makeServer,
}) => {
  const firstHost = await startHost();
  const { id } = await makeServer(firstHost, { name: 'web-01' });
  const headers = { authorization: `Bearer ${owner.token}` };
  expect((await request.post(`/api/servers/${id}/test`, { headers })).status()).toBe(200);
  const { port, hostKey: expected } = firstHost;
  await firstHost.stop();
  const { hostKey: actual } = await startHost({ port });

  await page.goto(`/servers/${id}`);
  const openedPanel = report(page);
  await openedPanel.getByRole('button', { name: 'Tester de nouveau' }).click();
  const keys = openedPanel.getByRole('definition').filter({ hasText: 'SHA256:' });
  await expect(keys).toHaveText([expected, actual]);
  const fingerprintField = openedPanel.getByLabel('Empreinte lue sur le serveur');
  await fingerprintField.fill(`256 ${expected} root@web-01 (ED25519)`);
  await expect(openedPanel.getByText('Différente de la nouvelle clé')).toBeVisible();
  await fingerprintField.fill(`256 ${actual} root@web-01 (ED25519)`);
  await expect(openedPanel.getByText('Identique à la nouvelle clé')).toBeVisible();

  const site = { name: 'Boutique', url: 'https://boutique.exemple.fr' };
  const data = { ...site, connection: { ssh: { server_id: id, wp_path: '/var/www/boutique' } } };
  const created = await request.post('/api/sites', { data, headers });
  const { id: siteId }: { id: string } = await created.json();
  await page.goto(`/sites?open=${siteId}`);
  await panel(page, 'Boutique').getByRole('button', { name: 'Tester la connexion' }).click();
  await expect(panel(page, 'Boutique')).toContainText('Cette clé est celle du serveur');
  await panel(page, 'Boutique').getByRole('link', { name: 'testez le serveur pour les comparer' }).click();
  await expect(page).toHaveURL(`/servers/${id}`);
  // The last test is still there.
  await expect(keys).toHaveText([expected, actual]);

  const acceptButton = openedPanel.getByRole('button', { name: 'Accepter la nouvelle clé…' });
  await acceptButton.click();
  const dialog = page.getByRole('dialog', { name: 'Accepter la nouvelle clé de web-01\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expectNoDialogFaults(dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(acceptButton).toBeFocused();
  await acceptButton.click();
  await dialog.getByRole('button', { name: 'Accepter la nouvelle clé' }).click();
  await expect(toasts(page)).toContainText('Connexion OK • Linux');
  await expect(openedPanel).toContainText('Connexion établie avec le mot de passe.');
  await expect(page.getByRole('region', { name: 'Accès par clé' })).toContainText(actual);
});

test('a changed host key of a site with its own connection is accepted for that site', async ({
  ownerPage: page,
  request,
  owner,
  startHost,
  makeServer,
}) => {
  const firstHost = await startHost();
  // Vigie can read these files as a WordPress, and that first connection pins the host key.
  const path = `${firstHost.home}/boutique`;
  mkdirSync(`${path}/wp-includes`, { recursive: true });
  writeFileSync(`${path}/wp-load.php`, '<?php');
  writeFileSync(`${path}/wp-includes/version.php`, "<?php $wp_version = '6.5';");
  const { port } = firstHost;
  const { id: server } = await makeServer(closedPort, { name: 'web-01' });
  const ssh = { server_id: server, port, wp_path: path, auth: { password: hostPassword } };
  const id = await makeSite(page, owner, 'Boutique', { connection: { ssh } });
  const readPinnedKey = async () => {
    const answer = await request.get(`/api/sites/${id}`, { headers: bearer(owner.token) });
    return (await answer.json()).connection.ssh.host_key;
  };
  await expect.poll(readPinnedKey).toBe(firstHost.hostKey);
  await firstHost.stop();
  const host = await startHost({ port });
  await page.goto(`/sites?open=${id}`);
  const openedPanel = panel(page, 'Boutique');
  await openedPanel.getByRole('button', { name: 'Tester la connexion' }).click();
  await openedPanel.getByRole('button', { name: 'Accepter la nouvelle clé…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accepter la nouvelle clé de Boutique\u202f?' });
  await expect(dialog).toContainText(host.hostKey);
  await expectNoDialogFaults(dialog);
  await dialog.getByRole('button', { name: 'Accepter la nouvelle clé' }).click();
  await expect(dialog).toBeHidden();
  // The page repeats the test: it accepts the key and finds no WordPress on the second host.
  await expect(openedPanel.getByRole('alert')).toContainText(path);
  await expect(openedPanel.getByRole('button', { name: 'Accepter la nouvelle clé…' })).toHaveCount(0);
});

test('status and load are refreshed each minute and on demand, but not while the page is hidden', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  await makeServer(host, { name: 'web-01' });
  await installClock(page);
  const [statuses, loads] = [recordCalls(page, '/api/servers/statuses'), recordCalls(page, '/api/servers/health')];
  await page.goto('/servers');
  await expect(row(page, 'web-01')).toContainText(/En (?:ligne|alerte)/);
  await host.stop();
  await page.getByRole('button', { name: 'Choisir quoi actualiser' }).click();
  await page.getByRole('button', { name: 'Actualiser les statuts' }).click();
  await expect(row(page, 'web-01')).toContainText('Hors ligne');
  await expect(row(page, 'web-01')).toContainText('refuse les connexions');
  await expect(page.getByText('1\u00a0serveur, dont 1 hors ligne')).toBeVisible();

  const before = [statuses().length, loads().length] as const;
  // The polling interval starts when the previous answer arrives.
  const advanceTenSeconds = () =>
    page.clock.runFor(10_000).then(() => [statuses().length > before[0], loads().length > before[1]]);
  await expect.poll(advanceTenSeconds, { intervals: [100] }).toEqual([true, true]);
  await awaitAnswers(page);
  await hidePage(page);
  const countsWhenHidden = [statuses().length, loads().length];
  await advanceClock(page, 300_000);
  expect([statuses().length, loads().length]).toEqual(countsWhenHidden);
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('server cards, the form, the page and the test fit', async ({ ownerPage: page, host, makeServer }) => {
    const name = `web-${'long'.repeat(20)}`;
    await makeServer(host, { name, provider: 'OVHcloud' });
    await page.goto('/servers');
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await expect(card).toContainText(/En (?:ligne|alerte)/);
    await page.getByRole('button', { name: 'Filtres' }).tap();
    await page.getByLabel('Trier par').selectOption('Hôte');
    await page.getByRole('button', { name: 'Trier dans l’ordre décroissant' }).tap();
    await expect(page).toHaveURL('/servers?sort=-host');
    await expectNoOverflow(page);
    await card.getByRole('button', { name: /^Modifier / }).tap();
    await expect(page.getByRole('dialog').getByLabel('Port')).toHaveValue(String(host.port));
    await expectNoOverflow(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).tap();
    await card.getByRole('button', { name: /^Tester / }).tap();
    await expect(step(page, 'Authentification')).toContainText('OK');
    await expectNoOverflow(page);
    await page.goBack();
    await expect(page).toHaveURL('/servers?sort=-host');
  });
});
