import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlertMessage, beat, sendAlert } from '@vigie/contracts/alerts';
import { type ChannelKind, importChannel } from '@vigie/contracts/channels';
import type { Input } from '@vigie/contracts/contract';
import type { SealedText } from '@vigie/contracts/text';
import { AlertReceivers } from '@vigie/testing/alert-receivers';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { TestProcess } from '@vigie/testing/processes';
import { TestProduct } from '@vigie/testing/product';
import { aMessage, hostileMessage, longMessage } from '@vigie/testing/sample-alerts';
import type { ReceiverKind } from './receiver';

let receivers: AlertReceivers;
let product: TestProduct;
let gateway: TestBus;
let sites: TestBus;

beforeAll(async () => {
  receivers = await AlertReceivers.start();
  product = await TestProduct.start(['ssh-agent'], { VIGIE_TELEGRAM_URL: receivers.url });
  gateway = await connectBus(product.keys.gateway);
  sites = await connectBus(product.keys['sites-svc']);
});
afterAll(async () => {
  for (const each of [gateway, sites]) await each?.close();
  await product?.stop();
  await receivers?.close();
});

type Fields = {
  kind: ChannelKind;
  url?: string;
  secret?: string;
  chat_id?: string | null;
  id?: string;
  channelId?: string;
  current?: SealedText;
};

/** As the gateway seals what a person types, and sites-svc hands it on. */
async function importTarget({ url, secret, id, channelId = id ?? randomUUID(), ...fields }: Fields) {
  const isGiven = url !== undefined || secret !== undefined;
  const secrets = isGiven
    ? await gateway.sealField(importChannel, 'secrets', { secrets: { url, secret }, id })
    : undefined;
  const imported = await sites.forward(importChannel, { secrets, id, channel_id: channelId, ...fields });
  return { ...imported, channelId, kind: fields.kind };
}
type Imported = Pick<Awaited<ReturnType<typeof importTarget>>, 'target' | 'channelId' | 'kind'>;

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );

type SendOptions = Partial<Input<typeof sendAlert>>;

const send = ({ target, channelId, kind }: Imported, options: SendOptions = {}) =>
  sites.call(sendAlert, {
    message_id: randomUUID(),
    channel_id: channelId,
    kind,
    target,
    allows_private: true,
    message: aMessage(),
    ...options,
  });

const kinds = ['webhook', 'slack', 'discord', 'teams', 'google_chat', 'telegram', 'ntfy'] as const;

/** A channel to the stand-in. */
function channelTo(kind: ReceiverKind): Promise<Imported> {
  if (kind === 'telegram') return importTarget({ kind, secret: receivers.telegramToken, chat_id: '-100123' });
  const secret = kind === 'webhook' ? { secret: receivers.webhookSecret } : {};
  return importTarget({ kind, url: receivers.urlOf(kind), ...secret });
}

const sent = { outcome: 'sent', error: null, retry_after: null };

describe.each(kinds)('a message by %s', (kind) => {
  it.each<[string, () => AlertMessage]>([
    ['plain', aMessage],
    ['hostile', hostileMessage],
    ['long', longMessage],
  ])('with %s texts arrives and is taken', async (_, makeMessage) => {
    const before = receivers.received(kind).length;
    expect(await send(await channelTo(kind), { message: makeMessage() })).toMatchObject(sent);
    expect(receivers.received(kind)).toHaveLength(before + 1);
  });

  it('goes to no private address that its owner may not reach', async () => {
    const before = receivers.received(kind).length;
    expect(await send(await channelTo(kind), { allows_private: false })).toEqual({
      outcome: 'refused',
      status: null,
      answer: null,
      error: 'Adresse non autorisée',
      retry_after: null,
    });
    expect(receivers.received(kind)).toHaveLength(before);
  });
});

