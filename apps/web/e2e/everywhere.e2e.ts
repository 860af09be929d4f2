import { expect, type Page } from '@playwright/test';
import { contrast, expectNoAxeFaults, expectNoDialogFaults } from './axe';
import { test } from './fixtures';
import { findA11yFaults, findTouchFaults } from './page-faults';
import { screens } from './routes';
import { onPhone, phone } from './sizes';

const allScreens: { path: string; title: string; entry?: string }[] = [
  ...screens,
  { path: '/reset', title: 'Nouveau mot de passe' },
  { path: `/reset?token=${'a'.repeat(43)}`, title: 'Nouveau mot de passe' },
  { path: '/login', title: 'Connexion' },
];

/** Opens a screen through the menu, because a full page load takes longer. */
async function chooseInMenu(page: Page, entry: string): Promise<void> {
  const sheet = page.getByRole('button', { name: 'Menu', exact: true });
  if (await sheet.isVisible()) await sheet.tap();
  await page.getByRole('navigation', { name: 'Menu principal' }).getByRole('link').filter({ hasText: entry }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The pointer leaves the menu, because hovered elements have other colours.
  await page.mouse.move(0, 0);
}

/** Checks all screens in one page, because a new browser context takes longer than the check. */
async function visitEveryScreen(page: Page, check: (path: string) => Promise<void>): Promise<void> {
  test.slow();
  for (const { path, title, entry } of allScreens) {
    await test.step(path, async () => {
      if (path === '/login') await page.evaluate(() => localStorage.clear());
      if (entry !== undefined) await chooseInMenu(page, entry);
      else await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(page).toHaveTitle(`${title} · Vigie`);
      await check(path);
    });
  }
}

/** Checks a confirmation dialog, with and without the pointer over its red button. */
async function checkConfirmDialog(page: Page): Promise<void> {
  await page.goto('/groups');
  await page.getByRole('button', { name: 'Nouveau groupe' }).first().click();
  await page.getByRole('dialog', { name: 'Nouveau groupe' }).getByLabel('Nom').fill('Clients');
  await page.keyboard.press('Escape');
  const confirmDialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
  await expect(confirmDialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expectNoDialogFaults(confirmDialog);
  const leaveButton = confirmDialog.getByRole('button', { name: 'Quitter sans enregistrer' });
  await leaveButton.hover();
  await expectNoAxeFaults(page, 'confirmation dialog under the pointer', { rules: contrast });
  await leaveButton.click();
}

test('every screen has a title, landmarks, named controls and sufficient contrast in both themes', async ({
  loggedIn: page,
}) => {
  await checkConfirmDialog(page);
  await visitEveryScreen(page, async (path) => {
    await expect(page.getByRole('main')).toHaveCount(1);
    expect(await page.evaluate(findA11yFaults), path).toEqual([]);
    await expectNoAxeFaults(page, path);
  });
});

test.describe('on a phone', () => {
  test.use(onPhone);

  test('the menu is a sheet with all entries, all controls are large enough, and axe finds no faults', async ({
    loggedIn: page,
  }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    await expect(sheet.getByRole('link')).toHaveCount(8);
    await expectNoDialogFaults(sheet, [phone]);
    await sheet.getByRole('link', { name: 'Serveurs' }).tap();
    await expect(page).toHaveURL('/servers');
    await expect(sheet).toBeHidden();
    await page.goto('/?panel=profile');
    const panel = page.getByRole('dialog', { name: 'Profil' });
    await expect(panel).toHaveAttribute('aria-modal', 'true');
    expect((await panel.boundingBox())?.width).toBeCloseTo(360);
    await panel.getByRole('button', { name: 'Fermer' }).tap();
    await expect(panel).toBeHidden();

    await visitEveryScreen(page, async (path) => {
      expect(await page.evaluate(findTouchFaults), path).toEqual([]);
      await expectNoAxeFaults(page, `${path}, 360 px`);
    });
  });
});

test.describe('with animations', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });
  test('a dialog works while it opens and is hidden once it has closed', async ({ loggedIn: page }) => {
    await page.addInitScript(() => {
      const animatedClasses = new Set<string>();
      Object.assign(window, { moved: animatedClasses });
      for (const type of ['transitionrun', 'animationstart'])
        addEventListener(type, ({ target }) => target instanceof Element && animatedClasses.add(target.className));
    });
    await page.goto('/groups');
    await page.getByRole('button', { name: 'Nouveau groupe' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Nouveau groupe' });
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await expect(dialog).toBeHidden();
    const animatedCount = await page.evaluate(() => (window as unknown as { moved: Set<string> }).moved.size);
    expect(animatedCount).toBeGreaterThan(0);
  });
});
