import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailAlert } from '@vigie/contracts/alerts';
import type { Input } from '@vigie/contracts/contract';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { addUser } from '@vigie/testing/people';
import { admin, TestProduct } from '@vigie/testing/product';
import { FakeSendgrid } from '@vigie/testing/sendgrid';
import { until } from '@vigie/testing/until';
import { v7 as uuid } from 'uuid';

type To = Input<typeof mailAlert>['to'];

const key = 'SG.alerts';
let product: TestProduct;
let sendgrid: FakeSendgrid;
let sites: TestBus;
let root: string;
beforeAll(async () => {
  sendgrid = await FakeSendgrid.start(key);
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  // The shared process would send to SendGrid itself.
  await product.processesOf('auth-svc')[0]?.kill('SIGTERM');
  await product.add('auth-svc', { VIGIE_SENDGRID_URL: sendgrid.url });
  sites = await connectBus(product.keys['sites-svc']);
  root = await product.login();
});
afterAll(async () => {
  await sites?.close();
  await product?.stop();
  await sendgrid?.close();
});

const saveKey = (sendgridKey: string | null) =>
  product.request('POST', '/api/settings/notifications', { token: root, body: { sendgrid_api_key: sendgridKey } });
beforeEach(() => saveKey(key));

const administrators: To = { kind: 'administrators' };
const userOf = (id: string): To => ({ kind: 'user', user_id: id });
const addresses = (...emails: string[]): To => ({ kind: 'addresses', emails });

/** An alert whose subject is the id of its delivery. */
const alert = (to: To, deliveryId = uuid()) => ({
  delivery_id: deliveryId,
  to,
  subject: deliveryId,
  paragraphs: ['Boutique <Martin> ne répond plus.'],
  action: { label: 'Ouvrir l’incident', link: 'https://vigie.exemple.fr/incidents/1' },
  after: 'Ce message vient du canal Astreinte.',
});
const send = async (input: ReturnType<typeof alert>) => (await sites.call(mailAlert, input)).items;
const statesOf = async (input: ReturnType<typeof alert>) => (await send(input)).map(({ state }) => state);
const untilAll = (input: ReturnType<typeof alert>, wanted: string) =>
  until(async () => (await statesOf(input)).every((state) => state === wanted));
const arrivedOf = ({ subject }: ReturnType<typeof alert>) =>
  sendgrid.mails.filter((mail) => mail.subject.endsWith(subject));
const rowsOf = async ({ delivery_id: id }: ReturnType<typeof alert>) =>
  (await product.database.query('select recipient, state, body from auth.mails where delivery_id = $1', [id])).rows;
const sendNow = ({ delivery_id: id }: ReturnType<typeof alert>) =>
  product.database.query('update auth.mails set next_at = now() where delivery_id = $1', [id]);

/** Queues a mail whose first attempt fails, so that it waits for the next one. */
async function queueWaiting(input: ReturnType<typeof alert>): Promise<void> {
  // A mail of another test must not take the failure.
  await until(
    async () => (await product.database.query("select 1 from auth.mails where state = 'queued'")).rowCount === 0,
  );
  sendgrid.failures.push(503);
  await send(input);
  await until(async () => (await send(input))[0]?.error !== null);
}

