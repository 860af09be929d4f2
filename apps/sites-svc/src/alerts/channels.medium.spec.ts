import type { Channel, Delivery } from '@vigie/contracts/channels';
import { checkDns } from '@vigie/contracts/health';
import { AlertReceivers } from '@vigie/testing/alert-receivers';
import { dataSourceOptions } from '@vigie/service-kit/database';
import { connectBus } from '@vigie/testing/bus';
import { IncidentStage } from '@vigie/testing/incidents';
import { addUser } from '@vigie/testing/people';
import { until } from '@vigie/testing/until';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimCalls } from '../heartbeats/heartbeat-rows';

let stage: IncidentStage;
let receivers: AlertReceivers;

beforeAll(async () => {
  receivers = await AlertReceivers.start();
  stage = await IncidentStage.open('ssh-agent');
});
afterAll(async () => {
  await receivers?.close();
  await stage?.close();
});
beforeEach(() => stage.empty('channels'));

const webhook = { kind: 'webhook', name: 'Astreinte', url: 'https://hooks.exemple.fr/vigie' };
const mail = { kind: 'mail', name: 'Moi' };
const heartbeat = { kind: 'heartbeat', name: 'Veille', url: 'https://veille.exemple.fr/jeton', min_severity: null };

const create = (fields: object, person = stage.owner) => stage.ask('POST', '/channels', fields, person);
const channelOf = async (fields: object, person = stage.owner) =>
  (await create(fields, person)).body as unknown as Channel & { secret: string | null };
const moveTo = async (id: string, url: string) => (await stage.ask('PUT', `/channels/${id}`, { url })).body;
const namesFor = async (person = stage.owner) =>
  ((await stage.ask('GET', '/channels', undefined, person)).body['items'] as Channel[]).map(({ name }) => name);

