import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { makeSite, test } from './machines';
import { findA11yFaults } from './page-faults';
import { desktop, phone } from './sizes';

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Importer un CSV' });
const lines = (page: Page) => importDialog(page).getByRole('list', { name: 'Lignes du fichier' }).getByRole('listitem');
const names = (page: Page) => page.getByRole('table').getByRole('rowheader');

async function choose(page: Page, menu: 'Plus' | 'Ajouter autrement', entry: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('button', { name: entry }).click();
}

async function download(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const started = page.waitForEvent('download');
  await click();
  const file = await started;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

test('sites are imported from a CSV after a preview, and exported again', async ({
  ownerPage: page,
  owner,
  makeServer,
}) => {
  await makeServer({ port: 9 }, { name: 'web-03' });
  await page.goto('/sites');
  await page.getByRole('button', { name: 'Importer un CSV' }).click();
  const dialog = importDialog(page);
  const preview = dialog.getByRole('button', { name: 'Voir ce qui sera importé' });
  await preview.click();
  await expect(dialog.getByRole('alert')).toContainText('Choisissez un fichier, ou collez des lignes.');
  const pasted = dialog.getByLabel('Ou collez des lignes');
  await pasted.fill('nom;url;password\na;a.fr;secret');
  await preview.click();
  await expect(dialog.getByRole('alert')).toContainText('Retirez la colonne «\u00a0password\u00a0»');
  const example = await download(page, () =>
    dialog.getByRole('button', { name: 'Télécharger un exemple vide' }).click(),
  );
  expect(example.text).toBe('\uFEFF"nom";"url";"groupes";"serveur";"hôte";"port";"utilisateur";"chemin"\r\n');

  await makeSite(page, owner, 'Ancien');
  const file = [
    'name,url,groups,server,path,statut',
    'Un,un.fr,Clients > Bretagne,web-03,/srv/un,OK',
    '"Deux, le ""second""",https://deux.fr,Clients,web-03,/srv/deux,OK',
    'Encore,deux.fr,,web-03,/srv/deux,OK',
    'Faute,trois.fr,,web-30,/srv/trois,OK',
    'Trois,trois.fr,,web-03,/srv/trois,OK',
  ].join('\n');
  await dialog.getByLabel('Déposez un fichier CSV ici').setInputFiles({
    name: 'sites.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file),
  });
  await expect(dialog.getByText('3\u00a0nouveaux sites, 1 déjà là, 1\u00a0ligne refusée.')).toBeVisible();
  await expect(dialog.getByText('Groupes à créer\u00a0: Clients › Bretagne, Clients.')).toBeVisible();
  await expect(dialog.getByText('Colonnes laissées de côté\u00a0: statut.')).toBeVisible();
  await expect(lines(page).first()).toContainText('Le plus proche est «\u00a0web-03\u00a0».');
  await expect(lines(page).last()).toContainText('En double\u00a0: c’est le même site que la ligne 3.');
  await expectNoDialogFaults(dialog);
  expect(await page.evaluate(findA11yFaults)).toEqual([]);
  await page.setViewportSize(phone);
  expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await page.setViewportSize(desktop);

  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Fermer sans importer\u202f?' });
  await expectNoDialogFaults(question);
  await question.getByRole('button', { name: 'Annuler' }).click();
  await dialog.getByRole('button', { name: 'Changer de fichier' }).click();
  await pasted.fill(file.replaceAll(',', '\t').replace('"Deux\t le', '"Deux, le'));
  await preview.click();
  const all = dialog.getByRole('checkbox', { name: 'Choisir tous les nouveaux sites' });
  await all.uncheck();
  await expect(dialog.getByRole('button', { name: 'Importer', exact: true })).toBeDisabled();
  await all.check();
  await dialog.getByRole('checkbox', { name: 'Importer Trois, ligne 6' }).uncheck();
  await dialog.getByRole('button', { name: 'Importer 2\u00a0sites' }).click();
  await expect(dialog.getByText('2\u00a0sites importés')).toBeVisible();
  await dialog.getByRole('link', { name: 'Voir les sites' }).click();
  await expect(page).toHaveURL(/\/sites\?server=/);
  // By their names, because a site that the background reads in vain would come first.
  await page.getByRole('columnheader', { name: 'Nom', exact: true }).getByRole('button').click();
  await expect(names(page)).toHaveText([/^Deux, le "second"/, /^Un/]);

  const shown = await download(page, () => choose(page, 'Plus', 'Exporter en CSV'));
  expect(shown.name).toMatch(/^sites-\d{4}-\d\d-\d\d\.csv$/);
  expect(shown.text.split('\r\n').map((line) => line.split(';').slice(0, 4).join(';'))).toEqual([
    '\uFEFF"nom";"url";"groupes";"serveur"',
    '"Deux, le ""second""";"https://deux.fr";"Clients";"web-03"',
    '"Un";"https://un.fr";"Clients › Bretagne";"web-03"',
    '',
  ]);
  await page.getByRole('checkbox', { name: 'Sélectionner Un', exact: true }).check();
  await page.getByRole('toolbar', { name: 'Sélection' }).getByRole('button', { name: 'Plus' }).click();
  const chosen = await download(page, () => page.getByRole('button', { name: 'Exporter en CSV' }).click());
  expect(chosen.text.trim().split('\r\n')).toHaveLength(2);

  // A file that came out goes in again, and finds its sites.
  await choose(page, 'Ajouter autrement', 'Importer un CSV');
  await pasted.fill(shown.text);
  await preview.click();
  await lines(page).filter({ hasText: 'un.fr' }).getByRole('link', { name: 'Déjà dans Vigie' }).click();
  await question.getByRole('button', { name: 'Fermer sans importer' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Un');
});

test('the list of sites leads to the sites of a server', async ({ ownerPage: page, owner, makeServer }) => {
  await page.goto('/sites');
  await page.getByRole('button', { name: 'Découvrir ceux d’un serveur' }).click();
  const dialog = page.getByRole('dialog', { name: 'Découvrir des sites' });
  await dialog.getByRole('link', { name: 'Ajouter un serveur' }).click();
  await expect(page).toHaveURL('/servers?add=true');
  await makeServer({ port: 9 }, { name: 'web-01' });
  await page.goto('/sites?find=true');
  // The only server needs no choice.
  await expect(page.getByRole('dialog', { name: 'Sites de web-01' })).toBeVisible();
  await makeServer({ port: 9 }, { name: 'web-02' });
  await makeSite(page, owner, 'Ancien');
  await page.goto('/sites');
  await choose(page, 'Ajouter autrement', 'Découvrir sur un serveur');
  await dialog.getByRole('button', { name: 'Fermer' }).click();
  await choose(page, 'Ajouter autrement', 'Découvrir sur un serveur');
  await dialog.getByRole('button', { name: 'Chercher sur web-02' }).click();
  const found = page.getByRole('dialog', { name: 'Sites de web-02' });
  await expect(found.getByRole('button', { name: 'Chercher de nouveau' })).toBeVisible();
  await expectNoDialogFaults(found);
  await found.getByRole('button', { name: 'Fermer' }).click();
  await expect(page).toHaveURL('/sites');
});