describe('the recipients', () => {
  it('are one person, who gets a mail that says who failed', async () => {
    const { credentials, id } = await addUser(product, root);
    const input = alert(userOf(id));
    expect(await send(input)).toEqual([{ to: credentials.email, state: 'queued', attempts: 0, error: null }]);
    await untilAll(input, 'sent');
    expect(await send(input)).toEqual([{ to: credentials.email, state: 'sent', attempts: 1, error: null }]);
    expect(arrivedOf(input)).toEqual([
      expect.objectContaining({
        to: credentials.email,
        subject: `Vigie\u00a0: ${input.subject}`,
        text: expect.stringContaining('Boutique <Martin> ne répond plus.'),
        html: expect.stringContaining('Boutique &lt;Martin&gt; ne répond plus.'),
      }),
    ]);
  });

  it('are all administrators of the first call, and no other user', async () => {
    await addUser(product, root);
    const other = await addUser(product, root, 'admin');
    const input = alert(administrators);
    const expected = [admin.email, other.credentials.email].toSorted();
    expect((await send(input)).map(({ to }) => to).toSorted()).toEqual(expected);
    await addUser(product, root, 'admin');
    await untilAll(input, 'sent');
    expect(
      arrivedOf(input)
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual(expected);
  });

  it('are given addresses, with or without an account, each once', async () => {
    const input = alert(addresses('b@exemple.fr', 'a@exemple.fr', 'A@exemple.fr'));
    expect((await send(input)).map(({ to }) => to)).toEqual(['a@exemple.fr', 'b@exemple.fr']);
    await untilAll(input, 'sent');
    expect(arrivedOf(input)).toHaveLength(2);
  });

  it.each([
    ['an unknown user', userOf(uuid())],
    ['no address', addresses()],
  ])('cannot be %s', async (_, to) => {
    const input = alert(to);
    await expect(send(input)).rejects.toMatchObject({ code: 'not_found', detail: expect.stringContaining('aucun') });
    expect(await rowsOf(input)).toEqual([]);
  });

  it('are mailed once by ten calls at once', async () => {
    const input = alert(addresses('dix@exemple.fr', 'onze@exemple.fr'));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(input)));
    for (const items of answers) expect(items.map(({ to }) => to)).toEqual(['dix@exemple.fr', 'onze@exemple.fr']);
    await untilAll(input, 'sent');
    expect(arrivedOf(input)).toHaveLength(2);
  });

  it('are those of one call when two calls at once name others', async () => {
    const id = uuid();
    const inputs = [alert(addresses('une@exemple.fr'), id), alert(addresses('autre@exemple.fr'), id)];
    const [first, second] = await Promise.all(inputs.map(send));
    expect(first?.map(({ to }) => to)).toEqual(second?.map(({ to }) => to));
    expect(first).toHaveLength(1);
  });
});

describe('a mail of a delivery', () => {
  it('is tried again, or fails with its reason, which administrators see too', async () => {
    const input = alert(addresses('attente@exemple.fr'));
    await queueWaiting(input);
    const waiting = { to: 'attente@exemple.fr', attempts: 1, error: 'SendGrid ne répond pas pour le moment.' };
    expect(await send(input)).toEqual([{ ...waiting, state: 'queued' }]);
    await saveKey('SG.wrong');
    await sendNow(input);
    await untilAll(input, 'failed');
    const error = expect.stringContaining('refusé la clé');
    expect(await send(input)).toEqual([{ ...waiting, state: 'failed', attempts: 2, error }]);
    const { body } = await product.request('GET', '/api/settings/notifications/mails', { token: root });
    const subject = `Vigie\u00a0: ${input.subject}`;
    expect(body['items']).toContainEqual(expect.objectContaining({ to: waiting.to, subject, state: 'failed', error }));
  });

  it('expires a day after it was queued', async () => {
    const input = alert(addresses('jour@exemple.fr'));
    await send(input);
    const { rows } = await product.database.query(
      'select extract(epoch from expires_at - created_at)::int as seconds from auth.mails where delivery_id = $1',
      [input.delivery_id],
    );
    expect(Math.abs(Number(rows[0].seconds) - 86_400)).toBeLessThan(60);
  });

  it('fails when its account was deleted, and is not queued again', async () => {
    const { credentials, id } = await addUser(product, root);
    const input = alert(userOf(id));
    await queueWaiting(input);
    expect((await product.request('DELETE', `/api/admin/users/${id}`, { token: root })).status).toBeLessThan(300);
    await sendNow(input);
    await untilAll(input, 'failed');
    const gone = { to: credentials.email, state: 'failed', error: 'Ce compte n’existe plus.' };
    expect(await send(input)).toEqual([expect.objectContaining(gone)]);
    expect(await rowsOf(input)).toEqual([{ recipient: credentials.email, state: 'failed', body: null }]);
    expect(arrivedOf(input)).toEqual([]);
  });
});

it('is refused while no way to send mails is configured, unless its mails are queued already', async () => {
  const queued = alert(addresses('avant@exemple.fr'));
  await send(queued);
  await untilAll(queued, 'sent');
  await saveKey(null);
  expect(await statesOf(queued)).toEqual(['sent']);
  const input = alert(administrators);
  await expect(send(input)).rejects.toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('Aucun service'),
  });
  expect(await rowsOf(input)).toEqual([]);
  await saveKey(key);
  expect((await statesOf(input)).length).toBeGreaterThan(0);
});

it('is refused to a process other than sites-svc', async () => {
  const input = alert(administrators);
  for (const caller of ['gateway', 'ssh-agent', 'dns-svc'] as const) {
    const bus = await connectBus(product.keys[caller]);
    await expect(bus.call(mailAlert, input)).rejects.toMatchObject({ code: 'forbidden' });
    await bus.close();
  }
  expect(await rowsOf(input)).toEqual([]);
});
