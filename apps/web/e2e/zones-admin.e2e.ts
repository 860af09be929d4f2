import { expect } from '@playwright/test';
import { storeToken } from './fixtures';
import { bearer, openSession } from './people';
import { tab, test } from './zones';

// One stand-in of Cloudflare listens where the product asks.
test.describe.configure({ mode: 'default' });

test('the admin mode shows the zones of others, without a login of one’s own', async ({
  keeping: page,
  keeper,
  account,
  makePerson,
  request,
}) => {
  account.addZone();
  const token = await openSession(request, await makePerson({}));
  const data = { email: account.email, api_key: account.key };
  const made = await request.post('/api/cloudflare/config', { data, headers: bearer(token) });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto('/cloudflare?tab=zones');
  await expect(page.getByText('Cloudflare n’est pas encore relié.')).toBeVisible();

  await storeToken(page, keeper.token, { user_id: keeper.id, is_admin: 'true', admin_mode: '1' });
  await page.goto(`/cloudflare?q=${account.domain()}`);
  await page.getByRole('link', { name: account.domain() }).click();
  await expect(page).toHaveURL(/tab=dns/);
  await expect(tab(page, 'Enregistrements')).toBeEnabled();
});
