import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unusedAddress } from '@vigie/testing/addresses';
import { Authenticator, type Faults } from '@vigie/testing/authenticator';
import { waitingFor } from '@vigie/testing/database';
import { addPasskey, loginByPasskey, passkeyOptions } from '@vigie/testing/passkeys';
import { addToken, addUser, enableTwoFactor, totpOf } from '@vigie/testing/people';
import { admin, TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

type User = Awaited<ReturnType<typeof addUser>>;

let product: TestProduct;
let root: string;
let user: User;
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
});

const request = (method: string, path: string, body?: unknown, token = user.token) =>
  product.request(method, `/api/${path}`, {
    token,
    headers: { 'x-forwarded-for': address },
    ...(body !== undefined && { body }),
  });
const list = async () => (await request('GET', 'passkeys')).body;
const status = async () => (await request('GET', 'auth/2fa/status')).body;
const login = (more: object = {}) => request('POST', 'auth/login', { ...user.credentials, ...more }, '');
const remove = (id: string, password: unknown = user.credentials.password, token = user.token) =>
  request('DELETE', `passkeys/${id}`, { password }, token);
const audited = async () =>
  (
    await product.database.query(
      'select action, result, details from auth.audit_lines where actor_id = $1 order by at, id',
      [user.id],
    )
  ).rows.map(({ action }) => action);

const begin = () => passkeyOptions(product, user);
const mailed = async () =>
  (
    await product.database.query('select subject from auth.mails where recipient = $1 order by id', [
      user.credentials.email,
    ])
  ).rows;
const create = (response: unknown, name = 'Téléphone', token = user.token) =>
  request('POST', 'passkeys', { name, response }, token);

const offered = { unavailable_reason: null, passkey_origin: 'http://localhost:8080' };

