import { expect, type Page } from '@playwright/test';
import { advanceClock, installClock, recordApiCalls, test } from './fixtures';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' }).getByRole('alert');

/** Produces one error toast without load on the server, because the route aborts the request. */
async function failLogin(page: Page): Promise<void> {
  const before = await toasts(page).count();
  const failedRequest = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await failedRequest;
  await expect(toasts(page)).toHaveCount(Math.min(before + 1, 4));
}

test('a toast disappears after three seconds, waits under the pointer or the focus, and can be copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await installClock(page, 0);
  await page.route('**/api/auth/login', (route) => route.abort());
  await page.goto('/login');
  await page.getByLabel('Email').fill('x@host');
  await page.getByLabel('Mot de passe', { exact: true }).fill('secret');
  // The clock now advances only on demand, so that no toast disappears on a slow machine.
  await page.clock.pauseAt(3_600_000);
  await test.step('it disappears after three seconds', async () => {
    await failLogin(page);
    await page.clock.runFor(2_900);
    await expect(toasts(page)).toHaveCount(1);
    await page.clock.runFor(100);
    await expect(toasts(page)).toHaveCount(0);
  });

  await test.step('an error can be copied with its details', async () => {
    await failLogin(page);
    await page.getByRole('button', { name: 'Copier les détails' }).click();
    await expect(page.getByRole('button', { name: 'Copié' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('POST /api/auth/login');
  });

  await test.step('at most four are displayed, and all wait under the pointer or the focus', async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) await failLogin(page);
    await toasts(page).first().hover();
    await page.clock.runFor(10_000);
    await expect(toasts(page)).toHaveCount(4);
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Fermer' }).first().focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(10_000);
    await expect(toasts(page)).toHaveCount(4);
    await page.keyboard.press('Enter');
    await expect(toasts(page)).toHaveCount(3);
    // The toasts resume their countdown when the page notices the loss of focus, so the clock may need several steps.
    await expect(async () => {
      await page.clock.runFor(3_100);
      await expect(toasts(page)).toHaveCount(0, { timeout: 500 });
    }).toPass();
  });
});

test.describe('without a network', () => {
  test.use({ expectedFaults: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] });

  test('banners report a lost network and a silent server, and a failed download shows an error', async ({
    loggedIn: page,
    context,
  }) => {
    await installClock(page, 0);
    await page.route(/\/assets\/Palette-/, (route) => route.abort());
    await page.goto('/');
    await expect(page.getByRole('contentinfo')).toContainText('Connecté');
    await test.step('a banner reports the lost network until it is back', async () => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await context.setOffline(true);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('Hors ligne');
      await context.setOffline(false);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeHidden();
      await expect(page.getByRole('status').filter({ hasText: 'Connexion rétablie.' })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('Connecté');
    });

    await test.step('a silent server has its own banner with a retry button', async () => {
      await page.route('**/api/**', (route) => route.abort());
      // A page that is back online polls the server at once.
      await context.setOffline(true);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
      await context.setOffline(false);
      await expect(page.getByText('La console ne répond pas.')).toBeVisible();
      // With the clock stopped only the retry button sends requests.
      await page.clock.pauseAt(3_600_000);
      // A poll that was due may still be pending, and the page sends no second request meanwhile.
      const retry = page.getByRole('status').getByRole('button', { name: 'Réessayer' });
      await expect(async () => {
        // Frames need the clock too. This step draws the last answer and stays far below the polling interval.
        await page.clock.runFor(50);
        await Promise.all([
          page.waitForRequest('**/api/health/ready', { timeout: 2_000 }),
          retry.click({ timeout: 2_000 }),
        ]);
      }).toPass();
      await page.unroute('**/api/**');
      await page.clock.resume();
      await expect(page.getByText('La console ne répond pas.')).toBeHidden();
    });

    await test.step('a script that cannot be loaded shows an error', async () => {
      await page.getByRole('button', { name: 'Rechercher ou agir…' }).click();
      await expect(page.getByText('Cet élément n’a pas pu être chargé.')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Tableau de bord' })).toBeVisible();
    });
  });

  test('failing requests are retried within four intervals, and at once when the network or Vigie is back', async ({
    loggedIn: page,
    context,
  }) => {
    await installClock(page);
    const calls = recordApiCalls(page);
    const countCalls = () => calls.filter((call) => call.url().includes('/dashboard/activity')).length;
    await page.goto('/');
    await expect.poll(countCalls).toBeGreaterThan(0);
    const connection = page.getByRole('contentinfo').getByRole('status');
    await expect(connection).toContainText('Connecté');
    await test.step('a call was lost while Vigie responds', async () => {
      await page.route('**/api/dashboard/activity*', (route) => route.abort());
      await page.clock.runFor(21_000);
      const failure = page.getByText('Impossible de charger l’activité récente.');
      await expect(failure.first()).toBeVisible();
      await expect(connection).toContainText('Connexion instable');
      await page.unroute('**/api/dashboard/activity*');
      await page.clock.runFor(5_000);
      await expect(connection).toContainText('Connecté');
      await page.clock.runFor(5_000);
      await expect(failure).toHaveCount(0);
    });

    await page.route('**/api/**', (route) => route.abort());
    await advanceClock(page, 600_000);
    const countBefore = countCalls();
    await advanceClock(page, 330_000);
    // The polling interval is twenty seconds while requests succeed.
    expect(countCalls() - countBefore).toBeGreaterThanOrEqual(3);

    await test.step('Vigie answers again', async () => {
      await page.unroute('**/api/**');
      const countWhileFailing = countCalls();
      await page.clock.runFor(5_000);
      await expect.poll(countCalls, { timeout: 15_000 }).toBeGreaterThan(countWhileFailing);
    });

    await test.step('the network is back', async () => {
      await context.setOffline(true);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
      await advanceClock(page, 120_000);
      const countWhileFailing = countCalls();
      await context.setOffline(false);
      await expect.poll(countCalls, { timeout: 15_000 }).toBeGreaterThan(countWhileFailing);
    });
  });
});
