import { expect, type Page } from '@playwright/test';
import { test } from './app-settings';
import { apiCalls, holdCalls } from './fixtures';
import { requestLogin, someEmail } from './people';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const size = 'width="24" height="24" viewBox="0 0 24 24"';
const hostileSvg = `<svg xmlns="http://www.w3.org/2000/svg" ${size} onload="alert(1)">
  <script>alert(2)</script><circle cx="12" cy="12" r="10" onclick="alert(3)"/></svg>`;

const nameField = (page: Page) => page.getByLabel('Nom de l’application');
const senderField = (page: Page) => page.getByLabel('Expéditeur par défaut');
const policyField = (page: Page) => page.getByLabel('Double authentification obligatoire');
const logo = (page: Page, theme: 'clair' | 'sombre') => page.getByRole('group', { name: `Logo, thème ${theme}` });
const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const brand = (page: Page) => page.getByRole('banner').getByRole('link').first();
const saves = (page: Page) => {
  const calls = apiCalls(page);
  return () => calls.filter((call) => call.method() === 'POST').map((call) => call.postDataJSON());
};

const chooseLogo = (page: Page, theme: 'clair' | 'sombre', name: string, mimeType: string, content: string | Buffer) =>
  page.getByLabel(`Fichier du logo, thème ${theme}`).setInputFiles({ name, mimeType, buffer: Buffer.from(content) });

async function saveAll(page: Page): Promise<void> {
  await save(page).click();
  await expect(toasts(page)).toContainText('Paramètres enregistrés.');
  await expect(page.getByText('Modifications non enregistrées.')).toBeHidden();
}

test('a new name, sender and policy show at once on the screens that use them, and on the login', async ({
  loggedIn: page,
  browser,
  makePerson,
  request,
}) => {
  const sender = someEmail();
  const admin = await makePerson({ role: 'admin' });
  const client = await makePerson();
  await page.goto('/settings');
  await test.step('a new name is announced and shown', async () => {
    await page.evaluate(() => {
      window.addEventListener('app-settings-updated', (event) => {
        if (event instanceof CustomEvent) document.documentElement.dataset['heard'] = event.detail.app_name;
      });
    });
    const sent = saves(page);
    await nameField(page).fill('  Le Phare ');
    await expect(logo(page, 'clair')).toContainText('Le Phare');
    await expect(brand(page)).toHaveText('Vigie');
    await saveAll(page);
    expect(sent()).toEqual([{ app_name: 'Le Phare' }]);
    await expect(page.locator('html')).toHaveAttribute('data-heard', 'Le Phare');
    await expect(brand(page)).toHaveText('Le Phare');
    await expect(page.getByRole('contentinfo')).toContainText(`© ${new Date().getFullYear()} Le Phare`);
    await expect(page).toHaveTitle('Paramètres · Le Phare');
    await expect(nameField(page)).toHaveValue('Le Phare');

    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto('/login');
    await expect(visitor).toHaveTitle('Connexion · Le Phare');
    await expect(visitor.getByRole('main')).toContainText('Le Phare');
    await visitor.context().close();
  });

  await test.step('text typed during a save stays and can be saved', async () => {
    await nameField(page).fill('Le Phare du Sud');
    await senderField(page).fill(sender);
    const release = await holdCalls(page, '**/api/settings/app');
    const sending = page.waitForRequest('**/api/settings/app');
    await save(page).click();
    await sending;
    await nameField(page).fill('Le Phare du Nord');
    release();
    await expect(toasts(page)).toContainText('Paramètres enregistrés.');
    await expect(brand(page)).toHaveText('Le Phare du Sud');
    await expect(nameField(page)).toHaveValue('Le Phare du Nord');
    await expect(senderField(page)).toHaveValue(sender);
    await expect(page.getByText('Modifications non enregistrées.')).toBeVisible();
    await saveAll(page);
    await expect(brand(page)).toHaveText('Le Phare du Nord');
  });

  await test.step('the default sender also shows in the notifications, and can be removed', async () => {
    await page.getByRole('link', { name: 'Notifications' }).click();
    await expect(page.getByLabel('Adresse expéditeur')).toHaveValue(sender);
    await page.getByRole('banner').getByRole('link', { name: 'Paramètres' }).click();
    await senderField(page).fill('');
    await policyField(page).selectOption('Administrateurs');
    await saveAll(page);
    await page.reload();
    await expect(senderField(page)).toHaveValue('');
    await expect(nameField(page)).toHaveValue('Le Phare du Nord');
  });

  await test.step('2FA can be required for administrators', async () => {
    await expect(policyField(page)).toHaveValue('admins');
    expect(await requestLogin(request, admin)).toMatchObject({ grace_period: true, grace_remaining: 5 });
    expect(await requestLogin(request, client)).toHaveProperty('access_token');
    await policyField(page).selectOption('Désactivée');
    await saveAll(page);
    expect(await requestLogin(request, admin)).toHaveProperty('access_token');
  });
  await brand(page).click();
  await expect(page).toHaveURL('/');
});

