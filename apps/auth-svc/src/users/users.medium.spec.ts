import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitingFor } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  root = await product.login();
});
afterAll(() => product?.stop());

const users = (method: string, path = '', body?: unknown, headers: Record<string, string> = {}) =>
  product.request(method, `/api/admin/users${path}`, { token: root, headers, ...(body !== undefined && { body }) });
const loginStatus = async (email: string, password: string) =>
  (await product.request('POST', '/api/auth/login', { body: { email, password } })).status;
const me = async (token: string) => (await product.request('GET', '/api/auth/me', { token })).status;
const idOfRoot = async () => String((await product.request('GET', '/api/auth/me', { token: root })).body['id']);

const anne = { password: 'vigie-au-large', first_name: ' Anne ', last_name: 'Le Goff', role: 'client' };

describe('creating a user', () => {
  it('answers 201 with the user, who can log in and is in the list', async () => {
    const created = await users('POST', '', { ...anne, email: ' Anne@Localhost ' });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: 'anne@localhost',
        name: 'Anne Le Goff',
        first_name: 'Anne',
        last_name: 'Le Goff',
        role: 'client',
        is_admin: false,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        has_2fa: false,
        last_login_at: null,
      },
    ]);
    expect(await loginStatus('anne@localhost', anne.password)).toBe(200);
    const listed = (await users('GET')).body['items'];
    expect(listed).toContainEqual(
      expect.objectContaining({ email: 'anne@localhost', last_login_at: expect.any(String) }),
    );
  });

  it.each(['email', 'password', 'first_name', 'last_name'])('requires %s', async (field) => {
    const empty = await users('POST', '', { ...anne, email: 'vide@localhost', [field]: ' ' });
    expect([empty.status, empty.body['detail']]).toEqual([400, 'Email, mot de passe, prénom et nom sont requis.']);
    const { [field]: _, ...without } = { ...anne, email: 'vide@localhost' } as Record<string, string>;
    expect((await users('POST', '', without)).status).toBe(422);
  });

  it.each([
    ['a short password', { password: 'court' }, 400],
    ['an unknown role', { role: 'root' }, 400],
    ['a role of the wrong type', { role: ['admin'] }, 422],
    ['a name of many lines', { first_name: 'Anne\r\nBcc: x' }, 400],
    ['a name of a thousand letters', { last_name: 'a'.repeat(1000) }, 400],
  ])('refuses %s', async (_name, change, status) => {
    const answer = await users('POST', '', { ...anne, email: 'refus@localhost', ...change });
    expect([answer.status, typeof answer.body['detail']]).toEqual([status, 'string']);
  });

  it('reads the role “user” as client, and accepts each address once', async () => {
    const created = await users('POST', '', { ...anne, email: 'alias@localhost', role: 'user' });
    expect(created.body['role']).toBe('client');
    const repeated = await users('POST', '', { ...anne, email: 'ALIAS@localhost' });
    expect([repeated.status, repeated.body['detail']]).toEqual([409, 'Un compte existe déjà avec cet email.']);
  });

  it('creates one user per idempotency key, even in parallel', async () => {
    const body = { ...anne, email: 'unefois@localhost' };
    const header = { 'idempotency-key': 'abc-1' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => users('POST', '', body, header)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
    expect((await users('POST', '', { ...body, password: 'un-autre-secret' }, header)).status).toBe(422);
    expect((await users('POST', '', body, { 'idempotency-key': 'é'.repeat(3) })).status).toBe(400);
  });
});

