import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { recordApiCalls } from './fixtures';
import { bearer } from './people';
import { siteTab } from './site-tabs';
import { defineZoneDetailStories } from './zone-details';
import { aRecord as a, line, lines, openRecords, searchAmongMany, tab, test, toasts } from './zones';

// Only one fake Cloudflare can listen on the port that the product uses.
test.describe.configure({ mode: 'default' });

const recordWrites = (page: Page) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => ['PUT', 'DELETE'].includes(call.method()));
};

test('credentials are tested, saved, hidden, changed and deleted', async ({ ownerPage: page, account }) => {
  account.addZone();
  await page.goto('/cloudflare?tab=zones');
  await expect(page.getByText('Cloudflare n’est pas encore relié.')).toBeVisible();
  await expect(tab(page, 'Enregistrements')).toBeDisabled();
  await page.getByRole('button', { name: 'Relier Cloudflare' }).click();
  await page.getByRole('radio', { name: 'Email et clé API' }).check();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Renseignez votre email et votre clé API Cloudflare.')).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused();

  await page.getByLabel('Email', { exact: true }).fill(account.email);
  await page.getByRole('textbox', { name: 'Clé API' }).fill('une-autre-cle');
  await page.getByRole('button', { name: 'Tester' }).click();
  await expect(page.getByRole('main')).toContainText('Credentials Cloudflare invalides');
  await page.getByRole('textbox', { name: 'Clé API' }).fill('encore-une-autre');
  await expect(page.getByRole('main')).not.toContainText('Credentials Cloudflare invalides');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Credentials Cloudflare invalides');

  await page.getByRole('textbox', { name: 'Clé API' }).fill(account.key);
  await page.getByRole('textbox', { name: 'Notes' }).fill('Compte de l’agence');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(toasts(page)).toContainText('Configuration enregistrée.');
  await expect(page).toHaveURL(/tab=zones/);
  await expect(page.getByRole('link', { name: account.domain() })).toBeVisible();

  await tab(page, 'Configuration').click();
  await expect(page.getByRole('main')).toContainText('Compte de l’agence');
  await expect(page.getByText('Accordée')).toHaveCount(4);
  await page.getByRole('button', { name: 'Tester' }).click();
  await expect(page.getByText('Cloudflare accepte ces accès.')).toBeVisible();
  await page.getByRole('button', { name: 'Modifier' }).click();
  await expect(page.getByRole('textbox', { name: 'Clé API' })).toHaveValue('');
  await expect(page.locator('[data-config]')).toBeFocused();
  await page.getByRole('textbox', { name: 'Notes' }).fill('À garder');
  await page.getByRole('button', { name: 'Annuler' }).click();
  await expect(page.getByRole('main')).toContainText('Compte de l’agence');

  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByRole('radio', { name: 'Jeton d’API (conseillé)' }).check();
  await page.getByRole('textbox', { name: 'Jeton d’API' }).fill(account.token);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByRole('main').getByText('Enregistré, jamais affiché')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(account.token);

  await page.getByRole('button', { name: 'Supprimer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Supprimer la configuration Cloudflare\u202f?' });
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expect(dialog).toContainText('Vigie oublie 1\u00a0zone. Aucun historique n’est perdu.');
  await expectNoDialogFaults(dialog);
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(page.getByRole('heading', { name: 'Relier Cloudflare' })).toBeVisible();
});

