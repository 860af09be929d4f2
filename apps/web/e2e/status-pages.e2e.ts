import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults, expectNoPageFaults } from './axe';
import { makeSite } from './machines';
import { test } from './past';
import { bearer } from './people';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Page publique d’Interne', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const main = (page: Page) => page.getByRole('main');
const gone = 'Cette page n’existe pas ou n’est plus publiée.';

/** The link, which is shown once. */
async function readLink(page: Page): Promise<string> {
  await expect(dialog(page).getByRole('status').first()).toContainText('Vigie ne le montrera plus.');
  await expect(button(page, 'Copier')).toBeFocused();
  const link = await dialog(page).locator('code').textContent();
  await dialog(page).getByRole('button', { name: 'Fermer', exact: true }).last().click();
  return link ?? '';
}

test('a group is published at a secret address, which a visitor opens without an account until it is withdrawn', async ({
  ownerPage: page,
  owner,
  past,
  request,
  browser,
}) => {
  const answer = await request.post('/api/groups', { data: { name: 'Interne' }, headers: bearer(owner.token) });
  const { id: group }: { id: string } = await answer.json();
  const [vitrine, cafe] = [
    await makeSite(page, owner, 'Vitrine', { groups: [group] }),
    await makeSite(page, owner, 'Café', { groups: [group] }),
  ];
  await past.addUptime(vitrine);
  const evidence = { code: 502, reason: null, ends_at: null };
  await past.addIncident({ cause: { kind: 'site', id: vitrine, name: 'Vitrine' }, since: 40, evidence });
  await past.addIncident({ cause: { kind: 'site', id: cafe, name: 'Café' }, since: 3_000, until: 2_987.5, evidence });

  await page.goto('/groups');
  await button(page, 'Page publique d’Interne').click();
  await expect(dialog(page).getByLabel('Titre')).toHaveValue('Interne');
  await expectNoDialogFaults(dialog(page));
  await dialog(page).getByLabel('Titre').fill(' ');
  await button(page, 'Publier la page').click();
  await expect(dialog(page).getByText('Donnez un titre à la page.')).toBeVisible();
  await dialog(page).getByLabel('Titre').fill('Les sites de la Maison Martin');
  await button(page, 'Publier la page').click();
  const first = await readLink(page);
  expect(first).toMatch(/\/etat\/[\w-]{43}$/);

  const context = await browser.newContext();
  const visitor = await context.newPage();
  await test.step('the visitor sees the sites by their hosts, and nothing of Vigie', async () => {
    await visitor.route('**/api/etat/*', (route) => route.fulfill({ status: 500, json: { detail: '' } }));
    const html = await visitor.goto(first);
    expect(html?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' });
    await expect(main(visitor).getByRole('alert')).toContainText('L’état des sites n’a pas pu être lu.');
    await visitor.unroute('**/api/etat/*');
    await button(visitor, 'Réessayer').click();
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Les sites de la Maison Martin');
    await expect(visitor).toHaveTitle('Les sites de la Maison Martin · Vigie');
    await expect(main(visitor).getByRole('heading', { level: 3 })).toHaveText([
      'cafe.exemple.fr',
      'vitrine.exemple.fr',
    ]);
    await expect(main(visitor).getByRole('status').first()).toHaveText('1\u00a0site ne répond pas');
    await expect(visitor.getByText('cafe.exemple.fr n’a pas répondu')).toBeVisible();
    await expect(visitor.getByText('Pendant 12\u00a0min')).toBeVisible();
    await expect(main(visitor).getByRole('img').last()).toHaveAccessibleName(/^90\u00a0derniers jours\u00a0: 98,\d\d/);
    await main(visitor).getByRole('img').last().hover();
    await expect(
      main(visitor)
        .getByText(/: 98,\d\d/)
        .first(),
    ).toBeVisible();
    await expect(main(visitor)).not.toContainText(/Vitrine|Café|Interne|Vigie/);
    await expectNoPageFaults(visitor, 'public page');
    expect(await visitor.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  await test.step('an edit holds at once', async () => {
    await button(page, 'Page publique d’Interne').click();
    await expect(dialog(page)).toContainText('Son lien n’est plus montré');
    await expectNoDialogFaults(dialog(page));
    await dialog(page).getByLabel('Lister les pannes des 90 derniers jours').uncheck();
    await dialog(page).getByRole('button', { name: 'Enregistrer' }).click();
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Page publique enregistrée.');
    await visitor.reload();
    await expect(main(visitor).getByRole('heading', { level: 2 })).toHaveText(['Sites']);
  });

  await test.step('a new link ends the old one', async () => {
    await button(page, 'Créer un nouveau lien').click();
    await expectNoDialogFaults(page.getByRole('dialog', { name: 'Créer un nouveau lien\u202f?' }));
    await button(page, 'Remplacer le lien').click();
    const second = await readLink(page);
    await visitor.reload();
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(gone);
    await visitor.goto(second);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Les sites de la Maison Martin');
  });

  await test.step('the page can be withdrawn', async () => {
    await button(page, 'Page publique d’Interne').click();
    await button(page, 'Ne plus publier').click();
    await expectNoDialogFaults(page.getByRole('dialog', { name: 'Ne plus publier cette page\u202f?' }));
    await button(page, 'Retirer la page').click();
    await expect(dialog(page)).toHaveCount(0);
    await visitor.reload();
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(gone);
    await expectNoPageFaults(visitor, 'a page that is gone');
  });
  await context.close();
});
