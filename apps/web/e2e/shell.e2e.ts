import { expect } from '@playwright/test';
import { pauseRequests, test } from './fixtures';
import { menu } from './routes';

test('the menu has the entries of the specification in their order, and each opens its screen', async ({
  loggedIn: page,
  adminSession: { user },
}) => {
  await page.goto('/');
  const links = page.getByRole('navigation', { name: 'Menu principal' }).getByRole('link');
  await expect(links).toHaveText(menu.map(({ entry }) => entry));
  for (const { entry, path, title } of menu.toReversed()) {
    await links.filter({ hasText: entry }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page).toHaveTitle(`${title} · Vigie`);
    await expect(links.filter({ hasText: entry })).toHaveAttribute('aria-current', 'page');
  }
  const banner = page.getByRole('banner');
  await banner.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Utilisateurs' }).click();
  await expect(page).toHaveURL('/admin/users');
  await links.filter({ hasText: 'Sites' }).click();
  await banner.getByRole('link', { name: 'Utilisateurs' }).click();
  await expect(page).toHaveURL('/admin/users');
  await page.getByRole('banner').getByRole('link', { name: 'Vigie' }).click();
  await expect(page).toHaveURL('/');

  await test.step('the footer shows the copyright, the version and the connection', async () => {
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText(`© ${new Date().getFullYear()} Vigie`);
    await expect(footer).toContainText('v1.4.31');
    await expect(footer).toContainText('Connecté');
  });

  await test.step('the profile panel has a URL, shows the user, and returns the focus', async () => {
    await links.filter({ hasText: 'Sites' }).click();
    const button = page.getByRole('banner').getByRole('button', { name: 'Profil' });
    await expect(button).toContainText(user.first_name ?? user.email);
    await expect(button).toContainText('admin');
    await button.click();
    await expect(page).toHaveURL('/sites?panel=profile');
    const panel = page.getByRole('dialog', { name: 'Profil' });
    await expect(panel).toContainText(user.email);
    await expect(panel).toContainText('Administrateur');
    await expect(panel).toBeFocused();
    // With reduced motion the panel opens without an animation.
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(page).toHaveURL('/sites');
    await expect(button).toBeFocused();
  });

  await test.step('a screen that loads late does not take the focus from a field', async () => {
    await page.goto('/sites?panel=profile');
    const release = await pauseRequests(page, '**/assets/PluginsScreen-*.js');
    const requests = page.waitForRequest('**/assets/PluginsScreen-*.js');
    await links.filter({ hasText: 'Plugins' }).click();
    await requests;
    await expect(page).toHaveURL('/plugins');
    await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
    const field = page.getByRole('dialog', { name: 'Profil' }).getByLabel('Mot de passe actuel', { exact: true });
    await field.fill('le phare');
    release();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plugins');
    await expect(field).toBeFocused();
    await field.clear();
    await page.keyboard.press('Escape');
  });

  await test.step('the menu folds and stays folded after a reload', async () => {
    await page.getByRole('button', { name: 'Replier le menu' }).click();
    const services = { 'auth-svc': true, 'sites-svc': true, 'ssh-agent': false, 'dns-svc': true };
    const answer = { status: 503, json: { ready: false, services } };
    await page.route('**/api/health/ready', (route) => route.fulfill(answer));
    await page.reload();
    const nav = page.getByRole('navigation', { name: 'Menu principal' });
    await expect(nav.getByRole('link', { name: 'Serveurs' })).toBeVisible();
    expect((await nav.boundingBox())?.width).toBe(56);
    await page.getByRole('button', { name: 'Déplier le menu' }).click();
    expect((await nav.boundingBox())?.width).toBe(232);
    await expect(page.getByRole('contentinfo')).toContainText('Service interrompu : ssh-agent');
  });
});

test('an unknown URL offers a link to the dashboard and the search', async ({ loggedIn: page }) => {
  await page.goto('/nulle/part');
  await expect(page.getByText('/nulle/part')).toBeVisible();
  await page.getByRole('button', { name: 'Rechercher une page…' }).click();
  await expect(page.getByRole('combobox', { name: 'Rechercher un site' })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Aller au tableau de bord' }).click();
  await expect(page).toHaveURL('/');
});

test.describe('a screen that cannot be loaded', () => {
  test.use({ expectedFaults: [/./] });
  test('keeps the menu usable and can be reloaded', async ({ loggedIn: page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Tableau de bord' })).toBeVisible();
    await page.route(/\/assets\/PluginsScreen-/, (route) => route.abort());
    await page.getByRole('link', { name: 'Plugins' }).click();
    await expect(page.getByRole('heading', { name: 'Cet écran n’a pas pu être chargé' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Serveurs' })).toBeVisible();
    await page.getByRole('button', { name: 'Copier les détails' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('/plugins');
    await page.unroute(/\/assets\/PluginsScreen-/);
    await page.getByRole('button', { name: 'Recharger la page' }).click();
    await expect(page.getByRole('heading', { name: 'Plugins' })).toBeVisible();
  });
});