test('zones are listed with their status, searched, and created with their name servers', async ({
  cloudflarePage: page,
  account,
}) => {
  account.addZone('alpes');
  account.addZone('zebre', [], 'pending');
  Object.assign(account.addZone('midi'), { paused: true });
  await page.goto('/cloudflare');
  const names = page.getByRole('table').getByRole('rowheader');
  await expect(names).toHaveText([account.domain('alpes'), account.domain('midi'), account.domain('zebre')]);
  const statuses = page.getByRole('table').getByText(/^(?:Actif|En pause|En attente)$/);
  await expect(statuses).toHaveText(['Actif', 'En pause', 'En attente']);
  await page.getByRole('button', { name: 'Zone', exact: true }).click();
  await expect(names.first()).toHaveText(account.domain('zebre'));
  await page.keyboard.press('/');
  await page.keyboard.type('MIDI');
  await expect(names).toHaveText([account.domain('midi')]);
  await expect(page).toHaveURL(/q=MIDI/);
  await page.getByLabel('Rechercher une zone').fill('rien-de-tel');
  await expect(page.getByText('Aucune zone ne correspond.')).toBeVisible();
  await page.getByRole('button', { name: 'Effacer la recherche' }).click();
  account.addZone('dehors');
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await expect(names).toContainText([account.domain('dehors')]);

  await page.getByRole('button', { name: `Serveurs de noms de ${account.domain('zebre')}` }).click();
  const panel = page.getByRole('dialog', { name: `Serveurs de noms de ${account.domain('zebre')}` });
  await expect(panel).toContainText('ada.ns.cloudflare.com');
  await expect(panel).toContainText('À remplacer');
  await expectNoDialogFaults(panel);
  await panel.getByRole('button', { name: 'Copier' }).first().click();
  await panel.getByRole('button', { name: 'Fermer' }).click();

  await page.getByRole('button', { name: 'Nouvelle zone' }).click();
  const form = page.getByRole('dialog', { name: 'Nouvelle zone' });
  for (const invalidName of ['', 'exemple', 'https://exemple.fr', '-a.fr']) {
    await form.getByLabel('Nom de domaine').fill(invalidName);
    await form.getByRole('button', { name: 'Créer la zone' }).click();
    await expect(form.getByText('Veuillez entrer un nom de domaine valide')).toBeVisible();
  }
  await expectNoDialogFaults(form);
  await form.getByLabel('Nom de domaine').fill(account.domain('alpes'));
  await form.getByRole('button', { name: 'Créer la zone' }).click();
  await expect(form.getByRole('alert')).not.toBeEmpty();
  await form.getByLabel('Nom de domaine').fill(account.domain('neuf').toUpperCase());
  await form.getByRole('button', { name: 'Créer la zone' }).click();
  const createdDialog = page.getByRole('dialog', { name: `${account.domain('neuf')}\u00a0: il reste une étape` });
  await expect(createdDialog).toContainText('bob.ns.cloudflare.com');
  await expectNoDialogFaults(createdDialog);
  await createdDialog.getByRole('button', { name: 'Copier' }).first().click();
  await createdDialog.getByRole('button', { name: 'Voir les enregistrements' }).click();
  await expect(page.getByText('Cette zone n’a aucun enregistrement.')).toBeVisible();
  await expect(tab(page, 'Enregistrements')).toHaveAttribute('aria-selected', 'true');
});

