import { randomBytes, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { aPlugin, aTheme, aVersionless } from '@vigie/testing/zip';
import { expectNoDialogFaults } from './axe';
import { pauseRequests } from './fixtures';
import { bearer, logIn, test } from './people';

const zip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer });
const picker = (page: Page) => page.locator('input[type=file]');
const chooseFiles = (page: Page, ...files: ReturnType<typeof zip>[]) => picker(page).setInputFiles(files);
const uploads = (page: Page) => page.getByRole('region', { name: 'Envois' }).getByRole('listitem');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
/** Builds an archive large enough to be cancelled during its upload. */
const aLargePlugin = () =>
  aPlugin({ more: [{ name: 'boussole/carte.bin', content: randomBytes(2_000_000), isStored: true }] });

async function dropFile(page: Page, name: string, archive: Buffer): Promise<void> {
  const files = await page.evaluateHandle(
    ({ text, fileName }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], fileName, { type: 'application/zip' }));
      return data;
    },
    { text: archive.toString('base64'), fileName: name },
  );
  await picker(page).dispatchEvent('dragover', { dataTransfer: files });
  await picker(page).dispatchEvent('drop', { dataTransfer: files });
}

test.beforeEach(async ({ page, person }) => {
  await logIn(page, person);
  await page.goto('/uploads');
  await expect(page.getByText('Aucune archive pour l’instant.')).toBeVisible();
});

