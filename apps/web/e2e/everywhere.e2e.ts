import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures';
import { a11yFaults, touchFaults } from './page-faults';
import { screens } from './routes';

const allScreens: { path: string; title: string; entry?: string }[] = [
  ...screens,
  { path: '/reset', title: 'Nouveau mot de passe' },
  { path: `/reset?token=${'a'.repeat(43)}`, title: 'Nouveau mot de passe' },
  { path: '/login', title: 'Connexion' },
];

/** Uses the menu, which is faster than loading the page again. */
async function chooseInMenu(page: Page, entry: string): Promise<void> {
  const sheet = page.getByRole('button', { name: 'Menu', exact: true });
  if (await sheet.isVisible()) await sheet.tap();
  await page.getByRole('navigation', { name: 'Menu principal' }).getByRole('link').filter({ hasText: entry }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // An element under the pointer has other colours.
  await page.mouse.move(0, 0);
}

/** Reuses one page for all screens, because a new browser context takes longer than the checks. */
async function onEveryScreen(page: Page, check: (path: string) => Promise<void>): Promise<void> {
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

/** Injects axe through the protocol: the content security policy of the page forbids foreign scripts. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function axeFaults(page: Page, options = ''): Promise<unknown> {
  return page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  );
}

/** Checks the colours in both themes and the rest in the light one: a theme changes only colours. */
async function expectNoAxeFaults(page: Page, label: string, options = ''): Promise<void> {
  await page.evaluate(axe);
  expect(await axeFaults(page, options), label).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await axeFaults(page, '{ runOnly: ["color-contrast"] }'), `${label} dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Checks a confirmation dialog, which is not a screen; its red button also under the pointer. */
async function checkConfirmDialog(page: Page): Promise<void> {
  await page.goto('/groups');
  await page.getByRole('button', { name: 'Nouveau groupe' }).first().click();
  await page.getByRole('dialog', { name: 'Nouveau groupe' }).getByLabel('Nom').fill('Clients');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
  const colours = '{ runOnly: ["color-contrast"] }';
  await expect(question.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await expectNoAxeFaults(page, 'a question', colours);
  const leave = question.getByRole('button', { name: 'Quitter sans enregistrer' });
  await leave.hover();
  await expectNoAxeFaults(page, 'a question under the pointer', colours);
  await leave.click();
}

test('every screen has a title, named controls, landmarks, and enough contrast in both themes', async ({
  loggedIn: page,
}) => {
  await checkConfirmDialog(page);
  await onEveryScreen(page, async (path) => {
    await expect(page.getByRole('main')).toHaveCount(1);
    expect(await page.evaluate(a11yFaults), path).toEqual([]);
    await expectNoAxeFaults(page, path);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('the menu is a sheet; no screen scrolls sideways, and every target is large enough', async ({
    loggedIn: page,
  }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'Menu' });
    await expect(sheet.getByRole('link')).toHaveCount(8);
    await sheet.getByRole('link', { name: 'Serveurs' }).tap();
    await expect(page).toHaveURL('/servers');
    await expect(sheet).toBeHidden();
    await page.goto('/?panel=profile');
    const panel = page.getByRole('dialog', { name: 'Profil' });
    await expect(panel).toHaveAttribute('aria-modal', 'true');
    expect((await panel.boundingBox())?.width).toBeCloseTo(360);
    await panel.getByRole('button', { name: 'Fermer' }).tap();
    await expect(panel).toBeHidden();

    await onEveryScreen(page, async (path) => {
      expect(await page.evaluate(touchFaults), path).toEqual([]);
    });
  });
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });
  test('a dialog can be used while it moves in, and is removed once it has moved out', async ({ loggedIn: page }) => {
    await page.addInitScript(() => {
      const movedClasses = new Set<string>();
      Object.assign(window, { moved: movedClasses });
      for (const type of ['transitionrun', 'animationstart'])
        addEventListener(type, ({ target }) => target instanceof Element && movedClasses.add(target.className));
    });
    await page.goto('/groups');
    await page.getByRole('button', { name: 'Nouveau groupe' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Nouveau groupe' });
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await expect(dialog).toBeHidden();
    const movedCount = await page.evaluate(() => (window as unknown as { moved: Set<string> }).moved.size);
    expect(movedCount).toBeGreaterThan(0);
  });
});
