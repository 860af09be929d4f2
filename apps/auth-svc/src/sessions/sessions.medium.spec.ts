import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unusedAddress } from '@vigie/testing/addresses';
import { addUser, type Person } from '@vigie/testing/people';
import { addPasskey } from '@vigie/testing/passkeys';
import { admin, type Answer, TestProduct } from '@vigie/testing/product';

let product: TestProduct;
let address: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
});
afterAll(() => product?.stop());
// Limits are counted per address, so each test uses an address of its own.
beforeEach(() => {
  address = unusedAddress();
});

const from = (sender = address) => ({ 'x-forwarded-for': sender });
const login = (email: string, password: string, sender?: string) =>
  product.request('POST', '/api/auth/login', { body: { email, password }, headers: from(sender) });

describe('login', () => {
  it('returns the user and a token that authenticates them', async () => {
    const { status, body } = await login(' Admin@LOCALHOST ', admin.password);
    expect(status).toBe(200);
    const user = { email: 'admin@localhost', name: 'admin@localhost', role: 'admin', is_admin: true };
    expect(body['user']).toMatchObject(user);
    const me = await product.request('GET', '/api/auth/me', { token: String(body['access_token']) });
    expect(me.body).toEqual(body['user']);
  });

  it('answers a wrong password and an unknown account with the same words', async () => {
    const [wrong, unknown] = [await login(admin.email, 'faux'), await login('inconnu@localhost', 'faux')];
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body).toEqual({ detail: 'Email ou mot de passe incorrect.' });
    expect(unknown.body).toEqual(wrong.body);
  });

  it('stores the password as Argon2id', async () => {
    const users = await product.database.query('select password_hash from auth.users');
    expect(users.rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('limits on failed logins', () => {
  it('refuses an account from an address after 5 failures, in the same words for an unknown one', async () => {
    for (const email of [admin.email, 'personne@localhost']) {
      for (let n = 0; n < 5; n += 1) expect((await login(email, 'faux')).status).toBe(401);
      const sixth = await login(email, email === admin.email ? admin.password : 'faux');
      expect(sixth.status).toBe(429);
      expect(sixth.body).toEqual({ detail: 'Trop de tentatives. Patientez avant de réessayer.' });
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    // Another address is not locked out: that would let anybody lock an administrator.
    expect((await login(admin.email, admin.password, '198.51.100.1')).status).toBe(200);
  });

  it('refuses an address after 20 failures in a minute, whatever the account', async () => {
    for (let n = 0; n < 20; n += 1) expect((await login(`n${n}@localhost`, 'faux')).status).toBe(401);
    expect((await login(admin.email, admin.password)).status).toBe(429);
  });

  it('counts attempts in parallel one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => login('cible@localhost', 'faux')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('counts failures only', async () => {
    for (let n = 0; n < 25; n += 1) expect((await login(admin.email, admin.password)).status).toBe(200);
  });

  it('slows down an account under attack, and still lets its owner in', async () => {
    const { credentials: who } = await addUser(product, await product.login());
    for (let n = 0; n < 50; n += 1) await login(who.email, 'faux', `10.1.${n}.1`);
    const attack = Array.from({ length: 40 }, (_, n) => login(who.email, 'faux', `10.2.${n}.1`));
    expect((await login(who.email, who.password, '10.3.0.1')).status).toBe(200);
    await Promise.all(attack);
  });

  it('counts a failure even when its audit line cannot be written', async () => {
    await product.database.query('alter table auth.audit_lines rename to hidden');
    const failed = [];
    for (let n = 0; n < 5; n += 1) failed.push((await login('panne@localhost', 'faux')).status);
    await product.database.query('alter table auth.hidden rename to audit_lines');
    expect(failed).toEqual([500, 500, 500, 500, 500]);
    expect((await login('panne@localhost', 'faux')).status).toBe(429);
  });

  it('ignores a forwarded value that is not an address', async () => {
    expect((await login('adresse@localhost', 'faux', 'a'.repeat(80))).status).toBe(401);
  });

  it('counts a /64 of IPv6 as one address', async () => {
    for (let n = 0; n < 20; n += 1) await login(`v6-${n}@localhost`, 'faux', `2001:db8:1:2::${n}`);
    expect((await login('v6@localhost', 'faux', '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await login('v6@localhost', 'faux', '2001:db8:1:3::1')).status).toBe(401);
  });

  it('counts a /48 of IPv6 as five addresses', async () => {
    for (let n = 0; n < 25; n += 1) {
      expect((await login('large@localhost', 'faux', `2001:db8:48:${n}::1`)).status).toBe(401);
    }
    expect((await login('large@localhost', 'faux', '2001:db8:48:ffff::1')).status).toBe(429);
    expect((await login('large@localhost', 'faux', '2001:db8:49::1')).status).toBe(401);
  });
});

describe('a session', () => {
  const me = (token: string) => product.request('GET', '/api/auth/me', { token }).then(({ status }) => status);

  it('ends at once with the logout', async () => {
    const token = String((await login(admin.email, admin.password)).body['access_token']);
    expect(await me(token)).toBe(200);
    expect((await product.request('POST', '/api/auth/logout', { token })).body).toEqual({});
    expect(await me(token)).toBe(401);
  });

  it('ends when it expires', async () => {
    const token = String((await login(admin.email, admin.password)).body['access_token']);
    await product.database.query("update auth.sessions set expires_at = now() - interval '1 second'");
    expect(await me(token)).toBe(401);
  });

  it('is extended to 12 hours while it is used', async () => {
    const token = String((await login(admin.email, admin.password)).body['access_token']);
    await product.database.query("update auth.sessions set expires_at = now() + interval '1 hour'");
    expect(await me(token)).toBe(200);
    const sessionCount = "select max(expires_at) > now() + interval '11 hours 59 minutes' as slid from auth.sessions";
    expect((await product.database.query(sessionCount)).rows).toEqual([{ slid: true }]);
  });
});

describe('the sessions of a user who logs in again and again', () => {
  const add = (userId: string, count: number) =>
    product.database.query(
      `insert into auth.sessions (id, user_id, token_hash, seen_at, expires_at)
       select gen_random_uuid(), $1, gen_random_uuid()::text, now() - interval '1 hour', now() + interval '1 hour'
       from generate_series(1, $2)`,
      [userId, count],
    );
  const sessionCount = async (userId: string) =>
    (await product.database.query('select count(*)::int as n from auth.sessions where user_id = $1', [userId])).rows;

  it('are a hundred at most, the newest', async () => {
    const { id, credentials: who } = await addUser(product, await product.login());
    await add(id, 150);
    const { body } = await login(who.email, who.password);
    expect(await sessionCount(id)).toEqual([{ n: 100 }]);
    const me = await product.request('GET', '/api/auth/me', { token: String(body['access_token']) });
    expect(me.status).toBe(200);
  });

  it('end together, however many there are', async () => {
    const root = await product.login();
    const { id } = await addUser(product, root);
    await add(id, 66_000);
    const deleted = await product.requestPatiently('DELETE', `/api/admin/users/${id}`, { token: root });
    expect(deleted.status).toBe(204);
    expect(await sessionCount(id)).toEqual([{ n: 0 }]);
  });
});

describe('sign-up', () => {
  const signup = (email: string, at = product) =>
    at.requestPatiently('POST', '/api/auth/signup', { body: { email, password: 'motdepasse' }, headers: from() });
  let empty: TestProduct;
  let first: Answer[];
  beforeAll(async () => {
    empty = await TestProduct.start(['gateway', 'auth-svc'], { VIGIE_ADMIN_PASSWORD: '', VIGIE_ADMIN_EMAIL: '' });
    first = await Promise.all(['a@b', 'c@d', 'e@f', 'g@h'].map((email) => signup(email, empty)));
  });
  afterAll(() => empty?.stop());

  it('is closed once somebody exists', async () => {
    const count = async () => (await product.database.query('select count(*)::int as n from auth.users')).rows;
    const before = await count();
    const { status, body } = await signup('second@localhost');
    expect(status).toBe(403);
    expect(body['detail']).toBe('La création de compte est désactivée. Demandez un compte à un administrateur.');
    expect(await count()).toEqual(before);
  });

  it('makes one of several parallel sign-ups the administrator, then is closed', async () => {
    expect(first.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403, 403]);
    expect((await empty.database.query('select role from auth.users')).rows).toEqual([{ role: 'admin' }]);
  });

  describe('when the operator allows it, at an address without HTTPS', () => {
    let owner: { token: string; credentials: Person };
    beforeAll(async () => {
      const { access_token: token, user } = first.find(({ status }) => status === 201)?.body ?? {};
      owner = { token: String(token), credentials: { email: Object(user).email, password: 'motdepasse' } };
      await addPasskey(empty, owner);
      await empty.processesOf('auth-svc')[0]?.kill('SIGTERM');
      await empty.add('auth-svc', { VIGIE_ALLOW_SIGNUP: '1', VIGIE_PUBLIC_URL: 'http://vigie.example' });
    });

    it('offers no passkey, whatever a request says of its address, and asks who has one for a code', async () => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost' };
      const reason = expect.stringContaining('demandent HTTPS');
      const options = await empty.request('POST', '/api/auth/passkey/options', { headers, body: {} });
      expect([options.status, options.body['detail']]).toEqual([409, reason]);
      const { token, credentials: body } = owner;
      expect((await empty.request('GET', '/api/passkeys', { token })).body).toMatchObject({
        total: 1,
        items: [{ former_host: 'localhost' }],
        unavailable_reason: reason,
        passkey_origin: null,
      });
      expect((await empty.request('GET', '/api/settings/app')).body['passkey_origin']).toBeNull();
      expect((await empty.request('POST', '/api/auth/login', { body })).body).toEqual({
        requires_2fa: true,
        accepts_totp: false,
        message: 'Saisissez un code de récupération.',
      });
    });

    it('creates clients, once per address', async () => {
      const created = await signup('client@localhost', empty);
      expect(created.status).toBe(201);
      expect(created.body['user']).toMatchObject({ role: 'client', is_admin: false });
      expect((await signup('CLIENT@localhost', empty)).status).toBe(409);
    });

    it('counts as the first grace login under a 2FA policy', async () => {
      await empty.request('POST', '/api/settings/app', { token: owner.token, body: { require_2fa: 'all' } });
      const { body: created } = await signup('neuf@localhost', empty);
      expect(created).toMatchObject({ access_token: expect.any(String), grace_remaining: 4 });
      const me = await empty.request('GET', '/api/auth/me', { token: String(created['access_token']) });
      expect([me.status, me.body['requires_2fa_setup']]).toEqual([200, undefined]);
      const who = { email: 'neuf@localhost', password: 'motdepasse' };
      const next = await empty.request('POST', '/api/auth/login', { body: who });
      expect(next.body).toMatchObject({ grace_period: true, grace_remaining: 4 });
    });
  });
});
