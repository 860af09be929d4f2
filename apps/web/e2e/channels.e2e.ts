import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, type Page } from '@playwright/test';
import type { Channel } from '@vigie/contracts/channels';
import { FakeParty } from '@vigie/testing/fake-party';
import { expectNoDialogFaults, expectNoPageFaults } from './axe';
import { test as base } from './machines';
import { findByKeyboard } from './palette';
import { bearer, logIn } from './people';

type Received = { headers: IncomingHttpHeaders; body: string };

/** The program of somebody who takes the messages of a webhook. */
class Receiver extends FakeParty {
  readonly received: Received[] = [];
  status = 200;

  static start = (): Promise<Receiver> => new Receiver().listen();

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(this.status).end(this.status === 200 ? 'merci' : 'la base est pleine');
  }
}

const test = base.extend<{ receiver: Receiver }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
  receiver: async ({}, use) => {
    const receiver = await Receiver.start();
    await use(receiver);
    await receiver.close();
  },
});

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true });
const tab = (page: Page, name: string) => page.getByRole('main').getByRole('tab', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const addButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Ajouter un canal' });
const channelLine = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Canaux' }).getByRole('listitem').filter({ hasText: name });
const messages = (page: Page) => page.getByRole('list', { name: 'Messages envoyés' }).getByRole('listitem');

/** Checks that the unsaved changes are asked about, and leaves them. */
async function expectLeaveQuestion(page: Page): Promise<void> {
  const question = dialog(page, 'Quitter sans enregistrer\u202f?');
  await expectNoDialogFaults(question);
  await question.getByRole('button', { name: 'Quitter sans enregistrer' }).click();
  await expect(question).toHaveCount(0);
}

/** Answers the next new channel as a repeated request is answered whose first answer, with the secret, was lost. */
async function loseMadeSecret(page: Page): Promise<void> {
  await page.route('**/api/channels', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), secret: null } });
  });
}

