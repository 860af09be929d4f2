import { expect } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { test } from './fleets';
import { longTimeout } from './fixtures';
import { bearer } from './people';

test('a site that does not start is repaired by moving the faulty plugin, and breaks again when it returns', async ({
  ownerPage: page,
  context,
  owner,
  fleet,
  makeServer,
}) => {
  test.slow();
  const broken = fleet.site('broken');
  const fetchStatus = async () => (await fetch(broken.url)).status;
  const server = await makeServer(fleet, { name: 'web-03', user: 'deploy', auth: { privateKeyPem: fleet.privateKey } });
  const connection = { ssh: { server_id: server.id, wp_path: broken.path } };
  const data = { name: 'Avarie', url: broken.url, connection };
  const created = await page.request.post('/api/sites', { data, headers: bearer(owner.token) });
  const { id }: { id: string } = await created.json();

  await page.request.get(`/api/sites/${id}/inventory?fresh=1`, { headers: bearer(owner.token), ...longTimeout });
  await page.goto(`/sites/${id}`);
  const card = page.getByRole('region', { name: 'WordPress', exact: true });
  await expect(card).toContainText('Vérification en échec');
  // Nothing is more urgent on the page of a broken site.
  const actions = page.getByRole('banner').or(page.getByRole('main')).locator('header').getByRole('link');
  await expect(actions.nth(1)).toHaveText('Site cassé\u202f?');
  await page.getByRole('link', { name: 'Site cassé\u202f?' }).click();
  const panel = page.getByRole('dialog', { name: 'Site cassé\u202f?' });
  await expect(panel.getByText('WordPress ne démarre pas\u00a0: avarie l’en empêche.')).toBeVisible(longTimeout);
  await expect(panel).toContainText(`${broken.fault?.file}:${broken.fault?.line}`);
  await expect(panel.getByText('Ne démarre que sans ses plugins ni son thème')).toBeVisible();
  await expect(panel.getByText('500')).toHaveCount(2);
  const moveSection = panel.getByRole('region', { name: 'Mettre de côté le plugin avarie' });
  await expect(moveSection).toContainText(`mv -n -- '${broken.path}/wp-content/plugins/avarie'`);
  await expectNoDialogFaults(panel);

  // The URL holds the result of the inspection, so a reload shows it without a new inspection.
  const resultUrl = page.url();
  await page.reload();
  await expect(moveSection).toBeVisible();
  expect(page.url()).toBe(resultUrl);

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await moveSection.getByRole('button', { name: 'Copier' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('mv -n -- ');
  await moveSection.getByRole('button', { name: 'Mettre de côté le plugin avarie…' }).click();
  const confirmDialog = page.getByRole('dialog', { name: 'Mettre de côté le plugin avarie\u202f?' });
  await expect(confirmDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expectNoDialogFaults(confirmDialog);
  expect(await fetchStatus()).toBe(500);
  const repairsPath = `**/api/sites/${id}/repairs`;
  await page.route(repairsPath, (route) => route.abort());
  await confirmDialog.getByRole('button', { name: 'Mettre de côté', exact: true }).click();
  await expect(confirmDialog.getByRole('alert')).toContainText('La réparation n’a pas pu être demandée.');
  await page.unroute(repairsPath);
  await confirmDialog.getByRole('button', { name: 'Mettre de côté', exact: true }).click();
  await expect(panel.getByText('Le plugin avarie est mis de côté.')).toBeVisible(longTimeout);
  await expect(
    panel.getByText('Ce site fonctionne\u00a0: WordPress démarre et ses visiteurs le voient.'),
  ).toBeVisible();
  expect(await fetchStatus()).toBe(200);
  await expect(page.getByRole('heading', { name: 'Le plugin avarie provoque une erreur PHP.' })).toHaveCount(0);
  await expect(card).not.toContainText('Vérification en échec');

  const restoreSection = panel.getByRole('region', { name: 'Remettre le plugin avarie' });
  await restoreSection.getByRole('button', { name: 'Remettre le plugin avarie…' }).click();
  const restoreDialog = page.getByRole('dialog', { name: 'Remettre le plugin avarie\u202f?' });
  await expectNoDialogFaults(restoreDialog);
  await restoreDialog.getByRole('button', { name: 'Remettre', exact: true }).click();
  await expect(panel.getByText('WordPress ne démarre pas\u00a0: avarie l’en empêche.')).toBeVisible(longTimeout);
  await expect(restoreSection).toHaveCount(0);
  expect(await fetchStatus()).toBe(500);

  const repairUrl = page.url();
  await panel.getByRole('button', { name: 'Examiner de nouveau' }).click();
  await expect(page).not.toHaveURL(repairUrl);
  await panel.getByRole('button', { name: 'Fermer' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page).not.toHaveURL(/repairs|examined/);
  await expect(page.getByText('Lu sans plugins ni thème')).toBeVisible();
  await expect(page.getByText('Vigie l’a lu sans ses plugins ni son thème')).toBeVisible();
  await page.getByRole('link', { name: 'Voir ce que Vigie propose' }).click();
  await expect(panel).toBeVisible();
});
