import { expect, type Page } from '@playwright/test';
import type { FleetOnHost } from './fleets';
import { a11yFaults } from './page-faults';
import { downloadToVigie, slowly, createBackup, row, section, test, toasts } from './vitrine';

// All stories use one fleet, so they run one after the other.
test.describe.configure({ mode: 'default' });
test.slow();

const question = (page: Page) => page.getByRole('dialog', { name: 'Restaurer Vitrine\u202f?' });
const word = (page: Page) => question(page).getByRole('textbox', { name: 'Tapez RESTORE pour confirmer' });
const confirm = (page: Page) => question(page).getByRole('button', { name: 'Restaurer', exact: true });
const restoreButton = (page: Page, name: string, where: 'de l’hôte' | 'de Vigie' = 'de l’hôte') =>
  section(page).getByRole('button', { name: `Restaurer ${name} ${where}` });
const message = (page: Page, sentence: string) => section(page).getByText(sentence, { exact: true });

/** Adds a page and a file to the site. */
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

test('a user restores a site, undoes the restore, and restores one file and one table', async ({
  ownerPage: page,
  fleet,
  vitrine,
}) => {
  const id = Number(await addContent(fleet));
  await page.goto(`/sites/${vitrine.id}#backups`);
  const first = await createBackup(page);
  expect(await changeContent(fleet, id)).toBe(true);

  await restoreButton(page, first).click();
  await expect(question(page).getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expect(question(page)).toContainText(first);
  await expect(question(page)).toContainText('Pas encore vérifiée');
  await expect(question(page)).toContainText('Le site est sauvegardé tel qu’il est maintenant.');
  await expect(question(page)).toContainText('leurs mots de passe remplacent ceux du site');
  await expect(question(page).getByRole('radio', { name: 'Fusionner' })).toBeChecked();
  await word(page).fill('restore');
  await expect(word(page)).toHaveAccessibleDescription('Le mot à taper est RESTORE, en majuscules.');
  await expect(confirm(page)).toBeDisabled();
  await word(page).press('Enter');
  await question(page).getByRole('combobox', { name: 'Ce qui est restauré' }).selectOption('Médias (uploads)');
  await expect(question(page)).not.toContainText('leurs mots de passe');
  await question(page).getByRole('radio', { name: 'Remplacer' }).check();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(restoreButton(page, first)).toBeFocused();

  await restoreButton(page, first).click();
  await expect(word(page)).toHaveValue('');
  await expect(question(page).getByRole('radio', { name: 'Fusionner' })).toBeChecked();
  await expect(question(page).getByRole('combobox')).toHaveValue('all');
  const call = `**/api/sites/${vitrine.id}/backups/${first}/restore`;
  await page.route(call, (route) => route.fulfill({ status: 500, json: {} }));
  await word(page).fill('RESTORE');
  await word(page).press('Enter');
  await expect(toasts(page)).toContainText('Échec de la restauration.');
  await expect(question(page).getByRole('alert')).toHaveText('Échec de la restauration.');
  await expect(word(page)).toHaveValue('RESTORE');
  await page.unroute(call);
  await confirm(page).click();
  await expect(question(page)).toHaveCount(0);
  const jobLink = section(page).getByRole('link', { name: `Voir la tâche de la restauration de ${first}` });
  await expect(jobLink).toBeInViewport();
  const done = `Le site est restauré depuis ${first}.`;
  await expect(message(page, done)).toBeVisible(slowly);
  expect(await readContent(fleet, id)).toEqual(['Avant', 'la carte', 'neuve']);

  await page.reload();
  await expect(message(page, done)).toBeVisible();
  await expect(section(page)).toContainText(/\d+\stables · /);
  await expect(section(page)).toContainText('La page d’accueil répond (200).');
  await expect(row(page, 'Distant')).toHaveCount(2);
  await section(page).getByRole('button', { name: 'Revenir à l’état d’avant' }).click();
  await expect(question(page).getByRole('radio', { name: 'Remplacer' })).toBeChecked();
  await expect(question(page)).not.toContainText(first);
  await word(page).fill('RESTORE');
  await confirm(page).click();
  await expect(message(page, done)).toHaveCount(0, slowly);
  await expect(section(page).getByText(/^Le site est restauré depuis /)).toBeVisible(slowly);
  expect(await readContent(fleet, id)).toEqual(['Après', false, 'neuve']);
  await section(page)
    .getByRole('button', { name: /^Masquer le message de la restauration de / })
    .click();
  await expect(section(page).getByText(/^Le site est restauré depuis /)).toHaveCount(0);

  await test.step('one file and one table are restored from an open archive', async () => {
    await downloadToVigie(page, first);
    await section(page)
      .getByRole('button', { name: `Ouvrir ${first}`, exact: true })
      .click();
    const panel = page.getByRole('dialog', { name: first });
    await panel.getByRole('button', { name: 'Restaurer l’archive' }).click();
    await expect(question(page).getByRole('combobox')).toHaveValue('all');
    await expect(question(page)).toContainText(fleet.site('plain').url);
    await expect(question(page)).not.toContainText('Cette archive a été faite sur');
    await question(page).getByRole('button', { name: 'Fermer' }).click();
    await panel.getByRole('button', { name: 'Restaurer uploads', exact: true }).click();
    await expect(question(page)).toContainText('Le dossier «\u00a0uploads\u00a0» et tout ce qu’il contient');
    await expect(question(page).getByRole('radio')).toHaveCount(2);
    await question(page).getByRole('button', { name: 'Annuler' }).click();
    await panel.getByRole('searchbox', { name: 'Rechercher dans l’archive' }).fill('carte.txt');
    await panel.getByRole('button', { name: 'Restaurer carte.txt' }).click();
    await expect(question(page)).toContainText('Le fichier «\u00a0uploads/cartes/carte.txt\u00a0»');
    await expect(question(page).getByRole('radio')).toHaveCount(0);
    await word(page).fill('RESTORE');
    await word(page).press('Enter');
    await expect(panel).toHaveCount(0);
    await expect(message(page, `«\u00a0uploads/cartes/carte.txt\u00a0» est restauré depuis ${first}.`)).toBeVisible(
      slowly,
    );
    expect(await readContent(fleet, id)).toEqual(['Après', 'la carte', 'neuve']);

    await section(page)
      .getByRole('button', { name: `Ouvrir ${first}`, exact: true })
      .click();
    await panel.getByRole('button', { name: 'database.sql', exact: true }).click();
    await panel.getByRole('button', { name: /^Restaurer \w+_posts$/ }).click();
    await word(page).fill('RESTORE');
    await confirm(page).click();
    await expect(section(page).getByText(/_posts\s» est restaurée depuis /)).toBeVisible(slowly);
    expect(await readContent(fleet, id)).toEqual(['Avant', 'la carte', 'neuve']);
  });
});

test('a refused restore says why and leaves the site unchanged', async ({ ownerPage: page, fleet, vitrine }) => {
  const id = Number(await addContent(fleet));
  await page.setViewportSize({ width: 360, height: 740 });
  await fleet.runPhp(
    fleet.site('plain'),
    `$folder = WP_CONTENT_DIR . '/ai1wm-backups'; wp_mkdir_p($folder);
     file_put_contents("$folder/mon site.wpress", 'x');
     return file_put_contents("$folder/abime.wpress", str_repeat('x', 9000));`,
  );
  await page.goto(`/sites/${vitrine.id}#backups`);
  const unusableButton = restoreButton(page, 'mon site.wpress');
  await expect(unusableButton).toBeDisabled();
  await expect(unusableButton).toHaveAccessibleDescription('Nom inutilisable\u00a0: Vigie n’y touche pas.');
  await restoreButton(page, 'abime.wpress').click();
  expect(await page.evaluate(a11yFaults)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await word(page).fill('RESTORE');
  await confirm(page).click();
  await expect(section(page).getByText('Échec de la restauration.')).toBeVisible(slowly);
  await expect(section(page)).toContainText('Le site est comme avant\u00a0: rien n’a été restauré.');
  expect(await readContent(fleet, id)).toEqual(['Avant', 'la carte', expect.anything()]);
});
