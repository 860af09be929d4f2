import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { addServer, aServer, readStatusOf } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let host: SshHost;
let root: string;
beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'sites-svc', 'ssh-agent', 'ssh-agent'], {
    VIGIE_HEALTH_SECONDS: '2',
  });
  host = await SshHost.start();
  root = await product.login();
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});

type Item = Record<string, unknown> & { id: string; loads?: (number | null)[] };

async function health(query = '', token = root) {
  const { status, body } = await product.request('GET', `/api/servers/health${query}`, { token });
  expect(status).toBe(200);
  return { ...body, items: body['items'] as Item[] };
}
const itemOf = async (id: string, query = '') => (await health(query)).items.find((item) => item.id === id);
const count = async (sql: string, values: unknown[] = []) =>
  Number((await product.database.query<{ n: number }>(sql, values)).rows[0]?.n);
const countOf = (table: string, id: string) =>
  count(`select count(*)::int as n from sites.health_${table} where server_id = $1`, [id]);
const countRefusals = (from: SshHost) => from.log.split('Connection closed by authenticating user').length - 1;
const refusalOf = async (id: string) =>
  (await product.database.query<{ refusal: string | null }>('select refusal from sites.servers where id = $1', [id]))
    .rows[0]?.refusal;
async function authorizeKey(id: string, on: SshHost): Promise<void> {
  const { body } = await product.request('GET', `/api/servers/${id}/pubkey`, { token: root });
  appendFileSync(join(on.home, '.ssh/authorized_keys'), `${String(body['pubkey'])}\n`);
}
const samplesOf = (id: string) => countOf('samples', id);

const countOld = (table: string, age: string) =>
  count(`select count(*)::int as n from sites.health_${table} where at < now() - interval '${age}'`);

/** Refuses long deletions, as a statement timeout does on a slow database. */
async function refuseLongDeletions(...tables: string[]): Promise<void> {
  await product.database.query(`
    create function public.refuse_long_deletion() returns trigger security definer language plpgsql as
      $$ begin if (select count(*) from gone) > 20000 then raise exception 'too many at once'; end if; return null; end $$`);
  for (const table of tables) {
    await product.database.query(
      `create trigger refuse_long_deletion after delete on sites.health_${table} referencing old table as gone
         for each statement execute function public.refuse_long_deletion()`,
    );
  }
}

/** Records when each dispatched probe was due. */
const recordDispatches = () =>
  product.database.query(`
    create table public.handed_out (server_id uuid, due timestamptz);
    create function public.note_handed_out() returns trigger security definer language plpgsql as
      $$ begin insert into public.handed_out values (old.target_id, old.next_at); return null; end $$;
    create trigger note_handed_out after update on sites.sweeps for each row
      when (old.kind = 'server-health') execute function public.note_handed_out()`);

