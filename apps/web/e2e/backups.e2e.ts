import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Download, expect, type Page } from '@playwright/test';
import { anArchive } from './archives';
import { expectNoDialogFaults } from './axe';
import { clickRetry, installClock, longTimeout } from './fixtures';
import type { FleetOnHost } from './fleets';
import { findA11yFaults } from './page-faults';
import { phone } from './sizes';
import { downloadFromHost, createBackup, row, rows, section, test, toasts } from './vitrine';

// The default mode keeps both stories in one worker, with one fleet.
test.describe.configure({ mode: 'default' });

const importSection = (page: Page) => page.getByRole('region', { name: 'Importer un backup local' });
const uploads = (page: Page) => importSection(page).getByRole('region', { name: 'Envois' }).getByRole('listitem');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const wpress = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

const readDownload = async (download: Download) => ({
  name: download.suggestedFilename(),
  bytes: await readFile(await download.path()),
});

/** Clicks and returns the file that the browser downloads. */
async function downloadFrom(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const downloadEvent = page.waitForEvent('download');
  await click();
  return readDownload(await downloadEvent);
}

const hashOnHost = (fleet: FleetOnHost, path: string) =>
  fleet.runPhp(fleet.site('plain'), `return hash_file('sha256', WP_CONTENT_DIR . '/${path}');`);

