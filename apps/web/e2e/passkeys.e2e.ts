import { expect, type Locator, type Page, type Route } from '@playwright/test';
import { addAuthenticator, type Authenticator, namedUrl } from './authenticator';
import { expectNoDialogFaults } from './axe';
import { fillLogin, pauseRequests, recordApiCalls } from './fixtures';
import { type Person, test, totp } from './people';
import { expectNoOverflow, phone } from './sizes';

test.use({ baseURL: namedUrl });

const section = (page: Page) => page.getByRole('region', { name: 'Clés d’accès' });
const alert = (part: Locator) => part.getByRole('alert');
const passwordField = (part: Page | Locator) => part.getByLabel('Mot de passe', { exact: true });
const profilePanel = (page: Page) => page.getByRole('dialog', { name: 'Profil' });
const openProfile = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Profil' }).click();

async function openSecurity(page: Page, link: string): Promise<void> {
  await openProfile(page);
  await profilePanel(page).getByRole('link', { name: link }).click();
  await expect(section(page)).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await openProfile(page);
  await profilePanel(page).getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
}

async function keepCodes(page: Page): Promise<void> {
  await expect(page.getByRole('list', { name: 'Codes de récupération' }).getByRole('listitem')).toHaveCount(10);
  await page.getByLabel('J’ai enregistré mes codes').check();
  await page.getByRole('button', { name: 'Terminer' }).click();
}

async function addPasskey(page: Page, { password }: Person, { whileCancelling }: Authenticator): Promise<void> {
  await section(page).getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ajouter une clé d’accès' });
  await expectNoDialogFaults(dialog);
  const nextButton = dialog.getByRole('button', { name: 'Continuer' });
  await nextButton.click();
  await expect(dialog.getByText('Donnez un nom à la clé d’accès.')).toBeVisible();
  await dialog.getByLabel('Nom').fill('Ordinateur');
  await passwordField(dialog).fill('not the password');
  await nextButton.click();
  await expect(alert(dialog)).toHaveText('Mot de passe incorrect');
  await passwordField(dialog).fill(password);
  await nextButton.click();
  const createButton = dialog.getByRole('button', { name: 'Créer la clé d’accès' });
  await expect(createButton).toBeFocused();
  await whileCancelling(async () => {
    await createButton.click();
    await expect(dialog.getByRole('status')).toContainText('Aucune clé d’accès n’a été ajoutée.');
  });
  await loseAnswer(page, async () => {
    await createButton.click();
    await expect(dialog.getByRole('status')).toContainText('Gardez cette fenêtre ouverte.');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Fermer' }).click();
    await expect(dialog.getByRole('status')).toBeVisible();
  });
  await expect(alert(dialog)).toContainText('vos codes de récupération ne se sont pas affichés');
  await expectNoDialogFaults(dialog);
  await dialog.getByRole('button', { name: 'Générer de nouveaux codes' }).click();
  await passwordField(page).fill(password);
  await page.getByRole('button', { name: 'Générer de nouveaux codes' }).click();
  await keepCodes(page);
}

/** Lets the server store a passkey after what happens meanwhile, and drops its answer. */
async function loseAnswer(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  const drop = async (route: Route) => {
    expect((await route.fetch()).status()).toBe(201);
    await route.abort();
  };
  await page.route('**/api/passkeys', drop, { times: 1 });
  const release = await pauseRequests(page, '**/api/passkeys');
  await meanwhile();
  release();
}

/** Follows the last question of the page to the browser, which would otherwise stay on the screen after a cancel. */
async function watchQuestions(page: Page) {
  await page.evaluate(() => {
    const { credentials } = navigator;
    const ask = credentials.get.bind(credentials);
    credentials.get = (options) => {
      Object.assign(window, { questionSignal: options?.signal });
      return ask(options);
    };
  });
  const readState = () =>
    page.evaluate(() => {
      const { questionSignal } = window as Window & { questionSignal?: AbortSignal };
      if (!questionSignal) return 'none';
      return questionSignal.aborted ? 'given up' : 'open';
    });
  return { expectState: (state: 'open' | 'given up') => expect.poll(readState).toBe(state) };
}

/** Breaks the signature of a passkey on its way, which the server refuses. */
async function refusePasskeyOnce(page: Page): Promise<void> {
  const breakSignature = async (route: Route) => {
    const body = route.request().postDataJSON();
    body.passkey.response.signature = body.passkey.response.authenticatorData;
    await route.continue({ postData: JSON.stringify(body) });
  };
  await page.route('**/api/auth/login', breakSignature, { times: 1 });
  await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
  await expect(alert(page.getByRole('main'))).toHaveText('Cette clé d’accès n’a pas été acceptée.');
}

/** The challenge of a refused passkey is used up, so that the next one answers another. */
async function usePasskeyAgain(page: Page): Promise<void> {
  const calls = recordApiCalls(page);
  await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
  await expect(page.getByRole('heading', { name: 'Sites' })).toBeVisible();
  const logins = calls.filter((call) => call.url().endsWith('/api/auth/login'));
  expect(logins.map((call) => 'passkey' in call.postDataJSON())).toEqual([false, true]);
}

