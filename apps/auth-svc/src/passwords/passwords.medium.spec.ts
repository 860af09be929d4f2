import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unusedAddress } from '@vigie/testing/addresses';
import { Authenticator } from '@vigie/testing/authenticator';
import { waitingFor } from '@vigie/testing/database';
import { addPasskey } from '@vigie/testing/passkeys';
import { addToken, addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { FakeSendgrid } from '@vigie/testing/sendgrid';
import { until } from '@vigie/testing/until';

const key = 'SG.passwords';
let product: TestProduct;
let sendgrid: FakeSendgrid;
let root: string;
let address: string;
beforeAll(async () => {
  sendgrid = await FakeSendgrid.start(key);
  const env = { VIGIE_TRUSTED_HOPS: '1', VIGIE_SENDGRID_URL: sendgrid.url, VIGIE_PUBLIC_URL: 'https://vigie.example' };
  product = await TestProduct.start(['gateway', 'auth-svc'], env);
  root = await product.login();
  const body = { sendgrid_api_key: key };
  await product.request('POST', '/api/settings/notifications', { token: root, body });
});
afterAll(async () => {
  await product?.stop();
  await sendgrid?.close();
});
// Attempts are counted per address, so each test uses an address of its own.
beforeEach(() => {
  address = unusedAddress();
});

const from = () => ({ 'x-forwarded-for': address });
const post = (path: string, body: unknown, token?: string) =>
  product.request('POST', `/api/auth/${path}`, { body, headers: from(), ...(token !== undefined && { token }) });
const me = async (token: string) => (await product.request('GET', '/api/auth/me', { token })).status;

describe('changing a password', () => {
  const change = (token: string, current: string, newPassword: string, repeated = newPassword) =>
    post(
      'change_password',
      { current_password: current, new_password: newPassword, confirm_password: repeated },
      token,
    );

  it('ends every other session, and only the new one logs in', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const other = await product.login(who);
    const { status, body } = await change(token, who.password, 'un phare tout neuf');
    expect([status, body['message']]).toEqual([200, expect.any(String)]);
    expect([await me(token), await me(other)]).toEqual([200, 401]);
    expect((await post('login', who)).status).toBe(401);
    expect((await post('login', { ...who, password: 'un phare tout neuf' })).status).toBe(200);
  });

  it.each([
    ['a wrong current password', 'faux', 'un phare tout neuf', undefined, 'Le mot de passe actuel est incorrect.'],
    ['less than 8 characters', undefined, 'court', undefined, 'Le mot de passe doit compter au moins 8 caractères.'],
    [
      'another confirmation',
      undefined,
      'un phare neuf',
      'un autre',
      'La confirmation ne correspond pas au nouveau mot de passe.',
    ],
    ['the same as before', undefined, undefined, undefined, 'Le nouveau mot de passe doit être différent de l’actuel.'],
    ['an empty current one', '', 'un phare neuf', undefined, 'Veuillez saisir votre mot de passe actuel.'],
  ])('refuses %s', async (_name, current, newPassword, repeated, sentence) => {
    const { credentials: who, token } = await addUser(product, root);
    const answer = await change(token, current ?? who.password, newPassword ?? who.password, repeated);
    expect([answer.status, answer.body['detail']]).toEqual([400, sentence]);
    expect((await post('login', who)).status).toBe(200);
  });

  it('requires all three fields', async () => {
    const { credentials: who, token } = await addUser(product, root);
    expect((await post('change_password', { current_password: who.password }, token)).status).toBe(422);
  });

  it('counts wrong ones with those of the login', async () => {
    const { credentials: who, token } = await addUser(product, root);
    for (let n = 0; n < 5; n += 1) expect((await change(token, 'faux', 'un phare neuf')).status).toBe(400);
    expect((await change(token, who.password, 'un phare neuf')).status).toBe(429);
    expect((await post('login', who)).status).toBe(429);
  });

  it('accepts one of two parallel changes and refuses the other', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const newPassword = ['un premier phare', 'un second phare'];
    let answered = 0;
    await product.database.query('begin; lock table auth.users in share mode');
    const changing = Promise.all(
      newPassword.map((password) => change(token, who.password, password).finally(() => (answered += 1))),
    );
    // Both changes have read the old password before either is written.
    await until(async () => answered + (await waitingFor(product.database)) >= 2);
    await product.database.query('commit');
    const changed = await changing;
    expect(changed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const logins = await Promise.all(newPassword.map((password) => post('login', { ...who, password })));
    expect(logins.map(({ status }) => status)).toEqual(changed.map(({ status }) => (status === 200 ? 200 : 401)));
    expect(await me(token)).toBe(200);
  });

  it('never undoes what an administrator set meanwhile, nor outlives the account', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { credentials: who, token, id } = await addUser(product, root);
      const set = { token: root, body: { password: 'celui du capitaine' } };
      await Promise.all([
        product.request('PUT', `/api/admin/users/${id}`, set),
        change(token, who.password, 'celui de l’intrus'),
      ]);
      expect((await post('login', { ...who, password: 'celui du capitaine' })).status).toBe(200);
    }
    const { credentials: who, token, id } = await addUser(product, root);
    const [changed] = await Promise.all([
      change(token, who.password, 'un phare de trop'),
      product.request('DELETE', `/api/admin/users/${id}`, { token: root }),
    ]);
    const users = await product.database.query('select 1 from auth.users where id = $1', [id]);
    expect([changed.status === 200 || changed.status === 401, users.rowCount]).toEqual([true, 0]);
  });
});

