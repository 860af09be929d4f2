import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAuthOutbox } from '@vigie/contracts/outbox';
import { connectBus } from '@vigie/testing/bus';
import { untilOutboxRead } from '@vigie/testing/outbox';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { Client } from 'pg';

let product: TestProduct;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  root = await product.login();
});
afterAll(() => product?.stop());

type Item = { id: string; type: string; actor_name: string };

async function feed(token: string, headers: Record<string, string> = {}): Promise<Item[]> {
  const { status, body } = await product.request('GET', '/api/dashboard/activity?limit=50', { token, headers });
  expect(status).toBe(200);
  return body['items'] as Item[];
}
const adminMode = { 'x-admin-mode': '1' };
const idsOf = async (token: string, headers = {}) => (await feed(token, headers)).map(({ id }) => id);

const all = async <T>(sql: string, values: unknown[] = []) => (await product.database.query(sql, values)).rows as T[];
const publishedEvents = () =>
  all<{ id: string }>("select id from auth.outbox where fact ->> 'kind' = 'activity' order by id");
const applied = () => all<{ id: string }>('select id from sites.activity order by id');

const anEvent = (kind = 'activity') => ({
  kind,
  type: 'login',
  owner_id: null,
  actor_id: null,
  actor_name: null,
  details: {},
  at: new Date().toISOString(),
});

describe('the feed', () => {
  it('shows a login to the person who logged in, and to no other client', async () => {
    const [anne, berthe] = [await addUser(product, root), await addUser(product, root)];
    await until(async () => (await feed(anne.token)).length + (await feed(berthe.token)).length === 2);
    expect(await feed(anne.token)).toMatchObject([{ type: 'login', actor_name: 'Anne Le Goff' }]);
    expect(await idsOf(berthe.token)).not.toEqual(await idsOf(anne.token));
    expect(await idsOf(berthe.token, adminMode)).toEqual(await idsOf(berthe.token));
  });

  it('shows administrators their own lines, and everybody’s in the admin mode', async () => {
    const { token } = await addUser(product, root);
    await until(async () => (await feed(token)).length === 1);
    const [login] = await idsOf(token);
    expect(await idsOf(root)).not.toContain(login);
    expect(await idsOf(root, adminMode)).toContain(login);
    expect((await feed(root)).map(({ type }) => type)).toContain('user_create');
  });

  it.each(['0', '-1', 'x', '1.5', '', '1&limit=2'])('refuses limit=%s', async (limit) => {
    const answer = await product.request('GET', `/api/dashboard/activity?limit=${limit}`, { token: root });
    expect([400, 422]).toContain(answer.status);
    expect(answer.body).toEqual({ detail: expect.any(String) });
  });

  it('shows the latest lines first, ten by default', async () => {
    const addMany = `insert into auth.outbox (id, fact) select gen_random_uuid(), $1 from generate_series(1, 12)`;
    await product.database.query(addMany, [JSON.stringify(anEvent())]);
    await untilOutboxRead(product.database);
    const count = async (query: string) => {
      const { body } = await product.request('GET', `/api/dashboard/activity${query}`, {
        token: root,
        headers: adminMode,
      });
      return (body['items'] as { created_at: string }[]).map(({ created_at }) => created_at);
    };
    expect(await count('?limit=500')).toEqual(await count('?limit=50'));
    const [one, ten] = [await count('?limit=1'), await count('')];
    expect([one.length, ten.length]).toEqual([1, 10]);
    expect(ten).toEqual(ten.toSorted().toReversed());
    expect(one[0]).toBe(ten[0]);
  });
});

