import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { logInByApi, storeToken } from './fixtures';
import { makeSite, test } from './machines';
import { bearer } from './people';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const access = (page: Page) => dialog(page, 'Profil').getByRole('region', { name: 'Accès API' });

const sitesSeenBy = async (request: APIRequestContext, token: string) => {
  const answer = await request.get('/api/sites', { headers: bearer(token) });
  if (!answer.ok()) return answer.status();
  const sites: { name: string }[] = await answer.json();
  return sites.map(({ name }) => name);
};

test('a token is created for a group, used by a program, and revoked', async ({ ownerPage: page, request, owner }) => {
  const answer = await request.post('/api/groups', { data: { name: 'Clients' }, headers: bearer(owner.token) });
  const { id: group }: { id: string } = await answer.json();
  await makeSite(page, owner, 'Vitrine', { groups: [group] });
  await makeSite(page, owner, 'Ailleurs');
  await page.route('**/api/tokens?*', (route) => route.fulfill({ status: 409, json: { detail: '' } }));
  await page.goto('/?panel=profile');
  await expect(access(page).getByRole('alert')).toContainText('Impossible de charger les jetons.');
  await page.unroute('**/api/tokens?*');
  await access(page).getByRole('button', { name: 'Réessayer' }).click();
  await expect(access(page)).toContainText('Aucun jeton.');

  await test.step('the command line is served where its line of installation says', async () => {
    const text = await access(page).getByText('curl -fsSL').first().textContent();
    const address = /https?:\S+/.exec(text ?? '')?.[0] ?? '';
    expect(await (await request.get(address)).text()).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  const form = dialog(page, 'Nouveau jeton');
  await test.step('the form says what is missing', async () => {
    await access(page).getByRole('button', { name: 'Créer un jeton' }).click();
    await expect(form.getByLabel('Nom', { exact: true })).toBeFocused();
    await form.getByRole('button', { name: 'Créer le jeton' }).click();
    await expect(form.getByText('Donnez un nom au jeton.')).toBeVisible();
    await form.getByLabel('Nom', { exact: true }).fill('Rapport du lundi');
    await form.getByLabel('Lire').uncheck();
    await form.getByRole('button', { name: 'Créer le jeton' }).click();
    await expect(form.getByText('Choisissez au moins un droit.')).toBeVisible();
    for (const scope of ['Sauvegarder', 'Restaurer', 'Modifier', 'Ouvrir des consoles', 'Gérer le DNS']) {
      await form.getByLabel(scope).check();
      await form.getByLabel(scope).uncheck();
    }
    await form.getByLabel('Lire').check();
    await form.getByLabel('Valable').selectOption('Jusqu’à une date…');
    await form.getByRole('button', { name: 'Créer le jeton' }).click();
    await expect(form.getByText('Donnez la date d’expiration')).toBeVisible();
    await form.getByLabel('Dernier jour').fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
    await form.getByLabel('Clients').check();
    await expectNoDialogFaults(form);
  });

  const shown = dialog(page, 'Jeton créé');
  const token = await test.step('the token is shown once, to be copied', async () => {
    await form.getByRole('button', { name: 'Créer le jeton' }).click();
    await expect(shown.getByRole('status').first()).toContainText('Vigie ne le montrera plus.');
    const copy = shown.getByRole('button', { name: 'Copier' });
    await expect(copy.first()).toBeFocused();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await copy.last().click();
    await copy.first().click();
    await expect(shown.getByRole('button', { name: 'Copié' })).toHaveCount(2);
    await expectNoDialogFaults(shown);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^vgt_[\w-]{43}$/);
    await shown.getByRole('button', { name: 'Fermer' }).last().click();
    await expect(shown).toBeHidden();
    return text;
  });

  const line = access(page).getByRole('listitem');
  await expect(line).toContainText('Rapport du lundi');
  await expect(line).toContainText('Limité à Clients');
  await expect(line).toContainText('jamais utilisé');
  await expect(line).toContainText('Expire bientôt');
  expect(await sitesSeenBy(request, token)).toEqual(['Vitrine']);
  const refused = await request.post('/api/groups', { data: { name: 'x' }, headers: bearer(token) });
  expect([refused.status(), await refused.text()]).toEqual([403, expect.stringContaining('update')]);

  await test.step('the list says when and from where it was used', async () => {
    await dialog(page, 'Profil').getByRole('button', { name: 'Fermer' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();
    await expect(line).toContainText(/utilisé .+ depuis 127\.0\.0\.1/);
  });

  await test.step('a revoked token is refused at once', async () => {
    await line.getByRole('button', { name: 'Révoquer le jeton Rapport du lundi' }).click();
    const question = dialog(page, 'Révoquer le jeton Rapport du lundi\u202f?');
    await expect(question.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await expectNoDialogFaults(question);
    await question.getByRole('button', { name: 'Révoquer' }).click();
    await expect(toasts(page)).toContainText('Jeton Rapport du lundi révoqué.');
    await expect(access(page)).toContainText('Aucun jeton.');
    await expect(access(page).getByRole('heading', { name: 'Accès API' })).toBeFocused();
    await expect.poll(() => sitesSeenBy(request, token)).toBe(401);
  });
});

test('an administrator sees in admin mode whose tokens there are', async ({ page, request, owner }) => {
  const data = { name: 'Nuit', scopes: ['backup'], expires_at: new Date(Date.now() + 40 * 86_400_000).toISOString() };
  expect((await request.post('/api/tokens', { data, headers: bearer(owner.token) })).status()).toBe(201);
  const { access_token: token } = await logInByApi(request);
  await storeToken(page, token, { admin_mode: '1' });
  await page.goto('/?panel=profile');
  const line = access(page).getByRole('listitem').filter({ hasText: owner.email });
  await expect(line).toContainText('Nuit');
  await access(page).getByRole('button', { name: 'Créer un jeton' }).click();
  const form = dialog(page, 'Nouveau jeton');
  await form.getByLabel('Administrer').check();
  await form.getByRole('button', { name: 'Annuler' }).click();
  const question = dialog(page, 'Fermer sans créer\u202f?');
  await expectNoDialogFaults(question);
  await question.getByRole('button', { name: 'Fermer sans créer' }).click();
  await expect(form).toBeHidden();
});
