import { expect, type Page } from '@playwright/test';
import { aPlugin } from '@vigie/testing/zip';
import { test } from './machines';
import { bearer } from './people';

type Owner = { token: string };
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

async function makeSite(page: Page, { token }: Owner, name: string): Promise<string> {
  const ssh = { host: '127.0.0.1', port: 9, user: 'sh', wp_path: `/var/www/${name.toLowerCase()}` };
  const data = { name, url: `https://${name.toLowerCase()}.exemple.fr`, connection: { method: 'ssh', ssh } };
  const answer = await page.request.post('/api/sites', { data, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id }: { id: string } = await answer.json();
  return id;
}

test('each part of a screen that cannot load shows an error in its place, and loads after a retry', async ({
  ownerPage: page,
  owner,
  request,
  makeServer,
}) => {
  const site = await makeSite(page, owner, 'Boutique');
  const data = { name: 'web-01', host: '127.0.0.1', port: 9, user: 'sh' };
  const answer = await request.post('/api/servers', { data, headers: bearer(owner.token) });
  const { id: server }: { id: string } = await answer.json();
  await makeServer({ port: 9 }, { name: 'web-02' });
  const main = page.getByRole('main');
  for (const { at, call, sentence, place, whole: content } of [
    {
      at: `/sites/${site}`,
      call: `sites/${site}`,
      sentence: 'Impossible de lire ce site.',
      place: main,
      whole: page.getByRole('heading', { name: 'Boutique' }),
    },
    {
      at: `/sites?edit=${site}`,
      call: `sites/${site}`,
      sentence: 'Impossible de lire ce site.',
      place: dialog(page, 'Modifier le site'),
      whole: dialog(page, 'Modifier Boutique'),
    },
    {
      at: `/sites?open=${site}`,
      call: `sites/${site}`,
      sentence: 'Impossible de lire ce site.',
      place: dialog(page, 'Site'),
      whole: dialog(page, 'Boutique'),
    },
    {
      at: `/servers?edit=${server}`,
      call: `servers/${server}`,
      sentence: 'Impossible de lire ce serveur.',
      place: dialog(page, 'Modifier le serveur'),
      whole: dialog(page, 'Modifier web-01'),
    },
    {
      at: `/servers?open=${server}`,
      call: `servers/${server}`,
      sentence: 'Impossible de lire ce serveur.',
      place: dialog(page, 'Serveur'),
      whole: dialog(page, 'web-01'),
    },
    {
      at: `/servers?open=${server}`,
      call: `servers/${server}/pubkey`,
      sentence: "Impossible d'obtenir la clé publique.",
      place: dialog(page, 'web-01'),
      whole: page.getByText(/^ssh-ed25519 /),
    },
  ]) {
    await test.step(`${at} without ${call}`, async () => {
      await page.route(`**/api/${call}`, (route) => route.abort());
      await page.goto(at);
      const retryButton = place.getByRole('button', { name: 'Réessayer' });
      // Other parts of the screen may fail too, so the message identifies the part.
      const failure = place.getByText(sentence, { exact: true });
      await expect(failure).toBeVisible();
      await expect(content).toHaveCount(0);
      await page.unroute(`**/api/${call}`);
      await retryButton.click();
      await expect(content).toBeVisible();
      await expect(failure).toHaveCount(0);
    });
  }
});

test('the choice of sites for an archive can be retried, paged and kept; the list restores its scroll', async ({
  ownerPage: page,
  owner,
}) => {
  await Promise.all(Array.from({ length: 21 }, (_, at) => makeSite(page, owner, `Site-${at + 10}`)));
  await page.goto('/uploads');
  const file = { name: 'boussole.zip', mimeType: 'application/zip', buffer: aPlugin() };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.route('**/api/sites?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Installer boussole.zip sur des sites' }).click();
  const choice = dialog(page, 'Installer boussole.zip sur…');
  await expect(choice.getByRole('alert')).toContainText('Impossible de charger les sites.');
  await page.unroute('**/api/sites?*');
  await choice.getByRole('button', { name: 'Réessayer' }).click();
  await choice.getByRole('checkbox', { name: 'Choisir Site-10' }).check();
  await choice.getByRole('button', { name: 'Suivante' }).click();
  await expect(choice.getByRole('list', { name: 'Sites' }).getByRole('listitem')).toHaveCount(1);
  await choice.getByRole('checkbox', { name: 'Choisir Site-30' }).check();
  await choice.getByRole('button', { name: 'Précédente' }).click();
  await expect(choice.getByRole('checkbox', { name: 'Choisir Site-10' })).toBeChecked();
  await expect(choice).toContainText('2\u00a0sites choisis');
  // The first Escape clears the search; the second one asks before it drops the selection.
  const search = choice.getByRole('searchbox', { name: 'Rechercher un site' });
  await search.fill('Site-3');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await expect(choice).toContainText('2\u00a0sites choisis');
  await search.press('Escape');
  const question = dialog(page, 'Fermer sans appliquer\u202f?');
  await question.getByRole('button', { name: 'Annuler' }).click();
  await expect(choice).toContainText('2\u00a0sites choisis');
  await choice.getByRole('button', { name: 'Annuler' }).click();
  await question.getByRole('button', { name: 'Fermer sans appliquer' }).click();
  await expect(choice).toBeHidden();

  // The story opens a site far down, but not the last one, since the end of the list moves while sites load.
  await page.getByRole('link', { name: 'Sites', exact: true }).click();
  const last = page.getByRole('link', { name: 'Voir Site-30' });
  await last.focus();
  const at = () => page.evaluate(() => window.scrollY);
  // The router stores a position only after the scroll event, and a key press can come before it.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('scroll', () => resolve(), { once: true });
        window.scrollTo(0, 300);
      }),
  );
  expect(await at()).toBe(300);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Site-30');
  await page.goBack();
  await expect(last).toBeVisible();
  await expect.poll(at).toBe(300);
});
