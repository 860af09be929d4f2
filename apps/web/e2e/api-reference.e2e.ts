import { expect, type Page } from '@playwright/test';
import { expectNoAxeFaults } from './axe';
import { test } from './machines';
import { openFromMenu } from './menu';
import { findA11yFaults, findTouchFaults } from './page-faults';
import { findByKeyboard } from './palette';
import { expectNoOverflow, phone } from './sizes';

const calls = '**/api/openapi.json';
const main = (page: Page) => page.getByRole('main');
const heading = (page: Page, name: string) => main(page).getByRole('heading', { level: 2, name, exact: true });
const routes = (page: Page) => main(page).getByRole('navigation', { name: 'Routes de l’API' });
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

async function expectNoFaults(page: Page, label: string): Promise<void> {
  expect(await page.evaluate(findA11yFaults), label).toEqual([]);
  await expectNoAxeFaults(page, label);
}

test('a programmer finds in the reference how to back a site up by the API', async ({ ownerPage: page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.route(calls, (route) => route.abort());
  await page.goto('/?panel=profile');

  await test.step('the profile leads to it, and a failure can be tried again', async () => {
    const profile = page.getByRole('dialog', { name: 'Profil', exact: true });
    await profile.getByRole('link', { name: 'Référence de l’API' }).click();
    await expect(main(page).getByRole('alert')).toContainText('Impossible de charger la référence.');
    await page.unroute(calls);
    await main(page).getByRole('button', { name: 'Réessayer' }).click();
    await expect(heading(page, 'Introduction')).toBeVisible();
    await expectNoFaults(page, 'introduction');
  });

  const search = main(page).getByRole('searchbox', { name: 'Rechercher une route' });
  const backUp = routes(page).getByRole('link', { name: 'POST Sauvegarder un site /' });
  await test.step('a question in words finds the route', async () => {
    await search.fill('chameau');
    await expect(routes(page)).toContainText('Aucune route trouvée');
    await search.fill('comment sauvegarder un site par l’API ?');
    await expect(backUp).toBeVisible();
    await expect(routes(page).getByRole('link').first()).toHaveAccessibleName(/^POST Sauvegarder un site/);
    await routes(page).getByRole('link').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await expect(backUp).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/operation=sites\.backups\.create/);
    await expect(heading(page, 'Sauvegarder un site')).toBeFocused();
    await expect(backUp).toHaveAttribute('aria-current', 'page');
  });

  const shown = main(page).getByRole('article', { name: 'Sauvegarder un site' });
  await test.step('it says what is needed, what is sent and what is answered', async () => {
    await expect(shown).toContainText('Droit du jeton\u00a0: backup');
    await expect(shown.getByRole('region', { name: 'Paramètres' })).toContainText('dans le chemin');
    await expect(shown.getByRole('region', { name: 'Réponses' })).toContainText('202');
    await expect(shown.getByRole('region', { name: 'Erreurs' })).toContainText('401');
    await shown.getByRole('button', { name: 'Copier', exact: true }).click();
    await expect(shown.getByRole('button', { name: 'Copié' })).toBeVisible();
    expect(await readClipboard(page)).toMatch(
      /^curl.* "\$VIGIE_URL\/api\/sites\/[\w-]{36}\/backups" \\\n {2}--header "Authorization: Bearer \$VIGIE_TOKEN"/,
    );
    await shown.getByRole('button', { name: 'Copier le chemin' }).click();
    await expect.poll(() => readClipboard(page)).toBe('/api/sites/{id}/backups');
    await expectNoFaults(page, 'operation');
  });

  await test.step('Back leads to the search, and an address to its route', async () => {
    await page.goBack();
    await expect(heading(page, 'Introduction')).toBeVisible();
    await expect(search).toHaveValue('comment sauvegarder un site par l’API ?');
    await page.goForward();
    await expect(heading(page, 'Sauvegarder un site')).toBeVisible();
    await page.reload();
    await expect(page).toHaveTitle('Sauvegarder un site · Vigie');
    await expect(heading(page, 'Sauvegarder un site')).toBeVisible();
  });

  await test.step('fields that have fields unfold', async () => {
    await search.fill('lister sites');
    await routes(page).getByRole('link', { name: 'GET Lister les sites /' }).click();
    const answers = main(page).getByRole('region', { name: 'Réponses' });
    await answers
      .getByText(/^(?:Champs|Formes) de /)
      .first()
      .click();
    await expect(answers.locator('details[open] code').first()).toBeVisible();
    await expectNoFaults(page, 'unfolded fields');
  });

  await test.step('a phone shows the list or the route', async () => {
    await page.setViewportSize(phone);
    await expectNoOverflow(page);
    await expect(search).toBeHidden();
    expect(await page.evaluate(findTouchFaults)).toEqual([]);
    await expectNoFaults(page, 'operation, 360 px');
    await main(page).getByRole('link', { name: 'Toutes les routes' }).click();
    await search.fill('');
    await routes(page).getByText('Sauvegardes', { exact: true }).click();
    await expect(routes(page).getByRole('link', { name: 'POST Sauvegarder un site', exact: true })).toBeVisible();
    await expectNoOverflow(page);
    expect(await page.evaluate(findTouchFaults)).toEqual([]);
    await expectNoFaults(page, 'list, 360 px');
  });

  await test.step('an unknown route is no failure, and the palette leads here too', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(() => history.pushState({}, '', '/reference?operation=nulle.part'));
    await expect(main(page)).toContainText('Cette installation de Vigie n’a pas de route «\u00a0nulle.part\u00a0».');
    await main(page).getByRole('link', { name: 'Voir l’introduction' }).click();
    await expect(heading(page, 'Introduction')).toBeVisible();
    await openFromMenu(page, 'Groupes');
    await expect(page).toHaveURL('/groups');
    await findByKeyboard(page, 'openapi', 'Pages et actions', 'Référence de l’API');
    await expect(page).toHaveURL('/reference');
    await routes(page).getByRole('link', { name: 'Introduction' }).click();
    const download = page.waitForEvent('download');
    await main(page).getByRole('button', { name: 'Télécharger openapi.json' }).click();
    expect((await download).suggestedFilename()).toBe('openapi.json');
  });
});
