import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import type { FleetOnHost } from './fleets';
import { longTimeout } from './fixtures';
import { findA11yFaults } from './page-faults';
import { phone } from './sizes';
import { downloadFromHost, createBackup, row, section, test, toasts } from './vitrine';

// The default mode keeps the stories in one worker, with one fleet.
test.describe.configure({ mode: 'default' });
test.slow();

const restoreDialog = (page: Page) => page.getByRole('dialog', { name: 'Restaurer Vitrine\u202f?' });
const confirmField = (page: Page) => restoreDialog(page).getByRole('textbox', { name: 'Tapez RESTORE pour confirmer' });
const confirmButton = (page: Page) => restoreDialog(page).getByRole('button', { name: 'Restaurer', exact: true });
const restoreButton = (page: Page, name: string, place: 'de l’hôte' | 'de Vigie' = 'de l’hôte') =>
  section(page).getByRole('button', { name: `Restaurer ${name} ${place}` });
const message = (page: Page, sentence: string) => section(page).getByText(sentence, { exact: true });

/** Adds a page and an uploaded file, which a restore has to bring back. */
const addContent = (fleet: FleetOnHost) =>
  fleet.runPhp(
    fleet.site('plain'),
    `wp_mkdir_p(WP_CONTENT_DIR . '/uploads/cartes');
     file_put_contents(WP_CONTENT_DIR . '/uploads/cartes/carte.txt', 'la carte');
     return wp_insert_post(['post_title' => 'Avant', 'post_type' => 'page', 'post_status' => 'publish']);`,
  );
const changeContent = (fleet: FleetOnHost, id: number) =>
  fleet.runPhp(
    fleet.site('plain'),
    `wp_update_post(['ID' => ${id}, 'post_title' => 'Après']);
     file_put_contents(WP_CONTENT_DIR . '/uploads/cartes/neuve.txt', 'neuve');
     return unlink(WP_CONTENT_DIR . '/uploads/cartes/carte.txt');`,
  );
const readContent = (fleet: FleetOnHost, id: number) =>
  fleet.runPhp(
    fleet.site('plain'),
    `$read = function ($name) { return @file_get_contents(WP_CONTENT_DIR . "/uploads/cartes/$name"); };
     return [get_the_title(${id}), $read('carte.txt'), $read('neuve.txt')];`,
  );

