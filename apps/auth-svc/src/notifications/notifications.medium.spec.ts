import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser } from '@vigie/testing/people';
import { admin, TestProduct } from '@vigie/testing/product';
import { FakeSendgrid } from '@vigie/testing/sendgrid';
import { FakeSmtp } from '@vigie/testing/smtp';
import { until } from '@vigie/testing/until';

const key = 'SG.notifications';
let product: TestProduct;
let sendgrid: FakeSendgrid;
let root: string;
beforeAll(async () => {
  sendgrid = await FakeSendgrid.start(key);
  product = await TestProduct.start(['gateway', 'auth-svc'], { VIGIE_SENDGRID_URL: sendgrid.url });
  root = await product.login();
});
afterAll(async () => {
  await product?.stop();
  await sendgrid?.close();
});

const settings = (body?: unknown, token = root) =>
  product.request(body === undefined ? 'GET' : 'POST', '/api/settings/notifications', {
    token,
    ...(body !== undefined && { body }),
  });
const test = (body: object = {}, token = root) =>
  product.request('POST', '/api/settings/notifications/test', { token, body });

describe('the key', () => {
  it('is never returned, is kept by an empty value and removed by null', async () => {
    const none = {
      has_sendgrid_key: false,
      sendgrid_key_updated_at: null,
      transport: null,
      default_sender_email: null,
    };
    expect((await settings()).body).toEqual(none);
    const saved = await settings({ sendgrid_api_key: ` ${key} ` });
    expect(saved.body).toMatchObject({ has_sendgrid_key: true, transport: 'sendgrid' });
    expect((await settings({ sendgrid_api_key: '' })).body['has_sendgrid_key']).toBe(true);
    expect((await settings({})).body['has_sendgrid_key']).toBe(true);
    expect((await settings({ sendgrid_api_key: null })).body).toEqual(none);
  });

  it('refuses a value that cannot be a key', async () => {
    expect((await settings({ sendgrid_api_key: 'SG.a\r\nX-Evil: 1' })).status).toBe(400);
    expect((await settings({ sendgrid_api_key: 12 })).status).toBe(422);
  });
});

describe('the test mail', () => {
  it('is refused while no transport is configured', async () => {
    await settings({ sendgrid_api_key: null });
    const answer = await test();
    expect([answer.status, answer.body['detail']]).toEqual([409, expect.stringContaining('Aucun service d’envoi')]);
  });

  it('goes to its requester, from the default sender or the one an administrator chose', async () => {
    await settings({ sendgrid_api_key: key });
    await product.request('POST', '/api/settings/app', {
      token: root,
      body: { default_sender_email: 'vigie@exemple.fr' },
    });
    expect((await test()).body).toEqual({ message: `Email de test envoyé à ${admin.email}.` });
    expect(sendgrid.mails.at(-1)).toMatchObject({ to: admin.email, from: 'vigie@exemple.fr', sender: 'Vigie' });
    await test({ from: 'autre@exemple.fr' });
    expect(sendgrid.mails.at(-1)?.from).toBe('autre@exemple.fr');
    const { token, credentials: who } = await addUser(product, root);
    expect((await test({ from: 'autre@exemple.fr' }, token)).status).toBe(403);
    expect((await test({ from: 'rien' }, token)).status).toBe(400);
    expect((await test({}, token)).status).toBe(200);
    expect(sendgrid.mails.at(-1)?.to).toBe(who.email);
  });

  it('reports why it failed', async () => {
    const { token } = await addUser(product, root);
    await settings({ sendgrid_api_key: 'SG.wrong' });
    const refused = await test({}, token);
    expect([refused.status, refused.body['detail']]).toEqual([502, expect.stringContaining('refusé la clé')]);
    await settings({ sendgrid_api_key: key });
    sendgrid.failures.push(500);
    expect((await test({}, token)).body['detail']).toBe('SendGrid ne répond pas pour le moment.');
  });

  it('is limited to five an hour', async () => {
    const { token } = await addUser(product, root);
    for (let n = 0; n < 5; n += 1) expect((await test({}, token)).status).toBe(200);
    expect((await test({}, token)).status).toBe(429);
  });
});

