import { expect } from '@playwright/test';
import { aPlugin } from '@vigie/testing/zip';
import { expectNoDialogFaults } from './axe';
import { line, test, toasts } from './changes';
import { main, openNewest, rows } from './dock';
import { clickRetry, installClock, longTimeout } from './fixtures';
import { isActive, versionOf } from './fleets';
import { openFromMenu } from './menu';
import { chooseInSiteMenu } from './site-tabs';

// Each worker that runs one of these stories starts a fleet, so the stories of this file share a worker.
test.describe.configure({ mode: 'default' });
test.slow();

test('selected items of a site are updated by a plan', async ({ ownerPage: page, updatesFleet: fleet, sites }) => {
  await fleet.offer('formulaire', '2.1.0');
  const site = sites[1];
  const fleetSite = fleet.sites[1];
  if (!site || !fleetSite) throw new Error('the fleet is too small');
  await page.goto(`/sites/${site.id}`);
  await page.getByRole('button', { name: /^Mettre à jour tout/ }).click();
  await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'WordPress sur Boutique' })).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Choisir les mises à jour' }).click();
  // A menu that is opened before the tab has come closes with it.
  await expect(page.getByRole('region', { name: 'Plugins et thèmes' })).toBeVisible();
  await chooseInSiteMenu(page, 'Actualiser');
  await expect(line(page, 'Formulaire')).toContainText('2.1.0', longTimeout);
  const checkbox = (name: string) => page.getByRole('checkbox', { name: `Sélectionner ${name}`, exact: true });
  // The table moves up when the line of progress above it ends.
  await expect(main(page).getByText('Lecture du site')).toHaveCount(0);
  await checkbox('Formulaire').check();
  await checkbox('Relais').click({ modifiers: ['Shift'] });
  await page.keyboard.press('x');
  await expect(checkbox('Relais')).not.toBeChecked();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('row').filter({ has: checkbox('Vitrine') })).toBeFocused();
  const selectionBar = page.getByRole('toolbar', { name: 'Sélection' });
  await expect(selectionBar).toContainText('2\u00a0éléments sélectionnés');
  await page.keyboard.press('Escape');
  await expect(selectionBar).toBeHidden();
  await page.getByRole('checkbox', { name: 'Tout sélectionner' }).check();
  await selectionBar.getByRole('button', { name: 'Mettre à jour (6)' }).click();
  const plan = page.getByRole('dialog', { name: 'Mettre à jour Boutique' });
  await expect(plan.getByRole('button', { name: 'Annuler' })).toBeFocused();
  const lines = plan.getByRole('list', { name: 'Ce qui sera fait' }).locator(':scope > li');
  await expect(lines.filter({ hasText: 'Formulaire' })).toContainText('2.0.1 → 2.1.0');
  await lines.filter({ hasText: 'Relais' }).getByText('Commande').click();
  await expect(lines.filter({ hasText: 'Relais' })).toContainText("bulk_upgrade(['relais/relais.php'])");
  await expectNoDialogFaults(plan);
  for (const name of ['WordPress', 'Vitrine', 'Boussole Pro', 'Phare']) {
    await plan.getByRole('checkbox', { name: `${name} sur Boutique` }).uncheck();
  }
  await plan.getByRole('button', { name: 'Mettre à jour 2\u00a0éléments' }).click();
  await openNewest(page, /^Mise à jour · Boutique · \d sur 2/);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).filter({ hasText: 'Réussie' })).toHaveCount(2, longTimeout);
  await expect(main(page)).toContainText('2\u00a0mises à jour, aucune erreur vue aux contrôles.');
  await rows(page)
    .getByRole('link', { name: /Relais/ })
    .click();
  await page.getByRole('link', { name: /^Revenir à la version / }).click();
  await expect(page).toHaveURL(`/sites/${site.id}/plugins?q=relais`);
  await page.getByRole('searchbox', { name: 'Rechercher un plugin ou un thème' }).fill('');
  await expect(line(page, 'Formulaire')).not.toContainText('→');
  expect(await fleet.runPhp(fleetSite, versionOf('formulaire'))).toBe('2.1.0');
  expect(await fleet.runPhp(fleetSite, versionOf('relais'))).toBe('1.0');
  expect(await fleet.runPhp(fleetSite, versionOf('vitrine'))).toBe('1.2.0');
});

