import { expect } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { clickRetry, installClock, storeToken } from './fixtures';
import { definePaletteStories } from './palette';
import { bearer, openSession } from './people';
import { phone } from './sizes';
import { aRecord as a, line, lines, openRecords, tab, test, toasts } from './zones';

/** Defines the rarer DNS stories. All run in one file: only one fake Cloudflare can listen on its port. */
export function defineZoneDetailStories(): void {
  test('failed loads and failed changes show errors and can be retried', async ({ cloudflarePage: page, account }) => {
    const zone = account.addZone('exemple', [a(account.domain())]);
    await page.route('**/api/cloudflare/zones?*', (route) => route.abort());
    await installClock(page);
    await page.goto('/cloudflare');
    await expect(page.getByRole('main').getByText('Failed to load zones')).toBeVisible();
    await clickRetry(page, page.getByRole('main'), () => page.unroute('**/api/cloudflare/zones?*'));
    await page.route('**/api/cloudflare/zones', (route) => route.abort());
    await page.getByRole('button', { name: 'Nouvelle zone' }).click();
    const form = page.getByRole('dialog', { name: 'Nouvelle zone' });
    await form.getByLabel('Nom de domaine').fill(account.domain('neuf'));
    await form.getByRole('button', { name: 'Créer la zone' }).click();
    await expect(form.getByRole('alert')).toHaveText('Failed to create zone');
    await form.getByLabel('Nom de domaine').fill('');
    await form.getByRole('button', { name: 'Annuler' }).click();
    await page.getByRole('link', { name: account.domain() }).click();
    await expect(line(page, '203.0.113.10')).toBeVisible();
    await page.route('**/dns/*', (route) => (route.request().method() === 'DELETE' ? route.abort() : route.fallback()));
    await page.getByRole('button', { name: 'Supprimer A @' }).click();
    const deleteDialog = page.getByRole('dialog', { name: 'Supprimer A @\u202f?' });
    await deleteDialog.getByRole('button', { name: 'Supprimer', exact: true }).click();
    await expect(deleteDialog.getByRole('alert')).toHaveText('Failed to delete record');
    await deleteDialog.getByRole('button', { name: 'Annuler' }).click();
    await page.route('**/dns/preview', (route) => route.abort());
    await page.getByRole('button', { name: 'Modifier A @' }).click();
    await page.getByLabel('Adresse IPv4').fill('203.0.113.11');
    await page.getByRole('button', { name: 'Continuer' }).click();
    await expect(page.getByRole('form').getByRole('alert')).toHaveText('Failed to save record');
    expect(account.storedRecords(zone).records[0]?.content).toBe('203.0.113.10');
  });

  test('a pending zone shows its name servers, and its history has more than one page', async ({
    cloudflarePage: page,
    account,
    owner,
    request,
  }) => {
    const zone = account.addZone('zebre', [], 'pending');
    await openRecords(page, zone);
    await page.getByText('Cette zone attend ses serveurs de noms').click();
    await expect(page.getByRole('main').getByText('ada.ns.cloudflare.com')).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Copier' }).first().click();
    await tab(page, 'Zones').click();
    await page.getByRole('main').getByRole('button', { name: 'Actualiser' }).click();
    await tab(page, 'Enregistrements').click();
    const headers = bearer(owner.token);
    for (let n = 0; n < 51; n += 1) {
      const data = { type: 'A', name: `n${n}`, content: '203.0.113.1', ttl: 300 };
      const answer = await request.post(`/api/cloudflare/zones/${zone.id}/dns`, { data, headers });
      expect(answer.status(), await answer.text()).toBe(201);
    }
    await page.getByRole('button', { name: 'Historique' }).click();
    const historyEntries = page.getByRole('list', { name: 'Historique' }).getByRole('listitem');
    await expect(historyEntries).toHaveCount(50);
    // The next page starts after the last displayed entry.
    const historyRequest = page.waitForRequest(/\/history\?.*before=/);
    await page.getByRole('button', { name: 'Voir plus' }).click();
    await historyRequest;
    await expect(historyEntries).toHaveCount(52);
    await expect(page.getByRole('button', { name: 'Voir plus' })).toHaveCount(0);
    const history = page.getByRole('dialog', { name: `Historique de ${account.domain('zebre')}` });
    await history
      .getByRole('button', { name: /^Enregistrement (?:ajouté|modifié|supprimé)/ })
      .first()
      .click();
    await expect(history.getByRole('button', { name: 'Tout l’historique' })).toBeVisible();
  });

  test('the admin mode shows the zones of others to an administrator without a Cloudflare account', async ({
    ownerPage: page,
    owner,
    account,
    makePerson,
    request,
  }) => {
    account.addZone();
    const token = await openSession(request, await makePerson({}));
    const data = { email: account.email, api_key: account.key };
    const created = await request.post('/api/cloudflare/config', { data, headers: bearer(token) });
    expect(created.status(), await created.text()).toBe(201);
    await page.goto('/cloudflare?tab=zones');
    await expect(page.getByText('Cloudflare n’est pas encore relié.')).toBeVisible();

    await storeToken(page, owner.token, { user_id: owner.id, is_admin: 'true', admin_mode: '1' });
    await page.goto(`/cloudflare?q=${account.domain()}`);
    await page.getByRole('link', { name: account.domain() }).click();
    await expect(page).toHaveURL(/tab=dns/);
    await expect(tab(page, 'Enregistrements')).toBeEnabled();

    // A zone that two people can access appears once for each, with the login that Vigie uses.
    const colleagueToken = await openSession(request, await makePerson({}));
    const login = account.addLogin();
    await request.post('/api/cloudflare/config', { data: login, headers: bearer(colleagueToken) });
    await page.goto(`/cloudflare?q=${account.domain()}`);
    await page.getByRole('main').getByRole('button', { name: 'Actualiser' }).click();
    const row = page.getByRole('row').filter({ hasText: `Par ${login.email}` });
    await row.getByRole('link', { name: account.domain() }).click();
    await expect(page.getByRole('main').getByText(`Par ${login.email}`)).toBeVisible();
    await page.getByRole('button', { name: 'Ajouter un enregistrement' }).first().click();
    await page.getByLabel('Nom').fill('www');
    await page.getByLabel('Adresse IPv4').fill('203.0.113.10');
    await page.getByRole('button', { name: 'Continuer' }).click();
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(toasts(page)).toContainText('Enregistrement créé.');
    expect(account.cloudflare.ledger.findLast(({ method }) => method === 'POST')?.by).toBe(login.email);
  });

  test('records are searched and filtered through the URL, and an unsaved form needs a confirmation', async ({
    cloudflarePage: page,
    account,
  }) => {
    const domain = account.domain();
    const txt = { type: 'TXT', name: domain, content: '"v=spf1 -all"', ttl: 120 };
    const zone = account.addZone('exemple', [a(domain), a(`www.${domain}`), txt]);
    await openRecords(page, zone);
    await page.setViewportSize(phone);
    await tab(page, 'Zones').click();
    await tab(page, 'DNS').click();
    const cards = page.getByRole('list', { name: 'Enregistrements' }).getByRole('listitem');
    await page.getByLabel('Trier par').selectOption('Type');
    await page.getByRole('button', { name: 'Trier dans l’ordre décroissant' }).click();
    await expect(cards.first()).toContainText('TXT');
    await page.getByRole('button', { name: 'Trier dans l’ordre croissant' }).click();
    await expect(cards.first()).toContainText(' A');
    await expect(cards).toHaveCount(3);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(lines(page)).toHaveCount(4);
    await page.getByLabel('Filtrer par type').selectOption('TXT');
    await expect(lines(page)).toHaveCount(2);
    await expect(line(page, 'v=spf1')).toContainText('120\u00a0s');
    await expect(page).toHaveURL(/type=TXT/);
    await page.getByLabel('Rechercher un enregistrement').fill('www');
    await expect(page.getByText('Aucun enregistrement ne correspond.')).toBeVisible();
    await page.getByRole('button', { name: 'Effacer les filtres' }).click();
    await page.getByRole('button', { name: 'Modifier A www' }).click();
    await expect(page).toHaveURL(/record=/);
    await page.getByLabel('Adresse IPv4').fill('203.0.113.77');
    await page.keyboard.press('Escape');
    const leaveDialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
    await leaveDialog.getByRole('button', { name: 'Annuler' }).click();
    await expect(page.getByLabel('Adresse IPv4')).toHaveValue('203.0.113.77');
    await page.getByRole('form').getByRole('button', { name: 'Annuler' }).click();
    await leaveDialog.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
    await expect(page.getByRole('form')).toHaveCount(0);

    await test.step('a record has a text and a comment, and deleting one that has changed needs a second confirmation', async () => {
      await page.getByRole('main').getByRole('button', { name: 'Actualiser' }).click();
      await page.getByRole('button', { name: 'Ajouter un enregistrement' }).first().click();
      const form = page.getByRole('form', { name: 'Nouvel enregistrement' });
      await form.getByLabel('Type').selectOption('TXT');
      await form.getByLabel('Nom').fill('note');
      await form.getByLabel('Texte').fill('bonjour');
      await form.getByLabel('Commentaire').fill('pour essayer');
      await form.getByRole('button', { name: 'Continuer' }).click();
      await page
        .getByRole('region', { name: 'Ce qui va changer' })
        .getByRole('button', { name: 'Enregistrer' })
        .click();
      await expect(line(page, 'bonjour')).toBeVisible();
      await page.getByRole('button', { name: 'Supprimer A @' }).click();
      // The dialog shows the record before it is changed at Cloudflare.
      const deleteDialog = page.getByRole('dialog', { name: 'Supprimer A @\u202f?' });
      await expect(deleteDialog).toContainText('203.0.113.10');
      const changedRecord = account.storedRecords(zone).records.find(({ type }) => type === 'A');
      Object.assign(changedRecord ?? {}, { content: '203.0.113.99', modified_on: new Date().toISOString() });
      await deleteDialog.getByRole('button', { name: 'Supprimer', exact: true }).click();
      const changedDialog = page.getByRole('dialog', { name: 'A @ a changé entre-temps' });
      await expect(changedDialog).toContainText('203.0.113.99');
      await expectNoDialogFaults(changedDialog);
      await changedDialog.getByRole('button', { name: 'Supprimer quand même' }).click();
      await expect(lines(page)).toHaveCount(4);
    });
  });

  test('changes made at Cloudflare meanwhile are compared again before anything is sent', async ({
    cloudflarePage: page,
    account,
  }) => {
    const zone = account.addZone('exemple', [a('www'), a('blog', '203.0.113.11')]);
    const storedZone = account.storedRecords(zone);
    const [www] = storedZone.records;
    const zoneChangedText = 'Cette zone a changé depuis que vous l’avez vue.';
    await openRecords(page, zone);
    await page.getByLabel('Sélectionner tous les enregistrements affichés').check();
    await page.getByRole('button', { name: 'Modifier…' }).click();
    const bulkDialog = page.getByRole('dialog', { name: 'Modifier 2\u00a0enregistrements' });
    await bulkDialog.getByLabel('TTL').selectOption('300');
    await expect(bulkDialog.getByText('www A 203.0.113.10')).toBeVisible();
    storedZone.patch(www?.id ?? '', { content: '198.51.100.7' });
    await bulkDialog.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(bulkDialog.getByRole('alert').filter({ hasText: zoneChangedText })).toBeVisible();
    await expect(bulkDialog.getByText('www A 198.51.100.7')).toBeVisible();
    expect(storedZone.records.map(({ ttl }) => ttl)).toEqual([3600, 3600]);
    await bulkDialog.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(bulkDialog).toHaveCount(0);
    expect(storedZone.records.map(({ content, ttl }) => `${content} ${ttl}`)).toEqual([
      '198.51.100.7 300',
      '203.0.113.11 300',
    ]);

    await page.getByRole('button', { name: 'Importer un fichier de zone' }).click();
    const importDialog = page.getByRole('dialog', { name: /^Importer dans/ });
    await importDialog.getByLabel('Fichier de zone (format BIND)').fill('blog 300 IN A 203.0.113.20\n');
    await importDialog.getByLabel('Enregistrements qui ne sont pas dans le fichier').selectOption('replace');
    await importDialog.getByRole('button', { name: 'Voir les différences' }).click();
    await expect(importDialog.getByText('Supprimé')).toHaveCount(2);
    storedZone.create({ type: 'A', name: 'ailleurs', content: '203.0.113.3' });
    await importDialog.getByRole('button', { name: 'Importer' }).click();
    await expect(importDialog.getByRole('alert').filter({ hasText: zoneChangedText })).toBeVisible();
    await expect(importDialog.getByText('Supprimé')).toHaveCount(3);
    await importDialog.getByRole('button', { name: 'Importer' }).click();
    await expect(importDialog).toHaveCount(0);
    expect(storedZone.records.map(({ content }) => content)).toEqual(['203.0.113.20']);
  });

  test('a zone is exported, a zone file is imported after its differences, and mail problems are listed', async ({
    cloudflarePage: page,
    account,
  }) => {
    const domain = account.domain();
    const spf = (content: string) => ({ type: 'TXT', name: domain, content: `"${content}"`, ttl: 300 });
    const mx = { type: 'MX', name: domain, content: `mx.${domain}`, priority: 10, ttl: 300 };
    const records = [a(domain), mx, spf('v=spf1 mx -all'), spf('v=spf1 a -all')];
    const zone = account.addZone('exemple', records);
    await openRecords(page, zone);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Exporter la zone' }).click();
    expect((await download).suggestedFilename()).toContain(domain);

    await page.getByRole('button', { name: 'Importer un fichier de zone' }).click();
    const importDialog = page.getByRole('dialog', { name: `Importer dans ${domain}` });
    await importDialog.getByRole('button', { name: 'Voir les différences' }).click();
    await expect(importDialog.getByText('Choisissez un fichier de zone, ou collez son contenu.')).toBeVisible();
    const content = 'blog 300 IN A 203.0.113.20\nrien IN WKS x\n';
    const chooserClosed = page.waitForEvent('filechooser').then((chooser) => chooser.setFiles([]));
    await Promise.all([
      chooserClosed,
      importDialog.getByRole('button', { name: 'Choisir un fichier de zone' }).click(),
    ]);
    await importDialog.getByLabel('Enregistrements qui ne sont pas dans le fichier').selectOption('replace');
    await importDialog.getByLabel('Fichier de zone (format BIND)').fill('$INCLUDE autre');
    await importDialog.getByRole('button', { name: 'Voir les différences' }).click();
    await expect(importDialog).toContainText('4\u00a0enregistrements absents du fichier sont gardés');
    await expect(importDialog.getByText('Rien ne changerait.')).toBeVisible();
    // The text is kept for correction, and Escape closes only the confirmation dialog.
    await importDialog.getByRole('button', { name: 'Modifier le fichier' }).click();
    await expect(importDialog.getByRole('textbox')).toHaveValue('$INCLUDE autre');
    await page.keyboard.press('Escape');
    const closeDialog = page.getByRole('dialog', { name: 'Fermer sans importer\u202f?' });
    await expect(closeDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await expectNoDialogFaults(closeDialog);
    await page.keyboard.press('Escape');
    await expect(closeDialog).toBeHidden();
    await expect(importDialog.getByRole('textbox')).toBeFocused();
    await importDialog.getByRole('button', { name: 'Annuler' }).click();
    await closeDialog.getByRole('button', { name: 'Fermer sans importer' }).click();
    await expect(importDialog).toBeHidden();
    await page.getByRole('button', { name: 'Importer un fichier de zone' }).click();
    await importDialog.getByLabel('Enregistrements qui ne sont pas dans le fichier').selectOption('add');
    const input = importDialog.getByLabel('Fichier de zone', { exact: true });
    const file = { name: 'zone.txt', mimeType: 'text/plain', buffer: Buffer.from(content) };
    await page.evaluate(() => {
      File.prototype.text = () => Promise.reject(new DOMException('moved', 'NotReadableError'));
    });
    await input.setInputFiles(file);
    await expect(importDialog.getByText('Ce fichier n’a pas pu être lu.')).toBeVisible();
    await page.evaluate(() => Reflect.deleteProperty(File.prototype, 'text'));
    await input.setInputFiles(file);
    await expect(importDialog.getByRole('textbox')).toHaveValue(content);
    await expect(importDialog.getByText('Ce fichier n’a pas pu être lu.')).toHaveCount(0);
    await expect(input).toHaveValue('');
    await importDialog.getByRole('button', { name: 'Voir les différences' }).click();
    await expect(importDialog).toContainText('blog A 203.0.113.20');
    await expect(importDialog).toContainText('Ligne 2');
    await expectNoDialogFaults(importDialog);
    expect(account.storedRecords(zone).records).toHaveLength(4);
    await importDialog.getByRole('button', { name: 'Importer' }).click();
    await expect(line(page, '203.0.113.20')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Importer un fichier de zone' })).toBeFocused();

    await page.getByRole('button', { name: 'Vérifier la zone' }).click();
    const checkDialog = page.getByRole('dialog', { name: `Vérification d’${domain}` });
    await expect(checkDialog.getByRole('list', { name: 'Constats' })).toContainText(/SPF/);
    await expect(checkDialog.getByRole('list', { name: 'Constats' })).toContainText(/DMARC/);
    await expectNoDialogFaults(checkDialog);
    await checkDialog.getByRole('button', { name: 'Vérifier de nouveau' }).click();
    await checkDialog.getByRole('button', { name: 'Voir l’enregistrement' }).first().click();
    await expect(page.getByRole('form')).toBeVisible();
  });

  definePaletteStories();
}