describe('a receiver', () => {
  it('recognizes a message that it gets twice, each time by a new signature', async () => {
    const channel = await channelTo('webhook');
    const messageId = randomUUID();
    receivers.answerNext('webhook', { status: 500 });
    expect(await send(channel, { message_id: messageId })).toMatchObject({ outcome: 'retry', status: 500 });
    expect(await send(channel, { message_id: messageId })).toMatchObject(sent);
    const ids = receivers.received('webhook').map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(-2)).toEqual([messageId, messageId]);
  });

  it('that asks for rest, in a header or in its body, is obeyed', async () => {
    const slack = await channelTo('slack');
    receivers.answerNext('slack', { status: 429, headers: { 'retry-after': '17' } });
    expect(await send(slack)).toMatchObject({ outcome: 'retry', status: 429, retry_after: 17 });
    receivers.answerNext('discord', { status: 429, body: '{"message":"…","retry_after":2.2,"global":false}' });
    expect(await send(await channelTo('discord'))).toMatchObject({ outcome: 'retry', retry_after: 3 });
    receivers.answerNext('telegram', { body: '{"ok":false,"error_code":429,"parameters":{"retry_after":9}}' });
    expect(await send(await channelTo('telegram'))).toMatchObject({ outcome: 'retry', status: 200, retry_after: 9 });
  });

  it('that redirects is not followed, not even outside', async () => {
    const before = receivers.received('slack').length;
    receivers.answerNext('ntfy', { redirectsTo: receivers.urlOf('slack') });
    const answer = await send(await channelTo('ntfy'));
    expect(answer).toMatchObject({ outcome: 'refused', status: 307, error: expect.stringMatching(/redirections/) });
    expect(receivers.received('slack')).toHaveLength(before);
  });

  it('that sends its answer slowly, or never, is waited for ten seconds', async () => {
    receivers.answerNext('slack', { isSilent: true });
    receivers.answerNext('telegram', { drips: true });
    receivers.answerNext('discord', { drips: true });
    const channels = [channelTo('slack'), channelTo('telegram'), channelTo('discord')];
    const [slack, telegram, discord] = await Promise.all(channels.map(async (made) => send(await made)));
    const none = { answer: null, retry_after: null };
    expect(slack).toEqual({ ...none, outcome: 'retry', status: null, error: 'Slack n’a pas répondu en 10\u00a0s.' });
    expect(telegram).toMatchObject({ outcome: 'retry', status: 200, error: expect.stringMatching(/sans confirmer/) });
    expect(discord).toEqual({ ...none, outcome: 'sent', status: 200, error: null });
  });

  it('that answers without an end is read a little', async () => {
    receivers.answerNext('teams', { isEndless: true });
    expect(await send(await channelTo('teams'))).toMatchObject({ ...sent, answer: expect.stringMatching(/^x{299}…$/) });
  });

  it('that cuts its answer has the message by its status, but Telegram gets it again later', async () => {
    receivers.answerNext('google_chat', { isCut: true });
    expect(await send(await channelTo('google_chat'))).toMatchObject({ ...sent, status: 200 });
    receivers.answerNext('telegram', { isCut: true });
    expect(await send(await channelTo('telegram'))).toMatchObject({ outcome: 'retry', status: 200 });
  });

  it('whose name leads to a private address gets nothing', async () => {
    const url = receivers.urlOf('slack').replace('127.0.0.1', 'localhost');
    const before = receivers.received('slack').length;
    const channel = await importTarget({ kind: 'slack', url });
    expect(await send(channel, { allows_private: false })).toMatchObject({
      outcome: 'refused',
      error: 'Adresse non autorisée',
    });
    expect(await send(channel)).toMatchObject(sent);
    expect(receivers.received('slack')).toHaveLength(before + 1);
  });

  it('whose address is the metadata of a cloud gets nothing from anybody', async () => {
    const channel = await importTarget({ kind: 'webhook', url: 'http://169.254.169.254/latest/meta-data/' });
    expect(await send(channel)).toMatchObject({ outcome: 'refused', error: 'Adresse non autorisée' });
  });

  it('that repeats its address and secret shows them to nobody', async () => {
    const [, path = ''] = receivers.urlOf('slack').split('/slack');
    receivers.answerNext('slack', { status: 404, body: `no route for ${path}\n${receivers.urlOf('slack')}` });
    const slack = await send(await channelTo('slack'));
    expect(slack).toMatchObject({ outcome: 'refused', error: expect.stringMatching(/supprimé.*créez-en un autre/) });
    receivers.answerNext('telegram', { status: 401, body: `token ${receivers.telegramToken} is wrong` });
    const telegram = await send(await channelTo('telegram'));
    expect(telegram.answer).toBe('token ••• is wrong');
    const { output } = product.processesOf('ssh-agent')[0] ?? { output: '' };
    const shown = `${JSON.stringify([slack, telegram])}${output}`;
    for (const secret of ['jeton-secret', receivers.telegramToken]) expect(shown).not.toContain(secret);
  });
});