describe('an outbox event of auth-svc', () => {
  it('reaches a reader that was away, in more than one batch', async () => {
    await product.processesOf('sites-svc').at(-1)?.kill('SIGKILL');
    await product.login();
    const addMany = `insert into auth.outbox (id, fact) select gen_random_uuid(), $1 from generate_series(1, 450)`;
    await product.database.query(addMany, [JSON.stringify(anEvent())]);
    await product.login();
    expect((await applied()).length).toBeLessThan((await publishedEvents()).length - 450);
    await product.add('sites-svc');
    await untilOutboxRead(product.database);
    expect(await applied()).toEqual(await publishedEvents());
  });

  it('is applied once when it is repeated', async () => {
    await untilOutboxRead(product.database);
    const before = await applied();
    await product.database.query("update sites.outbox_cursors set xid = '0', seq = 0");
    await product.login();
    await untilOutboxRead(product.database);
    expect((await applied()).length).toBe(before.length + 1);
    expect(await applied()).toEqual(await publishedEvents());
  });

  it('is skipped when it comes from a later release and is unknown', async () => {
    const unknown = [anEvent('comet_seen'), { kind: 'activity', type: 'comet_watch' }];
    for (const event of unknown) {
      await product.database.query('insert into auth.outbox (id, fact) values ($1, $2)', [randomUUID(), event]);
    }
    await product.login();
    await untilOutboxRead(product.database);
    const late = await all<{ id: string }>("select id from auth.outbox where fact ->> 'type' = 'comet_watch'");
    expect((await applied()).length).toBe((await publishedEvents()).length - late.length);
    await product.database.query("delete from auth.outbox where fact ->> 'type' = 'comet_watch'");
  });

  it.each([
    ['before', 'insert into auth.outbox (id, fact) values ($1, $2)', 'select $1::text, $2::text'],
    ['after', 'select pg_current_xact_id(), $1::text, $2::text', 'insert into auth.outbox (id, fact) values ($1, $2)'],
  ])(
    'is not skipped when it commits late, written %s another one that commits meanwhile',
    async (_when, first, last) => {
      await untilOutboxRead(product.database);
      const event = [randomUUID(), JSON.stringify(anEvent())];
      const slow = new Client({ connectionString: product.database.url });
      await slow.connect();
      await slow.query('begin');
      await slow.query(first, event);
      await product.login();
      const blocked = await blockOutbox();
      await slow.query(last, event);
      await slow.query('commit');
      await slow.end();
      // The login waits for transactions that began earlier.
      expect(blocked).toEqual({ written: 1, readable: 0 });
      await untilOutboxRead(product.database);
      expect(await applied()).toEqual(await publishedEvents());
      expect(await applied()).toContainEqual({ id: event[0] });
    },
  );

  /** Counts the events after the cursor, and how many of them auth-svc returns. */
  async function blockOutbox() {
    const [cursor] = await all<{ xid: string; seq: string }>('select xid::text, seq::text from sites.outbox_cursors');
    if (!cursor) throw new Error('no cursor');
    const eventsAfter = 'select id from auth.outbox where (xid, seq) > ($1::text::xid8, $2::bigint)';
    const reader = await connectBus(product.keys['sites-svc']);
    const { items } = await reader.call(readAuthOutbox, { after: cursor, limit: 200 });
    await reader.close();
    return { written: (await all(eventsAfter, [cursor.xid, cursor.seq])).length, readable: items.length };
  }

  it('is returned to its intended readers only', async () => {
    const agent = await connectBus(product.keys['ssh-agent']);
    const after = { xid: '0', seq: '0' };
    await expect(agent.call(readAuthOutbox, { after, limit: 1 })).rejects.toMatchObject({ code: 'forbidden' });
    await agent.close();
  });

  it('is applied once by two replicas that read it at the same time', async () => {
    await product.add('sites-svc');
    await countApplications();
    for (let n = 0; n < 20; n += 1) await product.login();
    await untilOutboxRead(product.database);
    const counts = await all<{ n: number }>('select count(*)::int as n from applications group by id');
    expect(counts).toEqual(Array.from({ length: 20 }, () => ({ n: 1 })));
  });

  /** Counts each attempt to insert a line, even a repeated one. */
  async function countApplications(): Promise<void> {
    await product.database.query(`
      create table applications (id uuid);
      create function count_application() returns trigger language plpgsql security definer as
        $$ begin insert into public.applications values (new.id); return new; end $$;
      create trigger count_application before insert on sites.activity
        for each row execute function count_application()`);
  }
});
