import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoDialogFaults, menuPanel } from './axe';
import { makeSite, test } from './machines';
import { bearer } from './people';
import { desktop, phone } from './sizes';

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function close(dialog: Locator): Promise<void> {
  await dialog.page().keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

type Sizes = (typeof phone)[];

/** Checks what this button opens, then closes it. */
async function check(dialog: Locator, opener: Locator, sizes?: Sizes): Promise<void> {
  await opener.click();
  await expectNoDialogFaults(dialog, sizes);
  await close(dialog);
}

/** Checks what an entry of a menu opens. */
async function checkEntry(dialog: Locator, menu: string, entry: string, sizes?: Sizes): Promise<void> {
  const page = dialog.page();
  await button(page, menu).click();
  await check(dialog, menuPanel(page, menu).getByRole('button', { name: entry }), sizes);
}

test('the dialogs and menus of the list of sites have no faults', async ({ ownerPage: page, owner, makeServer }) => {
  test.slow();
  const server = await makeServer({ port: 9 }, { name: 'web-01' });
  await makeServer({ port: 9 }, { name: 'web-02' });
  const headers = bearer(owner.token);
  await page.request.post('/api/groups', { data: { name: 'Clients' }, headers });
  const connection = { ssh: { server_id: server.id, wp_path: '/var/www/boutique' } };
  await makeSite(page, owner, 'Boutique', { connection });
  await makeSite(page, owner, 'Cave');
  await page.request.post('/api/site-views', { data: { name: 'Tous', columns: ['http'] }, headers });
  await page.goto('/sites');

  await test.step('forms and confirmations', async () => {
    await check(dialogOf(page, 'Nouveau site'), button(page, 'Nouveau site'));
    await check(dialogOf(page, 'Modifier Boutique'), button(page, 'Modifier Boutique'));
    await check(dialogOf(page, 'Supprimer le site Boutique\u202f?'), button(page, 'Supprimer Boutique'));
    await check(dialogOf(page, 'Cave'), button(page, 'Tester la connexion à Cave'));
  });

  // The menus of the head are others on a phone, so what they open is opened there again.
  for (const size of [desktop, phone])
    await test.step(`menus and views, ${size.width} pixels wide`, async () => {
      await page.setViewportSize(size);
      if (size === phone) await button(page, 'Filtres').click();
      for (const name of ['Filtres de recherche', 'Vues', 'Affichage', 'Plus', 'Ajouter autrement'])
        await check(menuPanel(page, name), button(page, name), [size]);
      await checkEntry(dialogOf(page, 'Nouvelle vue'), 'Vues', 'Enregistrer cette vue…', [size]);
      await checkEntry(dialogOf(page, 'Modifier la vue'), 'Vues', 'Modifier la vue Tous', [size]);
      await checkEntry(dialogOf(page, 'Supprimer la vue Tous\u202f?'), 'Vues', 'Supprimer la vue Tous', [size]);
    });
  await check(menuPanel(page, 'Actions sur Cave'), button(page, 'Actions sur Cave'), [phone]);
  await page.setViewportSize(desktop);
  await checkEntry(dialogOf(page, 'Découvrir des sites'), 'Ajouter autrement', 'Découvrir sur un serveur');
  await checkEntry(dialogOf(page, 'Importer un CSV'), 'Ajouter autrement', 'Importer un CSV');

  await test.step('plans of several sites', async () => {
    await page.getByRole('checkbox', { name: 'Sélectionner tous les sites affichés' }).check();
    const verbs = page.getByRole('toolbar', { name: 'Sélection' });
    for (const [verb, title] of [
      ['Mettre à jour…', 'Mettre à jour 2\u00a0sites'],
      ['Sauvegarder…', 'Sauvegarder 2\u00a0sites'],
      ['Tester…', 'Tester 2\u00a0sites'],
    ] as const)
      await check(dialogOf(page, title), verbs.getByRole('button', { name: verb }));
    for (const [verb, title] of [
      ['Ajouter à un groupe…', 'Ajouter 2\u00a0sites à un groupe'],
      ['Retirer d’un groupe…', 'Retirer 2\u00a0sites d’un groupe'],
      ['Supprimer…', 'Supprimer 2\u00a0sites\u202f?'],
    ] as const) {
      await verbs.getByRole('button', { name: 'Plus' }).click();
      await check(dialogOf(page, title), menuPanel(page, 'Plus').getByRole('button', { name: verb }));
    }
  });

  await test.step('the page of a site', async () => {
    await page.getByRole('link', { name: 'Voir Boutique' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Boutique');
    await check(menuPanel(page, 'Plus'), button(page, 'Plus'));
    await checkEntry(dialogOf(page, 'Supprimer le site Boutique\u202f?'), 'Plus', 'Supprimer');
    await check(dialogOf(page, 'Site cassé\u202f?'), page.getByRole('link', { name: 'Site cassé\u202f?' }));
  });
});

test('the dialogs of servers and groups have no faults', async ({ ownerPage: page, owner, makeServer }) => {
  test.slow();
  const { id } = await makeServer({ port: 9 }, { name: 'web-01' });
  await page.request.post('/api/groups', { data: { name: 'Clients' }, headers: bearer(owner.token) });
  await page.goto('/groups');
  await check(dialogOf(page, 'Nouveau groupe'), button(page, 'Nouveau groupe').first());
  await check(dialogOf(page, 'Modifier le groupe'), button(page, 'Modifier Clients'));
  await check(dialogOf(page, 'Supprimer le groupe Clients\u202f?'), button(page, 'Supprimer Clients'));

  await page.getByRole('link', { name: 'Serveurs', exact: true }).click();
  await check(dialogOf(page, 'Ajouter un serveur'), button(page, 'Ajouter un serveur').first());
  await check(dialogOf(page, 'Modifier web-01'), button(page, 'Modifier web-01'));
  await check(dialogOf(page, 'Supprimer le serveur web-01\u202f?'), button(page, 'Supprimer web-01'));
  await check(menuPanel(page, 'Choisir quoi actualiser'), button(page, 'Choisir quoi actualiser'));
  await page.getByRole('link', { name: 'web-01', exact: true }).click();
  await check(menuPanel(page, 'Plus'), button(page, 'Plus'));
  await check(dialogOf(page, 'Sites de web-01'), page.getByRole('link', { name: 'Découvrir les sites' }));
  await makeSite(page, owner, 'Boutique', { connection: { ssh: { server_id: id, wp_path: '/var/www/boutique' } } });
  await button(page, 'Plus').click();
  await menuPanel(page, 'Plus').getByRole('button', { name: 'Supprimer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click();
  const usedDialog = dialogOf(page, 'web-01 est utilisé par des sites');
  await expectNoDialogFaults(usedDialog);
  await close(usedDialog);
});

test('the panels of the frame have no faults', async ({ ownerPage: page }) => {
  await page.goto('/uploads?panel=profile');
  await expectNoDialogFaults(dialogOf(page, 'Profil'));
  await close(dialogOf(page, 'Profil'));
  await page.keyboard.press('Control+k');
  await expectNoDialogFaults(dialogOf(page, 'Rechercher ou agir'));
  await close(dialogOf(page, 'Rechercher ou agir'));
  await page.keyboard.press('?');
  await expectNoDialogFaults(dialogOf(page, 'Raccourcis clavier'));
  await close(dialogOf(page, 'Raccourcis clavier'));
});
