import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessionsRevoked } from '@vigie/contracts/session-checks';
import { subjectOf } from '@vigie/service-kit/bus';
import { unusedAddress } from '@vigie/testing/addresses';
import { connectWithoutKeys } from '@vigie/testing/bus';
import { addToken, addUser, enableTwoFactor, totpOf, type Person } from '@vigie/testing/people';
import { admin, TestProduct } from '@vigie/testing/product';

let product: TestProduct;
let address: string;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  root = await product.login();
});
afterAll(() => product?.stop());
// Attempts are counted per address, so each test uses an address of its own.
beforeEach(() => {
  address = unusedAddress();
});

const from = () => ({ 'x-forwarded-for': address });
const login = (who: Person, more: object = {}) =>
  product.request('POST', '/api/auth/login', { body: { ...who, ...more }, headers: from() });
const as = (token: string) => (method: string, path: string, body?: unknown) =>
  product.request(method, `/api/auth/2fa/${path}`, { token, headers: from(), ...(body !== undefined && { body }) });

describe('enrolling', () => {
  it('returns a QR code as PNG, a secret and ten recovery codes', async () => {
    const { token } = await addUser(product, root);
    const { status, body } = await as(token)('POST', 'setup', {});
    expect(status).toBe(200);
    expect(body['secret']).toMatch(/^[A-Z2-7]{32}$/);
    expect(
      Buffer.from(String(body['qr_code']).split(',')[1] ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(body['backup_codes']).toEqual(Array(10).fill(expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{6}$/)));
  });

  it('is enabled by a right code, and reports how many recovery codes are left', async () => {
    const { token } = await addUser(product, root);
    expect((await as(token)('GET', 'status')).body).toEqual({
      enabled: false,
      has_totp: false,
      passkey_count: 0,
      backup_codes_count: 0,
      is_required: false,
    });
    await enableTwoFactor(product, token);
    expect((await as(token)('GET', 'status')).body).toEqual({
      enabled: true,
      has_totp: true,
      passkey_count: 0,
      backup_codes_count: 10,
      is_required: false,
    });
    expect((await as(token)('POST', 'setup', {})).status).toBe(409);
  });

  it('refuses a wrong, an empty and a malformed code', async () => {
    const { token } = await addUser(product, root);
    const { secret, backup_codes } = (await as(token)('POST', 'setup', {})).body;
    const verify = (code: unknown) => as(token)('POST', 'verify', { secret, code, backup_codes });
    const wrong = await verify(totpOf(String(secret), -10));
    expect([wrong.status, wrong.body['detail']]).toEqual([400, 'Code invalide']);
    const empty = await verify('');
    expect([empty.status, empty.body['detail']]).toEqual([400, 'Veuillez saisir le code de vérification']);
    expect((await verify('12345a')).status).toBe(400);
    expect((await verify(123456)).status).toBe(422);
  });

  it('refuses a secret or codes that the server did not issue', async () => {
    const { token } = await addUser(product, root);
    const { secret, backup_codes } = (await as(token)('POST', 'setup', {})).body;
    const foreign = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const own = await as(token)('POST', 'verify', { secret: foreign, code: totpOf(foreign), backup_codes });
    expect(own.status).toBe(400);
    const code = totpOf(String(secret));
    const wrongCodes = await as(token)('POST', 'verify', { secret, code, backup_codes: Array(10).fill('AAAAAA') });
    expect(wrongCodes.status).toBe(400);
    expect((await as(token)('GET', 'status')).body['enabled']).toBe(false);
  });

  it('counts no attempt without a pending enrolment', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const nothing = { secret: 'A'.repeat(32), code: '123456', backup_codes: [] };
    for (let n = 0; n < 6; n += 1) expect((await as(token)('POST', 'verify', nothing)).status).toBe(400);
    expect((await login(who)).status).toBe(200);
  });

  it('is refused properly when the account is deleted meanwhile', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { token, id } = await addUser(product, root);
      const [issued] = await Promise.all([
        as(token)('POST', 'setup', {}),
        product.request('DELETE', `/api/admin/users/${id}`, { token: root }),
      ]);
      expect([200, 401]).toContain(issued.status);
    }
  });

  it('expires after ten minutes', async () => {
    const { token } = await addUser(product, root);
    const { secret, backup_codes } = (await as(token)('POST', 'setup', {})).body;
    await product.database.query("update auth.two_factor_enrolments set expires_at = now() - interval '1 second'");
    const late = await as(token)('POST', 'verify', { secret, code: totpOf(String(secret)), backup_codes });
    expect([late.status, late.body['detail']]).toEqual([400, 'Cette activation a expiré. Recommencez.']);
  });
});

