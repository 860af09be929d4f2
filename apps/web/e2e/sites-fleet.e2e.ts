import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { test } from './fleets';
import { longTimeout } from './fixtures';
import { findByKeyboard } from './palette';
import { bearer } from './people';
import { siteTab } from './site-tabs';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader').filter({ hasText: name }) });

test('the sites of a server are discovered, imported and displayed with their inventory', async ({
  ownerPage: page,
  owner,
  request,
  fleet,
  makeServer,
}) => {
  test.slow();
  const [plain, broken] = [fleet.site('plain'), fleet.site('broken')];
  const { id } = await makeServer(fleet, { name: 'web-03', user: 'deploy', auth: { privateKeyPem: fleet.privateKey } });
  await page.goto(`/servers/${id}`);
  await page.getByRole('link', { name: 'Découvrir les sites' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sites de web-03' });
  const line = (path: string) => dialog.locator('li').filter({ has: page.getByText(path, { exact: true }) });
  await expect(line(plain.path)).toContainText(`WordPress ${fleet.versions.installed}`, longTimeout);
  await expect(line(plain.path)).toContainText(plain.url);
  const edit = (path: string) => dialog.getByRole('button', { name: `Modifier l’import de ${path}` });
  // The discovery may list sites of other fleets on this machine, so only two are imported.
  const selectAll = dialog.getByRole('checkbox', { name: 'Choisir tous les sites' });
  await selectAll.check();
  await selectAll.uncheck();
  await expect(dialog.getByRole('button', { name: 'Importer', exact: true })).toBeDisabled();
  for (const [{ path }, name] of [
    [plain, 'Vitrine'],
    [broken, 'Avarie'],
  ] as const) {
    await dialog.getByRole('checkbox', { name: `Importer ${path}` }).check();
    await edit(path).click();
    await dialog.getByLabel(`Nom de ${path}`).fill(name);
  }
  await expectNoDialogFaults(dialog);
  await dialog.getByLabel(`URL de ${broken.path}`).fill(broken.url);
  await page.keyboard.press('Escape');
  const leaveDialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
  await leaveDialog.getByRole('button', { name: 'Annuler' }).click();
  await dialog.getByRole('button', { name: 'Chercher dans un autre dossier' }).click();
  await dialog.getByLabel('Chercher aussi dans').fill('/root');
  const before = page.url();
  await dialog.getByRole('button', { name: 'Chercher', exact: true }).click();
  await expect(page).not.toHaveURL(before);
  await expect(line(plain.path)).toContainText('Vitrine', longTimeout);
  await dialog.getByRole('button', { name: 'Voir ce qui n’a pas pu être lu' }).click();
  await expect(dialog).toContainText('/root/\u00a0: accès refusé.');
  await edit(plain.path).click();
  await dialog.getByLabel(`Nom de ${plain.path}`).fill('');
  await dialog.getByRole('button', { name: 'Importer 2\u00a0sites' }).click();
  await expect(dialog.getByText('À renseigner.')).toBeVisible();
  await expect(dialog.getByLabel(`Nom de ${plain.path}`)).toBeFocused();
  await dialog.getByLabel(`Nom de ${plain.path}`).fill('Vitrine');
  await dialog.getByRole('button', { name: 'Importer 2\u00a0sites' }).click();
  await expect(dialog.getByRole('list', { name: 'Sites importés' }).getByRole('listitem')).toHaveCount(2);
  await dialog.getByRole('link', { name: 'Voir les sites' }).click();
  await expect(page).toHaveURL(new RegExp(`/sites\\?server=${id}`));
  await expect(page.getByRole('table').getByRole('rowheader')).toHaveCount(2);
  await page.getByRole('button', { name: 'Serveur\u00a0: web-03' }).click();
  await expect(page).toHaveURL('/sites');
  await page.goto(`/servers/${id}`);
  const sitesOfServer = page.getByRole('region', { name: 'Sites', exact: true });
  await expect(sitesOfServer.getByRole('listitem')).toHaveCount(2);
  await sitesOfServer.getByRole('link', { name: 'Vitrine' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vitrine');
  await page.goBack();
  await sitesOfServer.getByRole('link', { name: '2\u00a0sites' }).click();
  await expect(page).toHaveURL(new RegExp(`/sites\\?server=${id}`));

  await page.getByRole('button', { name: 'Tester la connexion à Avarie' }).click();
  await expect(toasts(page)).toContainText(`Connexion OK • WordPress ${fleet.versions.installed}`, longTimeout);
  await page.getByRole('link', { name: 'Voir le site' }).click();
  await expect(page.getByRole('heading', { name: 'Le plugin avarie provoque une erreur PHP.' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(`${broken.fault?.file}:${broken.fault?.line}`);
  await expect(page.getByRole('main').getByText('Erreur', { exact: true })).toBeVisible();

  await page.getByRole('navigation', { name: 'Menu principal' }).getByRole('link', { name: 'Sites' }).click();
  await row(page, 'Vitrine').getByRole('link', { name: 'Voir Vitrine' }).click();
  await page.getByRole('button', { name: 'Tester', exact: false }).first().click();
  const successText = page.getByText(`Vigie joint ce site\u00a0: WordPress ${fleet.versions.installed}.`);
  await expect(successText).toBeVisible(longTimeout);
  const adminPage = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'wp-admin' }).click();
  await expect(await adminPage).toHaveURL(/wp-login\.php/);
  await siteTab(page, 'Plugins et thèmes').click();
  const extensions = page.getByRole('region', { name: 'Plugins et thèmes' });
  await expect(extensions.getByRole('row').filter({ hasText: 'Relais' })).toContainText('Inactif');
  await expect(extensions.getByRole('row').filter({ hasText: 'Garde' })).toContainText('Toujours actif');
  await extensions.getByRole('radio', { name: 'Thèmes' }).check();
  await expect(extensions.getByRole('rowheader')).toHaveText([/^Balise/, /^Phare/]);
  await expect(page).toHaveURL(/\/plugins\?type=theme/);

  const headers = bearer(owner.token);
  const sites: { id: string; name: string }[] = await (await request.get('/api/sites', { headers })).json();
  const siteId = sites.find(({ name }) => name === 'Avarie')?.id ?? '';
  expect((await request.delete(`/api/sites/${siteId}`, { headers })).ok()).toBe(true);
  await page.goto(`/servers?open=${id}&discover=${id}`);
  await expect(line(plain.path)).toContainText('Déjà dans Vigie', longTimeout);
  await expect(dialog.getByRole('checkbox', { name: `Importer ${plain.path}` })).toHaveCount(0);
  await line(plain.path).getByRole('link', { name: 'Déjà dans Vigie' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vitrine');
  await page.goBack();
  await dialog.getByRole('checkbox', { name: `Importer ${broken.path}` }).check();
  await edit(broken.path).click();
  await dialog.getByLabel(`Nom de ${broken.path}`).fill('Avarie');
  // Another person imports the same site first.
  const items = [{ path: broken.path, url: broken.url, name: 'Avarie' }];
  const importAnswer = await request.post('/api/sites/import', { data: { server_id: id, items, groups: [] }, headers });
  expect(importAnswer.ok(), await importAnswer.text()).toBe(true);
  await dialog.getByRole('button', { name: 'Importer 1\u00a0site' }).click();
  await dialog.getByRole('list', { name: 'Sites déjà connus' }).getByRole('link', { name: 'Voir' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Avarie');
  await findByKeyboard(page, 'RELAIS', 'Plugins', 'Relais');
  await expect(page).toHaveURL(/\/plugins\?q=/);
});

test('a site discovery can be cancelled and started again', async ({ ownerPage: page, slowHost, makeServer }) => {
  const { id } = await makeServer(slowHost.host, { name: 'web-01' });
  await page.goto(`/servers?open=${id}&discover=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Sites de web-01' });
  await dialog.getByRole('button', { name: 'Annuler la recherche' }).click();
  await expect(dialog.getByText('La recherche a été annulée.')).toBeVisible();
  slowHost.release();
  const searchAgain = dialog.getByRole('button', { name: 'Chercher de nouveau' });
  await expect(searchAgain).toBeVisible();
  const before = page.url();
  await searchAgain.click();
  await expect(page).not.toHaveURL(before);
  await expect(dialog.getByText('La recherche a été annulée.')).toHaveCount(0);
});
