import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { hostPassword } from '@vigie/testing/sshd';
import { apiCalls, hidePage, holdCalls } from './fixtures';
import { makeSite, test } from './machines';
import { bearer } from './people';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const panel = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const step = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Étapes du test' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const countCalls = (page: Page, path: string) => {
  const calls = apiCalls(page);
  return () => calls.filter((call) => call.url().includes(path));
};
const closedPort = { port: 9 };

test('a test of a closed port fails at the connection step and says why; a public key is copied', async ({
  ownerPage: page,
  context,
  makeServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await makeServer(closedPort, { name: 'web-01' });
  await page.goto('/servers');
  const button = page.getByRole('button', { name: 'Tester la connexion à web-01' });
  await button.click();
  // The first test starts by itself.
  const toastText = await toasts(page).getByRole('alert').innerText();
  await expect(step(page, 'Adresse')).toContainText('OK');
  await expect(step(page, 'Connexion')).toContainText('Échec');
  await expect(step(page, 'Authentification')).toContainText('Non testé');
  expect(toastText).toContain(await panel(page, 'web-01').getByRole('alert').innerText());
  await panel(page, 'web-01').getByRole('button', { name: 'Copier les détails' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('web-01 (sh@127.0.0.1:9)');
  expect(await copied()).toContain('Connexion\u00a0: Échec');
  await page.keyboard.press('Escape');
  await expect(panel(page, 'web-01')).toBeHidden();
  await expect(button).toBeFocused();
  await expect(page).toHaveURL('/servers');

  await test.step('a failed test shows its details, and a broken test has its own message', async () => {
    const detail = { message: 'La commande a échoué.', stderr: 'sh: introuvable\n', stdout: 'bonjour' };
    await page.route('**/test', (route) => route.fulfill({ status: 502, json: { detail } }));
    await button.click();
    await expect(toasts(page)).toContainText('La commande a échoué. | sh: introuvable | bonjour');
    await panel(page, 'web-01').getByText('Ce que le serveur a répondu').click();
    await expect(panel(page, 'web-01').getByText('sh: introuvable')).toBeVisible();
    await page.unroute('**/test');
    await page.route('**/test', (route) => route.abort());
    await panel(page, 'web-01').getByRole('button', { name: 'Tester de nouveau' }).click();
    await expect(toasts(page)).toContainText('Test de connexion échoué.');
    await expect(panel(page, 'web-01').getByRole('alert')).toHaveText('Test de connexion échoué.');
    await page.keyboard.press('Escape');
  });

  await test.step('a public key is copied, or shown when the clipboard refuses, and a failed load says so', async () => {
    const copy = page.getByRole('button', { name: 'Copier la clé publique de web-01' });
    await copy.click();
    await expect(toasts(page)).toContainText('Clé publique de web-01 copiée.');
    const key = await page.evaluate(() => navigator.clipboard.readText());
    expect(key).toMatch(/^ssh-ed25519 \S+/);

    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await copy.click();
    const dialog = page.getByRole('dialog', { name: 'Clé publique de web-01' });
    await expect(dialog.getByLabel('Clé publique')).toHaveValue(key);
    await expect(dialog.getByLabel('Clé publique')).toBeFocused();
    const selected = await dialog.getByLabel('Clé publique').evaluate((area: HTMLTextAreaElement) => area.selectionEnd);
    expect(selected).toBe(key.length);
    await dialog.getByLabel('Clé publique').click();
    await page.keyboard.press('Escape');
    await expect(copy).toBeFocused();

    await page.route('**/pubkey', (route) => route.abort());
    await copy.click();
    await expect(toasts(page)).toContainText("Impossible d'obtenir la clé publique.");
  });
});

test('an unknown key is refused; a long test shows its progress and can be cancelled', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  const { id } = await makeServer(host, { name: 'web-01', auth: { privateKeyPem: host.otherKey } });
  await makeServer(host, { name: 'web-02' });
  await page.goto(`/servers?open=${id}`);
  await panel(page, 'web-01').getByRole('button', { name: 'Tester la connexion' }).click();
  await expect(step(page, 'Clé du serveur')).toContainText('OK');
  await expect(step(page, 'Authentification')).toContainText('Échec');
  await expect(step(page, 'Authentification')).toContainText('authorized_keys');
  await expect(panel(page, 'web-01').getByText(/^mkdir -p ~\/\.ssh /)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(page, 'web-01')).toContainText('Seul le port répond.');

  await test.step('a long test shows its progress, survives a reload and can be cancelled', async () => {
    await page.getByRole('link', { name: 'web-02', exact: true }).click();
    const opened = panel(page, 'web-02');
    // The host gives up fifteen seconds after the click.
    host.signal('SIGSTOP');
    await opened.getByRole('button', { name: 'Tester la connexion' }).click();
    await expect(opened.getByText('Test en cours…')).toBeVisible();
    await expect(opened.getByRole('list', { name: 'Ce qui est fait' })).toContainText('Adresse\u00a0:');
    await expect(opened.getByRole('progressbar')).toHaveAttribute('value', /[1-9]/);
    await expect(page).toHaveURL(/[?&]test=[0-9a-f-]{36}/);
    await page.reload();
    await expect(opened.getByText('Test en cours…')).toBeVisible();
    await expect(opened.getByText(/^\d+\u00a0s/)).toBeVisible();
    // A worker that cancels at once would leave no time to see the cancelling state.
    const releaseCancel = await holdCalls(page, '**/cancel');
    await opened.getByRole('button', { name: 'Annuler' }).click();
    await expect(opened.getByText('Annulation en cours…')).toBeVisible();
    releaseCancel();
    // The worker learns of it within ten seconds; the test of a silent host may have timed out before.
    await expect(opened.getByRole('button', { name: /^Tester/ })).toBeVisible();
  });
});

test('a changed host key is shown beside the known one, and blocks the server until a user accepts it', async ({
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

  await page.goto(`/servers?open=${id}`);
  const opened = panel(page, 'web-01');
  await opened.getByRole('button', { name: 'Tester la connexion' }).click();
  const keys = opened.getByRole('definition').filter({ hasText: 'SHA256:' });
  await expect(keys).toHaveText([expected, expected, actual]);
  const fingerprintField = opened.getByLabel('Empreinte lue sur le serveur');
  await fingerprintField.fill(`256 ${expected} root@web-01 (ED25519)`);
  await expect(opened.getByText('Différente de la nouvelle clé')).toBeVisible();
  await fingerprintField.fill(`256 ${actual} root@web-01 (ED25519)`);
  await expect(opened.getByText('Identique à la nouvelle clé')).toBeVisible();

  const site = { name: 'Boutique', url: 'https://boutique.exemple.fr' };
  const data = { ...site, connection: { ssh: { server_id: id, wp_path: '/var/www/boutique' } } };
  const created = await request.post('/api/sites', { data, headers });
  const { id: siteId }: { id: string } = await created.json();
  await page.goto(`/sites?open=${siteId}`);
  await panel(page, 'Boutique').getByRole('button', { name: 'Tester la connexion' }).click();
  await expect(panel(page, 'Boutique')).toContainText('Cette clé est celle du serveur');
  await panel(page, 'Boutique').getByRole('link', { name: 'testez le serveur pour les comparer' }).click();
  await expect(page).toHaveURL(`/servers?open=${id}`);
  await opened.getByRole('button', { name: 'Tester la connexion' }).click();
  await expect(keys).toHaveText([expected, expected, actual]);

  const accept = opened.getByRole('button', { name: 'Accepter la nouvelle clé…' });
  await accept.click();
  const dialog = page.getByRole('dialog', { name: 'Accepter la nouvelle clé de web-01\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(accept).toBeFocused();
  await accept.click();
  await dialog.getByRole('button', { name: 'Accepter la nouvelle clé' }).click();
  await expect(toasts(page)).toContainText('Connexion OK • Linux');
  await expect(opened).toContainText('Connexion établie avec le mot de passe.');
  await expect(keys).toHaveText([actual]);
});

test('a changed host key of a site with its own connection is accepted for that site', async ({
  ownerPage: page,
  request,
  owner,
  startHost,
  makeServer,
}) => {
  const firstHost = await startHost();
  // The files resemble WordPress enough to be read, which pins the host key.
  const path = `${firstHost.home}/boutique`;
  mkdirSync(`${path}/wp-includes`, { recursive: true });
  writeFileSync(`${path}/wp-load.php`, '<?php');
  writeFileSync(`${path}/wp-includes/version.php`, "<?php $wp_version = '6.5';");
  const { port } = firstHost;
  const { id: server } = await makeServer(closedPort, { name: 'web-01' });
  const ssh = { server_id: server, port, wp_path: path, auth: { password: hostPassword } };
  const id = await makeSite(page, owner, 'Boutique', { connection: { ssh } });
  const pinned = async () => {
    const answer = await request.get(`/api/sites/${id}`, { headers: bearer(owner.token) });
    return (await answer.json()).connection.ssh.host_key;
  };
  await expect.poll(pinned).toBe(firstHost.hostKey);
  await firstHost.stop();
  const host = await startHost({ port });
  await page.goto(`/sites?open=${id}`);
  const opened = panel(page, 'Boutique');
  await opened.getByRole('button', { name: 'Tester la connexion' }).click();
  await opened.getByRole('button', { name: 'Accepter la nouvelle clé…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accepter la nouvelle clé de Boutique\u202f?' });
  await expect(dialog).toContainText(host.hostKey);
  await dialog.getByRole('button', { name: 'Accepter la nouvelle clé' }).click();
  await expect(dialog).toBeHidden();
  // The test runs again by itself: the key is accepted, and no WordPress is found.
  await expect(opened.getByRole('alert')).toContainText(path);
  await expect(opened.getByRole('button', { name: 'Accepter la nouvelle clé…' })).toHaveCount(0);
});

test('status and load refresh each minute and on demand, and not while the page is hidden', async ({
  ownerPage: page,
  host,
  makeServer,
}) => {
  await makeServer(host, { name: 'web-01' });
  await page.clock.install();
  const statusCalls = countCalls(page, '/api/servers/statuses');
  const healthCalls = countCalls(page, '/api/servers/health');
  await page.goto('/servers');
  await expect(row(page, 'web-01')).toContainText('En ligne');
  await host.stop();
  await page.getByRole('button', { name: 'Actualiser les statuts' }).click();
  await expect(row(page, 'web-01')).toContainText('Hors ligne');
  await expect(row(page, 'web-01')).toContainText('refuse les connexions');
  await expect(page.getByText('1\u00a0serveur, dont 1 hors ligne')).toBeVisible();

  const [statusCount, healthCount] = [statusCalls().length, healthCalls().length];
  // The next minute starts when the answer arrives, which takes a varying time.
  const afterTenSeconds = async () => {
    await page.clock.runFor(10_000);
    return [statusCalls().length > statusCount, healthCalls().length > healthCount];
  };
  await expect.poll(afterTenSeconds, { intervals: [100] }).toEqual([true, true]);
  await hidePage(page);
  const countsWhenHidden = [statusCalls().length, healthCalls().length];
  await page.clock.runFor(300_000);
  expect([statusCalls().length, healthCalls().length]).toEqual(countsWhenHidden);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('servers are cards; the form, the panel and the test fit the screen', async ({
    ownerPage: page,
    host,
    makeServer,
  }) => {
    const isAsWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    const name = `web-${'long'.repeat(20)}`;
    await makeServer(host, { name, provider: 'OVHcloud' });
    await page.goto('/servers');
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
    await expect(card).toContainText('En ligne');
    await page.getByLabel('Trier par').selectOption('Hôte');
    await page.getByRole('button', { name: 'Trier dans l’ordre décroissant' }).tap();
    await expect(page).toHaveURL('/servers?sort=-host');
    expect(await isAsWide()).toBe(true);
    await card.getByRole('button', { name: /^Modifier / }).tap();
    await expect(page.getByRole('dialog').getByLabel('Port')).toHaveValue(String(host.port));
    expect(await isAsWide()).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).tap();
    await card.getByRole('button', { name: /^Tester / }).tap();
    await expect(step(page, 'Authentification')).toContainText('OK');
    expect(await isAsWide()).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Fermer' }).tap();
    await expect(page).toHaveURL('/servers?sort=-host');
  });
});
