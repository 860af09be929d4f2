import { expect, type Locator, type Page } from '@playwright/test';
import { menuPanel } from './axe';
import { makeSite, test } from './machines';
import { siteTab } from './site-tabs';

/** Focuses a button as soon as this heading or button exists, before the screen is complete: nobody is quicker. */
const focusOnceShown = (page: Page, shown: string, button = shown) =>
  page.evaluate(
    ([first, wanted]) => {
      const find = (text: string) =>
        [...document.querySelectorAll<HTMLElement>('h2, button')].find((each) => each.innerText === text);
      new MutationObserver((_, observer) => {
        if (!find(first)) return;
        observer.disconnect();
        find(wanted)?.focus();
      }).observe(document.body, { childList: true, subtree: true });
    },
    [shown, button] as const,
  );

/** Whether it still has the focus once the screen is complete. */
async function expectKeptFocus(button: Locator): Promise<void> {
  await expect(button).toBeFocused();
  await button.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await expect(button).toBeFocused();
}

test('the first tab stop skips to the content, and the palette works by keyboard alone', async ({ loggedIn: page }) => {
  await page.goto('/sites');
  await test.step('the first tab stop skips to the content', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Aller au contenu' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('arrow keys move through the options, and Escape returns the focus', async () => {
    const trigger = page.getByRole('button', { name: 'Rechercher ou agir…' });
    await trigger.click();
    const options = page.getByRole('dialog').getByRole('option');
    const field = page.getByRole('combobox', { name: 'Rechercher un site' });
    await expect(field).toBeFocused();
    const expectActive = async (option: Locator) =>
      expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '?');
    await expectActive(options.first());
    await page.keyboard.press('ArrowUp');
    await expectActive(options.last());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expectActive(options.nth(1));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(trigger).toBeFocused();
  });

  await test.step('letters typed in the search field trigger no shortcuts', async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Rechercher un site' })).toBeFocused();
    await page.keyboard.type('gs?/');
    await expect(page.getByRole('combobox', { name: 'Rechercher un site' })).toHaveValue('gs?/');
    await expect(page).toHaveURL('/sites#contenu');
    await page.keyboard.press('Escape');
  });

  await test.step('the palette finds a page', async () => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Rechercher un site' });
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.type('parametres');
    const option = page.getByRole('option', { name: 'Paramètres' });
    await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText('Paramètres');
    await expect(field).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '?');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/settings');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('group', { name: 'Récents' }).getByRole('option')).toHaveText(['Paramètres']);
    await page.keyboard.press('Escape');
  });

  await test.step('the palette changes the theme, offers the logout and says when nothing matches', async () => {
    await page.keyboard.press('Meta+k');
    await page.getByRole('combobox', { name: 'Rechercher un site' }).fill('theme sombre');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveClass(/dark/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Rechercher un site' }).fill('xyzzy');
    await expect(page.getByText('Rien ne correspond à « xyzzy ».')).toBeVisible();
    await page.getByRole('combobox', { name: 'Rechercher un site' }).fill('deconnexion');
    await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Se déconnecter']);
  });
});

test('the list of sites is eight tab stops away from the top of its screen', async ({ ownerPage: page, owner }) => {
  for (const name of ['Un', 'Deux']) await makeSite(page, owner, name);
  await page.goto('/sites');
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Aller à la liste' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows.first()).toBeFocused();
  await page.getByRole('main').focus();
  let tabs = 0;
  for (; tabs < 12 && !(await rows.first().evaluate((row) => row === document.activeElement)); tabs += 1)
    await page.keyboard.press('Tab');
  expect(tabs).toBeLessThanOrEqual(8);
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('checkbox', { name: 'Sélectionner tous les sites affichés' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('columnheader', { name: 'Nom' }).getByRole('button')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('End');
  await expect(page.getByRole('button', { name: 'Ajouter autrement' })).toBeFocused();
});

test('g and a letter open a screen, and ? lists the shortcuts', async ({ loggedIn: page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [key, path] of Object.entries({
    s: '/sites',
    p: '/plugins',
    v: '/servers',
    d: '/cloudflare',
    u: '/uploads',
  })) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page).toHaveURL(path);
  }
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Raccourcis clavier' });
  await expect(sheet).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL('/uploads');
  // A person who uses voice input can switch the shortcuts off, and the palette still opens this list.
  const single = sheet.getByRole('checkbox', { name: 'Raccourcis d’une seule touche' });
  await single.uncheck();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const key of ['?', 'g', 's', 't']) await page.keyboard.press(key);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Rechercher un site' })).toBeFocused();
  await page.keyboard.type('raccourcis');
  await page.keyboard.press('Enter');
  await expect(sheet).toBeVisible();
  await expect(page).toHaveURL('/uploads');
  await single.check();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  // The focused element disappears with its screen, so the main region of the next screen takes the focus.
  await focusOnceShown(page, 'Nouveau groupe');
  await page.getByRole('link', { name: 'Groupes' }).click();
  await expectKeptFocus(page.getByRole('button', { name: 'Nouveau groupe' }).first());
  await page.keyboard.press('?');
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Uploads');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a menu that is used while a screen arrives stays open', async ({ ownerPage: page, owner }) => {
  const id = await makeSite(page, owner, 'Boutique');
  await page.goto(`/sites/${id}`);
  await siteTab(page, 'Journal').click();
  await expect(page).toHaveURL(`/sites/${id}/journal`);
  await page.getByRole('button', { name: 'Plus', exact: true }).click();
  const entry = menuPanel(page, 'Plus').getByRole('button', { name: 'Modifier' });
  await expect(entry).toBeVisible();
  await focusOnceShown(page, 'Informations', 'Modifier');
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    history.back();
  });
  await expect(page.getByRole('heading', { name: 'Informations' })).toBeVisible();
  await expectKeptFocus(entry);
});