test('a record is created, changed and deleted, each time after its differences are displayed', async ({
  cloudflarePage: page,
  account,
}) => {
  const domain = account.domain();
  const zone = account.addZone('exemple', [a(domain)]);
  await openRecords(page, zone);
  const listWrites = recordWrites(page);
  await page.getByRole('button', { name: 'Ajouter un enregistrement' }).first().click();
  const form = page.getByRole('form', { name: 'Nouvel enregistrement' });
  await form.getByRole('button', { name: 'Continuer' }).click();
  await expect(form.getByText('Renseignez un nom et un contenu.')).toHaveCount(2);
  await expect(form.getByLabel('Nom')).toBeFocused();
  await form.getByLabel('Nom').fill('mail');
  await form.getByLabel('Type').selectOption('MX');
  await form.getByLabel('Priorité').fill('70000');
  await form.getByLabel('Serveur de courrier').fill(`mx.${domain}`);
  await form.getByRole('button', { name: 'Continuer' }).click();
  await expect(form.getByText('La priorité est un nombre de 0 à 65535.')).toBeVisible();
  await form.getByLabel('Type').selectOption('A');
  await expect(form.getByLabel('Priorité')).toHaveCount(0);
  await form.getByLabel('Adresse IPv4').fill('203.0.113.20');
  await expect(form.getByLabel('TTL')).toHaveValue('3600');
  await form.getByRole('checkbox', { name: 'Passer par le proxy de Cloudflare' }).check();
  await expect(form.getByLabel('TTL')).toBeDisabled();
  await form.getByRole('button', { name: 'Continuer' }).click();
  const differencePanel = page.getByRole('region', { name: 'Ce qui va changer' });
  await expect(differencePanel).toContainText('mail A 203.0.113.20');
  expect(account.storedRecords(zone).records).toHaveLength(1);
  await differencePanel.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(toasts(page)).toContainText('Enregistrement créé.');
  await expect(line(page, '203.0.113.20')).toContainText('Par Cloudflare');
  await expect(line(page, '203.0.113.20')).toContainText('Auto');

  await page.getByRole('button', { name: 'Modifier A mail' }).click();
  const editForm = page.getByRole('form', { name: 'Modifier mail' });
  const address = editForm.getByLabel('Adresse IPv4');
  await expect(address).toBeFocused();
  // A narrow window shows cards instead of the table, and must keep the open form and its text.
  const { width = 1280, height = 720 } = page.viewportSize() ?? {};
  await address.fill('203.0.113.2');
  await page.setViewportSize({ width: 820, height });
  await expect(page.getByRole('table', { name: 'Enregistrements' })).toBeHidden();
  await expect(address).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.insertText('0');
  await page.setViewportSize({ width, height });
  await expect(page.getByRole('table', { name: 'Enregistrements' })).toBeVisible();
  await expect(address).toHaveValue('203.0.113.20');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Modifier A mail' }).click();
  await editForm.getByRole('checkbox', { name: 'Passer par le proxy de Cloudflare' }).uncheck();
  await editForm.getByLabel('TTL').selectOption('300');
  await editForm.getByRole('button', { name: 'Continuer' }).click();
  await expect(differencePanel).toContainText('Auto → 5\u00a0min');
  await expect(differencePanel).toContainText('Par Cloudflare → DNS seulement');
  expect(listWrites()).toEqual([]);
  await differencePanel.getByRole('button', { name: 'Revenir' }).click();
  await editForm.getByRole('button', { name: 'Continuer' }).click();
  await differencePanel.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(toasts(page)).toContainText('Enregistrement modifié.');
  await expect(line(page, '203.0.113.20')).toContainText('5\u00a0min');
  await expect(page.getByRole('button', { name: 'Modifier A mail' })).toBeFocused();

  await page.getByRole('button', { name: 'Supprimer A mail' }).click();
  const dialog = page.getByRole('dialog', { name: 'Supprimer A mail\u202f?' });
  await expect(dialog).toContainText('mail A 203.0.113.20');
  await expectNoDialogFaults(dialog);
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(toasts(page)).toContainText('Enregistrement supprimé.');
  await expect(line(page, '203.0.113.20')).toHaveCount(0);
  await expect(line(page, '203.0.113.10').getByRole('rowheader')).toHaveText('@');
});

test('a record changed at Cloudflare is not overwritten silently, and the drift is reported until dismissed', async ({
  cloudflarePage: page,
  account,
}) => {
  const domain = account.domain();
  const zone = account.addZone('exemple', [a(`www.${domain}`)]);
  const [www] = account.storedRecords(zone).records;
  await openRecords(page, zone);
  const driftNotice = page.getByText('Cette zone a été modifiée hors de Vigie');
  const editAddress = async (content: string) => {
    await page.getByRole('button', { name: 'Modifier A www' }).click();
    await page.getByLabel('Adresse IPv4').fill(content);
    await page.getByRole('button', { name: 'Continuer' }).click();
    await expect(page.getByRole('region', { name: 'Ce qui va changer' })).toBeVisible();
  };
  await editAddress('203.0.113.30');
  account.storedRecords(zone).patch(www?.id ?? '', { content: '198.51.100.7' });
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  const conflict = page.getByRole('region', { name: 'Versions différentes' });
  await expect(conflict).toContainText('203.0.113.10');
  await expect(conflict).toContainText('198.51.100.7');
  await expect(conflict).toContainText('203.0.113.30');
  expect(account.storedRecords(zone).records[0]?.content).toBe('198.51.100.7');
  // The notice moves the page down, so the story waits for it before it clicks the button.
  await expect(driftNotice).toBeVisible();
  await conflict.getByRole('button', { name: 'Reprendre la version actuelle' }).click();
  await expect(page.getByLabel('Adresse IPv4')).toHaveValue('198.51.100.7');
  await page.getByRole('form').getByRole('button', { name: 'Annuler' }).click();

  await page.getByRole('button', { name: 'Voir les changements' }).click();
  const history = page.getByRole('dialog', { name: `Historique d’${domain}` });
  await expect(history).toContainText('203.0.113.10 → 198.51.100.7');
  await history.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('button', { name: 'Ne plus signaler' }).click();
  await expect(driftNotice).toHaveCount(0);

  await editAddress('203.0.113.30');
  account.storedRecords(zone).patch(www?.id ?? '', { content: '198.51.100.8' });
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(driftNotice).toBeVisible();
  await conflict.getByRole('button', { name: 'Remplacer par la mienne…' }).click();
  await expect(page.getByRole('region', { name: 'Ce qui va changer' })).toContainText('198.51.100.8 → 203.0.113.30');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(toasts(page)).toContainText('Enregistrement modifié.');
  expect(account.storedRecords(zone).records[0]?.content).toBe('203.0.113.30');

  await editAddress('203.0.113.40');
  account.storedRecords(zone).delete(www?.id ?? '');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(conflict.getByRole('region', { name: 'La version actuelle chez Cloudflare' })).toContainText('Supprimé');
  await conflict.getByRole('button', { name: 'Recréer l’enregistrement…' }).click();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(toasts(page)).toContainText('Enregistrement créé.');
  expect(account.storedRecords(zone).records.map(({ content }) => content)).toEqual(['203.0.113.40']);
});

