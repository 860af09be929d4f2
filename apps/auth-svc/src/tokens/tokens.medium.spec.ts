import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectWithoutKeys, textOf } from '@vigie/testing/bus';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

type User = Awaited<ReturnType<typeof addUser>>;

const dayMs = 24 * 60 * 60_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

let product: TestProduct;
let root: string;
let user: User;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  root = await product.login();
});
afterAll(() => product?.stop());
beforeEach(async () => {
  user = await addUser(product, root);
});

const fields = { name: 'Sauvegardes de nuit', scopes: ['read'], expires_at: inDays(30) };
const adminMode = { 'x-admin-mode': '1' };
const create = (body: object = {}, token = user.token, headers = {}) =>
  product.request('POST', '/api/tokens', { token, headers, body: { ...fields, ...body } });
const created = async (body: object = {}, token = user.token) => {
  const { status, text, body: made } = await create(body, token);
  if (status !== 201) throw new Error(text);
  return { id: String(made['id']), token: String(made['token']) };
};
const list = async (token = user.token, headers = {}) =>
  (await product.request('GET', '/api/tokens', { token, headers })).body['items'] as Record<string, unknown>[];
const revoke = (id: string, token = user.token, headers = {}) =>
  product.request('DELETE', `/api/tokens/${id}`, { token, headers });
const me = async (token: string) => (await product.request('GET', '/api/auth/me', { token })).status;
const stored = async (columns: string, id: string) =>
  (await product.database.query(`select ${columns} from auth.tokens where id = $1`, [id])).rows[0];