test('failed settings can be retried; the form checks its fields, and keeps them when a save fails', async ({
  loggedIn: page,
}) => {
  await test.step('settings that cannot load can be retried; the theme belongs to this browser only', async () => {
    await page.route('**/api/settings/app', (route) => route.abort());
    await page.goto('/settings');
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('Les paramètres de l’application n’ont pas pu être lus.');
    await page.unroute('**/api/settings/app');
    await alert.getByRole('button', { name: 'Réessayer' }).click();
    await expect(nameField(page)).toHaveValue('Vigie');
    const sent = saves(page);
    await page.getByRole('radio', { name: 'Sombre' }).check({ force: true });
    await expect(page.locator('html')).toHaveClass(/dark/);
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Sombre' })).toBeChecked();
    expect(sent()).toEqual([]);
  });

  await test.step('the fields are checked before a save', async () => {
    const sent = saves(page);
    await nameField(page).fill(' ');
    await senderField(page).fill('nobody');
    await save(page).click();
    await expect(page.getByText('Le nom de l’application ne peut pas être vide.')).toBeVisible();
    await expect(page.getByText('Cette adresse email n’est pas valide.')).toBeVisible();
    await expect(nameField(page)).toBeFocused();
    await nameField(page).fill('Vigie');
    await expect(page.getByText('ne peut pas être vide.')).toBeHidden();
    await save(page).click();
    await expect(senderField(page)).toBeFocused();
    expect(sent()).toEqual([]);
    await page.getByRole('button', { name: 'Annuler' }).click();
    await expect(page.getByText('Cette adresse email n’est pas valide.')).toBeHidden();
  });

  await test.step('a failed save keeps the typed text, and leaving the screen needs a confirmation', async () => {
    await nameField(page).fill('Le Phare');
    await page.route('**/api/settings/app', (route) => route.abort());
    await save(page).click();
    await expect(toasts(page)).toContainText("Échec de l'enregistrement.");
    await expect(page.getByRole('main').getByText("Échec de l'enregistrement.")).toBeVisible();
    await expect(nameField(page)).toHaveValue('Le Phare');
    await expect(brand(page)).toHaveText('Vigie');
    await page.getByRole('link', { name: 'Serveurs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(nameField(page)).toHaveValue('Le Phare');
    await page.unroute('**/api/settings/app');
    await saveAll(page);
    await expect(page.getByText("Échec de l'enregistrement.")).toHaveCount(0);
    await page.getByRole('link', { name: 'Serveurs' }).click();
    await expect(page).toHaveURL('/servers');
  });
});

test('a logo is previewed on both themes, shown everywhere once saved, and can be removed', async ({
  loggedIn: page,
  browser,
}) => {
  await page.goto('/settings');
  const refusal = logo(page, 'clair').getByRole('alert');
  await test.step('an invalid logo file is refused with its reason', async () => {
    const refused = [
      { name: 'notes.txt', type: 'text/plain', content: 'bonjour', says: /^Ce fichier n’est pas une image PNG/ },
      { name: 'a.png', type: 'image/png', content: 'not a picture', says: /^Cette image est illisible\./ },
      { name: 'a.svg', type: 'image/svg+xml', content: ' '.repeat(200_000), says: /^Ce logo est trop volumineux/ },
    ];
    for (const { name, type, content, says } of refused) {
      await chooseLogo(page, 'clair', name, type, content);
      await expect(refusal).toHaveText(says);
    }
    await expect(page.getByText('Modifications non enregistrées.')).toBeHidden();
  });

  await test.step('each theme shows its own logo, or else that of the other theme', async () => {
    await expect(brand(page).locator('img')).toHaveCount(0);
    const choose = async (button: string) => {
      const chooser = page.waitForEvent('filechooser');
      await logo(page, 'clair').getByRole('button', { name: button }).click();
      await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
    };
    await choose('Choisir un logo');
    await choose('Remplacer');
    const pngUri = `data:image/png;base64,${png.toString('base64')}`;
    for (const theme of ['clair', 'sombre'] as const) {
      await expect(logo(page, theme).locator('img')).toHaveAttribute('src', pngUri);
    }
    await expect(brand(page).locator('img')).toHaveCount(0);
    await saveAll(page);
    await expect(brand(page).locator('img')).toHaveAttribute('src', pngUri);

    await chooseLogo(page, 'sombre', 'logo.svg', 'image/svg+xml', hostileSvg);
    await expect(logo(page, 'sombre').locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);
    await expect(logo(page, 'clair').locator('img')).toHaveAttribute('src', pngUri);
    await saveAll(page);
    await expect(brand(page).locator('img')).toHaveAttribute('src', pngUri);
    await page.getByRole('button', { name: 'Passer au thème sombre' }).click();
    await expect(brand(page).locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);

    const visitor = await (await browser.newContext({ colorScheme: 'dark' })).newPage();
    await visitor.goto('/login');
    await expect(visitor.getByRole('main').locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);
    await visitor.context().close();
  });

  await test.step('an SVG keeps only its drawing', async () => {
    const uri = (await brand(page).locator('img').getAttribute('src')) ?? '';
    const storedSvg = Buffer.from(uri.replace('data:image/svg+xml;base64,', ''), 'base64').toString();
    expect(storedSvg).toContain('<circle cx="12" cy="12" r="10"/>');
    expect(storedSvg).not.toMatch(/script|alert|onload|onclick/);
    await expect(logo(page, 'sombre').locator('img')).toHaveAttribute('src', uri);
  });

  await test.step('a removed logo is replaced by the other one or by the lighthouse', async () => {
    await page.getByRole('button', { name: 'Passer au thème clair' }).click();
    await logo(page, 'clair').getByRole('button', { name: 'Retirer' }).click();
    await expect(logo(page, 'clair').locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);
    await saveAll(page);
    await expect(brand(page).locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml/);
    await logo(page, 'sombre').getByRole('button', { name: 'Retirer' }).click();
    await saveAll(page);
    await expect(brand(page).locator('img')).toHaveCount(0);
    await expect(page.getByRole('main').locator('img')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Retirer' })).toHaveCount(0);
  });

  await test.step('a file that the server refuses stays selected', async () => {
    await chooseLogo(page, 'clair', 'a.svg', 'image/svg+xml', `<!DOCTYPE svg>${hostileSvg}`);
    await expect(refusal).toBeHidden();
    await save(page).click();
    await expect(page.getByRole('main').getByText('un SVG ne peut pas porter de DOCTYPE.')).toBeVisible();
    await expect(logo(page, 'clair').getByRole('button', { name: 'Remplacer' })).toBeVisible();
  });
});