describe('logging in', () => {
  it('asks for the second step without giving a token', async () => {
    const { credentials: who, token } = await addUser(product, root);
    await enableTwoFactor(product, token);
    const { status, body } = await login(who);
    expect([status, body]).toEqual([200, { requires_2fa: true, accepts_totp: true, message: expect.any(String) }]);
    expect((await login(who, { skip_2fa: true })).body).toEqual(body);
  });

  it('accepts a code of the app once', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const { secret } = await enableTwoFactor(product, token);
    const totp_code = totpOf(secret, 1);
    expect((await login(who, { totp_code })).body['access_token']).toEqual(expect.any(String));
    const repeated = await login(who, { totp_code });
    expect([repeated.status, repeated.body['detail']]).toEqual([401, 'Ce code a déjà servi. Attendez le suivant.']);
    // An earlier code is refused too.
    expect((await login(who, { totp_code: totpOf(secret) })).status).toBe(401);
  });

  it('accepts a recovery code once, however it is typed', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const { codes } = await enableTwoFactor(product, token);
    const typed = ` ${codes[0]?.toLowerCase().slice(0, 3)}-${codes[0]?.toLowerCase().slice(3)} `;
    expect((await login(who, { backup_code: typed })).body['access_token']).toEqual(expect.any(String));
    const repeated = await login(who, { backup_code: codes[0] });
    expect([repeated.status, repeated.body['detail']]).toEqual([401, 'Code invalide']);
    expect((await as(token)('GET', 'status')).body['backup_codes_count']).toBe(9);
  });

  it('says what is missing in an empty code', async () => {
    const { credentials: who } = await addUser(product, root);
    expect((await login(who, { totp_code: '' })).body['detail']).toBe('Veuillez saisir le code 2FA');
    expect((await login(who, { backup_code: ' ' })).body['detail']).toBe('Veuillez saisir un code de récupération');
    expect((await login(who, { totp_code: '1234567' })).status).toBe(400);
  });

  it('compares no code before the password is right', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const { codes } = await enableTwoFactor(product, token);
    expect((await login({ ...who, password: 'faux' }, { backup_code: codes[0] })).status).toBe(401);
    expect((await login(who, { backup_code: codes[0] })).status).toBe(200);
  });

  it('opens one session for twenty parallel uses of one code', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const { secret, codes } = await enableTwoFactor(product, token);
    for (const code of [{ totp_code: totpOf(secret, 1) }, { backup_code: codes[0] }]) {
      address = unusedAddress();
      const answers = await Promise.all(Array.from({ length: 20 }, () => login(who, code)));
      expect(answers.filter(({ body }) => body['access_token'] !== undefined)).toHaveLength(1);
      expect(answers.every(({ status }) => [200, 401, 429].includes(status))).toBe(true);
    }
  });

  it('counts codes together with passwords, and compares five at most', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const { secret } = await enableTwoFactor(product, token);
    for (let n = 0; n < 2; n += 1) await login({ ...who, password: 'faux' });
    for (let n = 0; n < 3; n += 1) expect((await login(who, { backup_code: `00000${n}` })).status).toBe(401);
    expect((await login(who, { totp_code: totpOf(secret, 1) })).status).toBe(429);
  });

  it('counts an attempt even when the request fails', async () => {
    const { credentials: who, token } = await addUser(product, root);
    await enableTwoFactor(product, token);
    await product.database.query('alter table auth.recovery_codes rename to hidden');
    const failed = await Promise.all(Array.from({ length: 5 }, () => login(who, { backup_code: '000000' })));
    await product.database.query('alter table auth.hidden rename to recovery_codes');
    expect(failed.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
    expect((await login(who)).status).toBe(429);
  });
});

it('limits wrong codes to twenty an hour per account, over all addresses', async () => {
  const { credentials: who, token } = await addUser(product, root);
  const { secret } = await enableTwoFactor(product, token);
  const statuses = [];
  for (let n = 0; n < 20; n += 1) {
    address = unusedAddress();
    statuses.push((await login(who, { totp_code: totpOf(secret, -20) })).status);
  }
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 401));
  address = unusedAddress();
  expect((await login(who, { totp_code: totpOf(secret, 1) })).status).toBe(429);
  // An attacker without the password cannot reach this limit, and so cannot lock the account.
  const { credentials: other, token: theirs } = await addUser(product, root);
  const enrolled = await enableTwoFactor(product, theirs);
  for (let n = 0; n < 21; n += 1) {
    address = unusedAddress();
    await login({ ...other, password: 'faux' }, { totp_code: '000000' });
  }
  expect((await login(other, { totp_code: totpOf(enrolled.secret, 1) })).status).toBe(200);
});