describe('a new token', () => {
  it('is shown once, stored as a hash, and acts as its user', async () => {
    const { status, body } = await create();
    const token = String(body['token']);
    expect([status, token]).toEqual([201, expect.stringMatching(/^vgt_[A-Za-z0-9_-]{43}$/)]);
    expect(body).toMatchObject({ ...fields, group_ids: null, last_used_at: null });
    const [listed] = await list();
    expect(listed).toMatchObject({ id: body['id'], name: fields.name });
    expect(Object.keys(listed ?? {})).not.toEqual(expect.arrayContaining(['token']));
    expect(JSON.stringify(await stored('*', String(body['id'])))).not.toContain(token.slice(4));
    const seen = await product.request('GET', '/api/auth/me', { token });
    expect(seen.body).toEqual((await product.request('GET', '/api/auth/me', { token: user.token })).body);
    expect(await me(`vgt_${'A'.repeat(43)}`)).toBe(401);
    expect(await me(token.slice(4))).toBe(401);
  });

  it.each([
    [{ name: ' ' }, 400, 'Donnez un nom au jeton.'],
    [{ name: 'n'.repeat(81) }, 400, expect.any(String)],
    [{ scopes: [] }, 400, 'Choisissez au moins un droit.'],
    [{ scopes: ['root'] }, 400, expect.any(String)],
    [{ expires_at: inDays(-1) }, 400, 'Choisissez une date d’expiration à venir.'],
    [{ expires_at: inDays(367) }, 400, 'Un jeton expire au plus tard dans un an.'],
    [{ group_ids: [] }, 400, expect.any(String)],
    [{ scopes: ['admin'] }, 403, 'Le droit «\u00a0admin\u00a0» est réservé aux administrateurs.'],
  ])('is refused with %j', async (body, status, detail) => {
    const answer = await create(body);
    expect([answer.status, answer.body['detail']]).toEqual([status, detail]);
    expect((await product.request('POST', '/api/tokens', { token: user.token, body: { name: 'x' } })).status).toBe(422);
  });

  it('is one of fifty at most, also in parallel', async () => {
    await product.database.query(
      `insert into auth.tokens (id, user_id, name, token_hash, scopes, expires_at)
       select gen_random_uuid(), $1, 'n', gen_random_uuid()::text, '{read}', now() + interval '1 day' from generate_series(1, 48)`,
      [user.id],
    );
    const answers = await Promise.all(Array.from({ length: 4 }, () => create()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409]);
  });

  it('is made once under an idempotency key', async () => {
    const headers = { 'idempotency-key': 'un-jeton' };
    const answers = await Promise.all([create({}, user.token, headers), create({}, user.token, headers)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(await list()).toHaveLength(1);
  });

  it('is not made, listed or revoked by a token', async () => {
    const scopes = ['read', 'backup', 'restore', 'update', 'run', 'console', 'dns', 'admin'];
    const { token, id } = await created({ scopes }, root);
    expect([(await create({}, token)).status, (await revoke(id, token)).status]).toEqual([403, 403]);
    const listed = await product.request('GET', '/api/tokens', { token });
    expect([listed.status, listed.body['detail']]).toEqual([
      403,
      'Cette action demande une session\u00a0: connectez-vous à Vigie.',
    ]);
  });
});

describe('a token ends', () => {
  it('at once when it is revoked, by its user or an administrator in admin mode', async () => {
    const [one, two] = [await created(), await created()];
    const other = await addUser(product, root);
    expect([await me(one.token), await me(two.token)]).toEqual([200, 200]);
    expect([(await revoke(one.id, other.token)).status, (await revoke(one.id, root)).status]).toEqual([404, 404]);
    expect([(await revoke(one.id)).status, (await revoke(one.id)).status]).toEqual([204, 404]);
    expect((await revoke(two.id, root, adminMode)).status).toBe(204);
    expect([await me(one.token), await me(two.token)]).toEqual([401, 401]);
  });

  it('with its date', async () => {
    const { id, token } = await created();
    await product.database.query("update auth.tokens set expires_at = now() - interval '1 second' where id = $1", [id]);
    const { status, body } = await product.request('GET', '/api/auth/me', { token });
    expect([status, body['detail']]).toEqual([401, expect.stringContaining('Ce jeton n’existe pas, a expiré')]);
  });

  it('with its user, and when an administrator sets another password or role, but not with one’s own change', async () => {
    const kept = await created();
    const change = { current_password: user.credentials.password, new_password: 'cap au nord-ouest' };
    await product.request('POST', '/api/auth/change_password', { token: user.token, body: change });
    expect(await me(kept.token)).toBe(200);
    for (const edit of [{ password: 'autre-mot-de-passe' }, { role: 'admin' }]) {
      const target = await addUser(product, root);
      const { id, token } = await created({}, target.token);
      expect(await me(token)).toBe(200);
      await product.request('PUT', `/api/admin/users/${target.id}`, { token: root, body: edit });
      expect(await me(token)).toBe(401);
      // Other services end what it has asked for.
      const told = "select fact from auth.outbox where fact ->> 'kind' = 'token_revoked' and fact ->> 'token_id' = $1";
      expect((await product.database.query(told, [id])).rows).toHaveLength(1);
    }
    await product.request('DELETE', `/api/admin/users/${user.id}`, { token: root });
    expect(await me(kept.token)).toBe(401);
  });
});

it('is restricted where a policy demands a second factor that its user has not, without any grace', async () => {
  const { token } = await created();
  await product.database.query("update auth.settings set require_2fa = 'all'");
  const { status, body } = await product.request('GET', '/api/settings/notifications', { token });
  await product.database.query("update auth.settings set require_2fa = 'off'");
  expect([status, body['detail']]).toEqual([403, expect.objectContaining({ code: 'requires_2fa_setup' })]);
});

it('is not made by a session that ends meanwhile', async () => {
  const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
  await query('begin');
  await query('select from auth.users where id = $1 for update', user.id);
  const late = create();
  const waits = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
  await until(async () => (await query(waits)).rows.length > 0);
  await query('delete from auth.sessions where user_id = $1', user.id);
  await query('commit');
  expect((await late).status).toBe(401);
  expect((await query('select from auth.tokens where user_id = $1', user.id)).rows).toEqual([]);
});

it('crosses the bus sealed', async () => {
  const intruder = await connectWithoutKeys();
  const hush = await intruder.listen();
  const { token } = await created();
  await me(token);
  expect((await hush()).map(textOf).join('\n')).not.toContain(token.slice(4));
  await intruder.close();
});

it('notes its last use at most once a minute', async () => {
  const { id, token } = await created();
  const use = () => stored('last_used_at, last_used_address', id);
  await me(token);
  await until(async () => (await use()).last_used_at !== null);
  expect((await use()).last_used_address).toBe('127.0.0.1');
  const setUse = (ago: string) =>
    product.database.query(
      `update auth.tokens set last_used_at = date_trunc('second', now()) - interval '${ago}' where id = $1`,
      [id],
    );
  await setUse('30 seconds');
  const before = (await use()).last_used_at;
  // A route that asks auth-svc each time.
  const freshRead = () => product.request('POST', '/api/tokens', { token, body: {} });
  await freshRead();
  await setUse('2 minutes');
  await freshRead();
  await until(async () => (await use()).last_used_at > before);
});

it('uses the admin mode only with the scope for it', async () => {
  const { token: plain } = await created({}, root);
  const { token: wide } = await created({ scopes: ['read', 'admin'] }, root);
  const users = (token: string) => product.request('GET', '/api/admin/users', { token });
  expect([(await users(plain)).status, (await users(wide)).status]).toEqual([403, 200]);
});

it('is listed to administrators in admin mode with its user', async () => {
  const { id } = await created();
  expect((await list(root)).some((token) => token['id'] === id)).toBe(false);
  const found = (await list(root, adminMode)).find((token) => token['id'] === id);
  expect(found).toMatchObject({ user_id: user.id, user_name: 'Anne Le Goff', user_email: user.credentials.email });
  expect(found).not.toHaveProperty('token');
});

it('is in the audit with its name and never with its secret', async () => {
  const name = crypto.randomUUID();
  const { id, token } = await created({ name });
  await revoke(id);
  const { rows } = await product.database.query(
    "select action, details from auth.audit_lines where action like 'token_%' and details like '%' || $1 || '%' order by action",
    [name],
  );
  expect(rows.map(({ action }) => action)).toEqual(['token_create', 'token_delete']);
  expect(JSON.stringify(rows)).not.toContain(token.slice(4));
});