/** Only the messages that a story asks for may come, so the channel is about a group without sites. */
async function addGroup(page: Page, token: string, name: string): Promise<void> {
  const answer = await page.request.post('/api/groups', { data: { name }, headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(201);
}

/** Fills the form of each kind of channel in turn, as far as it says what is missing. */
async function tryEachKind(page: Page): Promise<void> {
  const form = dialog(page, 'Ajouter un canal');
  const add = form.getByRole('button', { name: 'Ajouter le canal' });
  const kind = form.getByLabel('Envoyer par');
  await add.click();
  await expect(form.getByText('Donnez un nom à ce canal.')).toBeVisible();
  await expect(form.getByLabel('Nom', { exact: true })).toBeFocused();
  await form.getByLabel('Nom', { exact: true }).fill('Astreinte');
  await form.getByLabel('Adresses email').fill('personne');
  await form.getByLabel('Bulletin du jour').fill('08:00');
  await add.click();
  await expect(form.getByText('Cette adresse email n’est pas valide.')).toBeVisible();
  await kind.selectOption('Telegram');
  await form.getByLabel('Jeton du robot').fill('123456:ABC');
  await add.click();
  await expect(form.getByText('Donnez la conversation Telegram où écrire.')).toBeVisible();
  await form.getByLabel('Conversation').fill('@astreinte');
  await expectNoDialogFaults(form);
  await kind.selectOption('ntfy');
  await form.getByLabel('Jeton d’accès').fill('tk_phare');
  await expect(form.getByText('ntfy.sh/mon-sujet')).toBeVisible();
  await kind.selectOption('Slack');
  await expect(form.getByText('api.slack.com/apps')).toBeVisible();
  await kind.selectOption('Signe de vie');
  await expect(form.getByText('Si les appels cessent, votre service de surveillance vous prévient.')).toBeVisible();
  await expect(form.getByLabel(/Incidents à envoyer|Début|Fuseau horaire/)).toHaveCount(0);
  await add.click();
  await expect(form.getByText('Donnez l’adresse à appeler chaque minute.')).toBeVisible();
  await expectNoDialogFaults(form);
  await kind.selectOption('Webhook');
  await form.getByLabel('Secret de signature').fill('phare');
  await form.getByLabel('Secret de signature').fill('');
  await add.click();
  await expect(form.getByText('Donnez l’adresse à laquelle envoyer les messages.')).toBeVisible();
}

/** Fills the rules of the channel, first wrongly. */
async function fillRules(page: Page, group: string): Promise<void> {
  const form = dialog(page, 'Ajouter un canal');
  const add = form.getByRole('button', { name: 'Ajouter le canal' });
  await form.getByLabel('Incidents à envoyer').selectOption('Incidents critiques seulement');
  await form.getByLabel('Attendre, en minutes').fill('bientôt');
  await form.getByLabel('Début').fill('22:00');
  await form.getByLabel('Fuseau horaire').fill('Paris');
  await form.getByLabel('Sites concernés').selectOption('Certains groupes');
  await add.click();
  for (const sentence of ['Écrivez un nombre de minutes', 'ou aucun des deux.', 'Ce fuseau horaire n’est pas connu'])
    await expect(form.getByText(sentence)).toBeVisible();
  await expect(form.getByRole('alert')).toHaveText('Choisissez au moins un groupe, ou tous les sites.');
  await form.getByLabel(group).check();
  await form.getByLabel('Attendre, en minutes').fill('15');
  await form.getByLabel('Fin').fill('07:00');
  await form.getByLabel('Fuseau horaire').fill('Europe/Paris');
  await expectNoDialogFaults(form);
}

test('the palette finds the channels, and the keyboard goes from tab to tab', async ({ ownerPage: page }) => {
  await page.goto('/notifications');
  await expect(page.getByLabel('Adresse expéditeur')).toBeVisible();
  await findByKeyboard(page, 'messages envoyés', 'Pages et actions', 'Messages envoyés');
  await expect(page).toHaveURL('/notifications?tab=deliveries');
  await findByKeyboard(page, 'canaux', 'Pages et actions', 'Canaux d’alerte');
  await expect(page).toHaveURL('/notifications?tab=channels');
  await tab(page, 'Canaux').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(tab(page, 'Envoi des emails')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/notifications');
  await page.getByLabel('Adresse expéditeur').fill('garde@vigie.test');
  await tab(page, 'Canaux').click();
  await expectLeaveQuestion(page);
  await expect(page).toHaveURL('/notifications?tab=channels');
});

test('a webhook is added, tested, changed, paused and deleted, and its messages are followed', async ({
  ownerPage: page,
  owner,
  receiver,
}) => {
  const name = `Astreinte ${owner.id.slice(-6)}`;
  await addGroup(page, owner.token, 'Sans site');
  await page.goto('/notifications?tab=channels');

  await test.step('the form says what is missing, and shows the secret that Vigie made once', async () => {
    await addButton(page).click();
    const form = dialog(page, 'Ajouter un canal');
    await tryEachKind(page);
    await form.getByLabel('Nom', { exact: true }).fill(name);
    await form.getByLabel('Adresse', { exact: true }).fill(`${receiver.url}/vigie?cle=phare`);
    await fillRules(page, 'Sans site');
    await form.getByRole('button', { name: 'Ajouter le canal' }).click();
    const added = dialog(page, 'Canal ajouté');
    await expect(added.getByRole('status').first()).toContainText('Vigie ne le montrera plus.');
    await expect(added.getByRole('button', { name: 'Copier' })).toBeFocused();
    await expectNoDialogFaults(added);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await added.getByRole('button', { name: 'Copier' }).click();
    await expect(added.getByRole('button', { name: 'Copié' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\S{16,}/);
    await added.getByRole('button', { name: 'Fermer' }).last().click();
    await expect(page).toHaveURL('/notifications?tab=channels');
  });

  await test.step('a form with a typed name asks before it closes', async () => {
    await addButton(page).click();
    await dialog(page, 'Ajouter un canal').getByLabel('Nom', { exact: true }).fill('Garde');
    await page.keyboard.press('Escape');
    await expectLeaveQuestion(page);
    await expect(dialog(page, 'Ajouter un canal')).toHaveCount(0);
    await expect(page).toHaveURL('/notifications?tab=channels');
  });

  const line = channelLine(page, name);
  await test.step('the line says where the messages go, which and when', async () => {
    await expect(line).toContainText('Webhook · 127.0.0.1');
    await expect(line).toContainText('Incidents critiques seulement (Sans site), si personne ne s’en charge en 15');
    await expect(line).toContainText('Heures calmes de 22:00 à 07:00');
    await expect(line).toContainText('Aucun message pour l’instant.');
    expect(await page.content()).not.toContain('cle=phare');
    await expectNoPageFaults(page, 'Canaux');
  });

  await test.step('a test arrives with its signature', async () => {
    await line.getByRole('button', { name: `Envoyer un test par ${name}` }).click();
    await expect(line.getByRole('status')).toHaveText('Message de test envoyé.');
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    await expect(line).toContainText('Envoyé');
  });

  await test.step('an edit keeps the address and the secret', async () => {
    await line.getByRole('button', { name: `Modifier ${name}` }).click();
    const form = dialog(page, 'Modifier le canal');
    await expect(form.getByLabel('Nom', { exact: true })).toHaveValue(name);
    for (const field of ['Adresse', 'Secret de signature']) {
      await expect(form.getByLabel(field, { exact: true })).toHaveValue('');
      await expect(form.getByLabel(field, { exact: true })).toHaveAttribute('placeholder', '••••••••');
    }
    await expectNoDialogFaults(form);
    await form.getByLabel('Attendre, en minutes').fill('0');
    await form.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(toasts(page)).toContainText(`Canal ${name} enregistré.`);
    await expect(line).not.toContainText('si personne');
  });

  await test.step('what the other side refuses stands among the messages, and is sent again', async () => {
    receiver.status = 500;
    await line.getByRole('button', { name: `Envoyer un test par ${name}` }).click();
    await expect(line.getByRole('status')).toHaveText('Le destinataire est en panne (HTTP\u00a0500).');
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,/);
    await expect(line.getByText('Message de test envoyé.')).toHaveCount(0);
    await tab(page, 'Messages').click();
    await page.getByLabel('Filtrer par canal').selectOption(name);
    await expect(messages(page)).toHaveCount(2);
    await expect(messages(page).first().getByText('Échec', { exact: true })).toBeVisible();
    await messages(page).first().getByText('Réponse reçue').click();
    await expect(messages(page).first()).toContainText('HTTP 500');
    await expect(messages(page).first()).toContainText('la base est pleine');
    await expectNoPageFaults(page, 'Messages');
    receiver.status = 200;
    const count = receiver.received.length;
    await page.getByLabel('Filtrer par état').selectOption('Envoyé');
    await messages(page).first().getByRole('button', { name: 'Renvoyer' }).click();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(count);
    await page.getByLabel('Filtrer par état').selectOption('Tous les états');
    await expect(messages(page).first()).toContainText('renvoyé');
    await expect(messages(page).first().getByText('Envoyé', { exact: true })).toBeVisible();
    await page.getByLabel('Filtrer par état').selectOption('Sans objet');
    await page.getByRole('main').getByRole('button', { name: 'Effacer les filtres' }).click();
    await expect(page).toHaveURL('/notifications?tab=deliveries');
  });

  await test.step('a paused channel says so, and a deleted one is gone', async () => {
    await tab(page, 'Canaux').click();
    await line.getByRole('button', { name: `Mettre en pause ${name}` }).click();
    await expect(line.getByText('En pause')).toBeVisible();
    await line.getByRole('button', { name: `Reprendre ${name}` }).click();
    await expect(line.getByText('En pause')).toHaveCount(0);
    await line.getByRole('button', { name: `Supprimer ${name}` }).click();
    const question = dialog(page, `Supprimer le canal ${name}\u202f?`);
    await expect(question.getByRole('button', { name: 'Annuler' })).toBeFocused();
    await expectNoDialogFaults(question);
    await question.getByRole('button', { name: 'Supprimer' }).click();
    await expect(toasts(page)).toContainText(`Canal ${name} supprimé.`);
    await expect(line).toHaveCount(0);
  });
});

/** Shows the sign of life as if no agent had answered for three minutes. */
async function loseAgents(page: Page): Promise<void> {
  const since = new Date(Date.now() - 200_000).toISOString();
  await page.route('**/api/channels', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const { items, total } = (await response.json()) as { items: Channel[]; total: number };
    const silent = items.map(({ heartbeat, ...channel }) => ({
      ...channel,
      ...(heartbeat && { heartbeat: { ...heartbeat, missing: [{ part: 'ssh-agent', since }] } }),
    }));
    await route.fulfill({ response, json: { items: silent, total } });
  });
}

test('a sign of life is given at once, and the line says how the calls go', async ({
  ownerPage: page,
  owner,
  receiver,
}) => {
  const name = `Veille ${owner.id.slice(-6)}`;
  const line = channelLine(page, name);
  await page.goto('/notifications?tab=channels');
  await addButton(page).click();
  const form = dialog(page, 'Ajouter un canal');
  await form.getByLabel('Envoyer par').selectOption('Signe de vie');
  await form.getByLabel('Nom', { exact: true }).fill(name);
  await form.getByLabel('Adresse', { exact: true }).fill(`${receiver.url}/ping/phare`);
  await form.getByRole('button', { name: 'Ajouter le canal' }).click();
  await expect(line).toContainText('Signe de vie · 127.0.0.1');
  await expect(line.getByText('Accepté', { exact: true })).toBeVisible();
  await expect(line).toContainText('Dernier signe de vie accepté');
  expect(receiver.received).toMatchObject([{ body: '' }]);
  await expectNoPageFaults(page, 'Signe de vie');

  await test.step('a test says what was answered', async () => {
    receiver.status = 500;
    await line.getByRole('button', { name: `Envoyer un test par ${name}` }).click();
    await expect(line.getByRole('status')).toHaveText(
      'Le service de surveillance est en panne (HTTP\u00a0500). Réponse\u00a0: la base est pleine',
    );
    await expect(line.getByText('Échec', { exact: true })).toBeVisible();
  });

  await test.step('without an agent it names what is missing', async () => {
    await loseAgents(page);
    await page.reload();
    await expect(line).toContainText('Pas d’appel\u00a0: aucun agent ne répond depuis 3\u00a0min.');
    await expectNoPageFaults(page, 'Silence');
    await page.unroute('**/api/channels');
  });

  await line.getByRole('button', { name: `Supprimer ${name}` }).click();
  const question = dialog(page, `Supprimer le canal ${name}\u202f?`);
  await expect(question).toContainText('Votre service de surveillance s’en alarmera');
  await question.getByRole('button', { name: 'Supprimer' }).click();
  await expect(line).toHaveCount(0);
});

const incidentMessage = {
  id: '019dc4a4-7c1f-7b6e-9f3a-2f0d4c5b6a01',
  channel: { id: '019dc4a4-7c1f-7b6e-9f3a-2f0d4c5b6a02', kind: 'slack', name: 'Équipe' },
  kind: 'opened',
  title: 'Vitrine ne répond plus',
  incident_id: '019dc4a4-7c1f-7b6e-9f3a-2f0d4c5b6a79',
  state: 'queued',
  attempts: 2,
  status: 502,
  answer: null,
  error: 'Slack a répondu HTTP 502.',
  created_at: new Date(Date.now() - 60_000).toISOString(),
  next_at: new Date(Date.now() + 600_000).toISOString(),
  sent_at: null,
  resent_from: null,
};

test('a client has a channel of their own, and follows a message to its incident', async ({ page, person }) => {
  await logIn(page, person);
  await page.route('**/api/channels', (route) => route.fulfill({ status: 409, json: { detail: '' } }));
  await page.goto('/notifications?tab=channels');
  await expect(page.getByRole('main').getByText('Impossible de charger les canaux.')).toBeVisible();
  await page.unroute('**/api/channels');
  await page.getByRole('main').getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByText('Aucun canal pour l’instant.')).toBeVisible();
  await expectNoPageFaults(page, 'Aucun canal');

  await test.step('its mails go to the client alone', async () => {
    await addButton(page).click();
    const form = dialog(page, 'Ajouter un canal');
    await expect(form.getByText(`Les messages partent à votre adresse, ${person.email}.`)).toBeVisible();
    await expect(form.getByLabel('Adresses email')).toHaveCount(0);
    await expect(form.getByRole('option', { name: 'Signe de vie' })).toHaveCount(0);
    await form.getByLabel('Nom', { exact: true }).fill('Le matin');
    await form.getByLabel('Incidents à envoyer').selectOption('Aucun incident');
    await form.getByRole('button', { name: 'Ajouter le canal' }).click();
    await expect(form.getByText('Choisissez des incidents, ou le bulletin du jour.')).toBeVisible();
    await form.getByLabel('Bulletin du jour').fill('08:00');
    await form.getByRole('button', { name: 'Ajouter le canal' }).click();
    await expect(channelLine(page, 'Le matin')).toContainText('Email · votre adresse');
    await expect(channelLine(page, 'Le matin')).toContainText('Aucun incident · Bulletin du jour à 08:00');
    await channelLine(page, 'Le matin').getByRole('button', { name: 'Supprimer Le matin' }).click();
    await dialog(page, 'Supprimer le canal Le matin\u202f?').getByRole('button', { name: 'Supprimer' }).click();
    await expect(page.getByText('Aucun canal pour l’instant.')).toBeVisible();
  });

  await test.step('a secret that was lost on its way is told of', async () => {
    await loseMadeSecret(page);
    await addButton(page).click();
    const form = dialog(page, 'Ajouter un canal');
    await form.getByLabel('Envoyer par').selectOption('Webhook');
    await form.getByLabel('Nom', { exact: true }).fill('Programme');
    await form.getByLabel('Adresse', { exact: true }).fill('https://exemple.fr/vigie');
    await form.getByRole('button', { name: 'Ajouter le canal' }).click();
    const added = dialog(page, 'Canal ajouté');
    await expect(added.getByRole('status').first()).toContainText('Le canal existe, mais son secret n’a pas pu');
    const close = added.getByRole('button', { name: 'Fermer' }).last();
    await expect(close).toBeFocused();
    await expectNoDialogFaults(added);
    await close.click();
    await expect(channelLine(page, 'Programme')).toContainText('Webhook · exemple.fr');
    await page.unroute('**/api/channels');
  });

  await test.step('the messages are empty, then name the incident that they tell of', async () => {
    await tab(page, 'Messages').click();
    await expect(page.getByText('Aucun message pour l’instant.')).toBeVisible();
    const items = [incidentMessage];
    await page.route('**/api/deliveries?*', (route) => route.fulfill({ json: { items, total: 1 } }));
    await page.getByRole('main').getByRole('button', { name: 'Actualiser' }).click();
    await expect(messages(page)).toContainText(['Ouverture · Équipe (Slack)']);
    await expect(messages(page).getByText('En attente')).toBeVisible();
    await expect(messages(page)).toContainText(['2\u00a0tentatives, nouvel essai le']);
    await expectNoPageFaults(page, 'Message en attente');
    await messages(page).getByRole('link', { name: 'Voir l’incident' }).click();
    await expect(page).toHaveURL(`/incidents/${incidentMessage.incident_id}`);
  });
});
