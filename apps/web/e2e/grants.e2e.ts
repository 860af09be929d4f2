import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type Browser, expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { makeSite, test } from './machines';
import { openFromMenu } from './menu';
import { anEmail, bearer, logIn, type Person } from './people';
import { chooseInSiteMenu } from './site-tabs';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const names = (page: Page) => page.getByRole('table').getByRole('rowheader');
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

async function createGroup(request: APIRequestContext, token: string, name: string): Promise<string> {
  const answer = await request.post('/api/groups', { data: { name }, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id }: { id: string } = await answer.json();
  return id;
}

/** Another browser, in which this person is logged in. */
async function openAs(browser: Browser, person: Person): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await logIn(page, person);
  return page;
}

test('a group is shared with a client, who sees its sites until the access is taken away', async ({
  ownerPage: page,
  browser,
  request,
  owner,
  person,
}) => {
  const group = await createGroup(request, owner.token, 'Clients');
  await makeSite(page, owner, 'Vitrine', { groups: [group] });
  const client = await openAs(browser, person);
  await client.goto('/sites');
  await expect(client.getByText('Aucun site n’est partagé avec vous pour l’instant.')).toBeVisible();

  await page.goto('/groups');
  const opener = page.getByRole('button', { name: 'Partager Clients' });
  const form = dialog(page, 'Partager le groupe Clients');
  await page.route('**/api/grants?*', (route) => route.fulfill({ status: 409, json: { detail: '' } }));
  await opener.click();
  await expect(form.getByRole('alert').filter({ hasText: 'Impossible de charger les partages.' })).toBeVisible();
  await page.unroute('**/api/grants?*');
  await form.getByRole('button', { name: 'Réessayer' }).click();
  await expect(form.getByText('Personne d’autre que son propriétaire.')).toBeVisible();
  await form.getByRole('button', { name: 'Partager', exact: true }).click();
  await expect(form.getByText('Choisissez une personne.')).toBeVisible();
  await expect(form.getByLabel('Personne')).toBeFocused();
  await form.getByLabel('Personne').selectOption({ label: `Camille Essai (${person.email})` });
  await form.getByLabel('Rôle', { exact: true }).selectOption('Exploitation');
  await expect(form.getByText('Met à jour, sauvegarde et restaure.')).toBeVisible();
  await form.getByRole('button', { name: 'Partager', exact: true }).click();
  await expect(toasts(page)).toContainText('Clients est partagé avec Camille Essai (Exploitation).');
  await expect(form.getByRole('listitem').filter({ hasText: person.email })).toBeVisible();
  await expect(form.getByLabel('Personne')).toHaveValue('');
  await expectNoDialogFaults(form);
  await openFromMenu(client, 'Groupes');
  await expect(names(client)).toHaveText([/^Clients/]);
  await expect(client.getByRole('button', { name: 'Partager Clients' })).toHaveCount(0);

  await test.step('a role changes at once, and a failure is shown at its field', async () => {
    const role = form.getByLabel('Rôle de Camille Essai');
    await page.route('**/api/grants', (route) => route.abort());
    await role.selectOption('Gestion');
    await expect(form.getByRole('listitem').getByText('Le partage n’a pas pu être enregistré.')).toBeVisible();
    await expect(role).toHaveValue('operator');
    await page.unroute('**/api/grants');
    await role.selectOption('Gestion');
    await expect(toasts(page)).toContainText('Rôle de Camille Essai\u00a0: Gestion.');
    await expect(role).toHaveValue('manager');
    await openFromMenu(client, 'Sites');
    await expect(names(client)).toHaveText([/Vitrine/]);
    await openFromMenu(client, 'Groupes');
    await expect(client.getByRole('button', { name: 'Partager Clients' })).toBeVisible();
  });

  await test.step('a site names the group by which it is shared', async () => {
    await form.getByRole('button', { name: 'Fermer' }).last().click();
    await expect(form).toBeHidden();
    await page.getByRole('link', { name: '1\u00a0site' }).click();
    await page.getByRole('link', { name: 'Vitrine' }).first().click();
    // The list of sites, which may still be there, has a menu of the same name.
    await expect(page.getByRole('navigation', { name: 'Parties du site' })).toBeVisible();
    await chooseInSiteMenu(page, 'Partager…');
    const ofSite = dialog(page, 'Partager le site Vitrine');
    await expect(ofSite.getByRole('listitem')).toContainText(`${person.email} · par le groupe Clients`);
    await expect(ofSite.getByRole('listitem').getByRole('button')).toHaveCount(0);
    await expectNoDialogFaults(ofSite);
    await page.keyboard.press('Escape');
    await expect(ofSite).toBeHidden();
  });

  await test.step('an access that is taken away ends what the client sees', async () => {
    await openFromMenu(page, 'Groupes');
    await opener.click();
    await form.getByRole('button', { name: 'Retirer l’accès de Camille Essai' }).click();
    const question = dialog(page, 'Retirer l’accès de Camille Essai\u202f?');
    await expect(question).toContainText('Camille Essai ne verra plus le groupe Clients');
    await expect(question.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await expectNoDialogFaults(question);
    await question.getByRole('button', { name: 'Retirer l’accès' }).click();
    await expect(toasts(page)).toContainText('L’accès de Camille Essai est retiré.');
    await expect(form.getByText('Personne d’autre que son propriétaire.')).toBeVisible();
    await expect(form.getByRole('region', { name: 'Qui y a accès' })).toBeFocused();
    await openFromMenu(client, 'Sites');
    await expect(client.getByText('Aucun site n’est partagé avec vous pour l’instant.')).toBeVisible();
  });
  await client.context().close();

  await test.step('the feed says what was shared with whom', async () => {
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    await openFromMenu(page, 'Dashboard');
    const feed = page.getByRole('main');
    await expect(feed.getByText(/a partagé le groupe Clients\s+avec Camille Essai \(Exploitation\)/)).toBeVisible();
    await expect(feed.getByText(/ne partage plus le groupe Clients\s+avec Camille Essai/)).toBeVisible();
  });
});

test('a client who manages a site shares it by an exact address, and may give up the own access', async ({
  page,
  request,
  owner,
  person,
  makePerson,
}) => {
  const id = await makeSite(page, owner, 'Vitrine');
  const data = { site_id: id, user_id: person.id, role: 'manager' };
  expect((await request.post('/api/grants', { data, headers: bearer(owner.token) })).status()).toBe(201);
  const other = await makePerson({ first_name: 'Zoé' });
  await logIn(page, person);
  await page.goto(`/sites/${id}`);
  await chooseInSiteMenu(page, 'Partager…');
  const form = dialog(page, 'Partager le site Vitrine');
  const share = form.getByRole('button', { name: 'Partager', exact: true });
  await expect(form.getByLabel('Rôle de Camille Essai')).toBeDisabled();
  await share.click();
  await expect(form.getByText('Renseignez une adresse email.')).toBeVisible();
  const nobody = anEmail();
  await form.getByLabel('Adresse email').fill(nobody);
  await share.click();
  await expect(form.getByText(`Personne n’a l’adresse ${nobody} dans Vigie.`)).toBeVisible();
  await expect(form.getByLabel('Adresse email')).toBeFocused();

  await test.step('closing before sharing asks', async () => {
    await page.keyboard.press('Escape');
    const question = dialog(page, 'Fermer sans partager\u202f?');
    await expectNoDialogFaults(question);
    await question.getByRole('button', { name: 'Annuler' }).click();
  });

  await form.getByLabel('Adresse email').fill(other.email.toUpperCase());
  await share.click();
  await expect(toasts(page)).toContainText('Vitrine est partagé avec Zoé Essai (Lecture).');
  await expect(form.getByRole('listitem').filter({ hasText: other.email })).toBeVisible();
  await form.getByRole('button', { name: 'Retirer l’accès de Camille Essai' }).click();
  const question = dialog(page, 'Retirer l’accès de Camille Essai\u202f?');
  await expect(question).toContainText('Vous ne verrez plus le site Vitrine');
  await expectNoDialogFaults(question);
  await question.getByRole('button', { name: 'Retirer l’accès' }).click();
  await expect(page.getByRole('heading', { name: 'Site introuvable' })).toBeVisible();
});

test('a team is made of accounts, and a group is shared with all of them', async ({
  ownerPage: page,
  browser,
  request,
  owner,
  person,
}) => {
  const team = `Atelier ${randomUUID()}`;
  const group = await createGroup(request, owner.token, 'Clients');
  await makeSite(page, owner, 'Vitrine', { groups: [group] });
  const row = page.getByRole('row').filter({ hasText: team });
  await test.step('a team is created and edited', async () => {
    await page.goto('/admin/users');
    await page.getByRole('radio', { name: 'Équipes' }).check();
    await page.getByRole('button', { name: 'Nouvelle équipe' }).click();
    const form = dialog(page, 'Nouvelle équipe');
    await form.getByRole('button', { name: 'Créer l’équipe' }).click();
    await expect(form.getByText('Renseignez un nom.')).toBeVisible();
    await form.getByLabel('Nom', { exact: true }).fill(team);
    await form.getByRole('searchbox', { name: 'Rechercher une personne' }).fill(owner.email);
    await form.getByRole('checkbox', { name: owner.email }).check();
    await expectNoDialogFaults(form);
    await form.getByRole('button', { name: 'Créer l’équipe' }).click();
    await expect(toasts(page)).toContainText(`Équipe ${team} créée.`);
    await expect(row).toContainText('Camille Essai');
    await page.getByRole('button', { name: `Modifier ${team}` }).click();
    const edit = dialog(page, 'Modifier l’équipe');
    await edit.getByRole('searchbox', { name: 'Rechercher une personne' }).fill(person.email);
    await edit.getByRole('checkbox', { name: person.email }).check();
    await expectNoDialogFaults(edit);
    await edit.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(toasts(page)).toContainText(`Équipe ${team} enregistrée.`);
    await expect(row).toContainText('Camille Essai et Camille Essai');
  });

  await test.step('a group is shared with it', async () => {
    await openFromMenu(page, 'Groupes');
    await page.getByRole('button', { name: 'Partager Clients' }).click();
    const form = dialog(page, 'Partager le groupe Clients');
    await form.getByRole('radio', { name: 'Une équipe' }).check();
    await form.getByLabel('Équipe', { exact: true }).selectOption(team);
    await form.getByRole('button', { name: 'Partager', exact: true }).click();
    await expect(form.getByRole('listitem')).toContainText(team);
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    await expect(page.getByRole('button', { name: 'Partager Clients' })).toBeFocused();
    const client = await openAs(browser, person);
    await client.goto('/sites');
    await expect(names(client)).toHaveText([/Vitrine/]);
    await client.context().close();
  });

  await test.step('a deleted team is shared with no more', async () => {
    await page.goBack();
    await expect(page).toHaveURL('/admin/users?view=teams');
    await page.getByRole('button', { name: `Supprimer ${team}` }).click();
    const question = dialog(page, `Supprimer l’équipe ${team}\u202f?`);
    await expectNoDialogFaults(question);
    await question.getByRole('button', { name: 'Supprimer' }).click();
    await expect(toasts(page)).toContainText(`Équipe ${team} supprimée.`);
    await expect(row).toHaveCount(0);
    await openFromMenu(page, 'Groupes');
    await page.getByRole('button', { name: 'Partager Clients' }).click();
    await expect(page.getByText('Personne d’autre que son propriétaire.')).toBeVisible();
  });
});

test('a new client is offered groups and sites at once, and a refusal stops none of the others', async ({
  ownerPage: page,
  request,
  owner,
}) => {
  await createGroup(request, owner.token, 'Clients');
  await makeSite(page, owner, 'Vitrine');
  await makeSite(page, owner, 'Boutique');
  await page.goto('/admin/users?add=true');
  const account = page.getByRole('region', { name: 'Nouveau compte' });
  await account.getByLabel('Prénom').fill('Zoé');
  await account.getByLabel('Nom', { exact: true }).fill('Neuve');
  await account.getByLabel('Email').fill(anEmail());
  await account.getByLabel('Mot de passe', { exact: true }).fill(`mot de passe ${randomUUID()}`);
  const creation = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await account.getByRole('button', { name: 'Créer le compte' }).click();
  const { id }: { id: string } = await (await creation).json();
  await expect(account).toContainText('Zoé Neuve ne voit encore aucun site');
  await account.getByRole('button', { name: 'Partager des groupes ou des sites' }).click();
  const form = dialog(page, 'Partager avec Zoé Neuve');
  const share = form.getByRole('button', { name: 'Partager', exact: true });
  await share.click();
  await expect(form.getByRole('alert').filter({ hasText: 'Choisissez au moins un groupe ou un site.' })).toBeVisible();
  await form.getByRole('checkbox', { name: 'Clients' }).check();
  await form.getByRole('searchbox', { name: 'Rechercher un site' }).fill('bout');
  await expect(form.getByRole('checkbox', { name: 'Vitrine' })).toHaveCount(0);
  await form.getByRole('checkbox', { name: 'Boutique' }).check();
  await form.getByLabel('Rôle').selectOption('Gestion');
  await expectNoDialogFaults(form);
  await page.route('**/api/grants', (route) =>
    route.request().postDataJSON().site_id === undefined
      ? route.fallback()
      : route.fulfill({ status: 409, json: { detail: 'Ce site est à quelqu’un d’autre.' } }),
  );
  await share.click();
  const refusal = form.getByRole('alert').filter({ hasText: 'Boutique\u00a0: Ce site est à quelqu’un d’autre.' });
  await expect(refusal).toContainText('1\u00a0partage fait.');
  await expect(form.getByRole('checkbox', { name: 'Clients' })).not.toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'Boutique' })).toBeChecked();
  await page.unroute('**/api/grants');
  await share.click();
  await expect(toasts(page)).toContainText('1\u00a0site est partagé avec Zoé Neuve (Gestion).');
  await expect(form).toBeHidden();
  const grants = await request.get(`/api/grants?user_id=${id}`, { headers: bearer(owner.token) });
  expect(await grants.json()).toMatchObject({ total: 2 });
  await request.delete(`/api/admin/users/${id}`, { headers: bearer(owner.token) });
});
