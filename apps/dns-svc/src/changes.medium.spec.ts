import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeCloudflare } from '@vigie/testing/cloudflare';
import { DnsStage } from '@vigie/testing/dns';
import { until } from '@vigie/testing/until';

let stage: DnsStage;
let cloudflare: FakeCloudflare;
beforeAll(async () => {
  stage = await DnsStage.shared(['gateway', 'dns-svc']);
  cloudflare = stage.cloudflare;
});
afterAll(() => stage?.stop());

type View = { id: string; modified_at: string; version: string; name: string; content: string; display_name: string };
type Result = { index: number; state: string; message: string | null; record: View | null };

const hosts = (count: number, first = 0) =>
  Array.from({ length: count }, (_, n) => ({ type: 'A', name: `h${first + n}`, content: `203.0.113.${n % 250}` }));

/** A person with a zone, and calls about it. */
async function settle(records: readonly object[] = []) {
  const owner = await stage.addZoneOwner(records);
  const list = async () => (await owner.askZone('GET', '/dns')).body['records'] as View[];
  const names = () => owner.stored.records.map(({ name }) => name.replace(`.${owner.name}`, '')).toSorted();
  return { ...owner, ask: owner.askZone, list, names };
}

const statesOf = (body: Record<string, unknown>) => (body['results'] as Result[]).map(({ state }) => state);

