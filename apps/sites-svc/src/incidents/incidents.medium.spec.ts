import { randomUUID } from 'node:crypto';
import type { Incident, IncidentItem } from '@vigie/contracts/incidents';
import { reportVisits } from '@vigie/contracts/site-checks';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { emptyTables } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

type User = Awaited<ReturnType<typeof addUser>>;
type Report = Parameters<typeof report>[1];

let product: TestProduct;
let agent: TestBus;
let root: string;
let [owner, guest]: User[] = [];

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  agent = await connectBus(product.keys['ssh-agent']);
  root = await product.login();
  [owner, guest] = [await addUser(product, root), await addUser(product, root)];
});
afterAll(async () => {
  await agent?.close();
  await product?.stop();
});
const tables = ['incidents', 'conditions', 'network_state', 'visit_samples', 'sites', 'servers', 'groups', 'jobs'];
beforeEach(() => emptyTables(product.database, ...tables.map((table) => `sites.${table}`)));

const query = <T extends object>(sql: string, ...values: unknown[]) => product.database.query<T>(sql, values);
const ask = (method: string, path: string, body?: object, { token } = owner ?? { token: root }) =>
  product.request(method, `/api${path}`, { token, ...(body && { body }) });

async function addServer(name: string, user = owner): Promise<string> {
  const id = randomUUID();
  await query(
    `insert into sites.servers (id, owner_id, name, host, port, login, type, credential, method, public_key)
     values ($1, $2, $3, $3 || '.invalid', 22, 'root', 'prod', '{"protected":"","iv":"","ciphertext":"","tag":""}', 'key', '')`,
    id,
    user?.id,
    name,
  );
  return id;
}

const urlOf = (name: string) => `https://${name}.invalid/`;

async function addSites(names: string[], server: string | null = null, user = owner): Promise<string[]> {
  const ids = names.map(() => randomUUID());
  await query(
    `insert into sites.sites (id, owner_id, name, url, server_id)
     select id, $1, name, 'https://' || name || '.invalid/', $2 from unnest($3::uuid[], $4::text[]) x(id, name)`,
    user?.id,
    server,
    ids,
    names,
  );
  return ids;
}

/** Reports one visit of each site, by its status. */
async function report(
  sites: Readonly<Record<string, string>>,
  {
    code = 0,
    endsAt = null,
    network = null,
  }: { code?: number; endsAt?: string | null; network?: 'up' | 'down' | null } = {},
): Promise<void> {
  const error = code === 0 ? 'Le serveur du site refuse la connexion.' : null;
  const items = Object.entries(sites).map(([name, id]) => ({
    id,
    url: urlOf(name),
    seen: {
      code,
      error,
      method: 'GET',
      url: urlOf(name),
      ms: code === 0 ? null : 120,
      checked_at: new Date().toISOString(),
    },
    certificate: endsAt === null ? null : { ends_at: endsAt, issuer: 'R11' },
  }));
  await agent.call(reportVisits, { items, network });
}

/** As after a minute: a check soon after another one of the same result is not counted. */
const passMinute = () => query("update sites.conditions set checked_at = checked_at - interval '1 minute'");

async function reportTimes(
  times: number,
  sites: Readonly<Record<string, string>>,
  options: Report = {},
): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await report(sites, options);
    await passMinute();
  }
}

async function list(search = '', user = owner): Promise<IncidentItem[]> {
  const { status, body } = await ask('GET', `/incidents${search}`, undefined, user);
  expect(status).toBe(200);
  expect(body['total']).toBe((body['items'] as IncidentItem[]).length);
  return body['items'] as IncidentItem[];
}

async function only(search = '', user = owner): Promise<Incident> {
  const items = await list(search, user);
  expect(items).toHaveLength(1);
  const { body } = await ask('GET', `/incidents/${items[0]?.id}`, undefined, user);
  return body as unknown as Incident;
}

const kindsOf = ({ events }: Incident) => events.map(({ kind }) => kind);
const named = async (names: string[], server: string | null = null, user = owner) => {
  const ids = await addSites(names, server, user);
  return Object.fromEntries(names.map((name, at) => [name, ids[at] ?? '']));
};