describe('a mail that was accepted', () => {
  beforeEach(() => settings({ sendgrid_api_key: key }));
  const forgot = (email: string) => product.request('POST', '/api/auth/forgot', { body: { email } });
  const mailTo = async (email: string) => {
    const { body } = await product.request('GET', '/api/settings/notifications/mails', { token: root });
    return (body['items'] as { to: string; state: string; attempts: number; error: string | null }[]).find(
      ({ to }) => to === email,
    );
  };

  it('is shown to administrators alone', async () => {
    const { token } = await addUser(product, root);
    expect((await product.request('GET', '/api/settings/notifications/mails', { token })).status).toBe(403);
  });

  const complaints = () => product.processesOf('auth-svc')[0]?.output.match(/"msg":"mails could not be sent"/g) ?? [];

  it('is tried again until it is sent, and its body is erased then', async () => {
    const { credentials: who } = await addUser(product, root);
    sendgrid.failures.push(503);
    await forgot(who.email);
    await until(async () => (await mailTo(who.email))?.error !== null);
    expect(await mailTo(who.email)).toMatchObject({
      state: 'queued',
      attempts: 1,
      error: 'SendGrid ne répond pas pour le moment.',
    });
    await product.database.query('update auth.mails set next_at = now() where recipient = $1', [who.email]);
    await until(async () => (await mailTo(who.email))?.state === 'sent');
    const bodies = await product.database.query('select body from auth.mails where recipient = $1', [who.email]);
    expect(bodies.rows).toEqual([{ body: null }]);
    expect(sendgrid.mails.filter(({ to }) => to === who.email)).toHaveLength(1);
  });

  it('is not reported as failed when it left but could not be recorded', async () => {
    const { credentials: who } = await addUser(product, root);
    await product.database.query(`
      create function auth.refuse_sent() returns trigger language plpgsql as
        $$ begin raise exception 'refused by the test' using errcode = '57P01'; end $$;
      create trigger refuse_sent before update on auth.mails for each row when (new.state = 'sent')
        execute function auth.refuse_sent()`);
    try {
      await forgot(who.email);
      await until(() => complaints().length > 0);
    } finally {
      await product.database.query('drop trigger refuse_sent on auth.mails');
    }
    expect(sendgrid.mails.filter(({ to }) => to === who.email)).toHaveLength(1);
    expect(await mailTo(who.email)).toMatchObject({ state: 'queued', attempts: 1, error: null });
    await product.database.query('update auth.mails set next_at = now() where recipient = $1', [who.email]);
    await until(async () => (await mailTo(who.email))?.state === 'sent');
  });

  it('waits while the settings cannot be read', async () => {
    const { credentials: who } = await addUser(product, root);
    const before = complaints().length;
    sendgrid.failures.push(503);
    await forgot(who.email);
    await until(async () => (await mailTo(who.email))?.error !== null);
    await product.database.query('alter table auth.settings rename to hidden');
    try {
      await product.database.query('update auth.mails set next_at = now() where recipient = $1', [who.email]);
      await until(() => complaints().length > before);
    } finally {
      await product.database.query('alter table auth.hidden rename to settings');
    }
    expect(await mailTo(who.email)).toMatchObject({ state: 'queued', attempts: 2 });
    await product.database.query('update auth.mails set next_at = now() where recipient = $1', [who.email]);
    await until(async () => (await mailTo(who.email))?.state === 'sent');
  });

  it('is given up when trying again is pointless, and an administrator sees why', async () => {
    const { credentials: who } = await addUser(product, root);
    await settings({ sendgrid_api_key: 'SG.wrong' });
    await forgot(who.email);
    await until(async () => (await mailTo(who.email))?.state === 'failed');
    expect((await mailTo(who.email))?.error).toContain('refusé la clé');
  });

  it('survives the death of the replica that was about to send it', async () => {
    const { credentials: who } = await addUser(product, root);
    await product.processesOf('auth-svc')[0]?.kill('SIGKILL');
    await product.database.query(
      `insert into auth.mails (id, recipient, subject, body, state, attempts, next_at, expires_at)
       values ('01890000-0000-7000-8000-00000000000a', $1, 'reste', '{}', 'queued', 1, now(), now() + interval '1 hour')`,
      [who.email],
    );
    await product.add('auth-svc');
    // Nobody sealed this body, so it cannot be unsealed: the mail must fail visibly, not be forgotten.
    await until(async () => (await mailTo(who.email))?.state !== 'queued');
    expect(await mailTo(who.email)).toMatchObject({ state: 'failed', attempts: 2 });
    expect(product.processesOf('auth-svc').at(-1)?.output).toContain('"msg":"a mail could not be unsealed"');
  });

  it('goes by SMTP when no key is saved', async () => {
    const smtp = await FakeSmtp.start();
    try {
      await settings({ sendgrid_api_key: null });
      await product.request('POST', '/api/settings/app', { token: root, body: { default_sender_email: null } });
      await product.processesOf('auth-svc').at(-1)?.kill('SIGTERM');
      await product.add('auth-svc', { VIGIE_SMTP_URL: smtp.url });
      const { token, credentials: who } = await addUser(product, root);
      expect((await settings()).body['transport']).toBe('smtp');
      expect((await test({}, token)).status).toBe(200);
      expect(smtp.mails[0]).toMatchObject({ to: [who.email], from: 'vigie@localhost' });
      expect(smtp.mails[0]?.content).toMatch(/multipart\/alternative[^]*text\/plain[^]*text\/html/);
      // Each answer comes in time, but all of them together take too long.
      smtp.delayMs = 3_000;
      const slow = await test({}, token);
      expect(slow.status).toBe(502);
      expect(JSON.stringify(slow.body)).toContain('ce message est peut-être parti malgré tout');
    } finally {
      await smtp.close();
    }
  });
});

it('announces the end of a token by one mail a week before', async () => {
  await settings({ sendgrid_api_key: key });
  const { credentials: who, token } = await addUser(product, root);
  const create = async (name: string, days: number) => {
    const body = { name, scopes: ['read'], expires_at: new Date(Date.now() + days * 86_400_000).toISOString() };
    return (await product.request('POST', '/api/tokens', { token, body })).body['id'];
  };
  await create('court', 2);
  await create('long', 30);
  await product.database.query(
    "update auth.tokens set created_at = now() - interval '60 days', expires_at = now() + interval '6 days' where id = $1",
    [await create('nuit', 30)],
  );
  const mails = async () =>
    (await product.database.query('select subject, state from auth.mails where recipient = $1', [who.email])).rows;
  // Each replica looks when it starts.
  await Promise.all([product.add('auth-svc'), product.add('auth-svc')]);
  await until(async () => (await mails()).some(({ state }) => state === 'sent'));
  const subject = 'Vigie\u00a0: votre jeton «\u00a0nuit\u00a0» expire bientôt';
  expect(await mails()).toEqual([{ subject, state: 'sent' }]);
});