async function addAndRemoveApp(page: Page, { password }: Person): Promise<void> {
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Ajouter une application' }).click();
  await passwordField(main).fill('not the password');
  await main.getByRole('button', { name: 'Continuer' }).click();
  await expect(alert(main)).toHaveText('Mot de passe incorrect');
  await passwordField(main).fill(password);
  await main.getByRole('button', { name: 'Continuer' }).click();
  const secret = (await main.locator('code').first().textContent())?.replaceAll(' ', '') ?? '';
  await page.getByLabel('Code de vérification à 6 chiffres').fill(totp(secret));
  await main.getByRole('button', { name: 'Vérifier' }).click();
  await expect(main.getByText('10\u00a0codes de récupération restants')).toBeVisible();
  const removeButton = main.getByRole('button', { name: 'Retirer l’application' });
  await removeButton.click();
  await passwordField(main).fill(password);
  await removeButton.click();
  await expect(main.getByRole('button', { name: 'Ajouter une application' })).toBeVisible();
}

/** Leads to the passkeys, which the new password leaves. */
async function changePassword(page: Page, { password: old }: Person, { password }: Person): Promise<void> {
  await openProfile(page);
  const panel = profilePanel(page);
  await panel.getByLabel('Mot de passe actuel').fill(old);
  await panel.getByLabel('Nouveau mot de passe', { exact: true }).fill(password);
  await panel.getByLabel('Confirmation du nouveau mot de passe').fill(password);
  await panel.getByRole('button', { name: 'Changer le mot de passe' }).click();
  await expect(panel.getByRole('status')).toContainText('1\u00a0clé d’accès ouvre encore votre compte');
  await panel.getByRole('link', { name: 'Voir les clés d’accès' }).click();
  await expect(section(page)).toBeVisible();
}

async function renamePasskey(page: Page): Promise<void> {
  await section(page).getByRole('button', { name: 'Renommer la clé d’accès Ordinateur' }).click();
  const dialog = page.getByRole('dialog', { name: 'Renommer la clé d’accès' });
  await expectNoDialogFaults(dialog);
  await dialog.getByLabel('Nom').fill('Portable');
  await dialog.getByRole('button', { name: 'Renommer' }).click();
  await expect(section(page).getByRole('listitem')).toContainText('Portable');
}

async function deletePasskey(page: Page, { password }: Person): Promise<void> {
  await section(page).getByRole('button', { name: 'Supprimer la clé d’accès Portable' }).click();
  const dialog = page.getByRole('dialog', { name: 'Supprimer la clé d’accès Portable' });
  await expectNoDialogFaults(dialog);
  await expect(dialog).toContainText('C’est votre seul second facteur');
  await passwordField(dialog).fill(password);
  await dialog.getByRole('button', { name: 'Supprimer' }).click();
  await expect(section(page).getByRole('listitem')).toHaveCount(0);
  await expect(page.getByText('Désactivée', { exact: true })).toBeVisible();
}

test('a user adds a passkey, logs in with it alone and after the password, renames it and deletes it', async ({
  page,
  person,
}) => {
  const authenticator = await addAuthenticator(page);
  await page.goto('/login');
  await fillLogin(page, person.email, person.password);
  await openSecurity(page, 'Activer la 2FA');
  await addPasskey(page, person, authenticator);
  await expect(section(page).getByRole('listitem')).toContainText('jamais utilisée');

  const loginButton = page.getByRole('button', { name: 'Se connecter avec une clé d’accès' });
  await test.step('the passkey alone logs in, and a cancelled dialog changes nothing', async () => {
    await logOut(page);
    await authenticator.whileCancelling(async () => {
      await loginButton.click();
      await expect(alert(page.getByRole('main'))).toContainText('connectez-vous avec votre mot de passe');
    });
    await loginButton.click();
    await expect(page.getByRole('heading', { name: 'Sites' })).toBeVisible();
  });

  await test.step('the passkey answers after the password', async () => {
    await logOut(page);
    await fillLogin(page, person.email, person.password);
    await expect(page.getByRole('tab')).toHaveText(['Clé d’accès', 'Code de récupération']);
    const useButton = page.getByRole('button', { name: 'Utiliser une clé d’accès' });
    await expect(useButton).toBeFocused();
    await authenticator.whileCancelling(async () => {
      await useButton.click();
      await expect(alert(page.getByRole('main'))).toContainText('saisissez un code');
    });
    const question = await watchQuestions(page);
    await authenticator.whileHesitating(async () => {
      await useButton.click();
      await question.expectState('open');
      await page.getByRole('button', { name: 'Annuler' }).click();
      await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible();
      await question.expectState('given up');
    });
    await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
    await refusePasskeyOnce(page);
    await usePasskeyAgain(page);
  });

  const changed = { ...person, password: 'une lampe sur la jetée' };
  await changePassword(page, person, changed);
  await expect(section(page).getByRole('listitem')).toContainText('· utilisée');
  await addAndRemoveApp(page, changed);
  await page.setViewportSize(phone);
  await expectNoOverflow(page);
  await renamePasskey(page);
  await deletePasskey(page, changed);
  await authenticator.remove();
});
