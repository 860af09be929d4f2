import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { deleteEverything, makeSite, test } from './machines';
import { openFromMenu } from './menu';
import { bearer, openSession } from './people';
import { chooseInSiteMenu } from './site-tabs';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const names = (page: Page) => page.getByRole('table').getByRole('rowheader');
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

test('an administrator gives sites, servers and groups to somebody else, and reads first what goes along', async ({
  ownerPage: page,
  request,
  owner,
  makeServer,
  person,
}) => {
  const headers = bearer(owner.token);
  const group = async (name: string) => {
    const answer = await request.post('/api/groups', { data: { name }, headers });
    const { id }: { id: string } = await answer.json();
    return id;
  };
  const [agency, clients] = [await group('Agence'), await group('Clients')];
  const server = await makeServer({ port: 9 }, { name: 'Nuage' });
  const onServer = (path: string) => ({ connection: { ssh: { server_id: server.id, wp_path: `/srv/${path}` } } });
  const vitrine = await makeSite(page, owner, 'Vitrine', { ...onServer('vitrine'), groups: [agency] });
  await makeSite(page, owner, 'Boutique', onServer('boutique'));
  for (const name of ['Mairie', 'École']) await makeSite(page, owner, name, { groups: [clients] });
  for (const name of ['Un', 'Deux']) await makeSite(page, owner, name);
  const newOwner = { label: `Camille Essai (${person.email})` };
  const choose = (form: ReturnType<typeof dialog>) => form.getByLabel('Nouveau propriétaire').selectOption(newOwner);

  await test.step('a site stays where its server has others', async () => {
    await page.goto(`/sites/${vitrine}`);
    await chooseInSiteMenu(page, 'Confier à…');
    const form = dialog(page, 'Confier le site Vitrine');
    await expect(form.getByLabel('Nouveau propriétaire')).toBeFocused();
    await expect(form.getByRole('button', { name: 'Confier', exact: true })).toBeDisabled();
    await choose(form);
    await expect(form.getByRole('alert')).toContainText(
      'Un serveur passe avec tous ses sites, ou pas du tout. Resteraient sur Nuage\u00a0: Boutique.',
    );
    await expect(form.getByRole('button', { name: 'Confier', exact: true })).toBeDisabled();
    await form.getByRole('button', { name: 'Réessayer' }).click();
    await expect(form.getByRole('alert')).toContainText('Boutique');
    await expectNoDialogFaults(form);
    await form.getByRole('button', { name: 'Annuler' }).click();
    await expect(form).toBeHidden();
  });

  await test.step('a server goes with its sites, and with what is chosen', async () => {
    await openFromMenu(page, 'Serveurs');
    await page.getByRole('link', { name: 'Nuage', exact: true }).click();
    await chooseInSiteMenu(page, 'Confier à…');
    const form = dialog(page, 'Confier le serveur Nuage');
    await page.route('**/api/owners/plan', async (route) => {
      const answer = await route.fetch();
      const counts = { backups: 2, uploads: 1, grants: 1, jobs: 2 };
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...counts } });
    });
    await choose(form);
    await expect(form.getByRole('listitem')).toHaveText([
      'Passera à Camille Essai\u00a0: 1\u00a0serveur (Nuage) et 2\u00a0sites (Boutique et Vitrine).',
      'Sortira de ces groupes, qui ne changent pas de main\u00a0: Agence.',
      /^Un lien avec une zone DNS est défait/,
      '1\u00a0partage reste, avec les mêmes accès.',
      '2\u00a0tâches en cours iront à leur terme.',
    ]);
    await expect(form.getByText('1\u00a0adresse est privée (127.0.0.1)')).toBeVisible();
    await form.getByLabel('Emporter aussi 2\u00a0sauvegardes stockées dans Vigie').uncheck();
    await form.getByLabel('Emporter aussi 1\u00a0archive d’extension').check();
    await expectNoDialogFaults(form);
    const sent = page.waitForRequest((each) => each.method() === 'PUT' && each.url().endsWith('/owner'));
    await form.getByRole('button', { name: 'Confier', exact: true }).click();
    expect((await sent).postDataJSON()).toMatchObject({ with_backups: false, with_uploads: true });
    await expect(toasts(page)).toContainText('Le serveur Nuage est confié à Camille Essai.');
    await expect(page.getByText('Aucun serveur pour l’instant.')).toBeVisible();
    await page.unroute('**/api/owners/plan');
  });

  await test.step('a group goes with its sites', async () => {
    await openFromMenu(page, 'Groupes');
    await page.getByRole('button', { name: 'Confier Clients' }).click();
    const form = dialog(page, 'Confier le groupe Clients');
    await choose(form);
    await expect(form.getByRole('listitem').first()).toContainText('1\u00a0groupe (Clients)');
    await expectNoDialogFaults(form);
    await form.getByRole('button', { name: 'Confier', exact: true }).click();
    await expect(toasts(page)).toContainText('Le groupe Clients est confié à Camille Essai.');
    await expect(names(page)).toHaveText([/^Agence/]);
  });

  await test.step('chosen sites go together', async () => {
    await openFromMenu(page, 'Sites');
    await expect(names(page)).toHaveText([/Deux/, /Un/]);
    await page.getByRole('checkbox', { name: 'Sélectionner tous les sites affichés' }).check();
    await page.getByRole('toolbar', { name: 'Sélection' }).getByRole('button', { name: 'Plus' }).click();
    await page.getByRole('button', { name: 'Confier à…' }).click();
    const form = dialog(page, 'Confier 2\u00a0sites');
    await choose(form);
    await form.getByRole('button', { name: 'Confier', exact: true }).click();
    await expect(toasts(page)).toContainText('2\u00a0sites sont confiés à Camille Essai.');
    await expect(page.getByText('Aucun site pour l’instant.')).toBeVisible();
  });

  await test.step('the feed says whose they are now', async () => {
    await openFromMenu(page, 'Dashboard');
    const feed = page.getByRole('main');
    await expect(feed.getByText(/a confié le serveur Nuage\s+à Camille Essai/)).toBeVisible();
    await expect(feed.getByText(/a confié le groupe Clients\s+à Camille Essai/)).toBeVisible();
    await expect(feed.getByText(/a confié le site (?:Un|Deux)\s+à Camille Essai/)).toHaveCount(2);
  });

  const token = await openSession(request, person);
  const sites: { name: string }[] = await (await request.get('/api/sites', { headers: bearer(token) })).json();
  expect(sites.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'Boutique',
    'Deux',
    'École',
    'Mairie',
    'Un',
    'Vitrine',
  ]);
  await deleteEverything(request, token);
});
