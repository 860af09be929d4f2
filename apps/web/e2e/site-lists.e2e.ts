import { expect, type Page } from '@playwright/test';
import { expectRetryAfterFailure } from './fixtures';
import { makeSite, test } from './machines';
import { bearer } from './people';
import { desktop } from './sizes';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const names = (page: Page) => page.getByRole('table').getByRole('rowheader');
const selectionBar = (page: Page) => page.getByRole('toolbar', { name: 'Sélection' });
const checkbox = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Sélectionner ${name}`, exact: true });
/** By their names, because a site that the background reads in vain would come first. */
const sitesByName = '/sites?sort=name';
async function clickMore(page: Page, action: string): Promise<void> {
  await selectionBar(page).getByRole('button', { name: 'Plus' }).click();
  await page.getByRole('region', { name: 'Plus' }).getByRole('button', { name: action }).click();
}

test('the site list can be retried, and a view keeps its filters, columns and order', async ({
  ownerPage: page,
  owner,
}) => {
  for (const name of ['Un', 'Deux', 'Trois']) await makeSite(page, owner, name);
  const group = { data: { name: 'UX Bretagne' }, headers: bearer(owner.token) };
  expect((await page.request.post('/api/groups', group)).ok()).toBe(true);
  const sentence = 'Impossible de charger les sites.';
  await expectRetryAfterFailure(page, { path: sitesByName, calls: '**/api/sites?*', sentence });
  await expect(names(page)).toHaveText([/^Deux/, /^Trois/, /^Un/]);
  const search = page.getByRole('searchbox', { name: 'Rechercher un site' });
  await page.getByRole('button', { name: 'Filtres de recherche' }).click();
  await page.getByLabel('Ajouter un filtre').selectOption('sauvegarde:jamais');
  await expect(search).toHaveValue('sauvegarde:jamais');
  // The sites have never been read, so Vigie does not know whether they have backups.
  await expect(page.getByText('Aucun site ne correspond.')).toBeVisible();
  await search.fill('serveur:127.0.0.1 http:9 deux');
  await expect(page.getByText('«\u00a0http:\u00a0» attend un code')).toBeVisible();
  await search.fill('sauvegarde:jamais serveur:127.0.0.1 deux');
  await page.getByRole('button', { name: 'Retirer le filtre sauvegarde:jamais' }).click();
  await expect(search).toHaveValue('serveur:127.0.0.1 deux');
  await expect(names(page)).toHaveText([/^Deux/]);

  await test.step('a search says what it did not understand, and what there is instead', async () => {
    await search.fill('grp:bertagne deux');
    await expect(page.getByText('Filtre inconnu «\u00a0grp:\u00a0».')).toBeVisible();
    await expect(names(page)).toHaveText([/^Deux/]);
    await page.getByRole('main').getByRole('button', { name: 'groupe', exact: true }).click();
    await expect(search).toHaveValue('groupe:bertagne deux');
    await expect(page.getByText('Aucun groupe ne contient «\u00a0bertagne\u00a0».')).toBeVisible();
    await page.getByRole('button', { name: 'UX Bretagne', exact: true }).click();
    await expect(search).toHaveValue('groupe:"UX Bretagne" deux');
    await search.fill('serveur:127.0.0.1 deux');
    await expect(names(page)).toHaveText([/^Deux/]);
  });

  const display = page.getByRole('button', { name: 'Affichage' });
  await display.click();
  const columns = page.getByRole('group', { name: 'Colonnes affichées' }).getByRole('checkbox');
  await expect(columns).not.toHaveCount(0);
  for (const column of await columns.all()) await column.uncheck();
  await columns.and(page.getByLabel('HTTP')).check();
  await columns.and(page.getByLabel('Sauvegarde')).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader')).toHaveText(['', 'Nom', 'HTTP', 'Sauvegarde', 'Actions']);
  await page.getByRole('columnheader', { name: 'Sauvegarde' }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=backup/);

  const views = page.getByRole('button', { name: /^Vue/ });
  await views.first().click();
  await page.getByRole('button', { name: 'Enregistrer cette vue…' }).click();
  const createDialog = page.getByRole('dialog', { name: 'Nouvelle vue' });
  await createDialog.getByRole('button', { name: 'Enregistrer la vue' }).click();
  await expect(createDialog.getByText('Renseignez un nom.')).toBeVisible();
  await createDialog.getByLabel('Nom de la vue').fill('Sans filet');
  await page.keyboard.press('Control+Enter');
  await expect(toasts(page)).toContainText('Vue Sans filet enregistrée.');

  await page.getByRole('button', { name: 'Retirer le filtre serveur:127.0.0.1' }).click();
  await search.fill('');
  await display.click();
  await page.getByLabel('Sites par page').selectOption('1000');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/size=1000/);
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '4');
  await expect(names(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Vues' }).click();
  await page.getByRole('button', { name: 'Sans filet', exact: true }).click();
  await expect(search).toHaveValue('serveur:127.0.0.1 deux');
  await expect(names(page)).toHaveText([/^Deux/]);
  await page.getByRole('button', { name: 'Vue\u00a0: Sans filet' }).click();
  await page.getByRole('button', { name: 'Modifier la vue Sans filet' }).click();
  const editDialog = page.getByRole('dialog', { name: 'Modifier la vue' });
  await editDialog.getByLabel('Nom de la vue').fill('À sauvegarder');
  await editDialog.getByLabel('Remplacer son contenu par ce qui est affiché').check();
  await editDialog.getByRole('button', { name: 'Enregistrer la vue' }).click();
  await page.getByRole('button', { name: 'Vue\u00a0: À sauvegarder' }).click();
  await page.getByRole('button', { name: 'Supprimer la vue À sauvegarder' }).click();
  const deleteDialog = page.getByRole('dialog', { name: 'Supprimer la vue À sauvegarder\u202f?' });
  await expect(deleteDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await deleteDialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(toasts(page)).toContainText('Vue À sauvegarder supprimée.');
  await page.getByRole('button', { name: 'Vues' }).click();
  await expect(page.getByText('Aucune vue pour l’instant.')).toBeVisible();
});

test('several sites are grouped, backed up, tested and deleted together, each time through a plan', async ({
  ownerPage: page,
  owner,
}) => {
  const jobsDock = page.getByRole('region', { name: 'Tâches et consoles' });
  const dialog = page.getByRole('dialog');
  const created = await page.request.post('/api/groups', { data: { name: 'Clients' }, headers: bearer(owner.token) });
  const { id: group }: { id: string } = await created.json();
  for (const name of ['a', 'b', 'c']) await makeSite(page, owner, name);
  await makeSite(page, owner, 'd', { groups: [group] });
  await page.goto(sitesByName);

  await expect(names(page)).toHaveCount(4);
  for (const key of ['j', 'j', 'j', 'k', 'j', 'x']) await page.keyboard.press(key);
  await expect(checkbox(page, 'c')).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+Space');
  await expect(selectionBar(page)).toContainText('3\u00a0sites sélectionnés');
  await selectionBar(page).getByRole('button', { name: 'Tout désélectionner' }).click();
  await checkbox(page, 'a').check();
  await selectionBar(page).getByRole('button', { name: 'Sélectionner les 4 résultats' }).click();
  await expect(selectionBar(page)).toContainText('4\u00a0sites sélectionnés');

  await clickMore(page, 'Ajouter à un groupe…');
  await dialog.getByLabel('Groupe').selectOption({ label: 'Clients' });
  await expect(dialog.getByText('Laissé de côté\u00a0: Ce site est déjà dans le groupe Clients.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Garder c' }).uncheck();
  await dialog.getByRole('button', { name: 'Ajouter 2\u00a0sites' }).click();
  await expect(toasts(page)).toContainText('2\u00a0sites dans le groupe Clients.');
  await page.getByLabel('Filtrer par groupe').selectOption({ label: 'Clients' });
  await expect(names(page)).toHaveText([/^a/, /^b/, /^d/]);
  await expect(selectionBar(page)).toHaveCount(0);
  const all = page.getByRole('checkbox', { name: 'Sélectionner tous les sites affichés' });
  await all.check();
  await clickMore(page, 'Retirer d’un groupe…');
  await dialog.getByLabel('Groupe').selectOption({ label: 'Clients' });
  await dialog.getByRole('checkbox', { name: 'Garder tous les sites' }).uncheck();
  await expect(dialog.getByRole('button', { name: 'Retirer', exact: true })).toBeDisabled();
  await dialog.getByRole('checkbox', { name: 'Garder a' }).check();
  await dialog.getByRole('button', { name: 'Retirer 1\u00a0site' }).click();
  await expect(names(page)).toHaveText([/^b/, /^d/]);

  // Each action clears the selection.
  await all.check();
  await selectionBar(page).getByRole('button', { name: 'Sauvegarder…' }).click();
  await dialog.getByLabel('Sauvegarder aussi le cache').check();
  await dialog.getByRole('button', { name: 'Sauvegarder 2\u00a0sites' }).click();
  await expect(jobsDock).toContainText('Sauvegarde · b et 1\u00a0autre · 0 sur 2');
  await expect(selectionBar(page)).toHaveCount(0);
  await expect(names(page)).toHaveText([/^b.*Sauvegarde…/, /^d.*Sauvegarde…/]);
  await all.check();
  await clickMore(page, 'Supprimer…');
  await expect(dialog.getByText('Une tâche est en cours sur ce site\u00a0: elle ira à son terme.')).toHaveCount(2);
  await expect(dialog.getByText('Aucun fichier n’est touché sur les hôtes.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Supprimer 2\u00a0sites' }).click();
  await expect(toasts(page)).toContainText('2\u00a0sites supprimés.');
  await expect(selectionBar(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Effacer les filtres' }).click();
  await expect(names(page)).toHaveText([/^a/, /^c/]);
  await checkbox(page, 'a').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('c');
});

test('of a long list only the sites near the screen and the focused one are in the document', async ({
  ownerPage: page,
  owner,
}) => {
  await makeSite(page, owner, 'Modèle');
  await page.route(/\/api\/sites\?.*limit=100/, async (route) => {
    const url = route.request().url();
    const response = await route.fetch({ url: url.replace(/offset=\d+/, 'offset=0') });
    const [site]: { id: string }[] = await response.json();
    const offset = Number(new URL(url).searchParams.get('offset'));
    const sites = Array.from({ length: 100 }, (_, row) => offset + row + 1).map((number) => ({
      ...site,
      id: `${String(number).padStart(8, '0')}-0000-7000-8000-000000000000`,
      name: `Site ${number}`,
    }));
    await route.fulfill({ response, json: sites, headers: { ...response.headers(), 'x-total-count': '1000' } });
  });
  await page.setViewportSize(desktop);
  await page.goto('/sites?size=1000');
  const rows = page.getByRole('row');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '1001');
  await expect(link('Site 1')).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);
  await link('Site 1').focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(2)).toBeFocused();

  await test.step('fifteen sites fit a screen, one line each, and more of them in compact rows', async () => {
    const findHeights = () =>
      rows.evaluateAll(([, ...sites]) => {
        const tops = sites.map((site) => site.getBoundingClientRect().top);
        return [...new Set(tops.slice(1).map((top, index) => Math.round(top - (tops[index] ?? 0))))];
      });
    expect(await findHeights()).toEqual([44]);
    const room = await page.evaluate(() => {
      const bottomOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
      // The dock is 40 px high once there is a task.
      return innerHeight - bottomOf('thead') - (document.querySelector('footer')?.clientHeight ?? 0) - 40;
    });
    expect(room / 44).toBeGreaterThanOrEqual(15);
    await page.getByRole('button', { name: 'Affichage' }).click();
    await page.getByLabel('Compact').check();
    await expect.poll(findHeights).toEqual([36]);
    await page.getByLabel('Compact').uncheck();
    await page.keyboard.press('Escape');
    await link('Site 2').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect(rows.nth(2)).toBeFocused();
  });

  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(link('Site 1000')).toBeInViewport();
  expect(await rows.count()).toBeLessThan(60);
  await expect(page.locator(':focus')).toHaveAttribute('aria-rowindex', '3');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator(':focus')).toHaveAttribute('aria-rowindex', '4');
  await expect(link('Site 3')).toBeInViewport();
});