test('a restored site can be returned to its state before, and one file or one table can be restored alone', async ({
  ownerPage: page,
  fleet,
  vitrine,
}) => {
  const id = Number(await addContent(fleet));
  await page.goto(`/sites/${vitrine.id}/backups`);
  const backupName = await createBackup(page, 'Sauvegarder');
  expect(await changeContent(fleet, id)).toBe(true);

  await restoreButton(page, backupName).click();
  await expect(restoreDialog(page).getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expect(restoreDialog(page)).toContainText(backupName);
  await expect(restoreDialog(page)).toContainText('Pas encore vérifiée');
  await expect(restoreDialog(page)).toContainText('Le site est sauvegardé tel qu’il est maintenant.');
  await expect(restoreDialog(page)).toContainText('leurs mots de passe remplacent ceux du site');
  await expect(restoreDialog(page).getByRole('radio', { name: 'Fusionner' })).toBeChecked();
  await confirmField(page).fill('restore');
  await expect(confirmField(page)).toHaveAccessibleDescription('Le mot à taper est RESTORE, en majuscules.');
  await expect(confirmButton(page)).toBeDisabled();
  await confirmField(page).press('Enter');
  await restoreDialog(page).getByRole('combobox', { name: 'Ce qui est restauré' }).selectOption('Médias (uploads)');
  await expect(restoreDialog(page)).not.toContainText('leurs mots de passe');
  await restoreDialog(page).getByRole('radio', { name: 'Remplacer' }).check();
  await page.keyboard.press('Escape');
  await expect(restoreDialog(page)).toHaveCount(0);
  await expect(restoreButton(page, backupName)).toBeFocused();

  await restoreButton(page, backupName).click();
  await expect(confirmField(page)).toHaveValue('');
  await expect(restoreDialog(page).getByRole('radio', { name: 'Fusionner' })).toBeChecked();
  await expect(restoreDialog(page).getByRole('combobox')).toHaveValue('all');
  await expectNoDialogFaults(restoreDialog(page));
  const call = `**/api/sites/${vitrine.id}/backups/${backupName}/restore`;
  await page.route(call, (route) => route.fulfill({ status: 500, json: {} }));
  await confirmField(page).fill('RESTORE');
  await confirmField(page).press('Enter');
  await expect(toasts(page)).toContainText('Échec de la restauration.');
  await expect(restoreDialog(page).getByRole('alert')).toHaveText('Échec de la restauration.');
  await expect(confirmField(page)).toHaveValue('RESTORE');
  await page.unroute(call);
  await confirmButton(page).click();
  await expect(restoreDialog(page)).toHaveCount(0);
  const jobLink = section(page).getByRole('link', { name: `Voir la tâche de la restauration de ${backupName}` });
  await expect(jobLink).toBeInViewport();
  const restoredText = `Le site est restauré depuis ${backupName}.`;
  await expect(message(page, restoredText)).toBeVisible(longTimeout);
  expect(await readContent(fleet, id)).toEqual(['Avant', 'la carte', 'neuve']);

  await page.reload();
  await expect(message(page, restoredText)).toBeVisible();
  await expect(section(page)).toContainText(/\d+\stables · /);
  await expect(section(page)).toContainText('La page d’accueil répond (200).');
  await expect(row(page, 'Distant')).toHaveCount(2);
  await section(page).getByRole('button', { name: 'Revenir à l’état d’avant' }).click();
  await expect(restoreDialog(page).getByRole('radio', { name: 'Remplacer' })).toBeChecked();
  await expect(restoreDialog(page)).not.toContainText(backupName);
  await confirmField(page).fill('RESTORE');
  await confirmButton(page).click();
  await expect(message(page, restoredText)).toHaveCount(0, longTimeout);
  await expect(section(page).getByText(/^Le site est restauré depuis /)).toBeVisible(longTimeout);
  expect(await readContent(fleet, id)).toEqual(['Après', false, 'neuve']);
  await section(page)
    .getByRole('button', { name: /^Masquer le message de la restauration de / })
    .click();
  await expect(section(page).getByText(/^Le site est restauré depuis /)).toHaveCount(0);

  await test.step('one file and one table are restored from an opened archive', async () => {
    await downloadFromHost(page, backupName);
    await section(page)
      .getByRole('button', { name: `Ouvrir ${backupName}`, exact: true })
      .click();
    const panel = page.getByRole('dialog', { name: backupName });
    await panel.getByRole('button', { name: 'Restaurer l’archive' }).click();
    await expect(restoreDialog(page).getByRole('combobox')).toHaveValue('all');
    await expect(restoreDialog(page)).toContainText(fleet.site('plain').url);
    await expect(restoreDialog(page)).not.toContainText('Cette archive vient de');
    await restoreDialog(page).getByRole('button', { name: 'Fermer' }).click();
    await panel.getByRole('button', { name: 'Restaurer uploads', exact: true }).click();
    await expect(restoreDialog(page)).toContainText('Le dossier «\u00a0uploads\u00a0» et tout ce qu’il contient');
    await expect(restoreDialog(page).getByRole('radio')).toHaveCount(2);
    await restoreDialog(page).getByRole('button', { name: 'Annuler' }).click();
    await panel.getByRole('searchbox', { name: 'Rechercher dans l’archive' }).fill('carte.txt');
    await panel.getByRole('button', { name: 'Restaurer carte.txt' }).click();
    await expect(restoreDialog(page)).toContainText('Le fichier «\u00a0uploads/cartes/carte.txt\u00a0»');
    await expect(restoreDialog(page).getByRole('radio')).toHaveCount(0);
    await confirmField(page).fill('RESTORE');
    await confirmField(page).press('Enter');
    await expect(panel).toHaveCount(0);
    await expect(
      message(page, `«\u00a0uploads/cartes/carte.txt\u00a0» est restauré depuis ${backupName}.`),
    ).toBeVisible(longTimeout);
    expect(await readContent(fleet, id)).toEqual(['Après', 'la carte', 'neuve']);

    await section(page)
      .getByRole('button', { name: `Ouvrir ${backupName}`, exact: true })
      .click();
    await panel.getByRole('button', { name: 'database.sql', exact: true }).click();
    await panel.getByRole('button', { name: /^Restaurer \w+_posts$/ }).click();
    await confirmField(page).fill('RESTORE');
    await confirmButton(page).click();
    await expect(section(page).getByText(/_posts\s» est restaurée depuis /)).toBeVisible(longTimeout);
    expect(await readContent(fleet, id)).toEqual(['Avant', 'la carte', 'neuve']);
  });
});

test('a failed restore shows an error and leaves the site unchanged', async ({ ownerPage: page, fleet, vitrine }) => {
  const id = Number(await addContent(fleet));
  await page.setViewportSize(phone);
  await fleet.runPhp(
    fleet.site('plain'),
    `$folder = WP_CONTENT_DIR . '/ai1wm-backups'; wp_mkdir_p($folder);
     file_put_contents("$folder/mon site.wpress", 'x');
     return file_put_contents("$folder/abime.wpress", str_repeat('x', 9000));`,
  );
  await page.goto(`/sites/${vitrine.id}/backups`);
  const unusableButton = restoreButton(page, 'mon site.wpress');
  await expect(unusableButton).toBeDisabled();
  await expect(unusableButton).toHaveAccessibleDescription('Nom inutilisable\u00a0: Vigie n’y touche pas.');
  await restoreButton(page, 'abime.wpress').click();
  expect(await page.evaluate(findA11yFaults)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await confirmField(page).fill('RESTORE');
  await confirmButton(page).click();
  await expect(section(page).getByText('Échec de la restauration.')).toBeVisible(longTimeout);
  await expect(section(page)).toContainText('Le site est comme avant\u00a0: rien n’a été restauré.');
  expect(await readContent(fleet, id)).toEqual(['Avant', 'la carte', expect.anything()]);
});
