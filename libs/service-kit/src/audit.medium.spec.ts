import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser } from '@vigie/testing/people';
import { admin, TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { Client } from 'pg';
import { verifyAudit } from './audit';

const address = '203.0.113.7';
const from = { 'x-forwarded-for': address };

let product: TestProduct;
let owner: Client;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  root = await product.login();
  owner = await connect();
});
afterAll(async () => {
  await owner?.end();
  await product?.stop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: product.database.url, options: '-c search_path=auth' });
  await client.connect();
  return client;
}

/** Verifies the audit after tampering by the database’s owner, then rolls it back. */
async function reportAfter(tampering: string, values: unknown[] = []) {
  await owner.query('begin isolation level repeatable read');
  if (tampering) await owner.query(tampering, values);
  const report = await verifyAudit(
    async <T>(sql: string, parameters: unknown[] = []) => (await owner.query(sql, parameters)).rows as T[],
  );
  await owner.query('rollback');
  return report;
}

const report = () => reportAfter('');

/** Waits until every line is chained, at least `min` of them. */
async function waitUntilChained(min = 0) {
  await until(async () => {
    const { pending, chained } = await report();
    return pending === 0 && chained >= min;
  });
  return report();
}

async function lineOf({ headers }: { headers: Headers }) {
  const { rows } = await owner.query('select * from audit_lines where request_id = $1', [headers.get('x-request-id')]);
  expect(rows).toHaveLength(1);
  return { ...rows[0], details: JSON.parse(rows[0].details) };
}

describe('a line', () => {
  const ask = (method: string, path: string, body: unknown, token?: string) =>
    product.request(method, path, { body, headers: from, ...(token !== undefined && { token }) });

  it('records who logged in, and from where', async () => {
    const answer = await ask('POST', '/api/auth/login', admin);
    const me = Object(answer.body['user']).id;
    const expected = { actor_id: me, actor_name: admin.email, address, action: 'login', target: null, result: 'done' };
    expect(await lineOf(answer)).toMatchObject(expected);
  });

  it.each([admin.email, 'personne@localhost'])('records a refused login of %s', async (email) => {
    const answer = await ask('POST', '/api/auth/login', { email, password: 'faux' });
    const refused = { actor_id: null, actor_name: email, address, action: 'login', result: 'refused' };
    expect(await lineOf(answer)).toMatchObject({ ...refused, details: { reason: 'password' } });
  });

  it('records who created, changed and deleted whom', async () => {
    const person = { email: 'cible@localhost', password: 'vigie-au-large', first_name: 'Anne', last_name: 'Le Goff' };
    const created = await ask('POST', '/api/admin/users', person, root);
    const id = String(created.body['id']);
    const changed = await ask('PUT', `/api/admin/users/${id}`, { role: 'admin', password: 'encore-au-large' }, root);
    const deleted = await ask('DELETE', `/api/admin/users/${id}`, undefined, root);
    const common = { actor_name: admin.email, address, target: person.email, target_id: id, result: 'done' };
    expect(await lineOf(created)).toMatchObject({ ...common, action: 'user_create', details: { role: 'client' } });
    const details = { role: 'admin', password: 'changed' };
    expect(await lineOf(changed)).toMatchObject({ ...common, action: 'user_edit', details });
    expect(await lineOf(deleted)).toMatchObject({ ...common, action: 'user_delete' });
  });

  it('is written exactly when its change is', async () => {
    const count = async () => (await owner.query('select id from audit_lines')).rowCount;
    const before = await count();
    const person = { email: admin.email, password: 'vigie-au-large', first_name: 'A', last_name: 'B' };
    expect((await ask('POST', '/api/admin/users', person, root)).status).toBe(409);
    expect(await count()).toBe(before);
  });
});

