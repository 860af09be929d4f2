import { randomInt } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { hostPassword } from '@vigie/testing/sshd';
import { expectNoAxeFaults, expectNoDialogFaults } from './axe';
import { fillLogin, recordApiCalls } from './fixtures';
import { makeSite, test as base } from './machines';
import { openFromMenu } from './menu';
import { bearer, logIn, type Person } from './people';
import { chooseInSiteMenu, siteTab } from './site-tabs';
import { desktop, expectNoOverflow, phone } from './sizes';
import { panel, rows, run, state } from './terminals';

type Role = 'viewer' | 'operator' | 'manager';
type Target = { site_id: string } | { group_id: string };

/** Shares a site or group of the owner with a person. */
const test = base.extend<{ share: (target: Target, person: Person, role: Role) => Promise<void> }>({
  share: async ({ owner, request }, use) => {
    await use(async (target, { id }, role) => {
      const data = { ...target, user_id: id, role };
      const answer = await request.post('/api/grants', { data, headers: bearer(owner.token) });
      expect(answer.status(), await answer.text()).toBe(201);
    });
  },
});

const main = (page: Page) => page.getByRole('main');
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
/** What only a stronger role than that of a viewer allows. */
const actions =
  /^(?:Sauvegarder|Mettre |Site cassé|Console|Plus|Tester|Créer|Installer|Importer|Restaurer|Modifier|Supprimer|Actualiser$)/;
const expectNoActions = async (part: Locator) => {
  for (const role of ['button', 'link'] as const) {
    await expect(part.getByRole(role, { name: actions })).toHaveCount(0);
  }
};