test('a backup is created, downloaded, verified, opened, compared and deleted', async ({
  ownerPage: page,
  fleet,
  vitrine,
}) => {
  test.slow();
  const list = `**/api/sites/${vitrine.id}/backups`;
  await page.route(list, (route) => route.abort());
  await installClock(page);
  await page.goto(`/sites/${vitrine.id}#backups`);
  await expect(page).toHaveURL(`/sites/${vitrine.id}/backups`);
  await expect(section(page).getByText('Impossible de lister les sauvegardes.')).toBeVisible();
  await clickRetry(page, section(page), () => page.unroute(list));
  await expect(section(page).getByText('Aucune sauvegarde pour l’instant.')).toBeVisible();
  await expect(
    section(page)
      .getByText(/ai1wm-backups$/)
      .first(),
  ).toBeVisible();
  await expect(section(page).getByRole('checkbox', { name: 'Exclure le cache' })).toBeChecked();

  const firstName = await createBackup(page);
  expect(firstName).toMatch(/^127-0-0-1-\d{8}-\d{6}-[a-z0-9]{12}\.wpress$/);
  await expect(row(page, 'Distant').getByRole('cell').first()).toHaveText(/^\d+,\d\sMo$/);
  // The tab that asked downloads the archive, although its page was loaded again meanwhile.
  const firstDownload = await readDownload(
    await downloadFromHost(page, firstName, async () => void (await page.reload())),
  );
  expect(firstDownload.name).toBe(firstName);
  const hashOnSite = await hashOnHost(fleet, `ai1wm-backups/${firstName}`);
  expect(sha256(firstDownload.bytes)).toBe(hashOnSite);
  const secondDownload = await downloadFrom(page, () =>
    section(page)
      .getByRole('button', { name: `Télécharger ${firstName} de Vigie` })
      .click(),
  );
  expect(sha256(secondDownload.bytes)).toBe(hashOnSite);

  const hostDownload = await downloadFrom(page, () =>
    section(page)
      .getByRole('button', { name: `Télécharger ${firstName} de l’hôte` })
      .click(),
  );
  expect(sha256(hostDownload.bytes)).toBe(hashOnSite);
  await section(page)
    .getByRole('button', { name: `Ouvrir ${firstName}`, exact: true })
    .click();
  const panel = page.getByRole('dialog', { name: firstName });
  const panelDownload = await downloadFrom(page, () =>
    panel.getByRole('button', { name: 'Enregistrer toute l’archive' }).click(),
  );
  expect(sha256(panelDownload.bytes)).toBe(hashOnSite);
  await panel.getByRole('button', { name: 'Fermer' }).click();
  await section(page)
    .getByRole('button', { name: `Vérifier ${firstName} de l’hôte` })
    .click();
  await expect(toasts(page)).toContainText(`${firstName} est intacte`, longTimeout);
  await expect(row(page, 'Distant', firstName)).toContainText('Vérifiée');

  await section(page)
    .getByRole('button', { name: `Ouvrir ${firstName}`, exact: true })
    .click();
  await expect(panel).toContainText('WordPress');
  await expectNoDialogFaults(panel);
  await panel.getByRole('button', { name: 'plugins', exact: true }).click();
  await panel.getByRole('button', { name: 'vitrine', exact: true }).click();
  await expect(panel.getByRole('button', { name: 'Enregistrer vitrine.php' })).toBeVisible();
  await page.goBack();
  await page.goBack();
  for (const folder of ['themes', 'uploads']) {
    await panel.getByRole('button', { name: folder, exact: true }).click();
    await panel.getByRole('button', { name: 'Archive', exact: true }).click();
  }
  await expect(panel.getByRole('button', { name: 'database.sql', exact: true })).toBeVisible();
  await panel.getByRole('searchbox', { name: 'Rechercher dans l’archive' }).fill('VITRINE.PHP');
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await page.reload();
  const fileDownload = await downloadFrom(page, () =>
    panel.getByRole('button', { name: 'Enregistrer vitrine.php' }).click(),
  );
  expect(fileDownload.name).toBe('vitrine.php');
  expect(sha256(fileDownload.bytes)).toBe(await hashOnHost(fleet, 'plugins/vitrine/vitrine.php'));
  await panel.getByRole('searchbox').fill('');
  await panel.getByRole('button', { name: 'database.sql', exact: true }).click();
  const tableDownload = await downloadFrom(page, () =>
    panel.getByRole('button', { name: /^Enregistrer \w+_options$/ }).click(),
  );
  expect(tableDownload.bytes.toString()).toContain('siteurl');
  await panel.getByRole('button', { name: 'Fermer' }).click();

  await fleet.runPhp(
    fleet.site('plain'),
    `mkdir(WP_CONTENT_DIR . '/cache'); file_put_contents(WP_CONTENT_DIR . '/cache/page.html', 'gardée');
     return file_put_contents(WP_CONTENT_DIR . '/plugins/vitrine/neuf.txt', 'neuf');`,
  );
  await section(page).getByRole('checkbox', { name: 'Exclure le cache' }).uncheck();
  const secondName = await createBackup(page);
  await downloadFromHost(page, secondName);
  await section(page)
    .getByRole('button', { name: `Ouvrir ${firstName}`, exact: true })
    .click();
  await panel.getByRole('combobox', { name: 'Comparer avec' }).selectOption(secondName);
  await expect(panel.getByRole('listitem').filter({ hasText: 'plugins/vitrine/neuf.txt' })).toContainText('Ajouté');
  await expect(panel.getByRole('listitem').filter({ hasText: 'cache/page.html' })).toContainText('Ajouté');
  await expectNoDialogFaults(panel);
  await panel.getByRole('button', { name: 'Fermer' }).click();
  await expect(page).not.toHaveURL(/archive|other/);

  for (const place of ['de l’hôte', 'de Vigie']) {
    await section(page)
      .getByRole('button', { name: `Supprimer ${firstName} ${place}` })
      .click();
    const deleteDialog = page.getByRole('dialog', { name: `Supprimer ${firstName}\u202f?` });
    await expect(deleteDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    if (place === 'de Vigie') await expectNoDialogFaults(deleteDialog);
    await deleteDialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(deleteDialog).toHaveCount(0);
  }
  await expect(rows(page).filter({ hasText: firstName })).toHaveCount(0);
  await expect(rows(page).filter({ hasText: secondName })).toHaveCount(2);
  expect(await hashOnHost(fleet, `ai1wm-backups/${firstName}`)).toBe(false);
  await fleet.runPhp(fleet.site('plain'), `return unlink(WP_CONTENT_DIR . '/ai1wm-backups/${secondName}');`);
  await section(page).getByRole('button', { name: 'Relire la liste' }).click();
  await expect(row(page, 'Distant')).toHaveCount(0);
});

test('an archive upload can be cancelled, is refused if invalid, and is imported when complete', async ({
  ownerPage: page,
  fleet,
  vitrine,
}) => {
  test.slow();
  const packageJson = Buffer.from(JSON.stringify({ SiteURL: 'https://ailleurs.test' }));
  const archive = anArchive({ 'package.json': packageJson, 'uploads/carte.bin': randomBytes(2_000_000) });
  const picker = importSection(page).locator('input[type=file]');
  await page.setViewportSize(phone);
  // The list offers only the newest of the 5000 archives, so the story has to search.
  await page.route('**/backups/local?*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-total-count': '5000' } });
  });
  await page.goto(`/sites/${vitrine.id}/backups`);
  await importSection(page).getByRole('button', { name: 'Importer sur le site' }).click();
  await expect(toasts(page)).toContainText('Choisissez un backup local.');
  await expect(importSection(page).getByRole('combobox')).toHaveAccessibleDescription('Choisissez un backup local.');

  await picker.setInputFiles([
    wpress('site.zip', archive),
    wpress('mon site.wpress', archive),
    wpress('faux.wpress', Buffer.from('<html>')),
  ]);
  await expect(uploads(page).filter({ hasText: 'site.zip' })).toContainText(
    'Choisissez un fichier .wpress à téléverser.',
  );
  await expect(uploads(page).filter({ hasText: 'mon site' })).toContainText('Ce nom de sauvegarde n’est pas valide');
  const invalidUpload = uploads(page).filter({ hasText: 'faux.wpress' });
  await expect(invalidUpload).toContainText('archive', longTimeout);
  await invalidUpload.getByRole('button', { name: 'Réessayer faux.wpress' }).click();
  await expect(invalidUpload).toContainText('archive', longTimeout);
  // Buttons are pressed by keyboard where a toast covers them: it would stay while the pointer is over it.
  await page.getByRole('button', { name: 'Retirer les envois terminés' }).press('Enter');

  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const throttle = (uploadThroughput: number) => {
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
    return session.send('Network.emulateNetworkConditions', conditions);
  };
  await throttle(50_000);
  await picker.setInputFiles(wpress('ailleurs.wpress', archive));
  await expect(uploads(page).filter({ hasText: /Envoi en cours, [1-9]/ })).toBeVisible();
  await page.getByRole('button', { name: 'Annuler ailleurs.wpress' }).press('Enter');
  await expect(uploads(page)).toHaveCount(0);
  // The network process hears of the abort before this call: the end of the throttle could overtake it, and send the rest.
  await page.evaluate(() => fetch('/api/health/ready').then((answer) => answer.text()));
  await throttle(-1);
  await picker.setInputFiles(wpress('ailleurs.wpress', archive));
  await expect(uploads(page)).toContainText('Téléversé', longTimeout);

  await expect(importSection(page)).toContainText('sur 5\u202f000');
  const searchRequest = page.waitForRequest(/backups\/local\?.*q=ailleurs/);
  await importSection(page).getByRole('searchbox', { name: 'Chercher un backup local' }).fill('ailleurs');
  await searchRequest;
  await importSection(page).getByRole('combobox').selectOption('ailleurs.wpress');
  // A message may lie over the button.
  await importSection(page).getByRole('button', { name: 'Importer sur le site' }).press('Enter');
  const cards = section(page).getByRole('listitem').filter({ hasText: 'ailleurs.wpress' });
  await expect(cards.filter({ hasText: 'Distant' })).toBeVisible(longTimeout);
  expect(await hashOnHost(fleet, 'ai1wm-backups/ailleurs.wpress')).toBe(sha256(archive));
  expect(await page.evaluate(findA11yFaults)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await cards.filter({ hasText: 'Local' }).getByRole('button', { name: 'Ouvrir ailleurs.wpress' }).click();
  const panel = page.getByRole('dialog', { name: 'ailleurs.wpress' });
  await expect(panel).toContainText('https://ailleurs.test');
  expect(await page.evaluate(findA11yFaults)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.keyboard.press('Escape');
  await cards.filter({ hasText: 'Local' }).getByRole('button', { name: 'Supprimer ailleurs.wpress de Vigie' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click();
  await expect(cards).toHaveCount(1);
});