describe('the chain', () => {
  it('grows within seconds of a change, and gets another head', async () => {
    const before = await waitUntilChained(3);
    await addUser(product, root);
    const after = await waitUntilChained(before.chained + 2);
    expect(after).toEqual({
      chained: before.chained + 2,
      pending: 0,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      faults: [],
    });
    expect(after.head).not.toBe(before.head);
  });

  it('reports how many lines are not chained yet, and catches up', async () => {
    const before = await waitUntilChained();
    const other = await connect();
    await other.query("select pg_advisory_lock(hashtext(current_schema() || '.audit'))");
    await addUser(product, root);
    expect(await report()).toEqual({ ...before, pending: 2 });
    await other.end();
    expect((await waitUntilChained(before.chained + 2)).faults).toEqual([]);
  });

  it('logs why it does not grow', async () => {
    const before = await waitUntilChained();
    await owner.query('alter table audit_chain rename to hidden');
    try {
      await addUser(product, root);
      await until(
        () => product.processesOf('auth-svc')[0]?.output.includes('"msg":"the audit could not be chained"') === true,
      );
    } finally {
      await owner.query('alter table hidden rename to audit_chain');
    }
    expect((await waitUntilChained(before.chained + 2)).faults).toEqual([]);
  });

  it.each([
    ['at', "at - interval '1 ms'"],
    ['actor_id', 'gen_random_uuid()'],
    ['actor_name', "'quelqu’un d’autre'"],
    ['address', "'198.51.100.1'"],
    ['request_id', 'null'],
    ['action', "'logout'"],
    ['target', "'autre@localhost'"],
    ['target_id', "'1'"],
    ['result', "'refused'"],
    ['details', `'{"role":"admin"}'`],
  ])('shows a line whose %s was changed', async (column, value) => {
    const { rows } = await owner.query(
      "select line_id as id, seq from audit_chain join audit_lines on id = line_id where action = 'user_create' order by seq limit 1",
    );
    const [{ id, seq }] = rows;
    const { faults } = await reportAfter(`update audit_lines set ${column} = ${value} where id = $1`, [id]);
    expect(faults).toEqual([{ kind: 'changed', lineId: id, seq: Number(seq) }]);
  });

  it('shows a line that was removed', async () => {
    const { faults } = await reportAfter(
      'delete from audit_lines where id = (select line_id from audit_chain where seq = 2)',
    );
    expect(faults).toMatchObject([{ kind: 'removed', seq: 2 }]);
  });

  it('shows where lines were removed together with their links', async () => {
    const { faults } = await reportAfter(
      'with cut as (delete from audit_chain where seq in (2, 3) returning line_id) delete from audit_lines where id in (select line_id from cut)',
    );
    expect(faults).toMatchObject([{ kind: 'cut', seq: 4 }]);
  });

  it('shows lines that were reordered', async () => {
    const { faults } = await reportAfter(`
      with two as (delete from audit_chain where seq in (2, 3) returning *)
      insert into audit_chain (seq, line_id, hash) select 5 - seq + 1000000, line_id, hash from two;
      update audit_chain set seq = seq - 1000000 where seq > 1000000`);
    expect(faults.map(({ kind, seq }) => [kind, seq])).toEqual(
      expect.arrayContaining([
        ['changed', 2],
        ['changed', 3],
      ]),
    );
  });

  it('shows a hash that was changed, and the line after it', async () => {
    const { faults } = await reportAfter("update audit_chain set hash = repeat('0', 64) where seq = 2");
    expect(faults).toMatchObject([
      { kind: 'changed', seq: 2 },
      { kind: 'changed', seq: 3 },
    ]);
  });

  it('shows a line that was inserted beside it, or removed before it was chained', async () => {
    const slipped = `insert into audit_lines (id, action, result, details) values (gen_random_uuid(), 'login', 'done', '{}')`;
    expect((await reportAfter(slipped)).faults).toMatchObject([{ kind: 'outside', seq: null }]);
    const lost = 'insert into audit_pending (line_id) values (gen_random_uuid())';
    expect((await reportAfter(lost)).faults).toMatchObject([{ kind: 'lost', seq: null }]);
    // One fault does not hide the other.
    expect((await reportAfter(`${slipped}; ${lost}`)).faults).toHaveLength(2);
  });

  it('cannot be changed with the role of a service', async () => {
    const role = `${new URL(product.database.url).pathname.slice(1)}_auth`;
    for (const table of ['audit_lines', 'audit_chain']) {
      const hasPrivilege = async (rights: string) =>
        (await owner.query('select has_table_privilege($1, $2, $3) as may', [role, table, rights])).rows[0].may;
      expect([table, await hasPrivilege('select, insert')]).toEqual([table, true]);
      expect([table, await hasPrivilege('update, delete, truncate, references, trigger')]).toEqual([table, false]);
    }
  });

  it('stays consistent at every moment while three replicas chain at once', async () => {
    await Promise.all([product.add('auth-svc'), product.add('auth-svc')]);
    const before = await waitUntilChained();
    const writer = await connect();
    const addMany = (n: number) =>
      writer.query(`
        with line as (
          insert into audit_lines (id, action, result, details)
          select gen_random_uuid(), 'test', 'done', '{}' from generate_series(1, ${n}) returning id
        ) insert into audit_pending (line_id) select id from line`);
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; n < 30; n += 1) await addMany(50);
      isOver = true;
    })();
    const faultsSeen: unknown[] = [];
    await until(async () => {
      const { faults, chained } = await report();
      faultsSeen.push(...faults);
      return isOver && chained >= before.chained + 1500;
    });
    await writing;
    await writer.end();
    expect(faultsSeen).toEqual([]);
    expect(await waitUntilChained()).toMatchObject({ chained: before.chained + 1500, pending: 0, faults: [] });
  });
});
