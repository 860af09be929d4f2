import { expect, type Page } from '@playwright/test';
import { bearer, logIn, type Person, test } from './people';

const feed = (page: Page) => page.getByRole('region', { name: 'Activité récente' });

test('an account that was made shows to who made it, and its login to its owner alone', async ({
  page,
  person,
  adminSession,
}) => {
  const headers = bearer(adminSession.access_token);
  const made = async () => {
    const answer = await page.request.get('/api/dashboard/activity?limit=50', { headers });
    return JSON.stringify(await answer.json());
  };
  // The facts travel from one service to another.
  await expect.poll(made).toContain('user_create');
  await logIn(page, person);
  await page.goto('/');
  await expect(feed(page).getByText('Camille Essai a ouvert une session')).toBeVisible({ timeout: 30_000 });
  await expect(feed(page).getByText('a créé le compte de')).toHaveCount(0);
});

/** More than one look shows, whatever was done before. */
async function fillFeed(page: Page, person: Person, token: string): Promise<void> {
  const headers = bearer(token);
  for (let n = 0; n < 10; n += 1) {
    const data = { first_name: `Camille ${n}` };
    expect((await page.request.put(`/api/admin/users/${person.id}`, { data, headers })).status()).toBe(200);
  }
  const count = async () => {
    const answer: { items: unknown[] } = await (await page.request.get('/api/dashboard/activity', { headers })).json();
    return answer.items.length;
  };
  await expect.poll(count).toBe(10);
}

test('the feed says that it cannot be read, keeps what it has, and is asked again', async ({
  loggedIn: page,
  person,
  adminSession,
}) => {
  await fillFeed(page, person, adminSession.access_token);
  await page.route('**/api/dashboard/activity**', (route) => route.abort());
  await page.goto('/');
  await expect(feed(page).getByText('Impossible de charger l’activité récente.')).toBeVisible();
  await page.unroute('**/api/dashboard/activity**');
  await feed(page).getByRole('button', { name: 'Réessayer' }).click();
  await expect(feed(page).getByText('a modifié le compte de').first()).toBeVisible();
  await page.route('**/api/dashboard/activity**', (route) => route.abort());
  await feed(page).getByRole('button', { name: 'Afficher plus' }).click();
  await expect(feed(page).getByText('Impossible de charger l’activité récente.')).toBeVisible();
  await expect(feed(page).getByText('a modifié le compte de').first()).toBeVisible();
});
