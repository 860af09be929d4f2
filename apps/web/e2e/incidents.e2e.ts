import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults, expectNoPageFaults } from './axe';
import { makeSite } from './machines';
import { test as base } from './past';
import { chooseSegment } from './segments';

const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /en cours$/ });
const list = (page: Page) => page.getByRole('list', { name: 'Incidents' });

const noAnswer = { code: 0, reason: 'Le serveur du site refuse la connexion.', ends_at: null };
const answersThere = {
  verdict: 'answers_there',
  at: new Date().toISOString(),
  own: { code: 200, ms: 84, error: null },
  other: null,
};

type Named = { kind: 'site' | 'server'; id: string; name: string };

/** A site that does not answer, two of one server that do not, and a certificate that was renewed. */
const test = base.extend<{ outages: { vitrine: Named; cafe: Named; musee: Named; server: Named; whole: string } }>({
  outages: async ({ ownerPage: page, owner, makeServer, past }, use) => {
    const server = await makeServer({ port: 9 }, { name: 'web-03' });
    const site = async (name: string) => ({ kind: 'site' as const, name, id: await makeSite(page, owner, name) });
    const [vitrine, cafe, musee] = [await site('Vitrine'), await site('Café'), await site('Musée')];
    const cause = { kind: 'server' as const, ...server };
    await past.addIncident({ cause: vitrine, since: 40, evidence: noAnswer, opinion: answersThere });
    const evidence = { ...noAnswer, code: 502, reason: null };
    const whole = await past.addIncident({ cause, subjects: [cafe, musee], since: 65, evidence });
    const endsAt = new Date(Date.now() + 5.5 * 86_400_000).toISOString();
    const certificate = { code: null, reason: 'R11', ends_at: endsAt };
    await past.addIncident({ kind: 'certificate', cause: cafe, since: 3_000, until: 1_200, evidence: certificate });
    await use({ vitrine, cafe, musee, server: cause, whole });
  },
});

test('without an incident, the page says so', async ({ ownerPage: page }) => {
  await page.goto('/incidents/019dc4a4-7c1f-7b6e-9f3a-2f0d4c5b6a79');
  await expect(page.getByRole('heading', { name: 'Incident introuvable' })).toBeVisible();
  await main(page).getByRole('link', { name: 'Voir les incidents' }).click();
  await expect(page.getByText('Rien à signaler.')).toBeVisible();
  await button(page, 'Voir les incidents terminés').click();
  await expect(page.getByText('Aucun incident terminé.')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Incidents', exact: true }).click();
  await expect(page.getByText('Rien à signaler.')).toBeVisible();
});

test('an outage is found by the bell, taken over, muted and commented, and its story is copied', async ({
  ownerPage: page,
  outages: { vitrine },
  context,
}) => {
  await test.step('the bell counts what goes on, and leads to it', async () => {
    await page.goto('/');
    await expect(bell(page)).toHaveAccessibleName('Incidents\u00a0: 2 en cours');
    await bell(page).click();
    await expect(list(page).getByRole('listitem')).toHaveCount(2);
    await expect(list(page).getByText('2\u00a0sites de web-03 ne répondent plus')).toBeVisible();
    await expectNoPageFaults(page, 'Incidents');
    await chooseSegment(page, 'Terminés');
    await expect(list(page).getByText('Le certificat de Café allait expirer')).toBeVisible();
    await chooseSegment(page, 'Tous');
    await expect(list(page).getByRole('listitem')).toHaveCount(3);
    await chooseSegment(page, 'En cours');
    await expect(list(page).getByRole('listitem')).toHaveCount(2);
  });

  await test.step('a person takes it over, mutes it and writes what they found', async () => {
    await list(page)
      .getByRole('link', { name: `${vitrine.name} ne répond plus` })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: `${vitrine.name} ne répond plus` })).toBeVisible();
    await expect(main(page).getByText('Répond chez lui, pas d’ici.').first()).toBeVisible();
    await expectNoPageFaults(page, 'Incident');
    await button(page, 'Je m’en occupe').click();
    await expect(button(page, 'Je m’en occupe')).toHaveCount(0);
    for (const time of ['4\u00a0heures', '24\u00a0heures', '30\u00a0jours', '1\u00a0heure']) {
      await button(page, 'Mettre en sourdine').click();
      await page.getByRole('button', { name: `Mettre en sourdine\u00a0: ${time}` }).click();
    }
    await button(page, 'Mettre en sourdine').click();
    await expectNoDialogFaults(page.getByRole('button', { name: 'Réactiver' }).locator('xpath=ancestor::section[1]'));
    await page.getByRole('button', { name: 'Réactiver' }).click();
    await expect(main(page).getByText('a levé la sourdine', { exact: false })).toBeVisible();
    await button(page, 'Commenter').click();
    await expect(main(page).getByText('Écrivez un commentaire.')).toBeVisible();
    await main(page).getByLabel('Ajouter un commentaire').fill('Le pare-feu nous bloque.');
    await bell(page).click();
    const guard = page.getByRole('dialog', { name: /Quitter sans commenter/ });
    await expectNoDialogFaults(guard);
    await guard.getByRole('button', { name: 'Quitter sans commenter' }).click();
    await list(page)
      .getByRole('link', { name: `${vitrine.name} ne répond plus` })
      .click();
    await main(page).getByLabel('Ajouter un commentaire').fill('Le pare-feu nous bloque.');
    await button(page, 'Commenter').click();
    await expect(main(page).getByRole('listitem').filter({ hasText: 'Le pare-feu nous bloque.' })).toBeVisible();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Copier le récit').click();
    const story = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(story).toContain('Le pare-feu nous bloque.');
  });
});