const tokens = { telegram: '1:abcdefghijklmnopqrstuvwxyz', ntfy: 'tk_jeton' };

describe('a new channel', () => {
  it('shows its host and whether it has a secret', async () => {
    const slack = await importTarget({ kind: 'slack', url: 'https://hooks.slack.com:8443/services/a' });
    expect(slack).toMatchObject({ host: 'hooks.slack.com:8443', has_secret: false, made_secret: null });
    const telegram = await importTarget({ kind: 'telegram', secret: tokens.telegram, chat_id: '@alertes' });
    expect(telegram).toMatchObject({ host: new URL(receivers.url).host, has_secret: true });
    expect(await importTarget({ kind: 'mail' })).toMatchObject({ host: null, has_secret: false });
  });

  it('of a webhook without a secret gets one, which signs its messages', async () => {
    const channel = await importTarget({ kind: 'webhook', url: receivers.urlOf('webhook') });
    expect(channel).toMatchObject({ has_secret: true, made_secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) });
    const { webhookSecret } = receivers;
    expect(await send(channel)).toMatchObject({ outcome: 'refused', status: 400 });
    receivers.webhookSecret = channel.made_secret ?? '';
    expect(await send(channel)).toMatchObject(sent);
    receivers.webhookSecret = webhookSecret;
  });

  it('has the digest of its address and secret, which tells nothing else', async () => {
    const url = receivers.urlOf('ntfy');
    const digestOf = async (fields: Partial<Fields>) => (await importTarget({ kind: 'ntfy', url, ...fields })).digest;
    const digest = await digestOf({ secret: 'a' });
    expect(await digestOf({ secret: 'a' })).toBe(digest);
    expect(await digestOf({ secret: 'b' })).not.toBe(digest);
    expect(await digestOf({ secret: 'a', url: `${url}x` })).not.toBe(digest);
    expect(await digestOf({ secret: '' })).toBe(await digestOf({}));
    const plainHash = createHash('sha256')
      .update(JSON.stringify([url, 'a']))
      .digest('base64url');
    expect(digest).not.toBe(plainHash);
  });

  const url = 'https://exemple.test/x';
  it.each<[string, Fields, RegExp]>([
    ['an address of mail', { kind: 'mail', url }, /pas d’adresse web/],
    ['a secret of mail', { kind: 'mail', secret: 'x' }, /pas d’autre secret/],
    ['an address of Telegram', { kind: 'telegram', url, secret: tokens.telegram, chat_id: '1' }, /pas d’adresse web/],
    ['a secret of Slack', { kind: 'slack', url, secret: 'x' }, /pas d’autre secret/],
    ['a secret of Discord', { kind: 'discord', url, secret: 'x' }, /pas d’autre secret/],
    ['a secret of Teams', { kind: 'teams', url, secret: 'x' }, /pas d’autre secret/],
    ['a secret of Google Chat', { kind: 'google_chat', url, secret: 'x' }, /pas d’autre secret/],
    ['another token than one of a robot', { kind: 'telegram', secret: '1:a/b', chat_id: '1' }, /BotFather/],
    ['a token with a path', { kind: 'telegram', secret: `${tokens.telegram}/../x`, chat_id: '1' }, /BotFather/],
    ['a robot without a conversation', { kind: 'telegram', secret: tokens.telegram }, /Donnez la conversation/],
    ['a secret that says it is base64', { kind: 'webhook', url, secret: 'whsec_é'.replace('é', '*') }, /base64/],
    ['an empty key', { kind: 'webhook', url, secret: 'whsec_' }, /base64/],
    ['no address', { kind: 'slack', url: '' }, /Donnez l’adresse/],
  ])('is refused with %s', async (_, fields, sentence) => {
    const refusal = await refusalOf(importTarget(fields));
    expect(refusal).toMatch(/^invalid: /);
    expect(refusal).toMatch(sentence);
  });

  it('is accepted from sites-svc alone', async () => {
    const fields = { kind: 'mail' as const, channel_id: randomUUID() };
    expect(await refusalOf(gateway.call(importChannel, fields))).toMatch(/^forbidden/);
  });
});

