import { expect, type Page } from '@playwright/test';
import { recordApiCalls } from './fixtures';
import { makeSite, test } from './machines';
import { findA11yFaults } from './page-faults';
import { bearer } from './people';
import { chooseInSiteMenu, siteTab } from './site-tabs';
import { expectNoOverflow, onPhone } from './sizes';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const names = (page: Page) => page.getByRole('table').getByRole('rowheader');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const addForm = (page: Page) => page.getByRole('dialog', { name: 'Nouveau site' });
const panel = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const recordWrites = (page: Page) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => call.method() !== 'GET');
};

test('a new user has no sites, an incomplete form is marked, and a site without a server gets a key', async ({
  ownerPage: page,
  context,
  host,
}) => {
  await page.goto('/sites');
  await expect(page.getByText('Aucun site pour l’instant.')).toBeVisible();
  const listWrites = recordWrites(page);
  await page.getByRole('button', { name: 'Nouveau site' }).first().click();
  const form = addForm(page);
  await expect(form.getByLabel('Nom', { exact: true })).toBeFocused();
  await form.getByRole('radio', { name: 'Mot de passe' }).check();
  await form.getByLabel('Mot de passe', { exact: true }).last().fill('sésame');
  await form.getByRole('radio', { name: 'Clé du site' }).check();
  const saveButton = form.getByRole('button', { name: 'Ajouter le site' });
  await saveButton.click();
  await expect(form.getByRole('alert').filter({ hasText: 'Veuillez renseigner un nom et une URL.' })).toBeVisible();
  await form.getByLabel('Nom', { exact: true }).fill('Boutique');
  await form.getByLabel('URL').fill('boutique.fr');
  await form.getByLabel('URL').press('Tab');
  await expect(form.getByLabel('URL')).toHaveValue('https://boutique.fr');
  await saveButton.click();
  const missingConnection = 'Renseignez hôte, utilisateur et chemin WP ou sélectionnez un serveur.';
  await expect(form.getByRole('alert').filter({ hasText: missingConnection })).toBeVisible();
  await expect(form.getByLabel('Hôte')).toBeFocused();
  await form.getByLabel('URL').fill('javascript:alert(1)');
  await form.getByLabel('URL').press('Tab');
  await expect(form.getByText('Cette URL n’est pas valide')).toBeVisible();
  expect(listWrites()).toEqual([]);

  await test.step('a site without a server gets its own key and the command that authorizes it', async () => {
    await form.getByLabel('URL').fill('https://boutique.exemple.fr');
    await form.getByLabel('Hôte').fill('127.0.0.1');
    await form.getByLabel('Port').fill(String(host.port));
    await form.getByLabel('Utilisateur').fill('sh');
    await form.getByLabel('Chemin WP').fill('/var/www/boutique');
    await form.getByRole('button', { name: 'Ajouter le site' }).click();
    const openedPanel = panel(page, 'Boutique');
    const key = (await openedPanel.getByText(/^ssh-ed25519 /).textContent()) ?? '';
    await expect(openedPanel.getByText(/^mkdir -p ~\/\.ssh /)).toContainText(key);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await openedPanel.getByRole('link', { name: 'Voir le site' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Copier', exact: true }).nth(1).click();
    await expect.poll(readClipboard).toContain('mkdir -p ~/.ssh');
    await page.goBack();
    await openedPanel.getByRole('button', { name: 'Tester la connexion' }).click();
    await expect(openedPanel.getByRole('alert')).toContainText('refuse la clé');
    await openedPanel.getByRole('link', { name: 'Voir le site' }).click();
    await chooseInSiteMenu(page, 'Modifier');
    const editDialog = page.getByRole('dialog', { name: 'Modifier Boutique' });
    await expect(editDialog.getByText(/^ssh-ed25519 /)).toHaveText(key);
    await editDialog.getByRole('button', { name: 'Copier' }).click();
    await expect.poll(readClipboard).toBe(key);
  });
});

test('empty fields of a site show those of its server, and a missing path fails the test at its step', async ({
  ownerPage: page,
  context,
  host,
  makeServer,
}) => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => makeServer({ port: 9 }, { name: `web-${index + 10}` })));
  const server = await makeServer(host, { name: 'zulu' });
  await page.goto('/sites?add=true');
  const form = addForm(page);
  await form.getByLabel('Nom', { exact: true }).fill('Boutique');
  await form.getByLabel('URL').fill('https://boutique.exemple.fr');
  await test.step('the server of a site is searched among many', async () => {
    const choice = form.getByLabel('Serveur SSH');
    const search = form.getByRole('searchbox', { name: 'Rechercher un serveur' });
    await expect(choice.getByRole('option')).toHaveCount(21);
    await search.fill('zul');
    await choice.selectOption(server.id);
    await search.fill('web-1');
    await expect(choice.getByRole('option', { name: /^web-1/ })).toHaveCount(10);
    await expect(choice).toHaveValue(server.id);
    await expect(form.getByText('Vigie se connecte avec le mot de passe du serveur zulu.')).toBeVisible();
  });
  await expect(form.getByLabel('Hôte')).toHaveAttribute('placeholder', '127.0.0.1');
  await expect(form.getByLabel('Port')).toHaveAttribute('placeholder', String(host.port));
  await expect(form.getByLabel('Utilisateur')).toHaveAttribute('placeholder', 'sh');
  await form.getByLabel('Chemin WP').fill('/var/www/nulle-part');
  const createRequest = page.waitForRequest((call) => call.method() === 'POST');
  await form.getByRole('button', { name: 'Ajouter le site' }).click();
  expect((await createRequest).postDataJSON()).toEqual({
    name: 'Boutique',
    url: 'https://boutique.exemple.fr',
    groups: [],
    connection: {
      method: 'ssh',
      ssh: { server_id: server.id, host: null, port: null, user: null, wp_path: '/var/www/nulle-part' },
    },
  });
  await expect(toasts(page)).toContainText('Site Boutique ajouté.');
  const openedPanel = panel(page, 'Boutique');
  const step = (name: string) =>
    openedPanel.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  // The toast is read first, because it disappears after three seconds.
  const toastText = await toasts(page).getByRole('alert').innerText();
  await expect(step('Dossier')).toContainText('Échec');
  await expect(step('Connexion')).toContainText('OK');
  const sentence = await openedPanel.getByRole('alert').innerText();
  expect(toastText).toContain(sentence);
  await page.keyboard.press('Escape');
  // The background may have read that folder since, and calls the same by what it saw.
  await expect(row(page, 'Boutique')).toContainText(/Connexion en échec|Sans WordPress/);
  await page.getByRole('link', { name: 'Voir Boutique' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Boutique');
  await expect(page).toHaveTitle('Boutique · Vigie');
  await expect(page.getByRole('main')).toContainText(sentence);
  await expect(page.getByRole('list', { name: 'Étapes du test' })).toBeVisible();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('main').getByRole('button', { name: 'Copier les détails' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Dossier\u00a0: Échec');
  await page.getByRole('main').getByRole('link', { name: 'zulu' }).click();
  await expect(page).toHaveURL(`/servers/${server.id}`);
  await page.goBack();
  await siteTab(page, 'DNS').click();
  await page.getByRole('link', { name: 'Lier une zone' }).click();
  await expect(page).toHaveURL('/cloudflare?tab=mapping');
  await page.goBack();
  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/servers/${server.id}/console`));
  await expect(page.getByRole('main')).toContainText('Le dossier /var/www/nulle-part ne s’ouvre pas');
});

test('a deletion names the site, and an edit sends only the changed fields and marks empty ones', async ({
  ownerPage: page,
  owner,
}) => {
  await makeSite(page, owner, 'Boutique');
  const deletedId = await makeSite(page, owner, 'Cave');
  await test.step('a deletion names the site, and a failed one keeps it', async () => {
    await page.goto('/sites?sort=name');
    await page.route(`**/api/sites/${deletedId}`, (route) => route.abort());
    await page.getByRole('button', { name: 'Supprimer Cave' }).click();
    const dialog = page.getByRole('dialog', { name: 'Supprimer le site Cave\u202f?' });
    await expect(dialog).toContainText('Aucun fichier n’est touché sur l’hôte.');
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Échec de la suppression.');
    await expect(names(page)).toHaveText([/Boutique/, /Cave/]);
    await page.unroute(`**/api/sites/${deletedId}`);
    await dialog.getByRole('button', { name: 'Supprimer' }).click();
    await expect(toasts(page)).toContainText('Site Cave supprimé.');
    await expect(names(page)).toHaveText([/Boutique/]);
    await page.goto(`/sites/${deletedId}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Site introuvable');
    await expect(page.getByRole('main')).toContainText(deletedId);
    await page.getByRole('link', { name: 'Voir les sites' }).click();
    await expect(page).toHaveURL('/sites');
  });

  await page.getByRole('button', { name: 'Modifier Boutique' }).click();
  const form = page.getByRole('dialog', { name: 'Modifier Boutique' });
  const listWrites = recordWrites(page);
  const saveButton = form.getByRole('button', { name: 'Enregistrer' });
  await form.getByLabel('Nom', { exact: true }).fill(' ');
  await saveButton.click();
  await expect(form.getByText('À renseigner.')).toBeVisible();
  await expect(form.getByLabel('Nom', { exact: true })).toBeFocused();
  await expect(form.getByText('Veuillez renseigner')).toHaveCount(0);
  await expect(toasts(page).getByRole('alert')).toHaveCount(0);
  expect(listWrites()).toEqual([]);
  await form.getByLabel('Nom', { exact: true }).fill('Atelier');
  await page.route('**/api/sites/*', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  );
  await saveButton.click();
  await expect(form.getByRole('alert').filter({ hasText: 'Échec de la modification.' })).toBeVisible();
  await page.unroute('**/api/sites/*');
  const saveRequest = page.waitForRequest((call) => call.method() === 'PUT');
  await saveButton.click();
  expect((await saveRequest).postDataJSON()).toEqual({ name: 'Atelier' });
  await expect(names(page)).toHaveText([/Atelier/]);

  await page.getByRole('button', { name: 'Modifier Atelier' }).click();
  const renamedForm = page.getByRole('dialog', { name: 'Modifier Atelier' });
  const newValues = {
    URL: 'https://atelier.exemple.fr',
    Hôte: 'localhost',
    Port: '2222',
    Utilisateur: 'marin',
    'Chemin WP': '/var/www/atelier',
  };
  for (const [label, text] of Object.entries(newValues))
    await renamedForm.getByLabel(label, { exact: true }).fill(text);
  await renamedForm.getByRole('radio', { name: 'Mot de passe' }).check();
  await renamedForm.getByLabel('Mot de passe', { exact: true }).last().fill('sésame');
  const moveRequest = page.waitForRequest((call) => call.method() === 'PUT');
  await renamedForm.getByRole('button', { name: 'Enregistrer' }).click();
  expect((await moveRequest).postDataJSON()).toMatchObject({
    url: 'https://atelier.exemple.fr',
    connection: { ssh: { host: 'localhost', port: 2222, user: 'marin', wp_path: '/var/www/atelier' } },
  });
  expect((await moveRequest).postData()).toContain('sésame');
});

test('the list is searched, filtered and sorted through its URL, and the selected sites are tested', async ({
  ownerPage: page,
  owner,
}) => {
  const headers = bearer(owner.token);
  const created = await page.request.post('/api/groups', { data: { name: 'Clients' }, headers });
  const { id: group }: { id: string } = await created.json();
  await makeSite(page, owner, 'site 10', { groups: [group] });
  await makeSite(page, owner, 'site 2');
  await makeSite(page, owner, 'Élan');
  await page.goto('/sites');
  await expect(row(page, 'site 10')).toContainText('Clients');
  await expect(row(page, 'site 2')).toContainText('N/A');
  const link = row(page, 'Élan').getByRole('link', { name: 'elan.exemple.fr' });
  await expect(link).toHaveAttribute('rel', /noopener/);
  const nameHead = page.getByRole('columnheader', { name: 'Nom', exact: true });
  await nameHead.getByRole('button').click();
  await expect(page).toHaveURL('/sites?sort=name');
  await expect(names(page)).toHaveText([/^Élan/, /^site 2/, /^site 10/]);
  await nameHead.getByRole('button').click();
  await expect(names(page)).toHaveText([/^site 10/, /^site 2/, /^Élan/]);
  await page.getByLabel('Filtrer par groupe').selectOption({ label: 'Clients' });
  await expect(names(page)).toHaveText([/^site 10/]);
  await page.reload();
  await expect(names(page)).toHaveText([/^site 10/]);
  await page.getByLabel('Filtrer par statut').selectOption({ label: 'OK' });
  await expect(page.getByText('Aucun site ne correspond.')).toBeVisible();
  await page.getByRole('button', { name: 'Effacer les filtres' }).click();
  // The search field takes the focus of the button that disappeared, before the list has been read.
  await page.keyboard.type('élan');
  await expect(names(page)).toHaveText([/^Élan/]);
  await expect(page).toHaveURL(/\/sites\?sort=-name&q=/);
  await names(page).getByRole('link', { name: 'Élan', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Élan');

  await test.step('the selected sites are tested as one batch in the dock', async () => {
    const jobsDock = page.getByRole('region', { name: 'Tâches et consoles' });
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Rechercher un site' }).fill('');
    await expect(names(page)).toHaveCount(3);
    const more = page.getByRole('button', { name: 'Plus', exact: true });
    await more.click();
    await page.getByRole('button', { name: 'Tester tout' }).click();
    await expect(jobsDock).toContainText('3\u00a0échecs');
    await page.getByRole('searchbox', { name: 'Rechercher un site' }).fill('site2');
    await expect(names(page)).toHaveCount(1);
    await more.click();
    await page.getByRole('button', { name: 'Tester le site affiché' }).click();
    await expect(jobsDock).toContainText(' · 1\u00a0échec');
    await page.getByRole('searchbox', { name: 'Rechercher un site' }).fill('');
    await makeSite(page, owner, 'Quatre');
    await page.getByRole('button', { name: 'Actualiser', exact: true }).click();
    await expect(names(page)).toHaveCount(4);
    await page.getByRole('checkbox', { name: 'Sélectionner tous les sites affichés' }).check();
    await expect(page.getByRole('toolbar', { name: 'Sélection' })).toContainText('4\u00a0sites sélectionnés');
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Sélectionner site 2' }).check();
    await page.getByRole('checkbox', { name: 'Sélectionner Élan' }).check();
    const selectionBar = page.getByRole('toolbar', { name: 'Sélection' });
    await expect(selectionBar).toContainText('2\u00a0sites sélectionnés');
    await selectionBar.getByRole('button', { name: 'Tester…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Tester 2\u00a0sites' }).click();
    await expect(jobsDock).toContainText('2\u00a0échecs');
    await expect(row(page, 'site 2')).toContainText('Connexion en échec');
    await expect(selectionBar).toHaveCount(0);
    const outcome = page.getByRole('main').getByRole('status').filter({ hasText: '2\u00a0échecs' });
    await expect(outcome).toContainText('Échec');
    await outcome.getByRole('link', { name: 'Voir la tâche de la dernière action groupée' }).click();
    await page.goBack();
    await outcome.getByRole('button', { name: 'Masquer ce résultat' }).click();
    await expect(outcome).toHaveCount(0);
  });
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('sites are cards of two lines, and the form and the page fit the screen', async ({ ownerPage: page, owner }) => {
    const id = await makeSite(page, owner, `Phare ${'long'.repeat(20)}`, { url: 'https://exemple.fr' });
    await page.goto('/sites');
    const card = page.getByRole('main').getByRole('listitem');
    await expect(card).toContainText('Sauvegarde\u00a0: Jamais');
    await expectNoOverflow(page);
    await card.getByRole('checkbox').check();
    await expectNoOverflow(page);
    await page.getByLabel('Agir sur la sélection').selectOption('Tester…');
    // The dialog grows when the line of the site stands below its note, which moves the button under a finger.
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2);
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).tap();
    await page.getByRole('button', { name: 'Tout désélectionner' }).tap();
    const openMenu = () => card.getByRole('button', { name: /^Actions sur / }).tap();
    for (const verb of ['Supprimer', 'Tester']) {
      await openMenu();
      await page.getByRole('button', { name: new RegExp(`^${verb} `) }).tap();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: verb === 'Tester' ? 'Fermer' : 'Annuler' })
        .tap();
    }
    await openMenu();
    await page.getByRole('button', { name: /^Modifier / }).tap();
    await expect(page.getByRole('dialog').getByLabel('Chemin WP')).toHaveValue('/var/www/nulle-part');
    await expectNoOverflow(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).tap();
    expect((await card.boundingBox())?.y).toBeLessThan(200);
    await page.getByRole('button', { name: 'Filtres', exact: true }).tap();
    await page.getByRole('button', { name: 'Affichage' }).tap();
    await page.getByLabel('Trier par').selectOption('URL');
    await page.getByRole('button', { name: 'Trier dans l’ordre décroissant' }).tap();
    await expect(page).toHaveURL('/sites?sort=-url');
    await page.keyboard.press('Escape');
    await page.getByLabel('Filtrer par statut').selectOption({ label: 'N/A' });
    await page.getByRole('button', { name: 'Filtres (1)' }).tap();
    await expect(page.getByLabel('Filtrer par statut')).toBeHidden();
    await page.goto(`/sites/${id}`);
    for (const [name, path, text] of [
      ['Plugins et thèmes', '/plugins', 'Ce site n’a pas encore été lu.'],
      ['Journal', '/journal', 'a ajouté le site'],
      ['DNS', '/dns', 'Ce site n’est lié à aucune zone.'],
      ['Vue d’ensemble', '', 'Vigie n’a encore aucune sauvegarde de ce site.'],
    ] as const) {
      await siteTab(page, name).tap();
      await expect(page).toHaveURL(`/sites/${id}${path}`);
      await expect(page.getByText(text)).toBeVisible();
      await expectNoOverflow(page);
      expect(await page.evaluate(findA11yFaults), path).toEqual([]);
    }
    await page.getByRole('main').getByRole('link', { name: 'Voir les sauvegardes' }).tap();
    await expect(page).toHaveURL(`/sites/${id}/backups`);
    await expect(siteTab(page, 'Sauvegardes')).toBeInViewport({ ratio: 1 });
    // While the list loads, the page requests the deleted site again, and must not report it as missing.
    let releaseList = () => {};
    const listReleased = new Promise<void>((resolve) => (releaseList = resolve));
    await page.route('**/SitesScreen*.js', (route) => listReleased.then(() => route.continue()));
    const notFoundAnswer = page.waitForResponse(
      (answer) => answer.url().endsWith(`/api/sites/${id}`) && answer.status() === 404,
    );
    await page.getByRole('button', { name: 'Plus', exact: true }).tap();
    // A menu that hid with its button left its last choices out of reach.
    await page.getByRole('button', { name: 'Plus', exact: true }).evaluate((button) => {
      window.scrollBy(0, button.getBoundingClientRect().bottom);
    });
    await page.getByRole('button', { name: 'Supprimer' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).tap();
    await notFoundAnswer;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(page.getByText('Site introuvable')).toHaveCount(0);
    releaseList();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sites');
    await expect(page).toHaveURL('/sites');
  });
});