describe('disabling', () => {
  it('requires the password', async () => {
    const { credentials: who, token } = await addUser(product, root);
    await enableTwoFactor(product, token);
    const wrong = await as(token)('POST', 'disable', { password: 'faux' });
    expect([wrong.status, wrong.body['detail']]).toEqual([400, 'Mot de passe incorrect']);
    const empty = await as(token)('POST', 'disable', { password: '' });
    expect([empty.status, empty.body['detail']]).toEqual([400, 'Veuillez saisir votre mot de passe']);
    expect((await as(token)('POST', 'disable', { password: who.password })).status).toBe(200);
    expect((await login(who)).body['access_token']).toEqual(expect.any(String));
  });

  it('is locked after five wrong passwords for that session only, not for other sessions or the login', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const { secret, codes } = await enableTwoFactor(product, token);
    const other = String((await login(who, { backup_code: codes[0] })).body['access_token']);
    const disable = (session: string, password: string) => as(session)('POST', 'disable', { password });
    const wrong = await Promise.all(Array.from({ length: 7 }, () => disable(token, 'faux')));
    expect(wrong.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(2);
    const locked = await disable(token, who.password);
    expect([locked.status, Number(locked.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await login(who, { totp_code: totpOf(secret, 1) })).status).toBe(200);
    expect((await disable(other, who.password)).status).toBe(200);
  });

  it('is not locked by wrong passwords at the login, from the same address', async () => {
    const { credentials: who, token } = await addUser(product, root);
    await enableTwoFactor(product, token);
    for (let n = 0; n < 6; n += 1) await login({ ...who, password: 'faux' });
    expect((await login(who)).status).toBe(429);
    expect((await as(token)('POST', 'disable', { password: who.password })).status).toBe(200);
  });

  it('renews the recovery codes, and the old ones stop working', async () => {
    const { credentials: who, token } = await addUser(product, root);
    const { codes } = await enableTwoFactor(product, token);
    const renewed = (await as(token)('POST', 'backup_codes', { password: who.password })).body['backup_codes'];
    expect((await login(who, { backup_code: codes[0] })).status).toBe(401);
    expect((await login(who, { backup_code: Array.isArray(renewed) && renewed[0] })).status).toBe(200);
  });

  it('leaves ten codes after two renewals at once, those of one answer', async () => {
    const { credentials: who, token } = await addUser(product, root);
    await enableTwoFactor(product, token);
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        [1, 2].map(() => as(token)('POST', 'backup_codes', { password: who.password })),
      );
      expect((await as(token)('GET', 'status')).body['backup_codes_count']).toBe(10);
      const firsts = answers.map(({ body }) => Array.isArray(body['backup_codes']) && body['backup_codes'][0]);
      const logins = await Promise.all(firsts.map((backup_code) => login(who, { backup_code })));
      expect(logins.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
      address = unusedAddress();
    }
  });

  it('leaves no codes behind, whatever is renewed meanwhile', async () => {
    const { credentials: who, token } = await addUser(product, root);
    await enableTwoFactor(product, token);
    await Promise.all(
      ['backup_codes', 'disable', 'backup_codes'].map((path) => as(token)('POST', path, { password: who.password })),
    );
    expect((await as(token)('GET', 'status')).body).toMatchObject({ enabled: false, backup_codes_count: 0 });
  });

  it('is refused for a user without second factor, whose sessions stay open', async () => {
    const { token, id } = await addUser(product, root);
    const reset = await product.request('DELETE', `/api/admin/users/${id}/2fa`, { token: root });
    expect([reset.status, reset.body['detail']]).toEqual([409, 'Ce compte n’a pas activé la double authentification.']);
    expect((await product.request('GET', '/api/auth/me', { token })).status).toBe(200);
  });

  it('can be done by an administrator for a user who lost everything, and ends their sessions and tokens', async () => {
    const { credentials: who, token, id } = await addUser(product, root);
    await enableTwoFactor(product, token);
    const apiToken = await addToken(product, token);
    const reset = await product.request('DELETE', `/api/admin/users/${id}/2fa`, { token: root });
    expect(reset.status).toBe(204);
    expect((await product.request('GET', '/api/auth/2fa/status', { token })).status).toBe(401);
    expect((await product.request('GET', '/api/auth/me', { token: apiToken })).status).toBe(401);
    expect((await login(who)).body['access_token']).toEqual(expect.any(String));
  });
});