describe('editing a user', () => {
  it('changes only the given fields', async () => {
    const { id, credentials: who, token } = await addUser(product, root);
    const edited = await users('PUT', `/${id}`, { first_name: 'Yann' });
    expect([edited.status, edited.body['name']]).toEqual([200, 'Yann Le Goff']);
    expect((await users('PUT', `/${id}`, { first_name: null })).body['name']).toBe('Le Goff');
    expect((await users('PUT', `/${id}`, { password: '' })).status).toBe(200);
    expect(await loginStatus(who.email, who.password)).toBe(200);
    expect(await me(token)).toBe(200);
  });

  it('refuses an empty name, a short password, another email, an unknown id', async () => {
    const { id } = await addUser(product, root);
    expect((await users('PUT', `/${id}`, { first_name: '' })).status).toBe(400);
    expect((await users('PUT', `/${id}`, { password: 'court' })).status).toBe(400);
    expect((await users('PUT', `/${id}`, { email: 'autre@localhost' })).status).toBe(400);
    expect((await users('PUT', '/01890000-0000-7000-8000-000000000001', { first_name: 'A' })).status).toBe(404);
    expect((await users('PUT', "/1'or'1", { first_name: 'A' })).status).toBe(404);
  });

  it('ends the user’s sessions with a new password or a new role', async () => {
    const { id, credentials: who, token } = await addUser(product, root);
    await users('PUT', `/${id}`, { password: 'nouveau-cap' });
    expect([await me(token), await loginStatus(who.email, 'nouveau-cap')]).toEqual([401, 200]);
    const next = await product.login({ ...who, password: 'nouveau-cap' });
    expect((await users('PUT', `/${id}`, { role: 'admin' })).body['is_admin']).toBe(true);
    expect(await me(next)).toBe(401);
    const asAdmin = await product.login({ ...who, password: 'nouveau-cap' });
    await users('PUT', `/${id}`, { role: 'client' });
    expect(await me(asAdmin)).toBe(401);
  });

  it('does not change the password of the acting administrator, whose session may be stolen', async () => {
    const own = await users('PUT', `/${await idOfRoot()}`, { password: 'à moi la barre' });
    expect([own.status, own.body['detail']]).toEqual([
      409,
      'Changez votre propre mot de passe dans votre profil, avec l’actuel.',
    ]);
  });
});

describe('the list', () => {
  const searchWord = crypto.randomUUID();
  const createNamed = async (last: string, more: object = {}) => {
    const created = await users('POST', '', {
      ...anne,
      last_name: last,
      email: `${last}-${searchWord}@localhost`,
      ...more,
    });
    expect(created.status).toBe(201);
  };
  const list = async (query: string) => {
    const { status, body } = await users('GET', `?q=${searchWord}&${query}`);
    expect(status).toBe(200);
    return { ...body, names: (body['items'] as { last_name: string }[]).map(({ last_name: name }) => name) };
  };
  beforeAll(async () => {
    for (const last of ['Zola', 'Sans', 'Évrard', 'Eluard', 'Web10', 'Web2']) await createNamed(last);
    await createNamed('Chef', { role: 'admin' });
    await product.database.query('update auth.users set last_name = null where email like $1', [`sans-${searchWord}%`]);
    const setLastLogin = (last: string, at: string) =>
      product.database.query('update auth.users set last_login_at = $2 where email like $1', [
        `${last}-${searchWord}%`,
        at,
      ]);
    await setLastLogin('zola', '2026-03-01');
    await setLastLogin('eluard', '2026-02-01');
  });

  it('is sorted by name in French, numbers by value, users without name last in both orders', async () => {
    const sorted = ['Chef', 'Eluard', 'Évrard', 'Web2', 'Web10', 'Zola'];
    expect((await list('sort=last_name')).names).toEqual([...sorted, null]);
    expect((await list('sort=last_name&order=desc')).names).toEqual([...sorted.toReversed(), null]);
  });

  it('is sorted by last login, equals by their address', async () => {
    expect((await list('sort=last_login_at')).names.slice(0, 4)).toEqual(['Eluard', 'Zola', 'Chef', 'Évrard']);
  });

  it('filters by role, and by words in the name or the address without regard to accents', async () => {
    expect((await list('role=admin')).names).toEqual(['Chef']);
    const { body } = await users('GET', `?q=EVR%20${searchWord}`);
    expect(body).toMatchObject({ total: 1, items: [{ last_name: 'Évrard' }] });
    expect((await users('GET', '?role=root')).status).toBe(400);
  });

  it('is paginated, with the total number of users', async () => {
    const page = await list('sort=last_name&limit=2&offset=2');
    expect(page).toMatchObject({ names: ['Évrard', 'Web2'], total: 7 });
    const { rows } = await product.database.query('select count(*)::int as known from auth.users');
    expect(page).toMatchObject(rows[0]);
  });

  it('is complete without pagination, however long it is', async () => {
    await product.database.query(
      `insert into auth.users (id, email, password_hash, role)
       select gen_random_uuid(), n || repeat('x', 60) || '@foule', 'x', 'client' from generate_series(1, 4000) n`,
    );
    const { status, body } = await users('GET');
    await product.database.query("delete from auth.users where email like '%@foule'");
    expect(status).toBe(200);
    const items = body['items'] as { id: string }[];
    expect([items.length, new Set(items.map(({ id }) => id)).size]).toEqual([body['known'], body['known']]);
  });
});

