import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unusedAddress } from '@vigie/testing/addresses';
import { Authenticator, type Faults } from '@vigie/testing/authenticator';
import { waitingFor } from '@vigie/testing/database';
import { addPasskey, passkeyOptions } from '@vigie/testing/passkeys';
import { addUser } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

type User = Awaited<ReturnType<typeof addUser>>;
type Options = Parameters<Authenticator['use']>[0];

let product: TestProduct;
let root: string;
let user: User;
let authenticator: Authenticator;
let passkeyId: string;
let codes: string[];
let address: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  root = await product.login();
});
afterAll(() => product?.stop());
// Attempts are counted per address, so each test uses an address of its own.
beforeEach(async () => {
  address = unusedAddress();
  user = await addUser(product, root);
  ({ authenticator, id: passkeyId, codes } = await addPasskey(product, user));
});

const post = (path: string, body: unknown) => {
  const headers = { 'x-forwarded-for': address, 'user-agent': 'Essai/1.0' };
  return product.request('POST', `/api/auth/${path}`, { body, headers });
};
const begin = async () => (await post('passkey/options', {})).body as Options;
const send = (response: unknown) => post('passkey', { response });
const me = async (token: unknown) => {
  const { status, body } = await product.request('GET', '/api/auth/me', { token: String(token) });
  return [status, body['email']];
};
const refusal = ({ status, body }: Answer) => [status, body['detail']];
const refused = [401, 'Cette clé d’accès n’a pas été acceptée.'];
const expired = [401, 'Cette demande a expiré ou a déjà servi. Recommencez.'];
/** The details of the audit lines of the user. */
const audited = async (action: string, result: string) => {
  const { rows } = await product.database.query(
    'select details from auth.audit_lines where actor_name = $1 and action = $2 and result = $3 order by at, id',
    [user.credentials.email, action, result],
  );
  return rows.map(({ details }) => JSON.parse(details));
};
const expireChallenges = () =>
  product.database.query("update auth.passkey_challenges set expires_at = now() - interval '1 second'");

/** What both ways to use a passkey refuse in its answer. */
const faults: [string, Faults][] = [
  ['another origin', { origin: 'https://vigie.example' }],
  ['another relying party', { rpId: 'vigie.example' }],
  ['a user who was not verified', { isUserVerified: false }],
  ['a user who was not there', { isUserPresent: false }],
  ['a creation', { type: 'webauthn.create' }],
  ['a frame of another origin', { isCrossOrigin: true }],
  ['the name of another user', { userHandle: 'AAAA' }],
];

