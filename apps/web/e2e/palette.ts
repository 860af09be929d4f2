import { expect, type Page } from '@playwright/test';
import { openFromMenu } from './menu';
import { bearer } from './people';
import { tab, test } from './zones';

const field = (page: Page) => page.getByRole('combobox', { name: 'Rechercher un site' });
const option = (page: Page, section: string, name: string) =>
  page.getByRole('group', { name: section, exact: true }).getByRole('option', { name });

/** Opens the palette, types the query, moves to the option with the arrow keys and runs it. */
export async function findByKeyboard(page: Page, query: string, section: string, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(query);
  const target = option(page, section, name);
  await expect(target).toBeVisible();
  // Options move until all results have arrived.
  const palette = page.getByRole('dialog', { name: 'Rechercher ou agir' });
  await expect(palette.getByRole('status')).toContainText(/\d\srésultat/);
  const options = palette.getByRole('option');
  const ids = await options.evaluateAll((elements) => elements.map(({ id }) => id));
  const index = ids.indexOf((await target.getAttribute('id')) ?? '');
  for (let step = 0; step < index; step += 1) await page.keyboard.press('ArrowDown');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', ids[index] ?? '?');
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveCount(0);
}

/** This story needs a zone, so it runs with the DNS stories: only one fake Cloudflare can listen on its port. */
export function definePaletteStories(): void {
  test('the palette finds sites, servers, groups and zones by keyboard alone, and runs their actions', async ({
    cloudflarePage: page,
    account,
    owner,
    makeServer,
    request,
  }) => {
    const headers = bearer(owner.token);
    account.addZone('phare');
    await request.get('/api/cloudflare/zones', { headers });
    const server = await makeServer({ port: 9 }, { name: 'web-03' });
    const group = await request.post('/api/groups', { data: { name: 'Évêché' }, headers });
    expect(group.ok()).toBe(true);
    const ssh = { host: '127.0.0.1', port: 9, user: 'web' };
    const { id: groupId }: { id: string } = await group.json();
    const addSite = async (name: string, host: string): Promise<string> => {
      const url = `https://${host}.exemple.fr`;
      const data = { name, url, groups: [groupId], connection: { ssh: { ...ssh, wp_path: `/var/www/${host}` } } };
      const created = await request.post('/api/sites', { data, headers });
      const site: { id: string } = await created.json();
      return site.id;
    };
    const id = await addSite('Mairie d’Évreux', 'evreux');
    await addSite('Musée', 'musee');
    const heading = page.getByRole('heading', { level: 1 });

    await page.goto('/');
    await expect(heading).toHaveText('Tableau de bord');
    await findByKeyboard(page, 'EVREUX mai', 'Sites', 'Mairie d’Évreux');
    await expect(page).toHaveURL(`/sites/${id}`);
    await expect(heading).toHaveText('Mairie d’Évreux');
    await findByKeyboard(page, 'web-0', 'Serveurs', 'web-03');
    await expect(page).toHaveURL(`/servers/${server.id}`);
    await expect(heading).toHaveText('web-03');
    await findByKeyboard(page, 'eveche', 'Groupes', 'Évêché');
    await expect(page).toHaveURL(/\/groups\?q=/);
    await expect(page.getByRole('table').getByRole('rowheader')).toHaveText(['Évêché']);
    await findByKeyboard(page, account.domain('phare'), 'Zones DNS', account.domain('phare'));
    await expect(page).toHaveURL(/tab=dns&zone=/);
    await expect(tab(page, 'Enregistrements')).toHaveAttribute('aria-selected', 'true');

    await findByKeyboard(page, 'restaurer evreux', 'Actions', 'Restaurer… Mairie d’Évreux');
    await expect(page).toHaveURL(`/sites/${id}/backups`);
    await expect(page.getByRole('region', { name: 'Sauvegardes' })).toBeVisible();
    await openFromMenu(page, 'Groupes');
    await expect(heading).toHaveText('Groupes');
    await findByKeyboard(page, 'maj evreux', 'Actions', 'Mettre à jour… Mairie d’Évreux');
    await expect(page.getByRole('dialog', { name: 'Mettre à jour 1\u00a0site' })).toBeVisible();
    await page.keyboard.press('Escape');
    // A typing error in the name and another word order find the same.
    await findByKeyboard(page, 'evreyx sauve', 'Actions', 'Sauvegarder… Mairie d’Évreux');
    await expect(page.getByRole('dialog', { name: 'Sauvegarder 1\u00a0site' })).toBeVisible();
    await page.keyboard.press('Escape');
    await findByKeyboard(page, 'cassé evreux', 'Actions', 'Site cassé\u202f? Mairie d’Évreux');
    // The check begins at once, and the address then names it too.
    await expect(page).toHaveURL(new RegExp(`/sites/${id}\\?repairs=true`));

    await test.step('sites that are marked, and all sites of a group, are acted on together', async () => {
      await page.keyboard.press('Control+k');
      await field(page).fill('evreux');
      const site = option(page, 'Sites', 'Mairie d’Évreux');
      await expect(site).toHaveAttribute('aria-selected', 'false');
      await page.keyboard.press('Control+Enter');
      await expect(site).toHaveAttribute('aria-selected', 'true');
      await field(page).fill('musee');
      await page
        .getByRole('group', { name: 'Sites', exact: true })
        .getByRole('option', { name: 'Musée' })
        .locator('[aria-hidden]')
        .last()
        .click();
      const marked = page.getByRole('group', { name: '2\u00a0sites cochés\u00a0: Mairie d’Évreux et Musée' });
      await marked.getByRole('option', { name: 'Sauvegarder ces 2 sites…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sauvegarder 2\u00a0sites' });
      await expect(dialog.getByRole('list', { name: 'Sites concernés' }).getByRole('listitem')).toHaveCount(2);
      await page.keyboard.press('Escape');
      await findByKeyboard(page, 'tester groupe:évêché', 'Actions', 'Tester les 2 sites d’Évêché…');
      await expect(page.getByRole('dialog', { name: 'Tester 2\u00a0sites' })).toBeVisible();
      await page.keyboard.press('Escape');
    });

    await findByKeyboard(page, 'web-03', 'Actions', 'Voir les sites de web-03');
    await expect(page).toHaveURL(`/sites?server=${server.id}`);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('group', { name: 'Récents' }).getByRole('option').first()).toContainText('web-03');

    await test.step('a failing part of the search shows a message while the rest works', async () => {
      const emptyResults = { sites: [], servers: [], groups: [], plugins: [], zones: [] };
      await page.route('**/api/search?*', (route) => route.fulfill({ json: { ...emptyResults, away: ['zones'] } }));
      await field(page).fill('parametres');
      await expect(page.getByRole('status').getByText('Les zones DNS ne répondent pas')).toBeAttached();
      await page.unroute('**/api/search?*');
      await page.route('**/api/search?*', (route) => route.abort());
      await field(page).fill('uploads');
      await expect(page.getByText('La recherche ne répond pas pour l’instant.').first()).toBeVisible();
      await expect(page.getByRole('option', { name: 'Uploads' })).toBeVisible();
      await page.getByRole('dialog').getByRole('button', { name: 'Fermer' }).click();
      await expect(field(page)).toHaveCount(0);
    });
  });
}