describe('a new passkey', () => {
  it('is listed with its name, and turns the second factor of its user on', async () => {
    expect(await list()).toEqual({ items: [], total: 0, ...offered });
    const options = await begin();
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Vigie' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const made = await create(new Authenticator(undefined, { isSynced: true }).create(options));
    const { backup_codes: codes, ...passkey } = made.body;
    expect([made.status, passkey]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Téléphone',
        created_at: expect.any(String),
        last_used_at: null,
        transports: ['internal'],
        is_synced: true,
        former_host: null,
      },
    ]);
    expect(codes).toEqual(Array(10).fill(expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{6}$/)));
    expect(await list()).toEqual({ items: [passkey], total: 1, ...offered });
    expect(await status()).toMatchObject({ enabled: true, has_totp: false, passkey_count: 1, backup_codes_count: 10 });
    expect((await audited()).slice(-2)).toEqual(['passkey_create', '2fa_enable']);
  });

  it('leaves the recovery codes that its user has already', async () => {
    await addPasskey(product, user);
    expect((await addPasskey(product, user, { name: 'Clé USB' })).codes).toEqual([]);
    expect(await status()).toMatchObject({ passkey_count: 2, backup_codes_count: 10 });
    const options = await begin();
    expect(options).toMatchObject({ excludeCredentials: [{ type: 'public-key' }, { type: 'public-key' }] });
  });

  it('queues a mail to its user', async () => {
    await addPasskey(product, user);
    expect(await mailed()).toEqual([{ subject: 'Vigie\u00a0: une clé d’accès a été ajoutée' }]);
  });

  it('needs the password, and the session that gave it', async () => {
    const offer = (body: object) => request('POST', 'passkeys/options', body);
    const wrong = await offer({ password: 'faux' });
    expect([wrong.status, wrong.body['detail']]).toEqual([400, 'Mot de passe incorrect']);
    expect((await offer({})).status).toBe(422);
    expect((await offer({ password: '' })).body['detail']).toBe('Veuillez saisir votre mot de passe');
    const options = await begin();
    const other = await product.login(user.credentials);
    expect((await create(new Authenticator().create(options), 'Vol', other)).status).toBe(400);
    expect((await create(new Authenticator().create(options))).status).toBe(201);
  });

  it('is not locked out by wrong passwords at the login, nor does it lock the login', async () => {
    const offer = (password: string) => request('POST', 'passkeys/options', { password });
    const wrong = await Promise.all(Array.from({ length: 6 }, () => offer('faux')));
    expect(wrong.map(({ status: code }) => code).toSorted((a, b) => a - b)).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await offer(user.credentials.password)).status).toBe(429);
    expect((await login()).status).toBe(200);
  });

  it('is found by the id that its authenticator signed, so that another one is refused', async () => {
    const made = new Authenticator().create(await begin());
    expect((await create({ ...made, id: 'AAAA', rawId: 'AAAA' })).status).toBe(400);
    expect((await create({ ...made, id: made.id.slice(0, -2), rawId: made.id.slice(0, -2) })).status).toBe(400);
    expect(await list()).toMatchObject({ total: 0 });
  });

  it('has five challenges at a time, the newest', async () => {
    const options: Awaited<ReturnType<typeof begin>>[] = [];
    for (let n = 0; n < 6; n += 1) options.push(await begin());
    const [oldest, second] = options.map((option) => new Authenticator().create(option));
    expect([(await create(oldest)).status, (await create(second)).status]).toEqual([400, 201]);
  });

  it.each<[string, Faults]>([
    ['another origin', { origin: 'https://vigie.example' }],
    ['another port', { origin: 'http://localhost:8081' }],
    ['another relying party', { rpId: 'vigie.example' }],
    ['a user who was not verified', { isUserVerified: false }],
    ['a user who was not there', { isUserPresent: false }],
    ['an assertion', { type: 'webauthn.get' }],
    ['a frame of another origin', { isCrossOrigin: true }],
    ['a challenge of its own', { challenge: 'A'.repeat(43) }],
    ['certificates', { attestation: { fmt: 'packed', statement: new Map([['x5c', [Buffer.of(1)]]]) } }],
    ['an attestation of a phone', { attestation: { fmt: 'android-safetynet', statement: new Map() } }],
  ])('is refused with %s', async (_, faults) => {
    const { status: code, body } = await create(new Authenticator().create(await begin(), faults));
    expect([code, body['detail']]).toEqual([400, expect.stringContaining('Recommencez.')]);
    expect(await status()).toMatchObject({ enabled: false, passkey_count: 0 });
  });

  it.each([
    ['no object', 'oui', 422],
    ['bytes that are no bytes', { clientDataJSON: '<script>', attestationObject: 'AAAA' }, 400],
    ['no JSON', { clientDataJSON: 'AAAA', attestationObject: 'AAAA' }, 400],
    ['too much', { clientDataJSON: 'A'.repeat(4_097), attestationObject: 'AAAA' }, 400],
  ])('is refused with %s in the answer of the browser', async (_, response, expected) => {
    expect((await create({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response })).status).toBe(expected);
  });

  it('is made once of a challenge, also in parallel', async () => {
    const options = await begin();
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(new Authenticator().create(options))));
    expect(answers.map(({ status: code }) => code).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
    expect((await create(new Authenticator().create(options))).body['detail']).toContain('expiré ou a déjà servi');
  });

  it('is refused with a challenge of another user, of another use, or of more than five minutes ago', async () => {
    const other = await addUser(product, root);
    const options = await begin();
    const { challenge } = (await request('POST', 'auth/passkey/options', {}, '')).body;
    expect((await create(new Authenticator().create(options), 'Vol', other.token)).status).toBe(400);
    expect((await create(new Authenticator().create({ ...options, challenge: String(challenge) }))).status).toBe(400);
    await addPasskey(product, user);
    const { challenge: second } = Object((await login()).body['passkey_options']);
    expect((await create(new Authenticator().create({ ...options, challenge: second }))).status).toBe(400);
    await product.database.query("update auth.passkey_challenges set expires_at = now() - interval '1 second'");
    expect((await create(new Authenticator().create(options))).status).toBe(400);
    expect(await list()).toMatchObject({ total: 1 });
  });

  it('is refused when anybody has it already', async () => {
    const { authenticator } = await addPasskey(product, await addUser(product, root));
    const again = await create(authenticator.create(await begin()));
    expect([again.status, again.body['detail']]).toEqual([409, 'Cette clé d’accès est déjà enregistrée.']);
    expect(await status()).toMatchObject({ enabled: false, backup_codes_count: 0 });
  });

  it('is one of twenty at most, also in parallel', async () => {
    await addPasskey(product, user);
    await product.database.query(
      `insert into auth.passkeys (id, user_id, rp_id, credential_id, public_key, counter, transports, name, is_backup_eligible, is_synced)
       select gen_random_uuid(), $1, 'localhost', gen_random_uuid()::text, '', 0, '{}', 'n', false, false from generate_series(1, 17)`,
      [user.id],
    );
    const options = [await begin(), await begin(), await begin(), await begin()];
    const answers = await Promise.all(options.map((option) => create(new Authenticator().create(option))));
    expect(answers.map(({ status: code }) => code).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409]);
    expect((await request('POST', 'passkeys/options', { password: user.credentials.password })).status).toBe(409);
  });

  it('is not for tokens', async () => {
    const { id } = await addPasskey(product, user);
    const token = await addToken(product, user.token, 'read', 'run');
    const refusals = await Promise.all([
      request('GET', 'passkeys', undefined, token),
      request('POST', 'passkeys/options', { password: user.credentials.password }, token),
      create(new Authenticator().create(await begin()), 'Jeton', token),
      request('PUT', `passkeys/${id}`, { name: 'Jeton' }, token),
      remove(id, user.credentials.password, token),
    ]);
    expect(refusals.map(({ status: code }) => code)).toEqual([403, 403, 403, 403, 403]);
  });
});