test('one plugin is updated on several sites through the plan of their pending updates', async ({
  ownerPage: page,
  updatesFleet: fleet,
  sites,
}) => {
  await page.goto('/sites');
  for (const { name } of sites) await page.getByRole('checkbox', { name: `Sélectionner ${name}`, exact: true }).check();
  const plan = page.getByRole('dialog', { name: 'Mettre à jour 3\u00a0sites' });
  const updateButton = page.getByRole('button', { name: 'Mettre à jour…' });
  await page.route('**/api/updates/plan', (route) => route.abort());
  await updateButton.click();
  await expect(plan.getByRole('alert')).toContainText('Le plan n’a pas pu être établi.');
  await page.unroute('**/api/updates/plan');
  // A large fleet has more updates than the plan shows at first.
  await page.route(
    '**/api/updates/plan',
    async (route) => {
      const response = await route.fetch();
      const plannedUpdates: { items: { name: string }[] } = await response.json();
      const items = Array.from({ length: 130 }, (_, index) => ({
        ...plannedUpdates.items[0],
        slug: `plugin-${index}`,
      }));
      await route.fulfill({ response, json: { ...plannedUpdates, items } });
    },
    { times: 1 },
  );
  await plan.getByRole('button', { name: 'Réessayer' }).click();
  const commands = plan.getByText('Commande', { exact: true });
  await expect(commands).toHaveCount(100);
  await plan.getByRole('button', { name: 'Afficher plus (30)' }).click();
  await expect(commands).toHaveCount(130);
  await plan.getByRole('button', { name: 'Annuler' }).click();
  await updateButton.click();
  await expect(plan).toContainText('la base de données est mise de côté avec les fichiers');
  await expectNoDialogFaults(plan);
  await plan.getByRole('checkbox', { name: /^WordPress \(/ }).uncheck();
  await plan.getByRole('checkbox', { name: /^Thèmes \(/ }).uncheck();
  await plan.getByRole('checkbox', { name: /^Plugins \(/ }).uncheck();
  await expect(plan.getByText('Rien ne correspond.')).toBeVisible();
  await plan.getByRole('checkbox', { name: /^Plugins \(/ }).check();
  await plan.getByRole('searchbox', { name: 'Filtrer par élément ou par site' }).fill('vitrine');
  await plan.getByRole('checkbox', { name: 'Tout ce qui attend sur Atelier' }).uncheck();
  await plan.getByRole('button', { name: 'Mettre à jour 2\u00a0éléments' }).click();
  await openNewest(page, /^Mise à jour · .+ et 1\u00a0autre · /);
  await expect(rows(page).filter({ hasText: 'Vitrine 1.2.0 → 1.3.0' })).toHaveCount(2);
  await expect(rows(page).filter({ hasText: 'Réussie' })).toHaveCount(2, longTimeout);
  for (const [index, version] of ['1.2.0', '1.3.0', '1.3.0'].entries()) {
    expect(await fleet.runPhp(fleet.sites[index] ?? fleet.site('plain'), versionOf('vitrine'))).toBe(version);
  }
});

test('the plugins screen updates a plugin on one site, then on every site with a pending update', async ({
  ownerPage: page,
  updatesFleet: fleet,
  sites,
}) => {
  await fleet.runPhp(fleet.site('plain'), `update_option('boussole_licence', 'expirée'); return 1;`);
  await page.goto('/plugins');
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await expect(row('Relais')).toContainText('1.0');
  await row('Relais').getByRole('button', { name: 'Voir sites de Relais' }).click();
  const panel = page.getByRole('dialog', { name: 'Relais', exact: true });
  const site = (name: string) => panel.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
  await expect(panel.getByRole('list', { name: 'Sites qui ont Relais' }).getByRole('listitem')).toHaveCount(3);
  await expectNoDialogFaults(panel);
  await panel.getByRole('button', { name: 'Mettre à jour Relais sur Atelier' }).click();
  await expect(toasts(page)).toContainText('Mise à jour réussie', longTimeout);
  await expect(site('Atelier')).toContainText('1.0');
  await expect(site('Atelier').getByRole('button')).toHaveCount(0);
  expect(await fleet.runPhp(fleet.site('plain'), versionOf('relais'))).toBe('1.0');
  await panel.getByRole('button', { name: 'Fermer' }).click();

  await row('Boussole Pro').getByRole('button', { name: 'Déplier Boussole Pro' }).click();
  const siteList = page.getByRole('list', { name: 'Sites qui ont Boussole Pro' });
  const updateButton = siteList.getByRole('button', { name: 'Mettre à jour Boussole Pro sur Atelier' });
  await updateButton.click();
  await expect(toasts(page)).toContainText('Mise à jour indisponible: licence requise', longTimeout);
  await expect(updateButton).toBeDisabled();
  await expect(siteList).toContainText('Licence requise');
  await expect(row('Boussole Pro')).toContainText('Licence requise (1)');

  await row('Relais').getByRole('button', { name: 'Mettre à jour Relais partout' }).click();
  const plan = page.getByRole('dialog', { name: /^Mettre à jour Relais sur \d/ });
  const siteCheckbox = plan.getByRole('checkbox', { name: 'Comptoir', exact: true });
  await expectNoDialogFaults(plan);
  await siteCheckbox.uncheck();
  await expect(plan.getByRole('button', { name: 'Mettre à jour sur', exact: true })).toBeDisabled();
  await siteCheckbox.check();
  await plan.getByRole('button', { name: 'Mettre à jour sur 1\u00a0site', exact: true }).click();
  await expect(toasts(page)).toContainText('Mise à jour · Comptoir\u00a0: 1\u00a0mise à jour', longTimeout);
  await expect(row('Relais').getByRole('button', { name: 'Mettre à jour Relais partout' })).toBeDisabled(longTimeout);
  expect(sites).toHaveLength(3);
  expect(await fleet.runPhp(fleet.sites[2] ?? fleet.site('plain'), versionOf('relais'))).toBe('1.0');
});

test('an archive is installed on one site, then on others through a plan', async ({
  ownerPage: page,
  updatesFleet: fleet,
  sites,
}) => {
  const archive = await fleet.archive('sonde', '1.4.0');
  await page.goto(`/sites/${sites[0]?.id}/plugins`);
  await page.getByRole('button', { name: 'Installer depuis les uploads', exact: true }).click();
  await page.getByRole('link', { name: 'Téléverser une archive' }).click();
  // The screen of a site has a file input too, so the story waits for the uploads screen.
  await expect(page.getByRole('heading', { name: 'Uploads', level: 1 })).toBeVisible();
  const zip = (name: string, buffer: Buffer) => ({ name: `${name}.zip`, mimeType: 'application/zip', buffer });
  // The search field appears only when there are many archives.
  const others = Array.from({ length: 8 }, (_, index) => zip(`autre-${index}`, aPlugin({ slug: `autre-${index}` })));
  await page.locator('input[type=file]').setInputFiles([...others, zip('sonde', archive)]);
  await expect(page.getByRole('rowheader', { name: 'sonde.zip' })).toBeVisible(longTimeout);

  await page.route('**/api/uploads?*', (route) => route.abort());
  await installClock(page);
  await page.goto(`/sites/${sites[0]?.id}/plugins`);
  await page.getByRole('button', { name: 'Installer depuis les uploads', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Impossible de charger les archives.');
  await clickRetry(page, page.getByRole('dialog'), () => page.unroute('**/api/uploads?*'));
  await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(9);
  await page.keyboard.press('Escape');
  await line(page, 'Relais').getByRole('button', { name: 'Installer Relais depuis les uploads' }).click();
  await expect(page.getByRole('dialog')).toContainText('Aucune archive de Relais parmi les uploads.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Installer depuis les uploads', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Installer sur Atelier depuis les uploads' });
  await dialog.getByRole('button', { name: 'Installer', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Choisissez un fichier.');
  await dialog.getByRole('searchbox', { name: 'Rechercher une archive' }).fill('autre');
  await expect(dialog.getByRole('radio', { name: 'sonde.zip' })).toHaveCount(0);
  await dialog.getByRole('searchbox').fill('');
  await dialog.getByRole('radio', { name: 'sonde.zip' }).check();
  await expectNoDialogFaults(dialog);
  await dialog.getByRole('checkbox', { name: 'Activer après l’installation' }).check();
  // A refused installation keeps the form, so that it can be sent again.
  await page.route('**/plugins/install', (route) => route.fulfill({ status: 503, json: { detail: 'Un instant.' } }));
  await dialog.getByRole('button', { name: 'Installer', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Un instant.');
  await page.unroute('**/plugins/install');
  await dialog.getByRole('button', { name: 'Installer', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Installations' })).toContainText('sonde.zip');
  await expect(line(page, 'Sonde').getByText('Actif', { exact: true })).toBeVisible(longTimeout);
  expect(await fleet.runPhp(fleet.site('plain'), isActive('sonde'))).toBe(true);
  await line(page, 'Sonde').getByRole('button', { name: 'Installer Sonde depuis les uploads' }).click();
  const reinstall = page.getByRole('dialog', { name: 'Installer Sonde depuis les uploads' });
  await reinstall.getByRole('button', { name: 'Installer', exact: true }).click();
  await expect(reinstall.getByRole('alert')).toHaveText('Veuillez sélectionner un fichier uploadé.');
  await expectNoDialogFaults(reinstall);
  await reinstall.getByRole('radio', { name: 'sonde.zip' }).check();
  await expect(reinstall.getByRole('alert')).toHaveCount(0);
  await reinstall.getByRole('button', { name: 'Annuler' }).click();

  await openFromMenu(page, 'Uploads');
  await page.getByRole('button', { name: 'Installer sonde.zip sur des sites' }).click();
  const siteDialog = page.getByRole('dialog', { name: 'Installer sonde.zip sur…' });
  await siteDialog.getByRole('button', { name: 'Voir le plan' }).click();
  await expect(siteDialog.getByRole('alert')).toHaveText('Choisissez au moins un site.');
  await siteDialog.getByRole('searchbox', { name: 'Rechercher un site' }).fill('o');
  await siteDialog.getByRole('checkbox', { name: 'Choisir Comptoir' }).check();
  await siteDialog.getByRole('checkbox', { name: 'Choisir Boutique' }).check();
  await siteDialog.getByRole('button', { name: 'Voir le plan' }).click();
  const plan = page.getByRole('dialog', { name: 'Installer sonde.zip sur 2\u00a0sites' });
  await expectNoDialogFaults(plan);
  await plan.getByRole('button', { name: 'Choisir d’autres sites' }).click();
  await siteDialog.getByRole('checkbox', { name: 'Sélectionner tous les sites affichés' }).check();
  await expect(siteDialog).toContainText('3\u00a0sites choisis');
  await siteDialog.getByRole('checkbox', { name: 'Choisir Atelier' }).uncheck();
  await siteDialog.getByRole('button', { name: 'Voir le plan' }).click();
  await plan.getByRole('checkbox', { name: 'Boutique' }).uncheck();
  await plan.getByRole('button', { name: 'Installer sur 1\u00a0site' }).click();
  await expect(toasts(page)).toContainText('Installation · Comptoir\u00a0: 1\u00a0installation', longTimeout);
  expect(await fleet.runPhp(fleet.sites[2] ?? fleet.site('plain'), versionOf('sonde'))).toBe('1.4.0');
  expect(await fleet.runPhp(fleet.sites[2] ?? fleet.site('plain'), isActive('sonde'))).toBe(false);
});

test('a command runs on chosen sites, and each tells what came of it', async ({
  ownerPage: page,
  updatesFleet: fleet,
  sites,
}) => {
  const refusing = fleet.sites[1];
  if (!refusing) throw new Error('the fleet is too small');
  await fleet.runPhp(refusing, "return touch(ABSPATH . 'refus.txt');");
  await page.goto('/sites');
  for (const { name } of sites) await page.getByRole('checkbox', { name: `Sélectionner ${name}`, exact: true }).check();
  const selectionBar = page.getByRole('toolbar', { name: 'Sélection' });
  await selectionBar.getByRole('button', { name: 'Plus' }).click();
  await page.getByRole('button', { name: 'Commande…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Commande sur 3\u00a0sites' });
  await expect(dialog.getByRole('list', { name: 'Sites concernés' }).getByRole('listitem')).toHaveCount(3);
  await expect(dialog).toContainText('n’y mettez pas de mot de passe');
  const run = dialog.getByRole('button', { name: 'Exécuter sur 3\u00a0sites' });
  await expect(run).toBeDisabled();
  const text = dialog.getByRole('textbox', { name: 'Commande' });
  await text.fill('option get "blogname');
  await run.click();
  await expect(dialog).toContainText('Un guillemet ou une barre oblique inverse n’est pas refermé');
  await expectNoDialogFaults(dialog);
  await text.press('Escape');
  const question = page.getByRole('dialog', { name: 'Fermer sans exécuter' });
  await expectNoDialogFaults(question);
  await question.getByRole('button', { name: 'Annuler' }).click();
  await expect(text).toHaveValue('option get "blogname');
  await dialog.getByRole('radio', { name: 'Shell' }).check();
  await dialog.getByLabel('Arrêter après').selectOption('1\u00a0minute');
  await text.fill('echo "compte $(id -un)"; test ! -e refus.txt');
  await text.press('Control+Enter');
  await openNewest(page, /^Commande · .+ et 2\u00a0autres · /);
  await expect(rows(page).filter({ hasText: 'Réussie' })).toHaveCount(2, longTimeout);
  await expect(rows(page).filter({ hasText: 'Boutique' })).toContainText('La commande s’est terminée par le code 1.');
  await rows(page)
    .getByRole('link', { name: /^Boutique/ })
    .click();
  await expect(main(page)).toContainText('compte deploy');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('$ echo "compte $(id -un)"');
  await fleet.runPhp(refusing, "return unlink(ABSPATH . 'refus.txt');");
  await page.getByRole('link', { name: 'Site Boutique' }).click();
  await chooseInSiteMenu(page, 'Commande…');
  const again = page.getByRole('dialog', { name: 'Commande sur 1\u00a0site' });
  await again.getByLabel('Commandes récentes').selectOption({ index: 1 });
  await again.getByRole('button', { name: 'Exécuter sur 1\u00a0site' }).click();
  await expect(again).toBeHidden();
  await openNewest(page, /^Commande · Boutique · /);
  await expect(main(page)).toContainText('1\u00a0commande réussie', longTimeout);
});