test('a client without sites is told whom to ask, then begins with the shared site and may only look at it', async ({
  page,
  owner,
  person,
  share,
}) => {
  await page.goto('/login');
  await fillLogin(page, person.email, person.password);
  await expect(page).toHaveURL('/sites');
  await expect(page.getByText('Aucun site n’est partagé avec vous pour l’instant.')).toBeVisible();
  await expect(page.getByText('Demandez à la personne qui vous a invité.')).toBeVisible();
  await expect(main(page).getByRole('button', { name: 'Nouveau site' }).first()).toBeVisible();
  await expectNoAxeFaults(page, 'no shared sites');

  const id = await makeSite(page, owner, 'Vitrine');
  await share({ site_id: id }, person, 'viewer');
  await openFromMenu(page, 'Dashboard');
  await openFromMenu(page, 'Sites');
  await expect(row(page, 'Vitrine')).toContainText('Partagé par Camille Essai');
  await expectNoActions(row(page, 'Vitrine'));
  const calls = recordApiCalls(page);
  await row(page, 'Vitrine').getByRole('checkbox').check();
  const bar = page.getByRole('toolbar', { name: 'Sélection' });
  await expect(bar.getByRole('button', { name: 'Exporter en CSV' })).toBeVisible();
  await expect(bar.getByRole('button', { name: /^(?:Mettre|Sauvegarder|Tester|Plus)/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await main(page).getByRole('button', { name: 'Plus', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Exporter en CSV' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tester tout' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await test.step('the page of the site has neither the actions nor the connection', async () => {
    await row(page, 'Vitrine').getByRole('link', { name: 'Vitrine', exact: true }).click();
    await expect(heading(page, 'Vitrine')).toBeVisible();
    await expect(main(page).getByText('Partagé par Camille Essai')).toBeVisible();
    await expect(main(page).getByRole('link', { name: 'wp-admin' })).toBeVisible();
    await expect(siteTab(page, 'Sauvegardes')).toBeVisible();
    await expect(siteTab(page, 'DNS')).toHaveCount(0);
    await expect(main(page).getByText('Serveur', { exact: true })).toHaveCount(0);
    await expectNoActions(main(page));
    await expectNoAxeFaults(page, 'a shared site');
    await siteTab(page, 'Sauvegardes').click();
    await expect(main(page).getByRole('heading', { name: 'Sauvegardes' })).toBeVisible();
    await expectNoActions(main(page));
    await page.setViewportSize(phone);
    await expectNoOverflow(page);
    await page.goto(`/sites/${id}/dns?edit=true&repairs=true`);
    await expect(heading(page, 'Vitrine')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectNoActions(main(page));
  });

  await test.step('nothing is asked that the server would refuse, and the dashboard has no first steps', async () => {
    await page.setViewportSize(desktop);
    await openFromMenu(page, 'Dashboard');
    await expect(page.getByRole('region', { name: 'À traiter' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Vue d’ensemble' })).toBeVisible();
    await expect(page.getByRole('region', { name: /Premiers pas|serveurs/i })).toHaveCount(0);
    const answers = await Promise.all(calls.map(async (call) => [call.url(), (await call.response())?.status()]));
    expect(answers.filter(([, status]) => status === 403)).toEqual([]);
  });
});

test('an operator works on a shared site without editing it, and a manager edits its name and groups', async ({
  page,
  owner,
  person,
  request,
  share,
  startHost,
}) => {
  const headers = bearer(owner.token);
  const created = await request.post('/api/groups', { data: { name: 'Clients' }, headers });
  const { id: groupId }: { id: string } = await created.json();
  // No site of another story is on this host.
  const address = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const { home, port } = await startHost({ settings: [`ListenAddress ${address}`] });
  const ssh = { host: address, port, user: 'sh', wp_path: home, auth: { password: hostPassword } };
  const connection = { method: 'ssh', ssh };
  const id = await makeSite(page, owner, 'Boutique', { groups: [groupId], connection });
  await share({ site_id: id }, person, 'operator');
  await logIn(page, person);
  await page.goto(`/sites/${id}`);
  await expect(main(page).getByRole('button', { name: 'Sauvegarder' })).toBeVisible();
  await expect(main(page).getByRole('button', { name: 'Mettre WordPress à jour' })).toBeVisible();
  await expect(main(page).getByRole('button', { name: 'Tester la connexion' })).toBeVisible();
  await expect(siteTab(page, 'DNS')).toHaveCount(0);
  await page.getByRole('button', { name: 'Plus', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Actualiser' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(?:Modifier|Supprimer)$/ })).toHaveCount(0);
  await siteTab(page, 'Sauvegardes').click();
  await expect(main(page).getByRole('button', { name: 'Créer une sauvegarde' })).toBeVisible();

  await test.step('the console of the site opens until its host has another site', async () => {
    const consoleLink = main(page).getByRole('link', { name: 'Console', exact: true });
    await consoleLink.click();
    await expect(state(page, 'Connecté')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/sites/${id}/console\\?console=`));
    await page.getByRole('button', { name: 'Revenir au site' }).click();
    await consoleLink.click();
    await run(page, 'A=$((40+2)); pwd');
    await expect(rows(page)).toContainText(home);
    await expect(panel(page)).not.toContainText(address);
    await share({ group_id: groupId }, person, 'manager');
    await page.reload();
    await expect(state(page, 'Connecté')).toBeVisible();
    await run(page, 'echo "toujours $A"');
    await expect(rows(page)).toContainText('toujours 42');
    await makeSite(page, owner, 'Voisin', { connection });
    await expect(panel(page).getByRole('strong')).toContainText('ne vous est plus ouverte');
    await page.getByRole('link', { name: 'Voir le site' }).click();
    await expect(heading(page, 'Boutique')).toBeVisible();
    await expect(consoleLink).toHaveCount(0);
  });

  await chooseInSiteMenu(page, 'Modifier');
  const form = page.getByRole('dialog', { name: 'Modifier Boutique' });
  await expect(form.getByRole('textbox')).toHaveCount(1);
  await expect(form.getByRole('checkbox', { name: 'Clients' })).toBeChecked();
  await expect(form.getByText(/SSH|URL|Accès|Serveur/)).toHaveCount(0);
  await expectNoDialogFaults(form);
  await form.getByLabel('Nom').fill('Épicerie');
  const sent = page.waitForRequest((call) => call.method() === 'PUT');
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  expect((await sent).postDataJSON()).toEqual({ name: 'Épicerie' });
  await expect(heading(page, 'Épicerie')).toBeVisible();

  await test.step('a manager renames a shared group, and cannot move it', async () => {
    await openFromMenu(page, 'Groupes');
    await expect(row(page, 'Clients')).toContainText('Partagé par Camille Essai');
    await page.getByRole('button', { name: 'Modifier Clients' }).click();
    const dialog = page.getByRole('dialog', { name: 'Modifier le groupe' });
    await expect(dialog.getByLabel('Groupe parent')).toHaveCount(0);
    await dialog.getByLabel('Nom').fill('Agence');
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(row(page, 'Agence')).toBeVisible();
  });
});
