import { expect, type Page } from '@playwright/test';
import { addAuthenticator, namedUrl } from './authenticator';
import { expectNoDialogFaults } from './axe';
import { fillLogin } from './fixtures';
import { requestLogin, test, totp } from './people';

// The policy applies to all users, so these stories run alone after all the others.
test.describe.configure({ mode: 'serial' });

const setPolicy = async (request: Page['request'], token: string, policy: 'off' | 'all') => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await request.post('/api/settings/app', { data: { require_2fa: policy }, headers });
  expect(answer.status(), await answer.text()).toBe(200);
};

test.beforeAll(({ request, adminSession }) => setPolicy(request, adminSession.access_token, 'all'));
test.afterAll(({ request, adminSession }) => setPolicy(request, adminSession.access_token, 'off'));

test('a required second factor can be skipped five times, then every screen leads to its setup', async ({
  page,
  person,
}) => {
  await page.goto('/login?next=%2Fsites');
  await fillLogin(page, person.email, person.password);
  await expect(page.getByText('Il vous reste 5 connexions sans 2FA.')).toBeVisible();
  await page.getByRole('button', { name: 'Passer cette fois' }).click();
  await expect(page).toHaveURL('/sites');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login?next=%2Fsites');
  await fillLogin(page, person.email, person.password);
  await expect(page.getByText('Il vous reste 4 connexions sans 2FA.')).toBeVisible();
  await page.getByRole('button', { name: 'Configurer la 2FA maintenant' }).click();
  await expect(page).toHaveURL('/security/2fa');
  await expect(page.getByRole('button', { name: 'Activer 2FA' })).toBeVisible();
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  await expect(page).toHaveURL('/sites');

  await test.step('after the last skipped login every screen leads to the setup', async () => {
    // The two logins above used two of the five.
    for (let remaining = 3; remaining > 0; remaining -= 1) await requestLogin(page.request, person, { skip_2fa: true });
    await page.evaluate(() => localStorage.clear());
    await page.goto('/login?next=%2Fsites');
    await fillLogin(page, person.email, person.password);
    await expect(page).toHaveURL('/security/2fa');
    await expect(page.getByText('La double authentification est obligatoire pour votre compte.')).toBeVisible();
    for (const path of ['/', '/servers', '/nulle/part']) {
      await page.goto(path);
      await expect(page).toHaveURL('/security/2fa');
    }
  });

  await test.step('after the setup every screen opens', async () => {
    await page.getByRole('button', { name: 'Activer 2FA' }).click();
    const secret = (await page.getByRole('main').locator('code').first().textContent()) ?? '';
    await page.getByLabel('Code de vérification à 6 chiffres').fill(totp(secret.replaceAll(' ', '')));
    await page.getByRole('button', { name: 'Vérifier' }).click();
    await page.getByLabel('J’ai enregistré mes codes').check();
    await page.getByRole('button', { name: 'Terminer' }).click();
    await expect(page.getByText('Activée', { exact: true })).toBeVisible();
    await expect(page.getByText('vous ne pouvez pas la désactiver')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Désactiver la 2FA' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Serveurs' }).click();
    await expect(page).toHaveURL('/servers');
  });
});

test.describe('at an address with a name', () => {
  test.use({ baseURL: namedUrl });

  test('a passkey alone is the required second factor, and cannot be deleted before there is another', async ({
    page,
    person,
  }) => {
    const authenticator = await addAuthenticator(page);
    for (let used = 0; used < 5; used += 1) await requestLogin(page.request, person, { skip_2fa: true });
    await page.goto('/login');
    await fillLogin(page, person.email, person.password);
    await expect(page).toHaveURL('/security/2fa');
    const section = page.getByRole('region', { name: 'Clés d’accès' });
    await section.getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
    const form = page.getByRole('dialog', { name: 'Ajouter une clé d’accès' });
    await form.getByLabel('Nom').fill('Téléphone');
    await form.getByLabel('Mot de passe', { exact: true }).fill(person.password);
    await form.getByRole('button', { name: 'Continuer' }).click();
    await form.getByRole('button', { name: 'Créer la clé d’accès' }).click();
    await page.getByLabel('J’ai enregistré mes codes').check();
    await page.getByRole('button', { name: 'Terminer' }).click();
    await expect(page.getByText('Activée', { exact: true })).toBeVisible();

    await section.getByRole('button', { name: 'Supprimer la clé d’accès Téléphone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Supprimer la clé d’accès Téléphone' });
    await expect(dialog).toContainText('ajoutez d’abord une autre clé d’accès ou une application');
    await expectNoDialogFaults(dialog);
    await dialog.getByRole('button', { name: 'Fermer' }).last().click();
    await page.getByRole('link', { name: 'Serveurs' }).click();
    await expect(page).toHaveURL('/servers');
    await authenticator.remove();
  });
});