describe('a sign of life', () => {
  const channelToMonitor = () => importTarget({ kind: 'heartbeat', url: receivers.heartbeatUrl });
  const call = ({ target, channelId }: Pick<Imported, 'target' | 'channelId'>, allowsPrivate = true) =>
    sites.call(beat, { channel_id: channelId, target, allows_private: allowsPrivate });

  it('is a call of the address, whose answer does not show it', async () => {
    const channel = await channelToMonitor();
    const before = receivers.calls;
    receivers.answerNext('heartbeat', { status: 201, body: `GET ${receivers.heartbeatUrl} OK` });
    expect(await call(channel)).toEqual({ status: 201, answer: 'GET ••• OK', error: null });
    expect(receivers.calls).toBe(before + 1);
  });

  it.each([404, 500])('that is answered by %i says why', async (status) => {
    receivers.answerNext('heartbeat', { status });
    const error = expect.stringMatching(new RegExp(`^Le service de surveillance .*HTTP\u00a0${status}`));
    expect(await call(await channelToMonitor())).toEqual({ status, answer: null, error });
  });

  it('follows no redirect, and goes to no address that its owner may not reach', async () => {
    const channel = await channelToMonitor();
    const before = receivers.calls;
    receivers.answerNext('heartbeat', { redirectsTo: receivers.heartbeatUrl });
    expect(await call(channel)).toMatchObject({ status: 307, error: expect.stringContaining('redirections') });
    expect(await call(channel, false)).toEqual({ status: null, answer: null, error: 'Adresse non autorisée' });
    expect(receivers.calls).toBe(before + 1);
  });

  it('goes to no address of messages, nor a message to its address', async () => {
    const before = [receivers.received('slack').length, receivers.refusals.length];
    expect(await refusalOf(call(await channelTo('slack')))).toMatch(/^invalid/);
    expect(await refusalOf(send(await channelToMonitor()))).toMatch(/^invalid: .*pas d’adresse/);
    expect([receivers.received('slack').length, receivers.refusals.length]).toEqual(before);
  });
});

describe('a sealed target', () => {
  it('does not open for another channel, nor as another kind, and nothing is sent', async () => {
    const channel = await channelTo('slack');
    const before = receivers.received('slack').length;
    const refusal = /^conflict: .*saisissez-les de nouveau/;
    expect(await refusalOf(send({ ...channel, channelId: randomUUID() }))).toMatch(refusal);
    expect(await refusalOf(send({ ...channel, kind: 'webhook' }))).toMatch(/^invalid/);
    expect(receivers.received('slack')).toHaveLength(before);
  });

  it('is sealed anew by a rotation of keys, and is the same', async () => {
    for (const kind of kinds) {
      const { target: current, channelId } = await channelTo(kind);
      const again = await sites.call(importChannel, { channel_id: channelId, kind, current });
      expect(again.target).not.toEqual(current);
      expect(again.made_secret).toBeNull();
      expect(await send({ ...again, channelId, kind })).toMatchObject(sent);
    }
  });
});

