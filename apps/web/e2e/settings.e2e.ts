import { deflateSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { pngChunk, pngHeader, pngSignature } from '@vigie/testing/pictures';
import { test } from './app-settings';
import { clickRetry, installClock, pauseRequests, recordApiCalls } from './fixtures';
import { requestLogin, anEmail, bearer } from './people';
import { chooseSegment } from './segments';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const svg = (size: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${size} onload="document.title='acted'">
  <script>document.title = 'acted'</script><circle cx="12" cy="12" r="12" fill="red" onclick="alert(3)"/>
  <filter id="noise"><feTurbulence baseFrequency="0.02" numOctaves="4"/></filter></svg>`;
const drawnPng = /^data:image\/png/;
/** A line that browsers draw and that the server refuses for its length. */
const longPng = Buffer.concat([
  pngSignature,
  pngHeader(5_000, 1),
  pngChunk('IDAT', deflateSync(Buffer.alloc(20_001))),
  pngChunk('IEND', Buffer.alloc(0)),
]);

const nameField = (page: Page) => page.getByLabel('Nom de l’application');
const senderField = (page: Page) => page.getByLabel('Expéditeur par défaut');
const policyField = (page: Page) => page.getByLabel('Double authentification obligatoire');
const logoGroup = (page: Page, theme: 'clair' | 'sombre') => page.getByRole('group', { name: `Logo, thème ${theme}` });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Enregistrer' });
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const brandLink = (page: Page) => page.getByRole('banner').getByRole('link').first();
const recordSaves = (page: Page) => {
  const calls = recordApiCalls(page);
  return () => calls.filter((call) => call.method() === 'POST').map((call) => call.postDataJSON());
};

const chooseLogo = (page: Page, theme: 'clair' | 'sombre', name: string, mimeType: string, content: string | Buffer) =>
  page.getByLabel(`Fichier du logo, thème ${theme}`).setInputFiles({ name, mimeType, buffer: Buffer.from(content) });

async function saveSettings(page: Page): Promise<void> {
  await saveButton(page).click();
  await expect(toasts(page)).toContainText('Paramètres enregistrés.');
  await expect(page.getByText('Modifications non enregistrées.')).toBeHidden();
}

test('a new name is displayed on every screen, the sender in the notifications, and the policy applies at login', async ({
  loggedIn: page,
  browser,
  adminSession,
  makePerson,
  request,
}) => {
  const sender = anEmail();
  const admin = await makePerson({ role: 'admin' });
  const client = await makePerson();
  await page.goto('/settings');
  await test.step('a new name is sent as an event and displayed', async () => {
    await page.evaluate(() => {
      window.addEventListener('app-settings-updated', (event) => {
        if (event instanceof CustomEvent) document.documentElement.dataset['announcedName'] = event.detail.app_name;
      });
    });
    const listSaves = recordSaves(page);
    await nameField(page).fill('  Le Phare ');
    await expect(logoGroup(page, 'clair')).toContainText('Le Phare');
    await expect(brandLink(page)).toHaveText('Vigie');
    await saveSettings(page);
    expect(listSaves()).toEqual([{ app_name: 'Le Phare' }]);
    await expect(page.locator('html')).toHaveAttribute('data-announced-name', 'Le Phare');
    await expect(brandLink(page)).toHaveText('Le Phare');
    await expect(page.getByRole('contentinfo')).toContainText(`© ${new Date().getFullYear()} Le Phare`);
    await expect(page).toHaveTitle('Paramètres · Le Phare');
    await expect(nameField(page)).toHaveValue('Le Phare');

    const visitorPage = await (await browser.newContext()).newPage();
    await visitorPage.goto('/login');
    await expect(visitorPage).toHaveTitle('Connexion · Le Phare');
    await expect(visitorPage.getByRole('main')).toContainText('Le Phare');
    await visitorPage.context().close();
  });

  await test.step('text typed during a save is kept and still unsaved', async () => {
    await nameField(page).fill('Le Phare du Sud');
    await senderField(page).fill(sender);
    const release = await pauseRequests(page, '**/api/settings/app');
    const saveRequest = page.waitForRequest('**/api/settings/app');
    await saveButton(page).click();
    await saveRequest;
    await nameField(page).fill('Le Phare du Nord');
    release();
    await expect(toasts(page)).toContainText('Paramètres enregistrés.');
    await expect(brandLink(page)).toHaveText('Le Phare du Sud');
    await expect(nameField(page)).toHaveValue('Le Phare du Nord');
    await expect(senderField(page)).toHaveValue(sender);
    await expect(page.getByText('Modifications non enregistrées.')).toBeVisible();
    await saveSettings(page);
    await expect(brandLink(page)).toHaveText('Le Phare du Nord');
  });

  await test.step('the default sender appears in the notifications and can be removed', async () => {
    await page.getByRole('link', { name: 'Notifications' }).click();
    await expect(page.getByLabel('Adresse expéditeur')).toHaveValue(sender);
    await page.getByRole('banner').getByRole('link', { name: 'Paramètres' }).click();
    await senderField(page).fill('');
    await policyField(page).selectOption('Administrateurs');
    await saveSettings(page);
    await page.reload();
    await expect(senderField(page)).toHaveValue('');
    await expect(nameField(page)).toHaveValue('Le Phare du Nord');
  });

  await test.step('the policy can require a second factor of administrators', async () => {
    await expect(policyField(page)).toHaveValue('admins');
    expect(await requestLogin(request, admin)).toMatchObject({ grace_period: true, grace_remaining: 5 });
    expect(await requestLogin(request, client)).toHaveProperty('access_token');
    await policyField(page).selectOption('Désactivée');
    await saveSettings(page);
    expect(await requestLogin(request, admin)).toHaveProperty('access_token');
  });

  await test.step('what somebody else saved meanwhile is displayed when the screen opens again', async () => {
    await page.getByRole('link', { name: 'Notifications' }).click();
    await expect(page.getByLabel('Adresse expéditeur')).toBeVisible();
    const headers = bearer(adminSession.access_token);
    const answer = await request.post('/api/settings/app', { data: { app_name: 'Le Phare de l’Est' }, headers });
    expect(answer.status()).toBe(200);
    await page.getByRole('banner').getByRole('link', { name: 'Paramètres' }).click();
    await expect(nameField(page)).toHaveValue('Le Phare de l’Est');
    await expect(page.getByText('Modifications non enregistrées.')).toBeHidden();
  });
  await brandLink(page).click();
  await expect(page).toHaveURL('/');
});

test('settings can be reloaded, are validated, and are not lost by a failed save or a link', async ({
  loggedIn: page,
}) => {
  await test.step('settings that cannot be read can be retried, and the theme is stored only in this browser', async () => {
    await page.route('**/api/settings/app', (route) => route.abort());
    await installClock(page);
    await page.goto('/settings');
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('Les paramètres de l’application n’ont pas pu être lus.');
    await clickRetry(page, alert, () => page.unroute('**/api/settings/app'));
    await expect(nameField(page)).toHaveValue('Vigie');
    const listSaves = recordSaves(page);
    await chooseSegment(page, 'Sombre');
    await expect(page.locator('html')).toHaveClass(/dark/);
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Sombre' })).toBeChecked();
    expect(listSaves()).toEqual([]);
  });

  await test.step('the settings are validated before they are sent', async () => {
    const listSaves = recordSaves(page);
    await nameField(page).fill(' ');
    await senderField(page).fill('nobody');
    await saveButton(page).click();
    await expect(page.getByText('Le nom de l’application ne peut pas être vide.')).toBeVisible();
    await expect(page.getByText('Cette adresse email n’est pas valide.')).toBeVisible();
    await expect(nameField(page)).toBeFocused();
    await nameField(page).fill('Vigie');
    await expect(page.getByText('ne peut pas être vide.')).toBeHidden();
    await saveButton(page).click();
    await expect(senderField(page)).toBeFocused();
    expect(listSaves()).toEqual([]);
    await page.getByRole('button', { name: 'Annuler' }).click();
    await expect(page.getByText('Cette adresse email n’est pas valide.')).toBeHidden();
  });

  await test.step('a failed save keeps the fields, and leaving them needs a confirmation', async () => {
    await nameField(page).fill('Le Phare');
    await page.route('**/api/settings/app', (route) => route.abort());
    await saveButton(page).click();
    await expect(toasts(page)).toContainText("Échec de l'enregistrement.");
    await expect(page.getByRole('main').getByText("Échec de l'enregistrement.")).toBeVisible();
    await expect(nameField(page)).toHaveValue('Le Phare');
    await expect(brandLink(page)).toHaveText('Vigie');
    await page.getByRole('link', { name: 'Serveurs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Quitter sans enregistrer\u202f?' });
    await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(nameField(page)).toHaveValue('Le Phare');
    await page.unroute('**/api/settings/app');
    await saveSettings(page);
    await expect(page.getByText("Échec de l'enregistrement.")).toHaveCount(0);
    await page.getByRole('link', { name: 'Serveurs' }).click();
    await expect(page).toHaveURL('/servers');
  });
});

test('a logo is previewed in both themes, saved, displayed on every screen and removed', async ({
  loggedIn: page,
  browser,
}) => {
  await page.goto('/settings');
  const logoError = logoGroup(page, 'clair').getByRole('alert');
  await test.step('an invalid logo file is refused with its reason', async () => {
    const refusedFiles = [
      { name: 'notes.txt', type: 'text/plain', content: 'bonjour', message: /^Ce fichier n’est pas une image PNG/ },
      { name: 'a.png', type: 'image/png', content: 'not a picture', message: /^Cette image est illisible\./ },
      { name: 'a.svg', type: 'image/svg+xml', content: ' '.repeat(200_000), message: /^Ce logo est trop volumineux/ },
      { name: 'b.svg', type: 'image/svg+xml', content: '<html/>', message: /^Cette image est illisible\./ },
      { name: 'c.svg', type: 'image/svg+xml', content: svg('width="100%"'), message: /^Ce SVG n’a pas de taille\./ },
    ];
    for (const { name, type, content, message } of refusedFiles) {
      await chooseLogo(page, 'clair', name, type, content);
      await expect(logoError).toHaveText(message);
    }
    await expect(page.getByText('Modifications non enregistrées.')).toBeHidden();
  });

  await test.step('each theme shows its own logo, or that of the other theme', async () => {
    await expect(brandLink(page).locator('img')).toHaveCount(0);
    const chooseFile = async (button: string) => {
      const chooser = page.waitForEvent('filechooser');
      await logoGroup(page, 'clair').getByRole('button', { name: button }).click();
      await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
    };
    await chooseFile('Choisir un logo');
    await chooseFile('Remplacer');
    const pngUri = `data:image/png;base64,${png.toString('base64')}`;
    for (const theme of ['clair', 'sombre'] as const) {
      await expect(logoGroup(page, theme).locator('img')).toHaveAttribute('src', pngUri);
    }
    await expect(brandLink(page).locator('img')).toHaveCount(0);
    await saveSettings(page);
    await expect(brandLink(page).locator('img')).toHaveAttribute('src', pngUri);

    await chooseLogo(page, 'sombre', 'logo.svg', 'image/svg+xml', svg('width="24" height="12pt"'));
    await expect(logoGroup(page, 'sombre').locator('img')).toHaveAttribute('src', drawnPng);
    await expect(logoGroup(page, 'clair').locator('img')).toHaveAttribute('src', pngUri);
    await saveSettings(page);
    await expect(brandLink(page).locator('img')).toHaveAttribute('src', pngUri);
    await page.getByRole('button', { name: 'Passer au thème sombre' }).click();
    await expect(brandLink(page).locator('img')).toHaveAttribute('src', drawnPng);

    const visitorPage = await (await browser.newContext({ colorScheme: 'dark' })).newPage();
    await visitorPage.goto('/login');
    await expect(visitorPage.getByRole('main').locator('img')).toHaveAttribute('src', drawnPng);
    await visitorPage.context().close();
  });

  await test.step('an SVG is drawn at twice its size, and does not act', async () => {
    const image = logoGroup(page, 'sombre').locator('img');
    const measure = () =>
      image.evaluate((element: HTMLImageElement) => {
        const { naturalWidth: width, naturalHeight: height } = element;
        const context = new OffscreenCanvas(width, height).getContext('2d');
        context?.drawImage(element, 0, 0);
        return { size: [width, height], middle: context?.getImageData(width / 2, height / 2, 1, 1).data.join() };
      });
    expect(await measure()).toEqual({ size: [48, 32], middle: '255,0,0,255' });
    await expect(page).not.toHaveTitle('acted');
    const sizes: [string, number[]][] = [
      ['viewBox="0 0 24 24"', [48, 48]],
      ['viewBox="0 0 24 24" height="60"', [120, 120]],
      ['width="3000" height="2"', [4096, 3]],
    ];
    for (const [size, drawnSize] of sizes) {
      await chooseLogo(page, 'sombre', 'logo.svg', 'image/svg+xml', svg(size));
      await expect.poll(async () => (await measure()).size).toEqual(drawnSize);
    }
    // Twice this size would be too large a file.
    await chooseLogo(
      page,
      'sombre',
      'noise.svg',
      'image/svg+xml',
      svg('width="900" height="900" filter="url(#noise)"'),
    );
    await expect.poll(async () => (await measure()).size[1]).toBeGreaterThan(200);
    expect((await measure()).size[1]).toBeLessThan(1800);
    await page.getByRole('button', { name: 'Annuler' }).click();
  });

  await test.step('a removed logo is replaced by that of the other theme or by the lighthouse', async () => {
    await page.getByRole('button', { name: 'Passer au thème clair' }).click();
    await logoGroup(page, 'clair').getByRole('button', { name: 'Retirer' }).click();
    await expect(logoGroup(page, 'clair').locator('img')).toHaveAttribute('src', drawnPng);
    await saveSettings(page);
    await expect(brandLink(page).locator('img')).toHaveAttribute('src', drawnPng);
    await logoGroup(page, 'sombre').getByRole('button', { name: 'Retirer' }).click();
    await saveSettings(page);
    await expect(brandLink(page).locator('img')).toHaveCount(0);
    await expect(page.getByRole('main').locator('img')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Retirer' })).toHaveCount(0);
  });

  await test.step('a logo that the server refuses stays selected', async () => {
    await chooseLogo(page, 'clair', 'long.png', 'image/png', longPng);
    await expect(logoError).toBeHidden();
    await saveButton(page).click();
    await expect(page.getByRole('main').getByText('il dépasse 4096 pixels de côté.')).toBeVisible();
    await expect(logoGroup(page, 'clair').getByRole('button', { name: 'Remplacer' })).toBeVisible();
  });
});