describe('a channel', () => {
  it('is shown without its secrets, and its made secret once', async () => {
    const made = await channelOf(webhook);
    expect(made).toMatchObject({
      host: 'hooks.exemple.fr',
      has_secret: true,
      secret: expect.stringMatching(/^whsec_/),
      is_shared: false,
      is_enabled: true,
      min_severity: 'warning',
      group_ids: null,
      time_zone: 'Europe/Paris',
      delay_minutes: 0,
    });
    const { text } = await stage.ask('GET', '/channels');
    expect(text).not.toMatch(/whsec|vigie"|ciphertext|owner_id/);
  });

  it('keeps what an edit leaves out, and imports only a new target', async () => {
    const { id } = await channelOf({ ...webhook, quiet_from: '22:00', quiet_to: '07:00', delay_minutes: 15 });
    const rules = { name: 'Équipe', min_severity: 'critical', is_enabled: false };
    const { body } = await stage.ask('PUT', `/channels/${id}`, rules);
    expect(body).toMatchObject({ ...rules, quiet_from: '22:00', quiet_to: '07:00', delay_minutes: 15 });
    const target = async () => (await stage.query('select target from sites.channels')).rows;
    const before = await target();
    expect((await stage.ask('PUT', `/channels/${id}`, { url: '', secret: '' })).status).toBe(200);
    expect(await target()).toEqual(before);
    expect(await moveTo(id, 'https://ailleurs.exemple.fr/autre')).toMatchObject({ host: 'ailleurs.exemple.fr' });
    expect(await target()).not.toEqual(before);
    await stage.ask('PUT', `/channels/${id}`, { quiet_from: null, quiet_to: null });
    expect((await stage.ask('GET', '/channels')).body['items']).toMatchObject([{ quiet_from: null, quiet_to: null }]);
  });

  it.each([
    [{ ...webhook, name: '' }, 'Donnez un nom à ce canal.'],
    [{ kind: 'slack', name: 'Slack' }, 'Donnez l’adresse à laquelle envoyer les messages.'],
    [{ ...webhook, url: 'javascript:alert(1)' }, 'Donnez une adresse complète, qui commence par http:// ou https://.'],
    [{ ...webhook, url: 'https://a:b@hooks.exemple.fr/' }, 'Donnez une adresse complète'],
    [{ kind: 'telegram', name: 'T', chat_id: '12' }, 'Donnez le jeton du robot Telegram.'],
    [{ kind: 'telegram', name: 'T', secret: '1:a' }, 'Donnez la conversation Telegram où écrire.'],
    [{ ...webhook, quiet_from: '22:00' }, 'Donnez le début et la fin des heures calmes, ou aucun des deux.'],
    [{ ...webhook, quiet_from: '22:00', quiet_to: '22:00' }, 'Les heures calmes ne peuvent pas finir'],
    [{ ...webhook, quiet_from: '24:00', quiet_to: '07:00' }, 'Écrivez une heure comme 22:00.'],
    [{ ...webhook, digest_at: '08:00' }, 'Le bulletin du jour ne part que par email.'],
    [{ ...webhook, min_severity: null }, 'Choisissez des incidents, ou le bulletin du jour.'],
    [{ ...webhook, time_zone: 'Mars/Olympus' }, 'Ce fuseau horaire n’est pas connu'],
    [{ ...webhook, group_ids: [] }, 'Choisissez au moins un groupe, ou tous les sites.'],
    [{ ...webhook, emails: ['a@exemple.fr'] }, 'Seul un canal par email a des adresses.'],
    [{ ...heartbeat, min_severity: 'info' }, 'Un signe de vie n’annonce aucun incident.'],
    [{ ...webhook, chat_id: '12' }, 'Seul un canal Telegram a une conversation.'],
    [{ ...mail, emails: ['pas une adresse'] }, 'Cette adresse email n’est pas valide.'],
  ])('is refused as %j', async (fields, sentence) => {
    const { status, text } = await create(fields, stage.admin);
    expect(status).toBe(400);
    expect(text.replaceAll('\u00a0', ' ')).toContain(sentence.replaceAll('\u00a0', ' '));
    expect(await namesFor(stage.admin)).toEqual([]);
  });

  it('is created once for a repeated request', async () => {
    const options = { token: stage.owner.token, body: webhook, headers: { 'idempotency-key': 'une-fois' } };
    const [first, second] = [
      await stage.product.request('POST', '/api/channels', options),
      await stage.product.request('POST', '/api/channels', options),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body['id']).toBe(first.body['id']);
    expect(await namesFor()).toEqual(['Astreinte']);
  });

  it('takes only a zone that the database knows too', async () => {
    const { status } = await create({ ...webhook, time_zone: '+02:00' });
    expect(status).toBe(400);
    expect(await namesFor()).toEqual([]);
  });
});

describe('the channels of one person', () => {
  it('are nobody else’s, and those of the installation every administrator’s', async () => {
    await channelOf({ ...webhook, name: 'Client' });
    await channelOf({ ...webhook, name: 'Maison' }, stage.admin);
    const other = await addUser(stage.product, stage.admin.token, 'admin');
    expect(await namesFor()).toEqual(['Client']);
    expect(await namesFor(stage.guest)).toEqual([]);
    expect(await namesFor(stage.admin)).toEqual(['Maison']);
    expect(await namesFor(other)).toEqual(['Maison']);
  });

  it('write mails to their own address only', async () => {
    const refused = await create({ ...mail, emails: ['victime@exemple.fr'] });
    expect(refused.status).toBe(403);
    const { id } = await channelOf(mail);
    expect((await stage.ask('PUT', `/channels/${id}`, { emails: ['victime@exemple.fr'] })).status).toBe(403);
    expect(await channelOf({ ...mail, emails: ['Equipe@Exemple.fr'] }, stage.admin)).toMatchObject({
      emails: ['equipe@exemple.fr'],
    });
  });

  it('name only groups that they may see', async () => {
    const [group] = [(await stage.ask('POST', '/groups', { name: 'À moi' })).body['id']];
    const foreign = await create({ ...webhook, group_ids: [group] }, stage.guest);
    expect(foreign.status).toBe(404);
    expect(await namesFor(stage.guest)).toEqual([]);
    await stage.ask('POST', '/grants', { group_id: group, user_id: stage.guest.id, role: 'viewer' });
    expect((await create({ ...webhook, group_ids: [group] }, stage.guest)).status).toBe(201);
  });

  it('are at most fifty, and go with their owner', async () => {
    const leaver = await addUser(stage.product, stage.admin.token);
    for (let at = 0; at < 50; at += 1) await create({ ...webhook, name: `Canal ${at}` }, leaver);
    expect((await create(webhook, leaver)).status).toBe(409);
    expect((await stage.ask('DELETE', `/admin/users/${leaver.id}`, undefined, stage.admin)).status).toBe(204);
    await until(async () => (await stage.query('select from sites.channels')).rows.length === 0);
  });
});

describe('a test', () => {
  const local = () => ({ ...webhook, url: receivers.urlOf('webhook'), secret: receivers.webhookSecret });

  it('arrives, signed by the secret of the channel, even while it is paused', async () => {
    const { id } = await channelOf({ ...local(), is_enabled: false }, stage.admin);
    const { status, body } = await stage.ask('POST', `/channels/${id}/test`, {}, stage.admin);
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'test', state: 'sent', attempts: 1, status: 200, error: null });
    expect(receivers.received('webhook')).toHaveLength(1);
    expect(receivers.refusals).toEqual([]);
  });

  it('says why it was refused, and is tried once', async () => {
    const { id } = await channelOf(local(), stage.admin);
    receivers.answerNext('webhook', { status: 503, body: 'la base est pleine' });
    const { body } = await stage.ask('POST', `/channels/${id}/test`, {}, stage.admin);
    expect(body as unknown as Delivery).toMatchObject({
      state: 'failed',
      attempts: 1,
      status: 503,
      answer: 'la base est pleine',
      error: expect.stringContaining('en panne'),
    });
    const [channel] = (await stage.ask('GET', '/channels', undefined, stage.admin)).body['items'] as Channel[];
    expect(channel?.last_delivery).toMatchObject({ id: body['id'], state: 'failed' });
  });

  it('of a client goes to no private address', async () => {
    const { id } = await channelOf(local());
    const count = receivers.received('webhook').length;
    const { body } = await stage.ask('POST', `/channels/${id}/test`, {});
    expect(body).toMatchObject({ state: 'failed', status: null, error: 'Adresse non autorisée' });
    expect(receivers.received('webhook')).toHaveLength(count);
  });

  it('of mails says that none can leave without a way to send them', async () => {
    const { id } = await channelOf(mail);
    const { body } = await stage.ask('POST', `/channels/${id}/test`, {});
    expect(body).toMatchObject({ state: 'failed', error: expect.stringContaining('Aucun service d’envoi') });
  });

  it('is refused after ten in a minute', async () => {
    const { id } = await channelOf(webhook);
    await stage.query(
      `insert into sites.deliveries (id, channel_id, kind, message_id, message, state, ended_at)
       select gen_random_uuid(), $1, 'test', gen_random_uuid(), '{"title": "Test"}', 'sent', now() from generate_series(1, 10)`,
      id,
    );
    expect((await stage.ask('POST', `/channels/${id}/test`, {})).status).toBe(429);
    const { items } = (await stage.ask('GET', '/deliveries')).body as { items: Delivery[] };
    expect((await stage.ask('POST', `/deliveries/${items[0]?.id}/resend`, {})).status).toBe(429);
  });
});