describe('an edit', () => {
  const editOf = ({ channelId, target: current, kind }: Imported, fields: Partial<Fields> = {}) =>
    importTarget({ id: channelId, kind, current, ...fields });

  it('keeps what it leaves out, or empty', async () => {
    const channel = await channelTo('webhook');
    expect(await send(await editOf(channel, { url: '', secret: '' }))).toMatchObject(sent);
    const moved = await editOf(channel, { url: 'https://exemple.test/x' });
    expect(moved).toMatchObject({ host: 'exemple.test', has_secret: true, made_secret: null });
  });

  it('moves a conversation of Telegram, without its token', async () => {
    const edited = await editOf(await channelTo('telegram'), { chat_id: '@alertes' });
    expect(await send(edited)).toMatchObject(sent);
    expect(receivers.received('telegram').at(-1)?.body).toContain('"chat_id":"@alertes"');
  });

  it('sends no token to a host that it was not given for', async () => {
    const url = 'https://ntfy.example/sujet';
    const channel = await importTarget({ kind: 'ntfy', url, secret: tokens.ntfy });
    const refusal = /^invalid: .*saisissez-le de nouveau/;
    for (const moved of [
      'https://evil.example/sujet',
      'http://ntfy.example/sujet',
      'https://ntfy.example:8443/sujet',
    ]) {
      expect(await refusalOf(editOf(channel, { url: moved }))).toMatch(refusal);
    }
    expect(await editOf(channel, { url: 'https://ntfy.example/autre' })).toMatchObject({ has_secret: true });
    const anew = { url: 'https://evil.example/sujet', secret: tokens.ntfy };
    expect(await editOf(channel, anew)).toMatchObject({ host: 'evil.example', has_secret: true });
  });

  it('is refused for another channel than the one that the user sent', async () => {
    const channel = await channelTo('slack');
    const foreign = importTarget({
      kind: 'slack',
      url: receivers.urlOf('slack'),
      id: randomUUID(),
      channelId: channel.channelId,
    });
    expect(await refusalOf(foreign)).toMatch(/^invalid: .*un autre canal/);
  });

  it('does not change the kind, even with everything given anew', async () => {
    const channel = await channelTo('slack');
    expect(await refusalOf(editOf({ ...channel, kind: 'discord' }))).toMatch(/^invalid: .*sorte/);
    expect(await refusalOf(editOf({ ...channel, kind: 'discord' }, { url: 'https://exemple.test/' }))).toMatch(/sorte/);
  });

  it('replaces a target that cannot be opened, if it gives all of it', async () => {
    const url = receivers.urlOf('webhook');
    const channel = { ...(await channelTo('webhook')), channelId: randomUUID() };
    const refusal = /^conflict: .*illisibles/;
    for (const part of [{}, { url }, { secret: receivers.webhookSecret }]) {
      expect(await refusalOf(editOf(channel, part))).toMatch(refusal);
    }
    expect(await send(await editOf(channel, { url, secret: receivers.webhookSecret }))).toMatchObject(sent);
    const telegram = { ...(await channelTo('telegram')), channelId: randomUUID() };
    expect(await refusalOf(editOf(telegram, { chat_id: '1' }))).toMatch(refusal);
    expect(await refusalOf(editOf(telegram, { secret: tokens.telegram }))).toMatch(refusal);
    expect(await refusalOf(editOf(telegram, { secret: tokens.telegram, chat_id: '1' }))).toBe('answered');
  });
});

it('does not start with an address of Telegram that is none', async () => {
  const settings = { ...product.envOf('ssh-agent'), VIGIE_TELEGRAM_URL: 'ftp://exemple.fr/' };
  const agent = TestProcess.start('ssh-agent/main.js', settings, product.home);
  expect(await agent.exit()).toBe(78);
  expect(agent.output).toContain('VIGIE_TELEGRAM_URL');
});
