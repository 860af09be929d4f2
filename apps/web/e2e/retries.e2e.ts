import { expect, type Page } from '@playwright/test';
import { aPlugin } from '@vigie/testing/zip';
import { expectNoDialogFaults } from './axe';
import { clickRetry, installClock } from './fixtures';
import { makeSite, test } from './machines';
import { bearer } from './people';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

test('a failed load shows its error in place of the content and can be retried', async ({
  ownerPage: page,
  owner,
  request,
  makeServer,
}) => {
  await installClock(page);
  const site = await makeSite(page, owner, 'Boutique');
  const data = { name: 'web-01', host: '127.0.0.1', port: 9, user: 'sh' };
  const answer = await request.post('/api/servers', { data, headers: bearer(owner.token) });
  const { id: server }: { id: string } = await answer.json();
  await makeServer({ port: 9 }, { name: 'web-02' });
  const main = page.getByRole('main');
  for (const { path, call, sentence, container, content } of [
    {
      path: `/sites/${site}`,
      call: `sites/${site}`,
      sentence: 'Impossible de lire ce site.',
      container: main,
      content: page.getByRole('heading', { name: 'Boutique' }),
    },
    {
      path: `/sites?edit=${site}`,
      call: `sites/${site}`,
      sentence: 'Impossible de lire ce site.',
      container: dialog(page, 'Modifier le site'),
      content: dialog(page, 'Modifier Boutique'),
    },
    {
      path: `/sites?open=${site}`,
      call: `sites/${site}`,
      sentence: 'Impossible de lire ce site.',
      container: dialog(page, 'Site'),
      content: dialog(page, 'Boutique'),
    },
    {
      path: `/servers?edit=${server}`,
      call: `servers/${server}`,
      sentence: 'Impossible de lire ce serveur.',
      container: dialog(page, 'Modifier le serveur'),
      content: dialog(page, 'Modifier web-01'),
    },
    {
      path: `/servers/${server}`,
      call: `servers/${server}`,
      sentence: 'Impossible de lire ce serveur.',
      container: main,
      content: page.getByRole('heading', { name: 'web-01' }),
    },
    {
      path: `/servers/${server}`,
      call: `servers/${server}/pubkey`,
      sentence: "Impossible d'obtenir la clé publique.",
      container: page.getByRole('region', { name: 'Autoriser la clé sur le serveur' }),
      content: page.getByText(/^ssh-ed25519 /),
    },
    {
      path: `/servers/${server}`,
      call: `servers/${server}/health/history?range=day`,
      sentence: 'Les mesures de ce serveur n’ont pas pu être lues.',
      container: page.getByRole('region', { name: 'Mesures' }),
      content: page.getByText('Alerte à partir de\u00a090\u00a0%'),
    },
  ]) {
    await test.step(`${path} without ${call}`, async () => {
      await page.route(`**/api/${call}`, (route) => route.abort());
      await page.goto(path);
      // Other parts of the screen may fail too, so the error is found by its text.
      const failure = container.getByText(sentence, { exact: true });
      await expect(failure).toBeVisible();
      await expect(content).toHaveCount(0);
      if ((await container.getAttribute('role')) === 'dialog') await expectNoDialogFaults(container);
      await clickRetry(page, container, () => page.unroute(`**/api/${call}`));
      await expect(content).toBeVisible();
      await expect(failure).toHaveCount(0);
    });
  }
});

test('a site choice can be retried, paged and kept, and the site list keeps its scroll position', async ({
  ownerPage: page,
  owner,
}) => {
  // One after the other: Vigie saves only so many sites at once, those of other stories included.
  for (let number = 10; number <= 30; number += 1) await makeSite(page, owner, `Site-${number}`);
  await installClock(page);
  await page.goto('/uploads');
  const file = { name: 'boussole.zip', mimeType: 'application/zip', buffer: aPlugin() };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.route('**/api/sites?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Installer boussole.zip sur des sites' }).click();
  const siteDialog = dialog(page, 'Installer boussole.zip sur…');
  await expect(siteDialog.getByRole('alert')).toContainText('Impossible de charger les sites.');
  await clickRetry(page, siteDialog, () => page.unroute('**/api/sites?*'));
  await siteDialog.getByRole('checkbox', { name: 'Choisir Site-10' }).check();
  await siteDialog.getByRole('button', { name: 'Suivante' }).click();
  await expect(siteDialog.getByRole('list', { name: 'Sites' }).getByRole('listitem')).toHaveCount(1);
  await siteDialog.getByRole('checkbox', { name: 'Choisir Site-30' }).check();
  await siteDialog.getByRole('button', { name: 'Précédente' }).click();
  await expect(siteDialog.getByRole('checkbox', { name: 'Choisir Site-10' })).toBeChecked();
  await expect(siteDialog).toContainText('2\u00a0sites choisis');
  await expectNoDialogFaults(siteDialog);
  // The first Escape clears the search, and the second one asks before it discards the selection.
  const search = siteDialog.getByRole('searchbox', { name: 'Rechercher un site' });
  await search.fill('Site-3');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await expect(siteDialog).toContainText('2\u00a0sites choisis');
  await search.press('Escape');
  const closeDialog = dialog(page, 'Fermer sans appliquer\u202f?');
  await expectNoDialogFaults(closeDialog);
  await closeDialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(siteDialog).toContainText('2\u00a0sites choisis');
  await siteDialog.getByRole('button', { name: 'Annuler' }).click();
  await closeDialog.getByRole('button', { name: 'Fermer sans appliquer' }).click();
  await expect(siteDialog).toBeHidden();

  // The story scrolls to the middle of the list, because the end moves while sites are read.
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  const lastLink = page.getByRole('link', { name: 'Voir Site-30' });
  await lastLink.focus();
  const readScroll = () => page.evaluate(() => window.scrollY);
  // The router stores a position only after the scroll event, which a key press can overtake.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true });
        window.scrollTo(0, 150);
      }),
  );
  expect(await readScroll()).toBe(150);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Site-30');
  await page.goBack();
  await expect(lastLink).toBeVisible();
  await expect.poll(readScroll).toBe(150);
});