test('sites are linked to the suggested zones, and an unlinked site can be linked again', async ({
  cloudflarePage: page,
  account,
  owner,
  request,
}) => {
  const domain = account.domain();
  const zone = account.addZone('exemple', [a(domain), a(`blog.${domain}`, '198.51.100.9')]);
  account.addZone('autre');
  const headers = bearer(owner.token);
  const auth = { password: 'secret' };
  const server = { name: 'web-03', host: '203.0.113.10', port: 22, user: 'root', auth };
  const { id: serverId }: { id: string } = await (await request.post('/api/servers', { data: server, headers })).json();
  const ssh = { server_id: serverId, wp_path: '/var/www/html' };
  const createSite = async (name: string, url: string) => {
    const data = { name, url, connection: { method: 'ssh', ssh } };
    expect((await request.post('/api/sites', { data, headers })).status()).toBe(201);
  };
  await createSite('Atelier', `https://www.${domain}`);
  await createSite('Comptoir', 'https://ailleurs.example.net');
  await page.goto('/cloudflare?tab=mapping');
  await expect(page.getByText('Aucun site n’est lié à une zone.')).toBeVisible();
  const calls = recordApiCalls(page);
  const form = page.getByRole('region', { name: 'Lier un site à une zone' });
  await form.getByRole('button', { name: 'Lier' }).click();
  await expect(form.getByText('À choisir.')).toHaveCount(2);
  expect(calls.filter((call) => call.method() === 'POST')).toEqual([]);
  await page.getByRole('button', { name: `Lier Atelier à ${domain}` }).click();
  await expect(toasts(page)).toContainText(`Atelier est lié à ${domain}.`);
  const linkedSites = page.getByRole('list', { name: 'Sites liés' });
  await expect(linkedSites).toContainText('Atelier');
  await expect(form.getByLabel('Site').getByRole('option')).toHaveText([/Choisir/, /Comptoir/]);
  await expect(form.getByLabel('Zone').getByRole('option')).toHaveText([/Choisir/, account.domain('autre')]);

  await linkedSites.getByRole('link', { name: domain }).click();
  await expect(line(page, '203.0.113.10')).toContainText('pointe vers le serveur web-03');
  await expect(line(page, '198.51.100.9')).not.toContainText('pointe vers');
  await page.getByRole('main').getByRole('link', { name: 'Atelier' }).click();
  await expect(page).toHaveURL(/\/sites\//);
  await siteTab(page, 'DNS').click();
  const records = page.getByRole('list', { name: `Enregistrements de www.${domain}` }).getByRole('listitem');
  await expect(records).toHaveCount(1);
  await expect(records).toContainText('pointe vers le serveur web-03');
  await page.getByRole('link', { name: 'Ouvrir la zone' }).click();
  await expect(line(page, '203.0.113.10')).toBeVisible();

  await tab(page, 'Sites liés').click();
  await page.getByRole('button', { name: `Délier Atelier de ${domain}` }).click();
  // The focus keeps the toast from disappearing.
  const undoButton = toasts(page).getByRole('button', { name: 'Annuler' });
  await undoButton.focus();
  await expect(page.getByText('Aucun site n’est lié à une zone.')).toBeVisible();
  await undoButton.press('Enter');
  await expect(linkedSites).toContainText('Atelier');
  await searchAmongMany(page, { site: 'comptoir', zone: account.domain('autre'), link: 'Comptoir' });
  await form.getByLabel('Site', { exact: true }).selectOption({ index: 1 });
  await form.getByLabel('Zone', { exact: true }).selectOption({ label: account.domain('autre') });
  await form.getByRole('button', { name: 'Lier' }).click();
  await expect(linkedSites).toContainText('Comptoir');
  expect(account.storedRecords(zone).records).toHaveLength(2);
});

test('many records are changed and deleted together, and the zone is reverted to an earlier state', async ({
  cloudflarePage: page,
  account,
}) => {
  const domain = account.domain();
  const mx = { type: 'MX', name: domain, content: `mx.${domain}`, priority: 10, ttl: 300 };
  const zone = account.addZone('exemple', [a(domain), a(`www.${domain}`), mx]);
  await openRecords(page, zone);
  await page.getByLabel('Sélectionner tous les enregistrements affichés').check();
  const selectionBar = page.getByRole('toolbar', { name: 'Sélection' });
  await expect(selectionBar).toContainText('3\u00a0enregistrements sélectionnés');
  await selectionBar.getByRole('button', { name: 'Modifier…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifier 3\u00a0enregistrements' });
  await expect(dialog.getByRole('button', { name: 'Enregistrer' })).toBeDisabled();
  await dialog.getByLabel('TTL').selectOption('300');
  await expect(dialog.getByRole('list', { name: 'Différences' }).getByRole('listitem')).toHaveCount(2);
  await expectNoDialogFaults(dialog);
  await dialog.getByLabel('Proxy').selectOption({ label: 'Par Cloudflare' });
  await expect(dialog.getByText('DNS seulement → Par Cloudflare')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(toasts(page)).toContainText('2\u00a0changements enregistrés.');
  await expect(page.getByRole('table').getByText('Par Cloudflare')).toHaveCount(2);

  await page.getByLabel('Sélectionner A @').check();
  await page.getByLabel('Sélectionner A www').check();
  await selectionBar.getByRole('button', { name: 'Supprimer…' }).click();
  const deleteDialog = page.getByRole('dialog', { name: 'Supprimer 2\u00a0enregistrements\u202f?' });
  await expectNoDialogFaults(deleteDialog);
  await expect(deleteDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await deleteDialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(lines(page)).toHaveCount(2);

  await page.getByRole('button', { name: 'Historique' }).click();
  const history = page.getByRole('dialog', { name: `Historique d’${domain}` });
  await expect(history.getByRole('list', { name: 'Historique' }).getByRole('listitem')).toHaveCount(3);
  await expectNoDialogFaults(history);
  await history
    .getByRole('button', { name: /^Modification groupée/ })
    .first()
    .click();
  await expect(history).toBeFocused();
  await history.getByRole('button', { name: 'Tout l’historique' }).click();
  await expect(history).toBeFocused();
  await history.getByRole('button', { name: 'Premier état lu par Vigie' }).click();
  await history.getByRole('button', { name: 'Revenir à cet état…' }).click();
  const revertDialog = page.getByRole('dialog', { name: `Revenir à un état de ${domain}` });
  await expect(revertDialog.getByText('Ajouté')).toHaveCount(2);
  await expectNoDialogFaults(revertDialog);
  // Cloudflare refuses the batch, so both records are sent one by one, and it refuses the second of them.
  const refusedWrite = { of: /POST .*dns_records$/, about: /"www\./, status: 400 };
  account.cloudflare.failures.push({ of: /dns_records\/batch$/, status: 400, next: [refusedWrite] });
  await revertDialog.getByRole('button', { name: 'Revenir à cet état' }).click();
  const failedChanges = revertDialog.getByRole('list', { name: 'Ce qui n’a pas été fait' });
  await expect(lines(page)).toHaveCount(3);
  await expect(failedChanges.getByRole('listitem')).toHaveText(/^www A 203\.0\.113\.10/);
  await revertDialog.getByRole('button', { name: 'Fermer' }).last().click();
  await history.getByRole('button', { name: 'Revenir à cet état…' }).click();
  await revertDialog.getByRole('button', { name: 'Revenir à cet état' }).click();
  await expect(toasts(page)).toContainText('1\u00a0changement enregistré.');
  await expect(lines(page)).toHaveCount(4);
  await history
    .getByRole('button', { name: /^Retour à un état antérieur/ })
    .first()
    .click();
  expect(account.storedRecords(zone).records.filter(({ ttl }) => ttl === 3600)).toHaveLength(2);
});

defineZoneDetailStories();