test('a site and its server show their outages, which are closed and found in the history', async ({
  ownerPage: page,
  outages: { vitrine, cafe, musee, server, whole },
  past,
}) => {
  await test.step('the site shows it, with how reachable the site was', async () => {
    await past.addUptime(vitrine.id);
    await past.addNames([vitrine.id], 'vitrine-du-port.fr');
    await page.goto(`/sites/${vitrine.id}`);
    await expect(page.getByRole('region', { name: 'Incidents en cours' })).toContainText('Vitrine ne répond plus');
    const card = page.getByRole('region', { name: 'Disponibilité' });
    await expect(card.getByRole('img').first()).toBeVisible();
    await expect(card.getByText(/96,6/).first()).toBeVisible();
    for (const period of ['24\u00a0h', '30\u00a0j', '90\u00a0j', '7\u00a0j']) await chooseSegment(card, period);
    await expect(card).toContainText(/Domaine\s: vitrine-du-port\.fr, expire le .+ \(enregistré chez OVH\)\./);
    await expect(card).toContainText(/Adresse\s: 192\.0\.2\.1\. Changement le .+ \(avant\s: 192\.0\.2\.7\)\./);
    await card.getByText('Voir les mesures en tableau').click();
    await expect(card.getByRole('table')).toBeVisible();
    await expectNoPageFaults(page, 'Site avec sa disponibilité');
    await page.getByRole('region', { name: 'Incidents en cours' }).getByRole('link').click();
    await main(page).getByRole('link', { name: 'Site cassé\u202f?' }).click();
    await expect(page).toHaveURL(/repairs/);
  });

  await test.step('it is closed, and found again in the history of its site', async () => {
    await page.goto('/incidents');
    await list(page).getByRole('link', { name: 'Vitrine ne répond plus' }).click();
    await button(page, 'Clore').click();
    const dialog = page.getByRole('dialog', { name: /Clore cet incident/ });
    await expectNoDialogFaults(dialog);
    await dialog.getByRole('button', { name: 'Clore' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Vitrine ne répondait plus' })).toBeVisible();
    await page.goto(`/sites/${vitrine.id}`);
    await page.getByRole('region', { name: 'Incidents passés' }).getByRole('link', { name: 'Tous' }).click();
    await expect(list(page).getByRole('listitem')).toHaveCount(1);
    await button(page, 'Site\u00a0: Vitrine').click();
    await expect(list(page).getByRole('listitem')).toHaveCount(3);
    await page.goto(`/servers/${server.id}`);
    await expect(page.getByRole('region', { name: 'Incidents en cours' })).toContainText('2\u00a0sites de web-03');
    await page.goto(`/incidents?state=all&server=${server.id}`);
    await button(page, 'Serveur\u00a0: web-03').click();
    await expect(list(page).getByRole('listitem')).toHaveCount(3);
  });

  await test.step('a domain that ends is an incident of all of its sites', async () => {
    const name = 'phare-du-port.fr';
    const domain = { kind: 'domain' as const, id: await past.addNames([musee.id, cafe.id], name), name };
    const endsAt = new Date(Date.now() + 20.5 * 86_400_000).toISOString();
    const evidence = { code: null, reason: 'OVH', ends_at: endsAt };
    const subjects = [musee, cafe];
    const id = await past.addIncident({ kind: 'domain', cause: domain, subjects, since: 60, evidence });
    await page.goto(`/incidents/${id}`);
    const title = 'Le domaine phare-du-port.fr expire dans 20\u00a0jours';
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(main(page)).toContainText(/Domaine valable jusqu’au .+ \(enregistré chez OVH\)/);
    await expectNoPageFaults(page, 'Domaine qui expire');
    await button(page, 'Clore').click();
    const dialog = page.getByRole('dialog', { name: /Clore cet incident/ });
    await expect(dialog).toContainText(
      'Si le registre le dit toujours près de sa fin, l’incident se rouvre dans l’heure.',
    );
    await dialog.getByRole('button', { name: 'Annuler' }).click();
  });

  await test.step('a part of an outage leads to the whole', async () => {
    const part = await past.addIncident({ cause: cafe, since: 66, until: 64, mergedInto: whole, evidence: noAnswer });
    await page.goto(`/incidents/${part}`);
    await expect(page.getByText('Rattaché à un autre').first()).toBeVisible();
    await expectNoPageFaults(page, 'Incident rattaché');
    await main(page).getByRole('link', { name: 'Voir l’incident du serveur' }).click();
    await expect(page).toHaveURL(`/incidents/${whole}`);
  });
});