describe('the health of servers', () => {
  it('is probed at its interval, once each time', async () => {
    await recordDispatches();
    const { id } = await addServer(product, root, aServer(host));
    await until(async () => (await samplesOf(id)) >= 3);
    const samples = await samplesOf(id);
    const { rows } = await product.database.query<{ n: number; is_in_time: boolean }>(
      `select count(*)::int as n, max(due) - min(due) >= (count(*) - 1) * interval '2 seconds' as is_in_time
       from public.handed_out where server_id = $1`,
      [id],
    );
    expect(rows[0]).toMatchObject({ is_in_time: true });
    expect(samples).toBeLessThanOrEqual(rows[0]?.n ?? 0);
    expect(await itemOf(id, '?history=1')).toMatchObject({
      status: 'up',
      cores: expect.any(Number),
      load: expect.any(Number),
      mem: expect.stringMatching(/Gio$/),
      disk: expect.stringMatching(/^\d+%:\//),
      procs: expect.any(Number),
      threads: expect.any(Number),
    });
    const loads = (await itemOf(id, '?history=1'))?.loads;
    expect([loads?.length, loads?.at(-1) ?? loads?.at(-2)]).toEqual([30, expect.any(Number)]);
    expect(await itemOf(id)).not.toHaveProperty('loads');
  });

  it('shows a server that went down, and its alert', async () => {
    const ownHost = await SshHost.start();
    const { id } = await addServer(product, root, aServer(ownHost));
    await until(async () => (await itemOf(id))?.['status'] === 'up');
    await ownHost.stop();
    await until(async () => (await itemOf(id))?.['status'] === 'down');
    const alerts = [{ kind: 'status', value: null, threshold: null, since: expect.any(String) }];
    expect((await itemOf(id))?.['alerts']).toEqual(alerts);
    // The list of servers says the same.
    const { body } = await product.request('GET', `/api/servers/${id}`, { token: root });
    expect(body['status']).toMatchObject({ online: false, alerts });
  });

  it('presents a refused credential once, however many probes follow', async () => {
    const ownHost = await SshHost.start();
    const { id } = await addServer(product, root, aServer(ownHost, { auth: { password: 'wrong' } }));
    await until(() => ownHost.log.includes('Failed password'));
    // The other agent must not begin a probe before it is known.
    const probeAt = (time: string) =>
      product.database.query(`update sites.sweeps set next_at = ${time} where target_id = $1`, [id]);
    await probeAt("now() + interval '1 hour'");
    await until(async () => (await refusalOf(id)) !== null);
    const samples = await samplesOf(id);
    await probeAt('now()');
    await until(async () => (await samplesOf(id)) >= samples + 3);
    expect(ownHost.log.split('Failed password').length).toBe(2);
    expect(await itemOf(id)).toMatchObject({ status: 'unknown', alerts: [{ kind: 'status' }] });
    await ownHost.stop();
  });

  it('is not taken for refused by a probe that ends after a test was accepted', async () => {
    const ownHost = await SshHost.start();
    const silent = await RawServer.start(() => undefined);
    const { auth: _, ...withoutSecret } = aServer(ownHost);
    const { id } = await addServer(product, root, withoutSecret);
    await until(async () => (await refusalOf(id)) !== null);
    const { id: slowId } = await addServer(product, root, aServer(silent));
    await until(() => silent.connections > 0);
    // Both are probed in one batch, which ends with the silent host.
    const [refusals, connections] = [countRefusals(ownHost), silent.connections];
    await product.database.query(
      `with forgotten as (update sites.servers set refusal = null where id = $1)
       update sites.sweeps set next_at = now() where target_id in ($1, $2) and kind = 'server-health'`,
      [id, slowId],
    );
    await until(() => countRefusals(ownHost) > refusals && silent.connections > connections);
    await authorizeKey(id, ownHost);
    expect((await product.request('POST', `/api/servers/${id}/test`, { token: root })).status).toBe(200);
    const slowProbes = silent.connections;
    await silent.close();
    await until(async () => (await samplesOf(slowId)) >= slowProbes);
    expect(await refusalOf(id)).toBeNull();
    await ownHost.stop();
  });

  it('is probed with its key by every agent once a test was accepted', async () => {
    const ownHost = await SshHost.start();
    const { auth: _, ...withoutSecret } = aServer(ownHost);
    const { id } = await addServer(product, root, withoutSecret);
    const readStatus = () => readStatusOf(product, root, id, '?fresh=1');
    // Both agents remember the refusal of the key.
    for (let probes = 0; probes < 16; probes += 1) {
      await product.database.query('update sites.servers set refusal = null where id = $1', [id]);
      await readStatus();
    }
    await authorizeKey(id, ownHost);
    expect((await product.request('POST', `/api/servers/${id}/test`, { token: root })).status).toBe(200);
    for (let probes = 0; probes < 8; probes += 1) expect(await readStatus()).toMatchObject({ method: 'ssh' });
    await ownHost.stop();
  });

  it('is visible to its owner only, and ends with the server', async () => {
    const { token } = await addUser(product, root);
    expect((await health('', token)).items).toEqual([]);
    const { id } = await addServer(product, root, aServer(host));
    await until(async () => (await samplesOf(id)) >= 1);
    await product.request('DELETE', `/api/servers/${id}`, { token: root });
    expect(await samplesOf(id)).toBe(0);
    expect(await count('select count(*)::int as n from sites.sweeps where target_id = $1', [id])).toBe(0);
  });

  it('is limited to the requested servers', async () => {
    const { items } = await health();
    const [first] = items;
    expect((await health(`?ids=${first?.id}`)).items.map(({ id }) => id)).toEqual([first?.id]);
    const before = (await health()).items.length;
    expect((await health('?limit=1')).items).toHaveLength(1);
    await product.database.query(
      `insert into sites.servers (id, owner_id, name, host, port, login, type, credential, method, public_key)
       select gen_random_uuid(), owner_id, 'loin ' || n, host, port, login, type, credential, method, public_key
       from sites.servers, generate_series(1, 250) n where id = $1`,
      [first?.id],
    );
    expect((await health()).items).toHaveLength(before + 250);
    await product.database.query("delete from sites.servers where name like 'loin %'");
    for (const query of ['?ids=x', '?history=2', '?limit=0', `?ids=${Array(101).fill(first?.id).join(',')}`]) {
      const { status } = await product.request('GET', `/api/servers/health${query}`, { token: root });
      expect([400, 422]).toContain(status);
    }
  });

  it('is rolled up by quarters of an hour, and deleted after its time', async () => {
    const { id } = await addServer(product, root, aServer(host));
    await product.database.query(
      `insert into sites.health_samples
       select $1::uuid, date_bin('15 minutes', now(), 'epoch') - (n + 15) * interval '1 minute', n <> 1, n, n, n
       from generate_series(1, 15) n union all select $1::uuid, now() - interval '25 hours', true, 1, 1, 1`,
      [id],
    );
    await product.processesOf('sites-svc')[0]?.kill('SIGKILL');
    await product.processesOf('sites-svc')[1]?.kill('SIGKILL');
    await product.database.query('delete from sites.health_quarters');
    await product.add('sites-svc');
    await until(async () => (await countOf('quarters', id)) >= 1);
    const { rows } = await product.database.query(
      'select looks, ups, load_avg, load_max, mem_pct from sites.health_quarters where server_id = $1 and looks = 15',
      [id],
    );
    expect(rows).toEqual([{ looks: 15, ups: 14, load_avg: 8, load_max: 15, mem_pct: 15 }]);
    await until(async () => (await countOld('samples', '24 hours')) === 0);
  });

  it('that is old is deleted in chunks, after it was rolled up', async () => {
    const { id } = await addServer(product, root, aServer(host));
    await product.database.query('delete from sites.health_quarters');
    await product.database.query(
      `insert into sites.health_samples select $1::uuid, now() - interval '25 hours' - n * interval '1 second', true, 1, 1, 1
       from generate_series(1, 45000) n`,
      [id],
    );
    await product.database.query(
      `insert into sites.health_quarters (server_id, at, looks, ups)
       select $1::uuid, date_bin('15 minutes', now(), 'epoch') - interval '31 days' - n * interval '15 minutes', 1, 1
       from generate_series(1, 45000) n`,
      [id],
    );
    await refuseLongDeletions('samples', 'quarters');
    await product.processesOf('sites-svc').at(-1)?.kill('SIGKILL');
    await product.add('sites-svc');
    await until(async () => (await countOld('samples', '24 hours')) + (await countOld('quarters', '30 days')) === 0);
    expect(await countOf('quarters', id)).toBeGreaterThanOrEqual(50);
  });

  it('is told as a history of single samples, of quarters of an hour or of two hours', async () => {
    const { id } = await addServer(product, root, { ...aServer(host), port: 9 });
    const historyOf = async (range: string, token = root) => {
      const { status, body } = await product.request('GET', `/api/servers/${id}/health/history?range=${range}`, {
        token,
      });
      return { status, step: body['step_seconds'], points: (body['points'] ?? []) as Record<string, unknown>[] };
    };
    await product.database.query('delete from sites.sweeps where target_id = $1', [id]);
    await product.database.query('delete from sites.health_samples where server_id = $1', [id]);
    // A minute without a sample, a sample without vitals, and more samples than a history has points.
    await product.database.query(
      `insert into sites.health_samples (server_id, at, is_up, load, mem_pct, disk_pct, procs)
       select $1::uuid, now() - n * interval '1 second', n <> 900, case when n <> 900 then n / 1000.0 end, 40, 50, n
       from generate_series(0, 3590) n where n not between 1200 and 1260`,
      [id],
    );
    await product.database.query(
      `insert into sites.health_quarters (server_id, at, looks, ups, load_avg, load_max, mem_pct, disk_pct, procs)
       select $1::uuid, date_bin('15 minutes', now(), 'epoch') - n * interval '15 minutes', 15, 15, 1, n, 60, 70, n
       from generate_series(1, 2900) n`,
      [id],
    );
    const [hour, day, month] = [await historyOf('hour'), await historyOf('day'), await historyOf('month')];
    expect(hour.points.length).toBeGreaterThan(340);
    expect(hour.points.length).toBeLessThanOrEqual(361);
    const times = hour.points.map(({ at }) => Date.parse(String(at)));
    expect(Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))).toBeGreaterThan(50_000);
    expect(hour.points.at(-9)).toMatchObject({ load: expect.any(Number), mem_pct: 40, disk_pct: 50 });
    expect([day.step, month.step]).toEqual([900, 7200]);
    // The running quarter comes from the samples, those before from the roll-up.
    expect(day.points.length).toBeGreaterThanOrEqual(95);
    expect(day.points.length).toBeLessThanOrEqual(97);
    expect(day.points.at(-1)).toMatchObject({ mem_pct: 40 });
    expect(day.points.at(-3)).toMatchObject({ mem_pct: 60 });
    expect(month.points.length).toBeGreaterThanOrEqual(355);
    expect(month.points.length).toBeLessThanOrEqual(362);
    const loads = month.points.map(({ load }) => Number(load));
    expect(loads.toSorted((a, b) => b - a).slice(0, 300)).toEqual(loads.slice(0, 300));
    const { token } = await addUser(product, root);
    expect((await historyOf('day', token)).status).toBe(404);
    expect([400, 422]).toContain((await historyOf('year')).status);
  });
});