describe('a login by passkey', () => {
  it('opens a session as a login by password does', async () => {
    const options = await begin();
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      timeout: 300_000,
      rpId: 'localhost',
      userVerification: 'required',
    });
    const { status, body } = await send(authenticator.use(options));
    const token = String(body['access_token']);
    expect([status, body]).toEqual([200, { access_token: token, user: expect.objectContaining({ id: user.id }) }]);
    expect(await me(token)).toEqual([200, user.credentials.email]);
    const { items } = (await product.request('GET', '/api/auth/sessions', { token })).body;
    expect(items).toContainEqual(
      expect.objectContaining({
        is_current: true,
        user_agent: 'Essai/1.0',
        address,
      }),
    );
    const passkeys = (await product.request('GET', '/api/passkeys', { token })).body['items'];
    expect(passkeys).toEqual([expect.objectContaining({ last_used_at: expect.any(String) })]);
    expect(await audited('login', 'done')).toEqual([{}, { by: 'passkey', passkey: 'Ordinateur' }]);
  });

  it.each([...faults, ['no name', { userHandle: null }] as [string, Faults]])(
    'is refused with %s',
    async (_, fault) => {
      expect(refusal(await send(authenticator.use(await begin(), fault)))).toEqual(refused);
      expect((await send(authenticator.use(await begin()))).status).toBe(200);
    },
  );

  it('answers the same for an unknown passkey as for a wrong signature', async () => {
    const stranger = new Authenticator();
    expect(refusal(await send(stranger.use(await begin(), { userHandle: 'AAAA' })))).toEqual(refused);
    const { credentialId: id, userHandle } = authenticator;
    const forged = { ...stranger.use(await begin(), { userHandle }), id, rawId: id };
    expect(refusal(await send(forged))).toEqual(refused);
  });

  it('takes a challenge once, also in parallel', async () => {
    const options = await begin();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(authenticator.use(options))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(refusal(await send(authenticator.use(options)))).toEqual(expired);
  });

  it('takes no challenge that Vigie did not make, made for something else, or more than five minutes ago', async () => {
    const options = await begin();
    expect(refusal(await send(authenticator.use(options, { challenge: 'A'.repeat(43) })))).toEqual(expired);
    const creation = await passkeyOptions(product, user);
    expect(refusal(await send(authenticator.use({ ...options, ...creation })))).toEqual(expired);
    const secondFactor = (await post('login', user.credentials)).body['passkey_options'] as Options;
    expect(refusal(await send(authenticator.use(secondFactor)))).toEqual(expired);
    await expireChallenges();
    expect(refusal(await send(authenticator.use(options)))).toEqual(expired);
  });

  it('is refused, and audited, when the counter of the passkey does not grow', async () => {
    const counting = new Authenticator(undefined, { isCounting: true });
    await addPasskey(product, user, { name: 'Clé USB', authenticator: counting });
    expect((await send(counting.use(await begin()))).status).toBe(200);
    expect((await send(counting.use(await begin()))).status).toBe(200);
    for (const counter of [1, -1]) {
      counting.counter = counter;
      expect(refusal(await send(counting.use(await begin())))).toEqual(refused);
    }
    expect(await audited('passkey_counter', 'refused')).toEqual([
      { name: 'Clé USB', counter: 2, known: 2 },
      { name: 'Clé USB', counter: 0, known: 2 },
    ]);
    const { rows } = await product.database.query('select from auth.mails where recipient = $1 and subject = $2', [
      user.credentials.email,
      'Vigie\u00a0: une clé d’accès a été refusée',
    ]);
    expect(rows).toHaveLength(2);
    counting.counter = 2;
    expect((await send(counting.use(await begin()))).status).toBe(200);
  });

  it('needs no counter: a synced passkey has none', async () => {
    for (let n = 0; n < 3; n += 1) expect((await send(authenticator.use(await begin()))).status).toBe(200);
  });

  it('is over when the passkey or its user is deleted', async () => {
    const { password } = user.credentials;
    await product.request('DELETE', `/api/passkeys/${passkeyId}`, { token: user.token, body: { password } });
    expect(refusal(await send(authenticator.use(await begin())))).toEqual(refused);
    const renewed = await addPasskey(product, user);
    expect((await send(renewed.authenticator.use(await begin()))).status).toBe(200);
    await product.request('DELETE', `/api/admin/users/${user.id}`, { token: root });
    expect(refusal(await send(renewed.authenticator.use(await begin())))).toEqual(refused);
  });

  it('is refused when the passkey is deleted meanwhile', async () => {
    const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
    const response = authenticator.use(await begin());
    await query('begin');
    await query('select from auth.users where id = $1 for update', user.id);
    const late = send(response);
    await until(async () => (await waitingFor(product.database)) > 0);
    await query('delete from auth.passkeys where id = $1', passkeyId);
    await query('commit');
    expect(refusal(await late)).toEqual([401, 'Ce compte vient de changer. Reconnectez-vous.']);
  });

  it('is refused without the 2FA of its user, which passkeys never outlive', async () => {
    const query = (sql: string) => product.database.query(sql, [user.id]);
    const { rows } = await query('select row_to_json(p) as row from auth.passkeys p where user_id = $1');
    await query('update auth.users set two_factor_at = null where id = $1');
    await product.database.query(
      'insert into auth.passkeys select * from json_populate_record(null::auth.passkeys, $1)',
      [rows[0].row],
    );
    expect(refusal(await send(authenticator.use(await begin())))).toEqual(refused);
    await query('update auth.users set two_factor_at = current_date where id = $1');
    expect((await send(authenticator.use(await begin()))).status).toBe(200);
  });

  it('is limited to twenty failures a minute for an address, with those of passwords', async () => {
    for (let n = 0; n < 10; n += 1) await post('login', { email: `nobody-${n}@localhost`, password: 'faux' });
    for (let n = 0; n < 10; n += 1)
      expect((await send(authenticator.use({ ...(await begin()), rpId: 'autre' }))).status).toBe(401);
    const late = await send(authenticator.use(await begin()));
    expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    address = unusedAddress();
    expect((await send(authenticator.use(await begin()))).status).toBe(200);
  });

  it('has 120 challenges a minute for an address', async () => {
    const answers: Answer[] = [];
    while (answers.length < 125) {
      answers.push(...(await Promise.all(Array.from({ length: 25 }, () => post('passkey/options', {})))));
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  it.each([
    ['no answer', {}, 422],
    ['an answer that is a text', { response: 'oui' }, 422],
    ['too long an id', { response: { id: 'A'.repeat(1_401), rawId: 'A', type: 'public-key', response: {} } }, 422],
  ])('is refused at the door with %s', async (_, body, status) => {
    expect((await post('passkey', body)).status).toBe(status);
  });
});

describe('a passkey as the second factor', () => {
  const ask = async (who = user) => (await post('login', who.credentials)).body;
  const optionsOf = async (who = user) => (await ask(who))['passkey_options'] as Options;
  const answer = (passkey: unknown, more: object = {}) => post('login', { ...user.credentials, passkey, ...more });

  it('answers after the password, where a code would', async () => {
    const asked = await ask();
    expect(asked).toEqual({
      requires_2fa: true,
      accepts_totp: false,
      passkey_options: {
        challenge: expect.any(String),
        timeout: 300_000,
        rpId: 'localhost',
        allowCredentials: [{ id: authenticator.credentialId, type: 'public-key', transports: ['internal'] }],
        userVerification: 'required',
      },
      message: 'Utilisez votre clé d’accès, ou saisissez un code de récupération.',
    });
    const { status, body } = await answer(authenticator.use(asked['passkey_options'] as Options, { userHandle: null }));
    expect([status, await me(body['access_token'])]).toEqual([200, [200, user.credentials.email]]);
    expect((await audited('login', 'done')).at(-1)).toEqual({ by: 'passkey', passkey: 'Ordinateur' });
  });

  it('leaves the recovery codes good, for when it is lost', async () => {
    expect((await post('login', { ...user.credentials, backup_code: codes[0] })).status).toBe(200);
    expect((await post('login', { ...user.credentials, totp_code: '123456' })).status).toBe(401);
  });

  it.each(faults)('is refused with %s', async (_, fault) => {
    expect(refusal(await answer(authenticator.use(await optionsOf(), fault)))).toEqual(refused);
  });

  it('is not compared before the password is right', async () => {
    const response = authenticator.use(await optionsOf());
    expect((await answer(response, { password: 'faux' })).body['detail']).toBe('Email ou mot de passe incorrect.');
    expect((await answer(response)).status).toBe(200);
  });

  it('takes its own challenge once, also in parallel', async () => {
    const options = await optionsOf();
    const answers = await Promise.all(Array.from({ length: 4 }, () => answer(authenticator.use(options))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    address = unusedAddress();
    const { challenge } = await passkeyOptions(product, user);
    for (const foreign of [await begin(), { rpId: 'localhost', challenge }]) {
      expect(refusal(await answer(authenticator.use(foreign)))).toEqual(expired);
    }
    const late = await optionsOf();
    await expireChallenges();
    expect(refusal(await answer(authenticator.use(late)))).toEqual(expired);
  });

  it('is not the passkey, nor the challenge, of another user', async () => {
    const other = await addUser(product, root);
    const theirs = await addPasskey(product, other);
    expect(refusal(await answer(theirs.authenticator.use(await optionsOf(), { userHandle: null })))).toEqual(refused);
    expect(refusal(await answer(authenticator.use(await optionsOf(other))))).toEqual(expired);
  });

  it('counts with the codes: five failures lock', async () => {
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await answer(authenticator.use(await optionsOf(), { rpId: 'autre' }))).status);
    }
    statuses.push((await post('login', user.credentials)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await audited('login', 'refused')).toEqual(Array.from({ length: 5 }, () => ({ reason: 'passkey' })));
  });

  it('does not count a challenge that expired while its login waited', async () => {
    for (let n = 0; n < 6; n += 1) {
      const options = await optionsOf();
      await expireChallenges();
      expect(refusal(await answer(authenticator.use(options)))).toEqual(expired);
    }
    expect((await answer(authenticator.use(await optionsOf()))).status).toBe(200);
  });
});
