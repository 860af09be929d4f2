import { expect } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { line, message, rowButton, test, toasts } from './changes';
import { main } from './dock';
import { isActive, versionOf } from './fleets';
import { longTimeout } from './fixtures';
import { openFromMenu } from './menu';
import { chooseInSiteMenu, siteTab } from './site-tabs';

// Each worker that runs one of these stories starts a fleet, so the stories of this file share a worker.
test.describe.configure({ mode: 'default' });
test.slow();

test('the buttons of a plugin row update it, roll it back, deactivate it and activate it', async ({
  ownerPage: page,
  updatesFleet: fleet,
  site,
}) => {
  const fleetSite = fleet.site('plain');
  await page.goto(`/sites/${site.id}/plugins`);
  await expect(line(page, 'Vitrine')).toContainText('1.2.0 → 1.3.0');
  await rowButton(page, 'Activer', 'Balise').click();
  const table = page.getByRole('region', { name: 'Plugins et thèmes' });
  await table.getByRole('checkbox', { name: /^Mises à jour seulement/ }).check();
  await expect(line(page, 'Balise')).toHaveCount(0);
  await table.getByRole('checkbox', { name: /^Mises à jour seulement/ }).uncheck();
  await table.getByRole('searchbox', { name: 'Rechercher un plugin ou un thème' }).fill('vitr');
  await expect(table.getByRole('rowheader')).toHaveText([/^Vitrine/]);
  await table.getByRole('searchbox').fill('');
  await table.getByRole('radio', { name: 'Plugins' }).check();
  await expect(line(page, 'Phare')).toHaveCount(0);
  await table.getByRole('radio', { name: 'Tous' }).check();
  await expect(line(page, 'Balise').getByText('Actif', { exact: true })).toBeVisible(longTimeout);
  await expect(line(page, 'Phare').getByText('Inactif', { exact: true })).toBeVisible();
  expect(await fleet.runPhp(fleetSite, 'return get_stylesheet();')).toBe('balise');
  await rowButton(page, 'Mettre à jour', 'Vitrine').click();
  await expect(message(page, 'Vitrine')).toContainText(/en cours|En file/);
  await expect(rowButton(page, 'Désactiver', 'Vitrine')).toBeDisabled();
  await page.reload();
  const revertButton = line(page, 'Vitrine').getByRole('button', {
    name: 'Revenir à la version précédente de Vitrine (1.2.0)',
  });
  await expect(revertButton).toBeVisible(longTimeout);
  await expect(line(page, 'Vitrine')).toContainText('1.3.0');
  await expect(message(page, 'Vitrine')).toHaveCount(0);
  await expect(rowButton(page, 'Mettre à jour', 'Vitrine')).toBeDisabled();
  expect(await fleet.runPhp(fleetSite, versionOf('vitrine'))).toBe('1.3.0');

  await revertButton.click();
  const revertDialog = page.getByRole('dialog', { name: 'Revenir à la version précédente de Vitrine\u202f?' });
  await expect(revertDialog).toContainText('La base de données ne change pas');
  await expectNoDialogFaults(revertDialog);
  await expect(revertDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await revertDialog.getByRole('button', { name: 'Revenir à la version 1.2.0' }).click();
  await expect(toasts(page)).toContainText('Version précédente rétablie', longTimeout);
  await expect(line(page, 'Vitrine')).toContainText('1.2.0');
  expect(await fleet.runPhp(fleetSite, versionOf('vitrine'))).toBe('1.2.0');

  await rowButton(page, 'Désactiver', 'Vitrine').click();
  await expect(line(page, 'Vitrine')).toContainText('Inactif', longTimeout);
  await expect(rowButton(page, 'Désactiver', 'Vitrine')).toBeDisabled();
  expect(await fleet.runPhp(fleetSite, isActive('vitrine'))).toBe(false);
  await rowButton(page, 'Activer', 'Vitrine').click();
  await expect(line(page, 'Vitrine').getByText('Actif', { exact: true })).toBeVisible(longTimeout);
  expect(await fleet.runPhp(fleetSite, isActive('vitrine'))).toBe(true);
});

test('an update that breaks the site is rolled back with its reason, and one without a licence is blocked', async ({
  ownerPage: page,
  updatesFleet: fleet,
  site,
}) => {
  const fleetSite = fleet.site('plain');
  await fleet.offer('formulaire', '2.1.2');
  await fleet.runPhp(fleetSite, `update_option('boussole_licence', 'expirée'); return 1;`);
  await page.goto(`/sites/${site.id}/plugins`);
  await chooseInSiteMenu(page, 'Actualiser');
  await expect(line(page, 'Formulaire')).toContainText('2.1.2', longTimeout);
  await rowButton(page, 'Mettre à jour', 'Formulaire').click();
  await expect(toasts(page)).toContainText('Annulée, site rétabli.', longTimeout);
  await expect(message(page, 'Formulaire')).toContainText('Annulée, site rétabli.');
  await expect(line(page, 'Formulaire')).toContainText('2.0.1');
  expect(await fleet.runPhp(fleetSite, versionOf('formulaire'))).toBe('2.0.1');
  await page.reload();
  await expect(message(page, 'Formulaire')).toContainText('Annulée, site rétabli.');
  await message(page, 'Formulaire').getByRole('link', { name: 'Voir la tâche de Formulaire' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mise à jour · Atelier · Formulaire 2.0.1 → 2.1.2');
  await expect(main(page).getByText('Annulée, site rétabli', { exact: true }).first()).toBeVisible();
  const seen = main(page).getByRole('region', { name: 'Avant et après' }).getByRole('row');
  await expect(seen.filter({ hasText: 'Version' })).toHaveText(/2\.0\.1\s*2\.1\.2\s*2\.0\.1/);
  await expect(seen.filter({ hasText: 'Page d’accueil' })).toHaveText(/200 en .*200 en /s);
  await main(page).getByRole('link', { name: 'Site Atelier' }).click();
  await siteTab(page, 'Plugins et thèmes').click();
  await message(page, 'Formulaire').getByRole('button', { name: 'Masquer le message de Formulaire' }).click();
  await expect(message(page, 'Formulaire')).toHaveCount(0);
  await rowButton(page, 'Mettre à jour', 'Boussole Pro').click();
  await expect(line(page, 'Boussole Pro')).toContainText('Licence requise', longTimeout);
  await expect(rowButton(page, 'Mettre à jour', 'Boussole Pro')).toBeDisabled();
  await expect(message(page, 'Boussole Pro')).toContainText('Mise à jour indisponible: licence requise');
  await openFromMenu(page, 'Dashboard');
  await expect(page.getByRole('main')).toContainText('n’a pas pu mettre à jour le plugin Formulaire 2.0.1 → 2.1.2');
});

test('a WordPress update and its database are rolled back together once the data loss is confirmed', async ({
  ownerPage: page,
  updatesFleet: fleet,
  site,
}) => {
  const { installed, migrating } = fleet.versions;
  await fleet.offerCore(migrating);
  await page.goto(`/sites/${site.id}`);
  await chooseInSiteMenu(page, 'Actualiser');
  const card = page.getByRole('region', { name: 'WordPress', exact: true });
  await expect(card).toContainText(`${installed} → ${migrating}`, longTimeout);
  await card.getByRole('button', { name: 'Mettre WordPress à jour' }).click();
  const readVersion = () => fleet.runPhp(fleet.site('plain'), `return [$GLOBALS['wp_version'], get_option('tides')];`);
  const updateDialog = page.getByRole('dialog', { name: 'Mettre WordPress à jour\u202f?' });
  await expect(updateDialog).toContainText('Ce retour efface ce qui est écrit sur le site entre-temps');
  await updateDialog.getByRole('link', { name: 'Sauvegarder d’abord' }).click();
  await expect(updateDialog).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Sauvegardes' })).toBeVisible();
  await siteTab(page, 'Vue d’ensemble').click();
  await card.getByRole('button', { name: 'Mettre WordPress à jour' }).click();
  await expect(updateDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expectNoDialogFaults(updateDialog);
  await updateDialog.getByRole('button', { name: 'Mettre à jour' }).click();
  await expect(card.getByRole('link', { name: 'Voir la tâche de WordPress' })).toBeVisible();
  await expect(card).toContainText('À jour', longTimeout);
  await expect(card.getByRole('button', { name: 'Mettre WordPress à jour' })).toBeDisabled();
  expect(await readVersion()).toEqual([migrating, '1']);
  await card.getByRole('button', { name: `Revenir à la version précédente (${installed})` }).click();
  const revertDialog = page.getByRole('dialog', { name: 'Revenir à la version précédente de WordPress\u202f?' });
  await expect(revertDialog).toContainText('La base de données revient aussi à ce jour-là');
  await revertDialog.getByRole('button', { name: `Revenir à la version ${installed}` }).click();
  await expect(card).toContainText(`${installed} → ${migrating}`, longTimeout);
  expect(await readVersion()).toEqual([installed, false]);
});
