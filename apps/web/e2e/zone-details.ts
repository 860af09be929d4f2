import { expect } from '@playwright/test';
import { storeToken } from './fixtures';
import { tellPalette } from './palette';
import { bearer, openSession } from './people';
import { aRecord as a, line, lines, openRecords, tab, test } from './zones';

/** What stands beside the great ways. In one file with the others: one stand-in of Cloudflare listens at its port. */
export function tellDetails(): void {
  test('what cannot be loaded says so, and another attempt brings it', async ({ linked: page, account }) => {
    const zone = account.addZone('exemple', [a(account.domain())]);
    await page.route('**/api/cloudflare/zones?*', (route) => route.abort());
    await page.goto('/cloudflare');
    await expect(page.getByRole('main').getByText('Failed to load zones')).toBeVisible();
    await page.unroute('**/api/cloudflare/zones?*');
    await page.getByRole('main').getByRole('button', { name: 'Réessayer' }).click();
    await page.getByRole('link', { name: account.domain() }).click();
    await expect(line(page, '203.0.113.10')).toBeVisible();
    await page.route('**/dns/preview', (route) => route.abort());
    await page.getByRole('button', { name: 'Modifier A @' }).click();
    await page.getByLabel('Adresse IPv4').fill('203.0.113.11');
    await page.getByRole('button', { name: 'Continuer' }).click();
    await expect(page.getByRole('form').getByRole('alert')).toHaveText('Failed to save record');
    expect(account.stored(zone).records[0]?.content).toBe('203.0.113.10');
  });

  test('a record has its text, its comment, and two questions before it goes', async ({ linked: page, account }) => {
    const zone = account.addZone('exemple', [a(account.domain())]);
    await openRecords(page, zone);
    await page.getByRole('main').getByRole('button', { name: 'Actualiser' }).click();
    await page.getByRole('button', { name: 'Ajouter un enregistrement' }).first().click();
    const form = page.getByRole('form', { name: 'Nouvel enregistrement' });
    await form.getByLabel('Type').selectOption('TXT');
    await form.getByLabel('Nom').fill('note');
    await form.getByLabel('Texte').fill('bonjour');
    await form.getByLabel('Commentaire').fill('pour essayer');
    await form.getByRole('button', { name: 'Continuer' }).click();
    await page.getByRole('region', { name: 'Ce qui va changer' }).getByRole('button', { name: 'Enregistrer' }).click();
    await expect(line(page, 'bonjour')).toBeVisible();
    await page.getByRole('button', { name: 'Supprimer A @' }).click();
    // What is asked about is on the screen before somebody else changes it.
    const asked = page.getByRole('dialog', { name: 'Supprimer A @\u202f?' });
    await expect(asked).toContainText('203.0.113.10');
    const changed = account.stored(zone).records.find(({ type }) => type === 'A');
    Object.assign(changed ?? {}, { content: '203.0.113.99', modified_on: new Date().toISOString() });
    await asked.getByRole('button', { name: 'Supprimer', exact: true }).click();
    const again = page.getByRole('dialog', { name: 'A @ a changé entre-temps' });
    await expect(again).toContainText('203.0.113.99');
    await again.getByRole('button', { name: 'Supprimer quand même' }).click();
    await expect(lines(page)).toHaveCount(2);
  });

  test('a zone that waits says for what, and its history goes on behind its first page', async ({
    linked: page,
    account,
    keeper,
    request,
  }) => {
    const zone = account.addZone('zebre', [], 'pending');
    await openRecords(page, zone);
    await page.getByText('Cette zone attend ses serveurs de noms').click();
    await expect(page.getByRole('main').getByText('ada.ns.cloudflare.com')).toBeVisible();
    await tab(page, 'Zones').click();
    await page.getByRole('main').getByRole('button', { name: 'Actualiser' }).click();
    await tab(page, 'Enregistrements').click();
    const headers = bearer(keeper.token);
    for (let n = 0; n < 51; n += 1) {
      const data = { type: 'A', name: `n${n}`, content: '203.0.113.1', ttl: 300 };
      const answer = await request.post(`/api/cloudflare/zones/${zone.id}/dns`, { data, headers });
      expect(answer.status(), await answer.text()).toBe(201);
    }
    await page.getByRole('button', { name: 'Historique' }).click();
    const states = page.getByRole('list', { name: 'Historique' }).getByRole('listitem');
    await expect(states).toHaveCount(50);
    await page.getByRole('button', { name: 'Voir plus' }).click();
    await expect.poll(() => states.count()).toBeGreaterThan(50);
  });

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

  tellPalette();
}