describe('the policy', () => {
  const require2fa = (require_2fa: string) =>
    product.request('POST', '/api/settings/app', { token: root, body: { require_2fa } });
  afterEach(() => require2fa('off'));

  /** Adds a user whose grace logins are used up. */
  const addUserWithoutGrace = async () => {
    const person = await addUser(product, root);
    await require2fa('all');
    await product.database.query('update auth.users set grace_used = 5 where id = $1', [person.id]);
    return person;
  };

  it('allows five grace logins, even in parallel, then only the set-up', async () => {
    const { credentials: who, id } = await addUser(product, root);
    await require2fa('all');
    const { body } = await login(who);
    expect(body).toEqual({ grace_period: true, grace_remaining: 5, message: expect.any(String) });
    for (const left of [4, 3, 2, 1]) {
      expect((await login(who, { skip_2fa: true })).body).toMatchObject({
        access_token: expect.any(String),
        grace_remaining: left,
      });
    }
    const last = await Promise.all(Array.from({ length: 10 }, () => login(who, { skip_2fa: true })));
    const admitted = last.filter(({ status, body: answer }) => status === 200 && !answer['requires_2fa_setup']);
    expect(admitted).toHaveLength(1);
    const usedRow = await product.database.query('select grace_used from auth.users where id = $1', [id]);
    expect(usedRow.rows).toEqual([{ grace_used: 5 }]);
  });

  it('restricts a session without grace to the set-up, until it is done', async () => {
    const { credentials: who } = await addUserWithoutGrace();
    const { body } = await login(who);
    expect(body).toMatchObject({ requires_2fa_setup: true, access_token: expect.any(String) });
    const token = String(body['access_token']);
    const sessions = () => product.request('GET', '/api/auth/sessions', { token });
    expect((await product.request('GET', '/api/auth/me', { token })).body['requires_2fa_setup']).toBe(true);
    expect([(await sessions()).status, Object((await sessions()).body['detail']).code]).toEqual([
      403,
      'requires_2fa_setup',
    ]);
    await enableTwoFactor(product, token);
    expect((await sessions()).status).toBe(200);
    expect((await product.request('GET', '/api/auth/me', { token })).body['requires_2fa_setup']).toBeUndefined();
    const disabled = await as(token)('POST', 'disable', { password: who.password });
    expect(disabled.status).toBe(409);
  });

  it('frees the session that did the set-up, and ends the other restricted ones', async () => {
    const { credentials: who } = await addUserWithoutGrace();
    const [restricted, own] = [await login(who), await login(who)].map(({ body }) => String(body['access_token']));
    const me = async (token = '') => (await product.request('GET', '/api/auth/me', { token })).status;
    const sessions = async (token = '') => (await product.request('GET', '/api/auth/sessions', { token })).status;
    expect([await sessions(restricted), await sessions(own)]).toEqual([403, 403]);
    await enableTwoFactor(product, own ?? '');
    expect([await sessions(own), await me(restricted)]).toEqual([200, 401]);
  });

  it('does not revoke an unrestricted session, whose consoles stay open', async () => {
    const { credentials: who, token } = await addUserWithoutGrace();
    await login(who);
    const { body } = await product.request('GET', '/api/auth/sessions', { token });
    const items = body['items'] as { id: string; is_current: boolean }[];
    const [free, restricted] = [true, false].map((isFree) => items.find(({ is_current }) => is_current === isFree)?.id);
    const intruder = await connectWithoutKeys();
    const recordedMessages = await intruder.listen();
    await enableTwoFactor(product, token);
    const revoked = subjectOf(product.keys.gateway, sessionsRevoked);
    const revokedIds = (await recordedMessages()).flatMap(({ subject, body: messageBody }) =>
      subject === revoked ? JSON.parse(Buffer.from(messageBody).toString()).sids : [],
    );
    await intruder.close();
    expect(revokedIds).toEqual([restricted]);
    expect(restricted).not.toBe(free);
  });

  it('frees restricted sessions when it is relaxed', async () => {
    const { credentials: who } = await addUserWithoutGrace();
    const token = String((await login(who)).body['access_token']);
    const sessions = async () => (await product.request('GET', '/api/auth/sessions', { token })).status;
    expect(await sessions()).toBe(403);
    await require2fa('admins');
    expect(await sessions()).toBe(200);
  });

  it('does not apply to clients when it is for administrators', async () => {
    const { credentials: who } = await addUser(product, root);
    await require2fa('admins');
    expect((await login(who)).body['access_token']).toEqual(expect.any(String));
    expect((await login(admin)).body['grace_period']).toBe(true);
  });
});