describe('a forgotten password', () => {
  const sentence = 'Si un compte existe, un email de réinitialisation sera envoyé.';
  const linkTo = async (email: string): Promise<string> => {
    await until(() => sendgrid.mails.some(({ to }) => to === email));
    const mail = sendgrid.mails.findLast(({ to }) => to === email);
    return /https:\/\/vigie\.example\/reset\?token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? 'no link';
  };

  it('is replaced once by a mailed link, which leads to the public address whatever the Host header says', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const apiToken = await addToken(product, token);
    const headers = { ...from(), host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const body = { email: ` ${who.email.toUpperCase()} ` };
    expect((await product.request('POST', '/api/auth/forgot', { body, headers })).body).toEqual({ message: sentence });
    const link = await linkTo(who.email);
    expect(JSON.stringify(sendgrid.mails)).not.toContain('evil.example');
    const short = await post('reset', { token: link, password: 'court' });
    expect([short.status, short.body['detail']]).toEqual([400, 'Le mot de passe doit compter au moins 8 caractères.']);
    expect((await post('reset', { token: link, password: 'retrouvé en mer' })).status).toBe(200);
    expect([await me(token), await me(apiToken)]).toEqual([401, 401]);
    expect((await post('login', { ...who, password: 'retrouvé en mer' })).status).toBe(200);
    const repeated = await post('reset', { token: link, password: 'encore un autre' });
    expect([repeated.status, repeated.body['detail']]).toEqual([
      400,
      'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.',
    ]);
  });

  it('leaves the passkeys when a link replaces it, and says how many', async () => {
    const user = await addUser(product, root);
    await post('forgot', { email: user.credentials.email });
    const link = await linkTo(user.credentials.email);
    for (const name of ['Téléphone', 'Clé USB']) {
      await addPasskey(product, user, { name, authenticator: new Authenticator('https://vigie.example') });
    }
    const { status, body } = await post('reset', { token: link, password: 'retrouvé en mer' });
    expect([status, body]).toEqual([
      200,
      {
        message:
          'Votre mot de passe est changé. Connectez-vous avec le nouveau. 2\u00a0clés d’accès ouvrent encore votre compte\u00a0: vérifiez-les.',
        passkey_count: 2,
      },
    ]);
  });

  it('accepts one of ten parallel uses of a link', async () => {
    const { credentials: who } = await addUser(product, root);
    await post('forgot', { email: who.email });
    const link = await linkTo(who.email);
    const tries = Array.from({ length: 10 }, (_, n) => post('reset', { token: link, password: `tentative ${n}` }));
    expect((await Promise.all(tries)).filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is reset even while a change with the old password is under way', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { credentials: who, token } = await addUser(product, root);
      await post('forgot', { email: who.email });
      const link = await linkTo(who.email);
      const body = { current_password: who.password, new_password: 'à l’intrus', confirm_password: 'à l’intrus' };
      await Promise.all([
        post('reset', { token: link, password: 'à la personne' }),
        post('change_password', body, token),
      ]);
      // Exactly one password works: either the change revoked the link, or the reset came first.
      const [resetLogin, changeLogin] = await Promise.all(
        ['à la personne', 'à l’intrus'].map((password) => post('login', { ...who, password })),
      );
      expect([resetLogin?.status ?? 0, changeLogin?.status ?? 0].toSorted((a, b) => a - b)).toEqual([200, 401]);
    }
  });

  it('is replaced once when the links of two mails are used at once', async () => {
    const { credentials: who } = await addUser(product, root);
    await Promise.all([post('forgot', { email: who.email }), post('forgot', { email: who.email })]);
    await until(() => sendgrid.mails.filter(({ to }) => to === who.email).length === 2);
    const links = sendgrid.mails.flatMap(({ to, text }) =>
      to === who.email ? [/token=([\w-]{43})/.exec(text)?.[1]] : [],
    );
    const tries = await Promise.all(links.map((token, n) => post('reset', { token, password: `tentative ${n}` })));
    expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('cannot be reset by a link of an earlier account with the same address', async () => {
    const { credentials: who, id } = await addUser(product, root);
    await post('forgot', { email: who.email });
    const link = await linkTo(who.email);
    await product.request('DELETE', `/api/admin/users/${id}`, { token: root });
    const body = { ...who, first_name: 'Anne', last_name: 'Le Goff', role: 'client' };
    expect((await product.request('POST', '/api/admin/users', { token: root, body })).status).toBe(201);
    expect((await post('reset', { token: link, password: 'retrouvé en mer' })).status).toBe(400);
    expect((await post('login', who)).status).toBe(200);
  });

  it('sends nothing to an address without account, and answers the same', async () => {
    expect((await post('forgot', { email: 'personne@localhost' })).body).toEqual({ message: sentence });
    const queuedMails = () => product.database.query("select 1 from auth.mails where recipient = 'personne@localhost'");
    await until(async () => (await queuedMails()).rowCount === 0);
    expect(sendgrid.mails.filter(({ to }) => to === 'personne@localhost')).toEqual([]);
  });

  it('says what is missing', async () => {
    const empty = await post('forgot', { email: '' });
    expect([empty.status, empty.body['detail']]).toEqual([400, 'Veuillez saisir votre email.']);
    expect((await post('forgot', {})).status).toBe(422);
    expect((await post('reset', { token: 'x', password: 'assez long oui' })).status).toBe(400);
  });

  it('mails a mailbox three times an hour, and does not say that it stopped', async () => {
    const { credentials: who } = await addUser(product, root);
    for (let n = 0; n < 5; n += 1)
      expect((await post('forgot', { email: who.email })).body).toEqual({ message: sentence });
    const queued = await product.database.query('select 1 from auth.mails where recipient = $1', [who.email]);
    expect(queued.rowCount).toBe(3);
  });

  it('refuses a link after 30 minutes, and one requested before another change of the password', async () => {
    const { credentials: who, id } = await addUser(product, root);
    await post('forgot', { email: who.email });
    const link = await linkTo(who.email);
    await product.request('PUT', `/api/admin/users/${id}`, { token: root, body: { password: 'choisi par un autre' } });
    expect((await post('reset', { token: link, password: 'retrouvé en mer' })).status).toBe(400);
    await post('forgot', { email: who.email });
    await until(() => sendgrid.mails.filter(({ to }) => to === who.email).length === 2);
    const next = await linkTo(who.email);
    await product.database.query("update auth.password_resets set expires_at = now() - interval '1 second'");
    expect((await post('reset', { token: next, password: 'retrouvé en mer' })).status).toBe(400);
  });
});