describe('a passkey', () => {
  it('is renamed and deleted by its user alone', async () => {
    const { id } = await addPasskey(product, user);
    const other = await addUser(product, root);
    expect((await request('PUT', `passkeys/${id}`, { name: 'Vol' }, other.token)).status).toBe(404);
    expect((await remove(id, other.credentials.password, other.token)).status).toBe(404);
    expect((await request('PUT', `passkeys/${id}`, { name: 'Vol' }, root)).status).toBe(404);
    expect((await remove(id, admin.password, root)).status).toBe(404);
    expect((await request('PUT', `passkeys/${id}`, { name: ' ' })).body['detail']).toBe(
      'Donnez un nom à la clé d’accès.',
    );
    expect((await request('PUT', `passkeys/${id}`, { name: ' Bureau ' })).body).toMatchObject({ id, name: 'Bureau' });
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
  });

  it('is deleted only with the password, in the body', async () => {
    const { id } = await addPasskey(product, user);
    const wrong = await remove(id, 'faux');
    expect([wrong.status, wrong.body['detail']]).toEqual([400, 'Mot de passe incorrect']);
    const inAddress = `passkeys/${id}?password=${user.credentials.password}`;
    expect((await request('DELETE', inAddress)).status).toBe(422);
    expect(await list()).toMatchObject({ total: 1 });
  });

  it('is deleted by one of twelve parallel requests, which share ten connections', async () => {
    const { id } = await addPasskey(product, user);
    const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
    await query('begin');
    await query('select from auth.users where id = $1 for update', user.id);
    const headers = { 'x-forwarded-for': address };
    const options = { token: user.token, headers, body: { password: user.credentials.password } };
    // The two without a connection may wait for one in vain, and then repeat.
    const removePatiently = () => product.requestPatiently('DELETE', `/api/passkeys/${id}`, options);
    const requests = Array.from({ length: 12 }, removePatiently);
    await until(async () => (await waitingFor(product.database)) === 10);
    await query('commit');
    const codes = (await Promise.all(requests)).map(({ status: code }) => code);
    expect(codes.filter((code) => code === 204)).toHaveLength(1);
    expect(codes.every((code) => [204, 404, 409].includes(code))).toBe(true);
  });

  it('ends the other sessions that it opened when it is deleted', async () => {
    const { id, authenticator } = await addPasskey(product, user);
    const spare = await addPasskey(product, user, { name: 'Clé USB' });
    const loginWith = async (key: Authenticator) => String((await loginByPasskey(product, key)).body['access_token']);
    const asSecond = async () => {
      const passkey = authenticator.use(Object((await login()).body['passkey_options']));
      return String((await login({ passkey })).body['access_token']);
    };
    const [own, lost, second] = [await loginWith(authenticator), await loginWith(authenticator), await asSecond()];
    const other = await loginWith(spare.authenticator);
    expect((await remove(id, user.credentials.password, own)).status).toBe(204);
    const codes = [own, lost, second, other, user.token].map(
      async (token) => (await request('GET', 'auth/me', undefined, token)).status,
    );
    expect(await Promise.all(codes)).toEqual([200, 401, 401, 200, 200]);
  });

  it('is the last second factor: its deletion turns the 2FA off, with the codes', async () => {
    const [first, second] = [await addPasskey(product, user), await addPasskey(product, user)];
    expect((await remove(first.id)).status).toBe(204);
    expect(await status()).toMatchObject({ enabled: true, backup_codes_count: 10 });
    expect((await remove(second.id)).status).toBe(204);
    expect(await status()).toMatchObject({ enabled: false, passkey_count: 0, backup_codes_count: 0 });
    expect((await audited()).slice(-3)).toEqual(['passkey_delete', 'passkey_delete', '2fa_disable']);
    expect((await login()).body['access_token']).toEqual(expect.any(String));
  });

  it('stands beside an app, and each of them goes alone', async () => {
    const { id, codes: recoveryCodes } = await addPasskey(product, user);
    const { password } = user.credentials;
    const { secret, codes } = await enableTwoFactor(product, user.token, password);
    expect([codes, await audited()]).toEqual([[], expect.arrayContaining(['totp_enable'])]);
    expect((await mailed()).at(-1)).toEqual({
      subject: 'Vigie\u00a0: une application d’authentification a été ajoutée',
    });
    expect(await status()).toMatchObject({ has_totp: true, passkey_count: 1, backup_codes_count: 10 });
    const asked = (await login()).body;
    expect(asked).toMatchObject({ requires_2fa: true, accepts_totp: true, passkey_options: expect.any(Object) });
    expect((await login({ totp_code: totpOf(secret, 1) })).status).toBe(200);
    expect((await login({ backup_code: recoveryCodes[0] })).status).toBe(200);
    expect((await request('POST', 'auth/2fa/disable', { password })).status).toBe(200);
    expect(await status()).toMatchObject({ enabled: true, has_totp: false, passkey_count: 1, backup_codes_count: 9 });
    expect((await audited()).at(-1)).toBe('totp_disable');
    expect((await mailed()).at(-1)).toEqual({
      subject: 'Vigie\u00a0: votre application d’authentification a été retirée',
    });
    await request('POST', 'auth/2fa/backup_codes', { password });
    expect((await mailed()).at(-1)).toEqual({ subject: 'Vigie\u00a0: vos codes de récupération ont été remplacés' });
    expect((await login()).body).toMatchObject({ requires_2fa: true, accepts_totp: false });
    const disabled = await request('POST', 'auth/2fa/disable', { password });
    expect([disabled.status, disabled.body['detail']]).toEqual([409, expect.stringContaining('clés d’accès')]);
    await enableTwoFactor(product, user.token, password);
    expect((await remove(id)).status).toBe(204);
    expect(await status()).toMatchObject({ enabled: true, has_totp: true, passkey_count: 0 });
  });

  it('goes when an administrator resets the 2FA of its user, and with its user', async () => {
    const { id } = await addPasskey(product, user);
    const count = async () =>
      (await product.database.query('select from auth.passkeys where user_id = $1', [user.id])).rows.length;
    expect((await request('DELETE', `admin/users/${user.id}/2fa`, undefined, root)).status).toBe(204);
    expect([await count(), (await remove(id)).status]).toEqual([0, 401]);
    expect((await mailed()).at(-1)).toEqual({
      subject: 'Vigie\u00a0: votre double authentification a été réinitialisée',
    });
    const token = await product.login(user.credentials);
    await addPasskey(product, { ...user, token });
    await passkeyOptions(product, { ...user, token });
    expect((await request('DELETE', `admin/users/${user.id}`, undefined, root)).status).toBe(204);
    expect(await count()).toBe(0);
  });

  it('stays when the password of its user changes, which ends what the old one had proved', async () => {
    await addPasskey(product, user);
    const options = await begin();
    const passwords = { new_password: 'cap au nord-ouest', confirm_password: 'cap au nord-ouest' };
    const change = { current_password: user.credentials.password, ...passwords };
    const changed = await request('POST', 'auth/change_password', change);
    expect([changed.status, changed.body]).toEqual([
      200,
      { message: expect.stringContaining('1\u00a0clé d’accès ouvre encore votre compte'), passkey_count: 1 },
    ]);
    expect((await create(new Authenticator().create(options), 'Vol')).status).toBe(400);
    expect(await list()).toMatchObject({ total: 1 });
  });

  it('stays when an administrator sets a new password, and the answer counts it', async () => {
    await addPasskey(product, user);
    const edit = (body: object) => request('PUT', `admin/users/${user.id}`, body, root);
    expect((await edit({ password: 'cap au nord-ouest' })).body).toMatchObject({ id: user.id, passkey_count: 1 });
    expect((await request('DELETE', `admin/users/${user.id}/2fa`, undefined, root)).status).toBe(204);
    expect((await edit({ password: 'cap au sud' })).body).toMatchObject({ passkey_count: 0 });
  });
});

describe('under the policy', () => {
  const require2fa = (require_2fa: string) => request('POST', 'settings/app', { require_2fa }, root);
  afterEach(() => require2fa('off'));

  it('frees the restricted session that adds it, ends the others, and is not deleted as the last one', async () => {
    await require2fa('all');
    await product.database.query('update auth.users set grace_used = 5 where id = $1', [user.id]);
    const [own, other] = [String((await login()).body['access_token']), String((await login()).body['access_token'])];
    const sessions = async (token: string) => (await request('GET', 'auth/sessions', undefined, token)).status;
    expect([await sessions(own), await sessions(other)]).toEqual([403, 403]);
    const { id } = await addPasskey(product, { ...user, token: own });
    expect([await sessions(own), await sessions(other)]).toEqual([200, 401]);
    const removed = await remove(id, user.credentials.password, own);
    expect([removed.status, removed.body['detail']]).toEqual([409, expect.stringContaining('obligatoire')]);
    expect(await list()).toMatchObject({ total: 1 });
  });
});
