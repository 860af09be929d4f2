import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeCloudflare } from '@vigie/testing/cloudflare';
import { DnsStage } from '@vigie/testing/dns';

let stage: DnsStage;
let cloudflare: FakeCloudflare;
beforeAll(async () => {
  stage = await DnsStage.shared();
  cloudflare = stage.cloudflare;
});
afterAll(() => stage?.stop());

const www = { type: 'A', name: 'www', content: '203.0.113.1' };
/** Matches reads of this zone only: pending writes of other tests are verified now and then. */
const readsOf = (zoneId: string) => new RegExp(`GET /zones/${zoneId}/dns_records`);

describe('Cloudflare', () => {
  it('that never answers does not get a write twice', async () => {
    const { askZone, stored, zoneId } = await stage.addZoneOwner();
    cloudflare.failures.push({ of: /POST .*dns_records/, status: 200, takesPlace: true, isSilent: true });
    const created = await askZone('POST', '/dns', www);
    expect(created.status).toBe(201);
    expect(stored.records).toHaveLength(1);
    expect(cloudflare.count(new RegExp(`POST /zones/${zoneId}/dns_records`))).toBe(1);
  });

  it('is considered silent when something else answers in its place', async () => {
    const { askZone, stored, zoneId } = await stage.addZoneOwner();
    const body = '<html>Portail captif</html>';
    cloudflare.failures.push({ of: /POST .*dns_records/, status: 200, takesPlace: true, message: body });
    expect((await askZone('POST', '/dns', www)).status).toBe(201);
    expect(stored.records).toHaveLength(1);
    cloudflare.failures.push(...[1, 2, 3].map(() => ({ of: readsOf(zoneId), status: 200, message: body })));
    const list = await askZone('GET', '/dns');
    expect([list.status, list.body['detail']]).toEqual([503, 'Cloudflare ne répond pas pour le moment.']);
    const [record] = stored.records;
    cloudflare.failures.push({ of: /DELETE/, status: 200, message: body });
    expect((await askZone('DELETE', `/dns/${record?.id}`)).status).toBe(204);
    expect(stored.records).toEqual([]);
  });

  it('that keeps failing is reported, and no change counts as done', async () => {
    const { askZone, stored } = await stage.addZoneOwner();
    const fail = (of: RegExp, times: number) =>
      cloudflare.failures.push(...Array.from({ length: times }, () => ({ of, status: 503 })));
    fail(/POST .*dns_records/, 2);
    const refused = await askZone('POST', '/dns', www);
    expect([refused.status, stored.records]).toEqual([504, []]);
    expect(refused.body['detail']).toContain('n’a pas répondu');
    const other = await stage.addZoneOwner();
    fail(readsOf(other.zoneId), 3);
    expect((await other.askZone('GET', '/dns')).status).toBe(503);
    expect(cloudflare.failures).toEqual([]);
  });

  it('that asks for a pause gets it, and the stored zones are shown meanwhile', async () => {
    const { ask, askZone, name, zoneId } = await stage.addZoneOwner();
    expect((await ask('GET', '/zones')).body['problem']).toBeNull();
    cloudflare.failures.push({ of: readsOf(zoneId), status: 429, retryAfter: 1 });
    expect((await askZone('GET', '/dns')).status).toBe(200);
    cloudflare.failures.push({ of: /GET \/zones$/, status: 429, retryAfter: 30 });
    const late = await ask('GET', '/zones?fresh=1');
    expect(late.body).toMatchObject({
      zones: [{ name }],
      problem: expect.stringContaining('Cloudflare demande d’attendre'),
    });
    const paused = await askZone('GET', '/dns');
    expect([paused.status, Number(paused.headers.get('retry-after')) > 20]).toEqual([429, true]);
  });

  it('that asks for a pause of a day gets ten minutes', async () => {
    const { askZone, zoneId } = await stage.addZoneOwner();
    cloudflare.failures.push({ of: readsOf(zoneId), status: 429, retryAfter: 86_400 });
    const paused = await askZone('GET', '/dns');
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([429, '600']);
  });

  it('is not paused for a user whose email somebody else tried', async () => {
    const { askZone, email } = await stage.addZoneOwner();
    const other = await stage.addPerson();
    cloudflare.addAccount(email, 'une-autre-cle');
    cloudflare.failures.push({ of: /GET \/zones$/, status: 429, retryAfter: 300 });
    const tried = await other.ask('POST', '/config/validate', { email, api_key: 'une-autre-cle' });
    expect(tried.status).toBe(429);
    expect((await askZone('GET', '/dns')).status).toBe(200);
  });

  it('answers many requests at once', async () => {
    const { readZone } = await stage.addZoneOwner();
    // Reading a known zone takes a transaction each time.
    await readZone('/dns');
    const reads = Array.from({ length: 40 }, () => readZone('/dns'));
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is shown unchanged when a record is not valid text', async () => {
    const { askZone } = await stage.addZoneOwner([{ type: 'TXT', name: 'a', content: '"a\\000b" "\\195\\169"' }]);
    const { status, body } = await askZone('GET', '/dns');
    expect([status, body['records']]).toMatchObject([200, [{ content: '"a\\000b" "\\195\\169"' }]]);
  });

  it('is not exported when a zone is too large for one file', async () => {
    const strings = Array(15)
      .fill(`"${'x'.repeat(250)}"`)
      .join(' ');
    const records = Array.from({ length: 300 }, (_, n) => ({ type: 'TXT', name: `t${n}`, content: strings }));
    const { askZone } = await stage.addZoneOwner(records);
    const { status, body } = await askZone('GET', '/dns/export');
    expect([status, body['detail']]).toEqual([413, expect.stringContaining('trop grande pour un seul fichier')]);
  });

  it('is read to the end when its pages are shorter than requested', async () => {
    const { askZone, stored, zoneId } = await stage.addZoneOwner(
      [1, 2].map((n) => ({ type: 'A', name: `a${n}`, content: '203.0.113.1' })),
    );
    const pages = stored.records.map((record, n) => {
      const info = { page: n + 1, per_page: 1, total_count: 2 };
      return JSON.stringify({ success: true, result: [record], result_info: info });
    });
    const of = new RegExp(`GET /zones/${zoneId}/dns_records$`);
    cloudflare.failures.push(...pages.map((body) => ({ of, status: 200, message: body })));
    expect((await askZone('GET', '/dns')).body).toMatchObject({ total: 2 });
  });

  it('is not asked for zones with an invalid status', async () => {
    const { ask } = await stage.addZoneOwner();
    expect((await ask('GET', '/zones?status=%00')).status).toBe(400);
    expect((await ask('GET', '/zones?status=pending')).body['zones']).toEqual([]);
  });

  it('that repeats a zone or sends endless pages adds no duplicate', async () => {
    const { ask, name } = await stage.addZoneOwner();
    const [zone] = (await ask('GET', '/zones')).body['zones'] as { id: string }[];
    const times = <T>(count: number, created: T) => Array.from({ length: count }, () => created);
    const pageOf = (count: number) =>
      JSON.stringify({ success: true, result: times(count, { id: zone?.id, name }), result_info: { page: 1 } });
    const fail = (count: number, pages: number) =>
      cloudflare.failures.push(...times(pages, { of: /GET \/zones$/, status: 200, message: pageOf(count) }));
    fail(2, 1);
    expect((await ask('GET', '/zones?fresh=1')).body).toMatchObject({ total: 1, problem: null });
    fail(50, 40);
    const endless = await ask('GET', '/zones?fresh=1');
    expect(endless.body).toMatchObject({ total: 1, problem: expect.stringContaining('liste trop longue') });
    expect(cloudflare.failures).toEqual([]);
  });

  it('creates zones with a token that cannot list its account', async () => {
    const { ask } = await stage.addPerson();
    const account = cloudflare.addAccount('c@exemple.fr', 'cle-c');
    cloudflare.addZone(account, 'premiere.fr');
    cloudflare.addToken(account, 'jeton-c');
    await ask('POST', '/config', { mode: 'api_token', api_key: 'jeton-c' });
    const created = await ask('POST', '/zones', { domain: 'seconde.fr' }, { 'idempotency-key': 'seconde' });
    expect(created.body['zone']).toMatchObject({ name: 'seconde.fr' });
    const repeated = await ask('POST', '/zones', { domain: 'seconde.fr' }, { 'idempotency-key': 'seconde' });
    expect([repeated.status, repeated.body]).toEqual([201, created.body]);
  });
});