describe('a refused deletion or demotion', () => {
  it('concerns oneself', async () => {
    const id = await idOfRoot();
    const deleted = await users('DELETE', `/${id}`);
    expect([deleted.status, deleted.body['detail']]).toEqual([
      409,
      'Vous ne pouvez pas supprimer votre propre compte.',
    ]);
    const demoted = await users('PUT', `/${id}`, { role: 'client' });
    expect([demoted.status, demoted.body['detail']]).toEqual([
      409,
      'Vous ne pouvez pas retirer votre propre rôle d’administrateur.',
    ]);
  });

  it('concerns the last administrator, even when two demote each other at once', async () => {
    const rootId = await idOfRoot();
    for (let round = 0; round < 5; round += 1) {
      const other = await addUser(product, root, 'admin');
      const answers = await Promise.all([
        users('PUT', `/${other.id}`, { role: 'client' }),
        product.request('PUT', `/api/admin/users/${rootId}`, { token: other.token, body: { role: 'client' } }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await product.database.query("update auth.users set role = 'admin' where id = $1", [rootId]);
      root = await product.login();
    }
  });
});

it('refuses the writes of an administrator who has just lost the role', async () => {
  const [actor, target] = [await addUser(product, root, 'admin'), await addUser(product, root)];
  await product.database.query("update auth.users set totp_secret = '{}', two_factor_at = now() where id = $1", [
    target.id,
  ]);
  await product.database.query('begin');
  await product.database.query("update auth.users set role = 'client' where id = $1", [actor.id]);
  const as = async (method: string, path: string, body?: object) => {
    const { status } = await product.request(method, `/api/${path}`, { token: actor.token, ...(body && { body }) });
    answered.push(status);
  };
  const answered: number[] = [];
  const writes = [
    as('POST', 'admin/users', { ...anne, email: `${crypto.randomUUID()}@localhost` }),
    as('DELETE', `admin/users/${target.id}/2fa`),
    as('POST', 'settings/app', { app_name: 'Prise' }),
    as('POST', 'settings/notifications', { sendgrid_api_key: 'SG.prise' }),
  ];
  // The gateway admitted every request while the new role was not committed yet.
  await until(async () => answered.length + (await waitingFor(product.database)) >= writes.length);
  await product.database.query('commit');
  await Promise.all(writes);
  expect(answered).toEqual([403, 403, 403, 403]);
});

describe('deleting a user', () => {
  it('answers 204, ends the sessions, and publishes the heir', async () => {
    const { id, credentials: who, token } = await addUser(product, root);
    expect((await users('DELETE', `/${id}`)).status).toBe(204);
    expect([await me(token), await loginStatus(who.email, who.password)]).toEqual([401, 401]);
    expect((await users('DELETE', `/${id}`)).status).toBe(404);
    const events = await product.database.query("select fact from auth.outbox where fact->>'kind' = 'user_deleted'");
    expect(events.rows).toContainEqual({ fact: { kind: 'user_deleted', user_id: id, heir_id: await idOfRoot() } });
  });
});

it('names one heir when several requests delete a user at once', async () => {
  const other = await addUser(product, root, 'admin');
  const { id } = await addUser(product, root);
  const tokens = [root, other.token, root, other.token];
  const answers = await Promise.all(
    tokens.map((token) => product.request('DELETE', `/api/admin/users/${id}`, { token })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404]);
  const events = await product.database.query(
    "select fact from auth.outbox where fact->>'kind' = 'user_deleted' and fact->>'user_id' = $1",
    [id],
  );
  expect(events.rowCount).toBe(1);
});

describe('an address or a name', () => {
  const createWith = (changes: object) =>
    users('POST', '', { ...anne, email: `${crypto.randomUUID()}@localhost`, ...changes });

  it.each([
    ['another address inside', 'n<victime@corp.fr>@x'],
    ['a list', 'x,y@corp.fr'],
    ['a comment', 'x(y)@corp.fr'],
    ['a letter that is not seen', 'a\u200bdmin@corp.fr'],
  ])('is refused as an address: %s', async (_name, email) => {
    const answer = await createWith({ email });
    expect([answer.status, answer.body['detail']]).toEqual([400, 'Cette adresse email n’est pas valide.']);
  });

  it.each(['\u200b', 'Anne\u202eeva', 'An\u00adne'])(
    'is refused as a name with hidden characters: %j',
    async (first_name) => {
      expect((await createWith({ first_name })).status).toBe(400);
    },
  );

  it('is one account in any Unicode normal form', async () => {
    const email = `${crypto.randomUUID()}-élan@localhost`;
    expect((await createWith({ email: email.normalize('NFD') })).status).toBe(201);
    expect((await createWith({ email })).status).toBe(409);
    expect(await loginStatus(email.normalize('NFD'), anne.password)).toBe(200);
  });
});

it('lists the sessions of a user with their browser and address, and ends them one by one', async () => {
  const { credentials: who, token } = await addUser(product, root);
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0' };
  const other = await product.request('POST', '/api/auth/login', { body: who, headers: agent });
  const { body } = await product.request('GET', '/api/auth/sessions', { token });
  const items = body['items'] as { id: string; user_agent: string; is_current: boolean; address: string }[];
  expect(items).toHaveLength(2);
  const session = items.find(({ user_agent }) => user_agent === agent['user-agent']);
  expect(session).toMatchObject({ is_current: false, address: '127.0.0.1' });
  expect((await product.request('DELETE', `/api/auth/sessions/${session?.id}`, { token })).status).toBe(204);
  expect(await me(String(other.body['access_token']))).toBe(401);
  expect(await me(token)).toBe(200);
});

it('deletes expired rows when it starts: sessions, mails after 90 days, outbox events after 30', async () => {
  const { query } = product.database;
  const id = await idOfRoot();
  await query(`insert into auth.sessions (id, user_id, token_hash, expires_at)
    values (gen_random_uuid(), '${id}', 'over', now() - interval '1 minute')`);
  for (const days of [89, 91])
    await query(
      `insert into auth.mails (id, recipient, subject, state, created_at, expires_at)
       values (gen_random_uuid(), 'x', $1, 'sent', now() - make_interval(days => $2), now())`,
      [`day ${days}`, days],
    );
  await query(`insert into auth.outbox (id, fact, at) values (gen_random_uuid(), '{}', now() - interval '31 days')`);
  const count = async (rows: string) =>
    (await query<{ n: number }>(`select count(*)::int as n from auth.${rows}`)).rows[0]?.n;
  await product.add('auth-svc');
  await until(async () => (await count("outbox where at < now() - interval '30 days'")) === 0);
  expect(await count("sessions where token_hash = 'over'")).toBe(0);
  expect((await query('select subject from auth.mails order by 1')).rows).toEqual([{ subject: 'day 89' }]);
  expect(await me(root)).toBe(200);
});
