import { expect, type Page } from '@playwright/test';
import { apiCalls, test } from './fixtures';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' }).getByRole('alert');

/** Tries to log in without a network, which shows an error toast and makes no call to the server. */
async function failToLogIn(page: Page): Promise<void> {
  const before = await toasts(page).count();
  const failedRequest = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await failedRequest;
  await expect(toasts(page)).toHaveCount(Math.min(before + 1, 4));
}

test('a toast closes after three seconds, can be copied, and stays under the pointer or the focus; four at most', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install({ time: 0 });
  await page.route('**/api/auth/login', (route) => route.abort());
  await page.goto('/login');
  await page.getByLabel('Email').fill('x@host');
  await page.getByLabel('Mot de passe', { exact: true }).fill('secret');
  // The clock stops here, so that a slow machine loses no toast.
  await page.clock.pauseAt(3_600_000);
  await test.step('it closes after three seconds', async () => {
    await failToLogIn(page);
    await page.clock.runFor(2_900);
    await expect(toasts(page)).toHaveCount(1);
    await page.clock.runFor(100);
    await expect(toasts(page)).toHaveCount(0);
  });

  await test.step('an error can be copied with its details', async () => {
    await failToLogIn(page);
    await page.getByRole('button', { name: 'Copier les détails' }).click();
    await expect(page.getByRole('button', { name: 'Copié' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('POST /api/auth/login');
  });

  await test.step('there are four at most, and all stay under the pointer or the focus', async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) await failToLogIn(page);
    await toasts(page).first().hover();
    await page.clock.runFor(10_000);
    await expect(toasts(page)).toHaveCount(4);
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Fermer' }).first().focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(10_000);
    await expect(toasts(page)).toHaveCount(4);
    await page.keyboard.press('Enter');
    await expect(toasts(page)).toHaveCount(3);
    // Their time continues once the page has noticed the lost focus, which may come after this advance of the clock.
    await expect(async () => {
      await page.clock.runFor(3_100);
      await expect(toasts(page)).toHaveCount(0, { timeout: 500 });
    }).toPass();
  });
});

test.describe('without a network', () => {
  test.use({ expectedFaults: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] });

  test('a banner says so, as it does for a silent server and for a part of the app that cannot load', async ({
    loggedIn: page,
    context,
  }) => {
    await page.clock.install({ time: 0 });
    await page.route(/\/assets\/Palette-/, (route) => route.abort());
    await page.goto('/');
    await expect(page.getByRole('contentinfo')).toContainText('Connecté');
    await test.step('a banner says so, and closes when the network is back', async () => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await context.setOffline(true);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('Hors ligne');
      await context.setOffline(false);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeHidden();
      await expect(page.getByRole('status').filter({ hasText: 'Connexion rétablie.' })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toContainText('Connecté');
    });

    await test.step('a silent server has its own banner, which can retry', async () => {
      await page.route('**/api/**', (route) => route.abort());
      // A page that comes back online sends a call at once, and gets no answer.
      await context.setOffline(true);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
      await context.setOffline(false);
      await expect(page.getByText('La console ne répond pas.')).toBeVisible();
      // The clock stops here, so that only the button sends calls.
      await page.clock.pauseAt(3_600_000);
      // A poll may still be running, and the page sends no second call while it waits for an answer.
      const retry = page.getByRole('status').getByRole('button', { name: 'Réessayer' });
      await expect(async () => {
        // The page draws an answer only when the clock moves; 50 ms is far less than the pause before the next poll.
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

    await test.step('a screen whose code cannot load says so', async () => {
      await page.getByRole('button', { name: 'Rechercher ou agir…' }).click();
      await expect(page.getByText('Cet élément n’a pas pu être chargé.')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Tableau de bord' })).toBeVisible();
    });
  });

  test('a failed poll is repeated within four intervals, and at once when the network or Vigie is back', async ({
    loggedIn: page,
    context,
  }) => {
    await page.clock.install();
    const calls = apiCalls(page);
    const count = () => calls.filter((call) => call.url().includes('/dashboard/activity')).length;
    await page.goto('/');
    await expect.poll(count).toBeGreaterThan(0);
    await page.route('**/api/**', (route) => route.abort());
    /** Advances the clock in steps, to give each answer time to arrive. */
    const pass = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 10) {
        await page.clock.runFor(10_000);
        await page.waitForLoadState('networkidle');
      }
    };
    await pass(600);
    const before = count();
    await pass(330);
    // The normal interval is twenty seconds.
    expect(count() - before).toBeGreaterThanOrEqual(3);

    await test.step('Vigie answers again', async () => {
      await page.unroute('**/api/**');
      const failed = count();
      await page.clock.runFor(5_000);
      await expect.poll(count, { timeout: 5_000 }).toBeGreaterThan(failed);
    });

    await test.step('the network is back', async () => {
      await context.setOffline(true);
      await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
      await pass(120);
      const failed = count();
      await context.setOffline(false);
      await expect.poll(count, { timeout: 5_000 }).toBeGreaterThan(failed);
    });
  });
});