test('archives are chosen or dropped, validated, listed, searched, deleted, retried and replaced', async ({ page }) => {
  await test.step('a file that is not an archive of the chosen kind is refused', async () => {
    await chooseFiles(
      page,
      zip('notes.txt', Buffer.from('x')),
      zip('faux.zip', Buffer.from('<html>')),
      zip('theme.zip', aTheme()),
    );
    await expect(uploads(page).filter({ hasText: 'notes.txt' })).toContainText(
      'Seules les archives .zip sont acceptées',
    );
    await expect(uploads(page).filter({ hasText: 'faux.zip' })).toContainText('n’est pas une archive .zip');
    await expect(uploads(page).filter({ hasText: 'theme.zip' })).toContainText('Cette archive est celle d’un thème.');
    await expect(page.getByText('Aucune archive pour l’instant.')).toBeVisible();
    await page.getByRole('button', { name: 'Retirer les envois terminés' }).click();
    await expect(uploads(page)).toHaveCount(0);
  });

  await test.step('a chosen archive is validated, listed and deleted', async () => {
    await chooseFiles(page, zip('boussole.zip', aPlugin()), zip('sans.zip', aVersionless()));
    await expect(uploads(page).filter({ hasText: 'Téléversé' })).toHaveCount(2);
    await expect(uploads(page).filter({ hasText: 'sans.zip' })).toContainText("Version non détectée dans l'archive…");
    const line = row(page, 'boussole.zip');
    await expect(line.getByRole('cell').nth(0)).toHaveText('Plugin');
    await expect(line.getByRole('cell').nth(1)).toHaveText('2.1.0');
    await expect(line.getByRole('cell').nth(2)).toHaveText(/^\d,\d\sKB$/);
    await expect(line).toContainText('WordPress\u00a0≥\u00a06.4');
    await line.getByRole('button', { name: 'Supprimer boussole.zip' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await expectNoDialogFaults(dialog);
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(line).toHaveCount(0);
    await expect(row(page, 'sans.zip')).toBeVisible();
    await page.getByRole('button', { name: 'Retirer les envois terminés' }).click();
  });

  await test.step('a failed upload shows an error and can be retried', async () => {
    await page.route('/api/uploads/plugins', (route) => route.abort());
    await chooseFiles(page, zip('boussole.zip', aPlugin()));
    await expect(uploads(page)).toContainText("Échec de l'upload.");
    await page.unroute('/api/uploads/plugins');
    await page.getByRole('button', { name: 'Réessayer boussole.zip' }).click();
    await expect(row(page, 'boussole.zip')).toBeVisible();
    await expect(row(page, 'boussole.zip')).toContainText('2.1.0');
  });

  await test.step('an existing archive is replaced on demand', async () => {
    await chooseFiles(page, zip('boussole.zip', aPlugin({ version: '2.2.0' })));
    await expect(uploads(page).filter({ hasText: 'déjà présent' })).toBeVisible();
    await page.getByRole('button', { name: 'Remplacer boussole.zip' }).click();
    await expect(row(page, 'boussole.zip')).toContainText('2.2.0');
    await expect(page.getByRole('row')).toHaveCount(3);
  });

  await test.step('a theme is dropped on the page and found by the search', async () => {
    await page.getByRole('radio', { name: 'Thème' }).check();
    await expect(page).toHaveURL(/type=theme/);
    await dropFile(page, 'voile.zip', aTheme());
    await expect(row(page, 'voile.zip').getByRole('cell').nth(0)).toHaveText('Thème');
    await page.getByRole('searchbox', { name: 'Rechercher une archive' }).fill('theme voile');
    await expect(row(page, 'voile.zip')).toBeVisible();
    await expect(page).toHaveURL(/q=theme/);
    await page.getByRole('searchbox').fill('rien');
    await expect(page.getByText('Aucune archive ne correspond.')).toBeVisible();
    await page.getByRole('button', { name: 'Effacer la recherche' }).click();
    await expect(row(page, 'voile.zip')).toBeVisible();
  });
});

test('uploads continue on other screens and can be cancelled', async ({ page, context }) => {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const throttle = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await throttle(50_000);
  await chooseFiles(page, zip('grand.zip', aLargePlugin()), zip('autre.zip', aLargePlugin()));
  await expect(uploads(page).filter({ hasText: /Envoi en cours, [1-9]/ })).toHaveCount(2);
  await page.getByRole('link', { name: 'Groupes' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Groupes');
  await page.getByRole('link', { name: 'Uploads' }).click();
  await page.getByRole('button', { name: 'Annuler grand.zip' }).click();
  await expect(uploads(page)).toHaveCount(1);
  await throttle(-1);
  await expect(row(page, 'autre.zip')).toBeVisible();
  await expect(row(page, 'grand.zip')).toHaveCount(0);
});

test('the list can be retried, a file is chosen by keyboard, and nobody else sees it', async ({
  page,
  adminSession,
}) => {
  await page.route('/api/uploads?*', (route) => route.fulfill({ status: 503, json: { detail: 'Vigie se repose.' } }));
  const release = await pauseRequests(page, '/api/uploads?*');
  await page.reload();
  await expect(page.getByText('Chargement…')).toBeAttached();
  release();
  await expect(page.getByRole('main').getByText('Vigie se repose.')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('main').getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByText('Aucune archive pour l’instant.')).toBeVisible();

  await test.step('a file is chosen by keyboard, and names are displayed as text', async () => {
    // This listener is added early, because the browser may otherwise open its own file dialog first.
    page.on('filechooser', () => undefined);
    await page.getByRole('radio', { name: 'Plugin' }).focus();
    await page.keyboard.press('Tab');
    await expect(picker(page)).toBeFocused();
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    const name = '<img src=x onerror=alert(1)>.zip';
    await (await chooser).setFiles(zip(name, aPlugin({ name: '<b>Boussole</b>' })));
    await expect(row(page, name)).toContainText('<b>Boussole</b>');
  });

  await test.step('the archive of another person can be neither seen nor deleted', async () => {
    // The administrator inherits the archives of deleted people, so the name must be unique across runs.
    const name = `prive-${randomUUID()}.zip`;
    await chooseFiles(page, zip(name, aPlugin()));
    await expect(row(page, name)).toBeVisible();
    const headers = bearer(adminSession.access_token);
    expect((await page.request.delete(`/api/uploads/plugins/${name}`, { headers })).status()).toBe(404);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 700 } });
  test('an archive is uploaded, listed and deleted without sideways scrolling', async ({ page }) => {
    await chooseFiles(page, zip(`${'long-'.repeat(15)}nom.zip`, aPlugin()), zip('faux.zip', Buffer.from('x')));
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Plugin · 2.1.0' });
    await expect(card).toBeVisible();
    await expect(uploads(page).filter({ hasText: 'Échec' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await card.getByRole('button', { name: /^Supprimer/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click();
    await expect(page.getByText('Aucune archive pour l’instant.')).toBeVisible();
  });
});