describe('many changes', () => {
  it('are previewed before anything is sent', async () => {
    const { ask, list } = await settle([
      { type: 'A', name: 'www', content: '203.0.113.1' },
      { type: 'MX', name: '@', content: 'mx.exemple.fr', priority: 5 },
    ]);
    const [mx, www] = await list();
    const changes = [
      { action: 'edit', record_id: www?.id, record: { content: '203.0.113.9' }, expected: www?.version },
      { action: 'delete', record_id: mx?.id },
      { action: 'create', record: { type: 'CNAME', name: 'www', content: 'ailleurs.fr' } },
      { action: 'edit', record_id: www?.id, record: { ttl: 600 } },
      { action: 'create', record: { type: 'A', name: 'intranet', content: '10.0.0.1' } },
    ];
    const callsBefore = cloudflare.ledger.length;
    const { body } = await ask('POST', '/dns/preview', { changes });
    expect(body['differences']).toMatchObject([
      { action: 'edit', fields: ['content'], before: { content: '203.0.113.1' }, after: { content: '203.0.113.9' } },
      {
        action: 'delete',
        after: null,
        warnings: ['C’est le dernier MX de ce nom\u00a0: il ne recevra plus de courrier.'],
      },
      { action: 'create', refusal: expect.stringContaining('retirez-les avant d’y mettre un CNAME') },
      { refusal: 'Cet enregistrement est déjà changé par une autre ligne.' },
      { warnings: ['Cette adresse est privée\u00a0: elle ne répond pas depuis Internet.'] },
    ]);
    expect(cloudflare.ledger.slice(callsBefore).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('are sent in a few calls, and a refused one stops no other', async () => {
    const { ask, list, names, zoneId } = await settle(hosts(150));
    const before = cloudflare.count(new RegExp(`POST /zones/${zoneId}/dns_records`));
    const records = await list();
    const changes = [
      ...records.map(({ id }) => ({ action: 'edit', record_id: id, record: { ttl: 300 } })),
      { action: 'create', record: { type: 'A', name: 'h0', content: '203.0.113.0' } },
      { action: 'create', record: { type: 'A', name: 'neuf', content: '203.0.113.1' } },
    ];
    const { body } = await ask('POST', '/dns/bulk', { changes });
    expect(body).toMatchObject({ done: 151, stopped: null });
    expect((body['results'] as Result[])[150]).toMatchObject({
      state: 'refused',
      message: 'Un enregistrement identique existe déjà.',
    });
    expect(cloudflare.count(new RegExp(`POST /zones/${zoneId}/dns_records`)) - before).toBe(2);
    expect(names()).toHaveLength(151);
  });

  it('isolate the one that Cloudflare refuses, and apply the others', async () => {
    const { ask, names } = await settle();
    // Only Cloudflare knows that this comment is too long for its plan.
    const records = hosts(20).map((record, n) => ({ ...record, ...(n === 13 && { comment: 'x'.repeat(200) }) }));
    const changes = records.map((record) => ({ action: 'create', record }));
    const { body } = await ask('POST', '/dns/bulk', { changes });
    expect(body).toMatchObject({ done: 19, stopped: null });
    expect((body['results'] as Result[])[13]?.state).toBe('refused');
    expect((body['results'] as Result[])[13]?.message).toContain('Cloudflare refuse');
    expect(names()).toHaveLength(19);
  });

  it('stop at Cloudflare’s rate limit, and continue when sent again', async () => {
    const { ask, names, zoneId } = await settle();
    const changes = hosts(250).map((record) => ({ action: 'create', record }));
    const batches = new RegExp(`POST /zones/${zoneId}/dns_records`);
    // The answer to the first part is lost, the second part meets the limit.
    cloudflare.failures.push(
      { of: batches, status: 500, takesPlace: true },
      { of: batches, status: 429, retryAfter: 6 },
    );
    const { body } = await ask('POST', '/dns/bulk', { changes });
    expect(body).toMatchObject({ done: 100, retry_after: 6 });
    expect(body['stopped']).toContain('Cloudflare demande d’attendre');
    expect(statesOf(body).slice(100)).toEqual(Array.from({ length: 150 }, () => 'waiting'));
    expect(names()).toHaveLength(100);
    const remaining = { changes: changes.slice(100) };
    // Vigie refuses by itself until the pause is over.
    const early = await ask('POST', '/dns/bulk', remaining);
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
    await until(async () => (await ask('GET', '/dns')).status === 200);
    const late = await ask('POST', '/dns/bulk', remaining);
    expect(late.body).toMatchObject({ done: 150, stopped: null });
    expect(new Set(names()).size).toBe(250);
  });

  it.each([
    ['a captive portal', { status: 200, message: '<html>Portail captif</html>' }],
    ['an empty body', { status: 204, message: '' }],
    ['a truncated body', { status: 200, isCut: true }],
    ['a body without the created records', { status: 200, message: '{"success":true,"result":{"posts":null}}' }],
  ])('answered with %s are verified, recorded, and not sent again', async (_, answer) => {
    const { ask, list, names, zoneId } = await settle(hosts(2));
    const records = await list();
    const changes = [
      ...records.map(({ id }) => ({ action: 'delete', record_id: id })),
      ...hosts(2, 10).map((record) => ({ action: 'create', record })),
    ];
    const batches = new RegExp(`POST /zones/${zoneId}/dns_records/batch`);
    cloudflare.failures.push({ of: batches, takesPlace: true, ...answer });
    const { status, body } = await ask('POST', '/dns/bulk', { changes });
    expect([status, body['done'], body['stopped']]).toEqual([200, 4, null]);
    expect([names(), cloudflare.count(batches)]).toEqual([['h10', 'h11'], 1]);
    const history = await ask('GET', '/history');
    expect(history.body['items']).toMatchObject([{ reason: 'bulk', counts: { added: 2, removed: 2 } }, {}]);
  });

  it('are not started after a conflict, at any replica', async () => {
    const { token, ask, at, list, names } = await settle(hosts(3));
    const records = await list();
    const changes = records.map(({ id, version }) => ({ action: 'delete', record_id: id, expected: version }));
    await ask('PUT', `/dns/${records[1]?.id}`, { content: '203.0.113.99' });
    const refused = await ask('POST', '/dns/bulk', { changes });
    expect([refused.status, Object(refused.body['detail']).code]).toEqual([409, 'record_changed']);
    expect(names()).toHaveLength(3);
    const both = await Promise.all(
      [0, 1].map((gateway) => {
        const body = { changes: [{ action: 'create', record: { type: 'A', name: 'duel', content: '203.0.113.7' } }] };
        return stage.product.request('POST', `${at}/dns/bulk`, { token, body, at: gateway });
      }),
    );
    expect(both.map(({ body }) => Number(body['done'])).toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(names().filter((name) => name === 'duel')).toHaveLength(1);
  });

  it('are all refused when the zone has changed since it was displayed', async () => {
    const { ask, stored } = await settle(hosts(1));
    const { body } = await ask('GET', '/dns');
    stored.create({ type: 'A', name: 'ailleurs', content: '203.0.113.3' });
    const changes = [{ action: 'create', record: { type: 'A', name: 'b', content: '203.0.113.4' } }];
    const refused = await ask('POST', '/dns/bulk', { changes, expected_zone: body['version'] });
    expect([refused.status, Object(refused.body['detail']).code]).toEqual([409, 'zone_changed']);
  });
});

describe('many changes repeated under one idempotency key', () => {
  const key = { 'idempotency-key': 'une-fois' };

  it('are applied once, and answered with their outcomes, whatever happened since', async () => {
    const { ask, list, names, stored, zoneId } = await settle(hosts(3));
    const version = (await ask('GET', '/dns')).body['version'];
    const [first, second, third] = await list();
    const changes = [
      { action: 'edit', record_id: first?.id, record: { content: '198.51.100.1' } },
      { action: 'delete', record_id: second?.id },
      { action: 'create', record: { type: 'A', name: 'neuf', content: '203.0.113.9' } },
      { action: 'create', record: { type: 'A', name: 'h2', content: third?.content } },
    ];
    const body = { changes, expected_zone: version };
    const answer = await ask('POST', '/dns/bulk', body, key);
    expect(statesOf(answer.body)).toEqual(['done', 'done', 'done', 'refused']);
    // Somebody else changes the zone meanwhile.
    stored.delete(stored.records.find(({ name }) => name.startsWith('neuf'))?.id ?? '');
    await ask('PUT', `/dns/${first?.id}`, { content: '198.51.100.2' });
    const writes = new RegExp(`(POST|PUT|PATCH|DELETE) /zones/${zoneId}/dns_records`);
    const before = cloudflare.count(writes);
    const repeated = await ask('POST', '/dns/bulk', body, key);
    expect([repeated.status, repeated.body['stopped'], statesOf(repeated.body).slice(0, 3)]).toEqual([
      200,
      null,
      ['done', 'done', 'done'],
    ]);
    expect([cloudflare.count(writes) - before, names()]).toEqual([0, ['h0', 'h2']]);
    const other = await ask('POST', '/dns/bulk', { changes: changes.slice(0, 1) }, key);
    expect(other.status).toBe(422);
  });

  it('are applied once when sent in parallel', async () => {
    const { ask, names } = await settle();
    const changes = hosts(2).map((record) => ({ action: 'create', record }));
    const both = await Promise.all([0, 1].map(() => ask('POST', '/dns/bulk', { changes }, { 'idempotency-key': 'b' })));
    expect(both.map(({ body }) => statesOf(body))).toEqual([
      ['done', 'done'],
      ['done', 'done'],
    ]);
    expect(names()).toEqual(['h0', 'h1']);
  });

  it('are applied when the first attempt had no effect', async () => {
    const { ask, names, zoneId } = await settle();
    const changes = hosts(1).map((record) => ({ action: 'create', record }));
    cloudflare.failures.push({ of: new RegExp(`POST /zones/${zoneId}/dns_records`), status: 403 });
    await ask('POST', '/dns/bulk', { changes }, { 'idempotency-key': 'c' });
    expect(names()).toEqual([]);
    const repeated = await ask('POST', '/dns/bulk', { changes }, { 'idempotency-key': 'c' });
    expect([statesOf(repeated.body), names()]).toEqual([['done'], ['h0']]);
  });
});

describe('the history of a zone', () => {
  it('records changes by Vigie and by others, and can be reverted', async () => {
    const { ask, stored, names } = await settle(hosts(2));
    await ask('GET', '/dns');
    await ask('POST', '/dns', { type: 'A', name: 'neuf', content: '203.0.113.1' });
    stored.delete(stored.records[0]?.id ?? '');
    await ask('GET', '/dns');
    const { body } = await ask('GET', '/history');
    expect(body['items']).toMatchObject([
      { reason: 'look', is_drift: true, actor_name: null, counts: { added: 0, changed: 0, removed: 1 }, total: 2 },
      { reason: 'write', is_drift: false, actor_name: 'Anne Le Goff', counts: { added: 1 }, total: 3 },
      { reason: 'first', is_drift: false, counts: { added: 0, changed: 0, removed: 0 }, total: 2 },
    ]);
    const first = String((body['items'] as { id: string }[])[2]?.id);
    const back = await ask('GET', `/history/${first}?against=current`);
    expect(back.body['differences']).toMatchObject([{ action: 'delete' }, { action: 'create' }]);
    const answer = await ask('POST', `/history/${first}/revert`, { expected_zone: back.body['version'] });
    expect(answer.body).toMatchObject({ done: 2, stopped: null });
    expect(names()).toEqual(['h0', 'h1']);
    const repeated = await ask('POST', `/history/${first}/revert`, {});
    expect(repeated.body).toMatchObject({ done: 0, results: [] });
    expect((await ask('GET', `/history/${first}/records`)).body).toMatchObject({ total: 2 });
  });

  it('restores a record with the tags and settings that Cloudflare had', async () => {
    const extras = { tags: ['equipe:web'], settings: { ipv4_only: true } };
    const [bare] = hosts(1);
    const { ask, list, stored } = await settle([{ ...bare, ...extras }]);
    const [record] = await list();
    expect((await ask('DELETE', `/dns/${record?.id}`)).status).toBe(204);
    const { body } = await ask('GET', '/history');
    const first = String((body['items'] as { id: string }[]).at(-1)?.id);
    expect((await ask('POST', `/history/${first}/revert`, {})).body).toMatchObject({ done: 1, stopped: null });
    expect(stored.records).toMatchObject([extras]);
  });

  it('can be reverted for some names only', async () => {
    const { ask, list, stored } = await settle(hosts(2));
    const records = await list();
    for (const { id } of records) await ask('PUT', `/dns/${id}`, { content: '198.51.100.1' });
    const { body } = await ask('GET', '/history');
    const first = String((body['items'] as { id: string }[]).at(-1)?.id);
    await ask('POST', `/history/${first}/revert`, { names: ['h1'] });
    expect(stored.records.map(({ content }) => content)).toEqual(['198.51.100.1', '203.0.113.1']);
  });

  it('is continued by the daily check', async () => {
    const { ask, stored, zoneId } = await settle(hosts(1));
    await ask('GET', '');
    const checker = await stage.product.add('dns-svc', { VIGIE_DNS_LOOK_SECONDS: '1' });
    try {
      await stage.product.database.query('update dns.zones set next_look_at = now() where id = $1', [zoneId]);
      const items = async () => (await ask('GET', '/history')).body['items'] as unknown[];
      await until(async () => (await items()).length === 1);
      stored.create({ type: 'A', name: 'discret', content: '203.0.113.3' });
      await until(async () => (await items()).length === 2);
      expect(await items()).toMatchObject([{ is_drift: true, counts: { added: 1 } }, { reason: 'first' }]);
    } finally {
      await checker.kill('SIGTERM');
    }
  });
});

describe('a zone file', () => {
  const records = [
    { type: 'A', name: '@', content: '203.0.113.1', proxied: true },
    { type: 'MX', name: '@', content: 'mx.exemple.fr', priority: 5, ttl: 300 },
    { type: 'TXT', name: '@', content: '"v=spf1 mx -all"' },
    { type: 'TXT', name: 's1._domainkey', content: `"v=DKIM1; p=${'A'.repeat(200)}" "${'B'.repeat(200)}"` },
    { type: 'SRV', name: '_sip._tcp', data: { priority: 1, weight: 2, port: 5060, target: 'sip.exemple.fr' } },
    { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } },
    { type: 'CNAME', name: '*', content: 'ailleurs.exemple.fr', comment: 'tout le reste; ou presque' },
  ];

  it('of another zone creates the same records here', async () => {
    const one = await settle(records);
    const { body } = await one.ask('GET', '/dns/export');
    expect(body['filename']).toBe(`${one.name}.zone.txt`);
    const other = await settle();
    const content = String(body['content']).replaceAll(one.name, other.name);
    const preview = await other.ask('POST', '/dns/import/preview', { content });
    expect(preview.body).toMatchObject({ problems: [], unchanged: 0, left_out: 0 });
    expect(preview.body['differences']).toHaveLength(records.length);
    const answer = await other.ask('POST', '/dns/import', { content, expected_zone: preview.body['version'] });
    expect(answer.body).toMatchObject({ done: records.length, stopped: null });
    const comparable = (list: View[], zoneName: string) =>
      list.map((record) =>
        JSON.stringify({ ...record, id: '', version: '', modified_at: '' })
          .replaceAll(zoneName, '')
          .replace('; ou', ' ou'),
      );
    expect(comparable(await other.list(), other.name)).toEqual(comparable(await one.list(), one.name));
    const repeated = await other.ask('POST', '/dns/import/preview', { content, mode: 'replace' });
    expect(repeated.body).toMatchObject({ differences: [], unchanged: records.length });
  });

  it('replaces the records that are not in it, and reports the lines it skips', async () => {
    const { ask, names, stored } = await settle(hosts(2));
    stored.create({ type: 'NS', name: '@', content: 'ns1.exemple.fr' });
    const content = 'h1 300 IN A 203.0.113.1\n$INCLUDE autre\nx IN LOC 1 2 3\nailleurs.com. IN A 203.0.113.4\n';
    const preview = await ask('POST', '/dns/import/preview', { content, mode: 'replace' });
    expect((preview.body['problems'] as { line: number }[]).map(({ line }) => line)).toEqual([2, 3, 4]);
    expect((preview.body['differences'] as { action: string }[]).map(({ action }) => action)).toEqual(['edit']);
    // Vigie cannot know what the included file contains.
    expect(preview.body).toMatchObject({ spared: 1, unchanged: 0 });
    await ask('POST', '/dns/import', { content, mode: 'replace' });
    expect(names()).toEqual(expect.arrayContaining(['h0', 'h1']));
    const clear = { content: content.replace(/^(?:\$|ailleurs).*$/gm, '').replace('x IN', 'h0 IN'), mode: 'replace' };
    expect((await ask('POST', '/dns/import/preview', clear)).body).toMatchObject({ differences: [], spared: 1 });
    const noted = await ask('POST', '/dns/import/preview', { content: `x A 203.0.113.9 ; ${'x'.repeat(200)}\n` });
    expect(noted.body['differences']).toMatchObject([{ after: { comment: 'x'.repeat(100) }, warnings: [] }]);
    const long = await ask('POST', '/dns/import/preview', { content: '$INCLUDE autre\n'.repeat(900) });
    expect(long.body).toMatchObject({ problems_total: 900, spared: 0 });
    expect(long.body['problems']).toHaveLength(200);
    const complete = { content: clear.content.replace('h0 IN', 'x IN'), mode: 'replace' };
    expect((await ask('POST', '/dns/import', complete)).body).toMatchObject({ done: 1, stopped: null });
    expect(names()).toHaveLength(2);
    expect(names()).toContain('h1');
  });
});

it('reports what prevents a zone’s mail from being delivered', async () => {
  const { ask } = await settle([
    { type: 'MX', name: '@', content: 'mx.exemple.fr', priority: 5 },
    { type: 'TXT', name: '@', content: 'v=spf1 mx -all' },
    { type: 'TXT', name: '@', content: 'v=spf1 include:exemple.fr +all' },
  ]);
  const { body } = await ask('GET', '/dns/lint');
  const findings = body['findings'] as { rule: string; severity: string }[];
  expect(findings.map(({ rule }) => rule)).toEqual(['spf_two', 'spf_open', 'dmarc_missing', 'dkim_missing']);
});