describe('a sign of life', () => {
  const local = () => ({ ...heartbeat, url: receivers.heartbeatUrl });
  const ask = async () => {
    const { body, text } = await stage.ask('GET', '/channels', undefined, stage.admin);
    expect(text).not.toContain('jeton');
    return (body['items'] as Channel[])[0]?.heartbeat;
  };
  const untilState = (matches: (state: Channel['heartbeat']) => boolean) => until(async () => matches(await ask()));

  it('is for administrators alone', async () => {
    const { status, text } = await create(heartbeat);
    expect(status).toBe(403);
    expect(text).toContain('Seul un administrateur peut ajouter un signe de vie.');
    expect(await namesFor()).toEqual([]);
  });

  it('is claimed once in a minute, by however many replicas', async () => {
    const { id } = await channelOf(local(), stage.admin);
    const { url } = stage.product.database;
    const source = await new DataSource(
      dataSourceOptions(url, { schema: 'sites', entities: [], migrations: [] }),
    ).initialize();
    for (const late of ['2 seconds', '40 minutes']) {
      await stage.query(`update sites.channel_heartbeats set due_at = now() - interval '${late}'`);
      const claims = await Promise.all([claimCalls(source), claimCalls(source), claimCalls(source)]);
      expect(claims.flat().length).toBeLessThanOrEqual(1);
    }
    await stage.query(`update sites.channels set is_enabled = false where id = $1`, id);
    await stage.query("update sites.channel_heartbeats set due_at = now() - interval '50 seconds'");
    expect(await claimCalls(source)).toEqual([]);
    await source.destroy();
  });

  it('is given while all parts live, and else says which one is missing', async () => {
    const before = receivers.calls;
    const { id, heartbeat: state } = await channelOf(local(), stage.admin);
    expect(state).toEqual({ called_at: null, accepted_at: null, status: null, error: null, missing: [] });
    await untilState((one) => one?.missing.length === 1);
    expect(await ask()).toMatchObject({ called_at: null, missing: [{ part: 'dns-svc' }] });
    expect(receivers.calls).toBe(before);

    const dns = await connectBus(stage.product.keys['dns-svc']);
    await dns.answer(checkDns, async () => ({ ok: true, release: '', instance: '' }));
    const hurry = () => stage.query('update sites.channel_heartbeats set due_at = now()');
    await hurry();
    await untilState((one) => one?.status === 200);
    expect(await ask()).toEqual({
      called_at: expect.any(String),
      accepted_at: expect.any(String),
      status: 200,
      error: null,
      missing: [],
    });
    expect(receivers.calls).toBe(before + 1);

    receivers.answerNext('heartbeat', { status: 500, body: 'jeton-du-signe-de-vie' });
    await hurry();
    await untilState((one) => one?.status === 500);
    expect((await ask())?.error).toContain('Le service de surveillance est en panne');
    await dns.close();

    await stage.ask('PUT', `/channels/${id}`, { is_enabled: false }, stage.admin);
    await hurry();
    const { body } = await stage.ask('POST', `/channels/${id}/test`, {}, stage.admin);
    expect(body).toMatchObject({ state: 'sent', status: 200, answer: 'OK', channel: { name: 'Veille' } });
    expect(receivers.calls).toBe(before + 3);
    expect((await ask())?.error).toBeNull();
    expect((await stage.query('select from sites.deliveries')).rows).toEqual([]);
    await stage.query('update sites.channel_heartbeats set tests = 10');
    expect((await stage.ask('POST', `/channels/${id}/test`, {}, stage.admin)).status).toBe(429);
  });
});

it('is written to the audit by names alone', async () => {
  const { id } = await channelOf(webhook);
  await stage.ask('PUT', `/channels/${id}`, { secret: 'canari-secret-1234' });
  await stage.ask('DELETE', `/channels/${id}`);
  const { rows } = await stage.query<{ action: string; details: string }>(
    "select action, details from sites.audit_lines where action like 'channel_%' and target_id = $1 order by at, action",
    id,
  );
  expect(rows.map(({ action }) => action).toSorted()).toEqual(['channel_create', 'channel_delete', 'channel_edit']);
  expect(JSON.stringify(rows)).not.toMatch(/canari|hooks.exemple.fr\/vigie/);
});