describe('an outage', () => {
  it('is opened by the third failed check and ends with the second good one', async () => {
    const sites = await named(['boutique']);
    await reportTimes(2, sites, { code: 502 });
    expect(await list()).toEqual([]);
    // The same check may be reported twice.
    await reportTimes(1, sites, { code: 502 });
    await report(sites, { code: 502 });
    const open = await only();
    expect(open).toMatchObject({
      kind: 'outage',
      severity: 'critical',
      state: 'open',
      cause: { kind: 'site', id: sites['boutique'], name: 'boutique' },
      evidence: { code: 502, reason: null },
      sites: 1,
      failing: 1,
      can_act: true,
    });
    expect(open.observed_at < open.opened_at).toBe(true);
    await passMinute();
    await report(sites, { code: 200 });
    expect(await list('?state=open')).toHaveLength(1);
    await passMinute();
    await report(sites, { code: 200 });
    const ended = await only('?state=resolved');
    expect(ended).toMatchObject({ id: open.id, resolution: 'recovered', failing: 0, subjects: [{ name: 'boutique' }] });
    expect(kindsOf(ended)).toEqual(['observed', 'opened', 'recovered', 'resolved']);
    expect(await list('?state=open')).toEqual([]);
  });

  it('is no matter of a refusal, of a repeated report, or of failures that nobody watched in between', async () => {
    const sites = await named(['boutique']);
    await reportTimes(3, sites, { code: 404 });
    expect(await list()).toEqual([]);
    for (let at = 0; at < 4; at += 1) await report(sites, { code: 500 });
    expect(await list()).toEqual([]);
    await reportTimes(1, sites, { code: 500 });
    await query("update sites.conditions set checked_at = now() - interval '1 hour'");
    await reportTimes(2, sites, { code: 500 });
    expect(await list()).toEqual([]);
    await report(sites, { code: 500 });
    expect(await list()).toHaveLength(1);
  });

  it('goes on when it comes back within half an hour, and is then known to come and go', async () => {
    const sites = await named(['boutique']);
    const goDown = () => reportTimes(3, sites, { code: 500 });
    await goDown();
    for (let at = 0; at < 2; at += 1) {
      await reportTimes(2, sites, { code: 200 });
      expect(await list('?state=open')).toEqual([]);
      await goDown();
    }
    expect(await only()).toMatchObject({ state: 'open', is_flapping: true, reopenings: 2 });
    await reportTimes(9, sites, { code: 200 });
    expect(await list('?state=open')).toHaveLength(1);
    await report(sites, { code: 200 });
    const ended = await only('?state=resolved');
    expect(kindsOf(ended).filter((kind) => kind === 'reopened')).toHaveLength(2);
    await query("update sites.incidents set resolved_at = now() - interval '31 minutes'");
    await goDown();
    expect(await list('?state=open')).toMatchObject([{ is_flapping: false, reopenings: 0 }]);
    expect(await list()).toHaveLength(2);
  });

  it('is the matter of the server whose sites fail together', async () => {
    const server = await addServer('web-03');
    const [first, others] = [await named(['un'], server), await named(['deux', 'trois', 'quatre'], server)];
    await reportTimes(3, first);
    expect((await only()).cause).toMatchObject({ kind: 'site', name: 'un' });
    // The incident of the first site, which is still young, becomes a part of it.
    await reportTimes(3, { ...first, ...others });
    const open = await only('?state=open');
    expect(open).toMatchObject({ cause: { kind: 'server', id: server, name: 'web-03' }, sites: 4, failing: 4 });
    expect(open.is_server_down).toBe(false);
    expect(await list('?state=resolved')).toMatchObject([{ cause: { name: 'un' }, resolution: 'merged' }]);
    await reportTimes(2, others, { code: 200 });
    expect(await only('?state=open')).toMatchObject({ sites: 4, failing: 1 });
    expect(await list(`?site_id=${first['un']}&state=open`)).toHaveLength(1);
    expect(await list(`?server_id=${server}`)).toHaveLength(1);
    await reportTimes(2, first, { code: 200 });
    expect(await list('?state=open')).toEqual([]);
  });

  it('of many sites at once is one incident for each server', async () => {
    const servers = [await addServer('web-01'), await addServer('web-02')];
    const names = (prefix: string) => Array.from({ length: 100 }, (_, at) => `${prefix}-${at}`);
    const fleets = [await named(names('a'), servers[0]), await named(names('b'), servers[1])];
    for (let at = 0; at < 3; at += 1) {
      await Promise.all([...fleets, ...fleets].map((sites) => report(sites)));
      await passMinute();
    }
    expect((await list()).map(({ cause, sites }) => [cause.name, sites])).toEqual(
      expect.arrayContaining([
        ['web-01', 100],
        ['web-02', 100],
      ]),
    );
    for (let at = 0; at < 2; at += 1) {
      await Promise.all(fleets.map((sites) => report(sites, { code: 200 })));
      await passMinute();
    }
    expect(await list('?state=open')).toEqual([]);
    expect((await query('select from sites.incident_subjects where until is null')).rows).toEqual([]);
  });

  it('does not come from what Vigie itself does to the site', async () => {
    const sites = await named(['boutique']);
    const job = randomUUID();
    await query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, site_name, queue, lane, is_exclusive, is_heavy, input, state, started_at)
       values ($1, 'changes.update', $2, $2, $3, 'boutique', 'none', 'none', true, false, '{}', 'running', now())`,
      job,
      owner?.id,
      sites['boutique'],
    );
    await reportTimes(4, sites, { code: 503 });
    expect(await list()).toEqual([]);
    expect((await ask('GET', `/sites/${sites['boutique']}/uptime`)).body).toMatchObject({
      uptime: { day: null },
      beats: [{ state: 'excused' }, { state: 'excused' }, { state: 'excused' }, { state: 'excused' }],
    });
    await query("update sites.jobs set state = 'succeeded', finished_at = now() - interval '3 minutes'");
    await reportTimes(3, sites, { code: 503 });
    expect(await list()).toHaveLength(1);
  });

  it('ends with its site', async () => {
    const sites = await named(['boutique', 'blog']);
    await reportTimes(3, sites);
    expect((await ask('DELETE', `/sites/${sites['blog']}`)).status).toBe(204);
    expect((await query('select from sites.incidents where resolution is null')).rows).toHaveLength(1);
    expect((await query("select from sites.incidents where resolution = 'removed'")).rows).toHaveLength(1);
    expect((await query('select from sites.conditions')).rows).toHaveLength(1);
    expect(await list()).toHaveLength(1);
  });
});

describe('a cut of Vigie’s own network', () => {
  it('is one incident about Vigie and none about the sites', async () => {
    const sites = await named(['a', 'b', 'c', 'd']);
    const { a = '', ...others } = sites;
    await reportTimes(3, { a }, { code: 0, network: 'up' });
    await report(others, { code: 200 });
    expect(await list()).toHaveLength(1);
    // The first visits fail before it is known that all do.
    await reportTimes(5, sites, { code: 0, network: 'down' });
    expect(await list()).toHaveLength(1);
    const admin = { token: root, id: '' } as User;
    expect(await list('?state=open', admin)).toMatchObject([
      { kind: 'network', cause: { kind: 'vigie', id: null, name: 'Vigie' }, severity: 'critical' },
    ]);
    const { rows } = await query<{ state: number }>(
      'select distinct state from sites.visit_samples where site_id = $1 and code = 0',
      others['b'],
    );
    expect(rows).toEqual([{ state: 3 }]);
    await reportTimes(2, sites, { code: 200, network: 'up' });
    expect(await list('?state=open', admin)).toEqual([]);
    expect(await list('?state=open')).toEqual([]);
  });

  it('is not supposed because of one site, or of agents that reach others', async () => {
    const sites = await named(['a', 'b', 'c', 'd']);
    const { a = '' } = sites;
    await reportTimes(3, { a }, { code: 0, network: 'down' });
    expect(await list()).toHaveLength(1);
    await reportTimes(3, sites, { code: 0, network: 'up' });
    expect(await list()).toHaveLength(4);
  });
});

describe('a certificate that ends soon', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  it('is a warning until it is renewed', async () => {
    const sites = await named(['boutique']);
    await reportTimes(2, sites, { code: 200, endsAt: inDays(22) });
    expect(await list()).toEqual([]);
    await report(sites, { code: 200, endsAt: inDays(20.5) });
    expect(await only()).toMatchObject({
      kind: 'certificate',
      severity: 'warning',
      evidence: { code: null, reason: 'R11', ends_at: expect.stringMatching(/^\d{4}-/) },
    });
    await reportTimes(2, sites, { code: 200, endsAt: inDays(89) });
    expect(await list('?state=open')).toEqual([]);
  });
});

describe('people', () => {
  const act = (id: string, verb: string, body: object = {}, user = owner) =>
    ask('POST', `/incidents/${id}/${verb}`, body, user);

  it('acknowledge, mute, comment and close an incident', async () => {
    await reportTimes(3, await named(['boutique']));
    const { id } = await only();
    expect((await act(id, 'ack')).body).toMatchObject({ acknowledged_by: 'Anne Le Goff' });
    expect((await act(id, 'ack')).status).toBe(200);
    expect((await act(id, 'mute', { minutes: 60 })).body['muted_until']).toBeTypeOf('string');
    expect((await act(id, 'mute', { minutes: 0 })).body['muted_until']).toBeNull();
    const key = { 'idempotency-key': randomUUID() };
    for (let at = 0; at < 2; at += 1) {
      const path = `/api/incidents/${id}/comment`;
      const body = { text: ' Disque plein.\nJe vide les journaux. ' };
      const answer = await product.request('POST', path, { token: owner?.token ?? '', body, headers: key });
      expect(answer.status).toBe(200);
    }
    expect((await act(id, 'comment', { text: ' ' })).body).toEqual({ detail: 'Écrivez un commentaire.' });
    const closed = await act(id, 'resolve');
    expect(closed.body).toMatchObject({ state: 'resolved', resolution: 'closed', muted_until: null });
    const events = (closed.body as unknown as Incident).events.filter(({ by }) => by !== null);
    expect(events.map(({ kind, by, text }) => [kind, by, text])).toEqual([
      ['acknowledged', 'Anne Le Goff', null],
      ['muted', 'Anne Le Goff', null],
      ['unmuted', 'Anne Le Goff', null],
      ['commented', 'Anne Le Goff', 'Disque plein.\nJe vide les journaux.'],
      ['closed', 'Anne Le Goff', null],
    ]);
  });

  it('open it again by closing it while it lasts', async () => {
    const sites = await named(['boutique']);
    await reportTimes(3, sites);
    const { id } = await only();
    await act(id, 'resolve');
    await reportTimes(2, sites);
    expect(await list('?state=open')).toEqual([]);
    await report(sites);
    expect(await only('?state=open')).toMatchObject({ id, reopenings: 1 });
  });

  it('reach only incidents of what they own or what is shared with them', async () => {
    const server = await addServer('web-03');
    const sites = await named(['boutique', 'blog'], server);
    await reportTimes(3, sites);
    const { id } = await only();
    expect(await list('', guest)).toEqual([]);
    expect((await ask('GET', `/incidents/${id}`, undefined, guest)).status).toBe(404);
    const share = (role: string, site = sites['blog']) =>
      ask('POST', '/grants', { site_id: site, user_id: guest?.id, role });
    await share('operator');
    const shared = await only('', guest);
    expect(shared).toMatchObject({
      cause: { kind: 'server', id: null, name: 'Un serveur' },
      sites: 1,
      subjects: [{ name: 'blog' }],
      can_act: false,
    });
    expect(JSON.stringify(shared)).not.toMatch(/boutique|web-03/);
    expect((await act(id, 'ack', {}, guest)).status).toBe(403);
  });

  it('act on the incident of a shared site as far as their role goes', async () => {
    const sites = await named(['boutique']);
    await reportTimes(3, sites);
    const { id } = await only();
    const share = (role: string) => ask('POST', '/grants', { site_id: sites['boutique'], user_id: guest?.id, role });
    await share('viewer');
    expect((await only('', guest)).can_act).toBe(false);
    expect((await act(id, 'comment', { text: 'Vu.' }, guest)).status).toBe(403);
    await share('operator');
    expect((await act(id, 'comment', { text: 'Vu.' }, guest)).status).toBe(200);
  });
});
