import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeCloudflare } from '@vigie/testing/cloudflare';
import { DnsStage } from '@vigie/testing/dns';
import { addServer, aServer } from '@vigie/testing/hosts';
import { until } from '@vigie/testing/until';

let stage: DnsStage;
let cloudflare: FakeCloudflare;
beforeAll(async () => {
  stage = await DnsStage.shared();
  cloudflare = stage.cloudflare;
});
afterAll(() => stage?.stop());

const www = { type: 'A', name: 'www', content: '203.0.113.1' };

describe('a configuration', () => {
  it('is saved, and never shows its key', async () => {
    const { ask } = await stage.addPerson();
    expect((await ask('GET', '/config')).body).toMatchObject({ has_config: false, email: null });
    cloudflare.addAccount('a@exemple.fr', 'cle-globale');
    const body = { email: 'A@exemple.fr', api_key: ' cle-globale ', notes: 'Agence' };
    const created = await ask('POST', '/config', body);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      has_config: true,
      mode: 'global_key',
      email: 'a@exemple.fr',
      notes: 'Agence',
    });
    expect((await ask('POST', '/config', body)).status).toBe(409);
  });

  it('is refused with credentials that do not work, or without any', async () => {
    const { ask } = await stage.addPerson();
    const wrong = await ask('POST', '/config', { email: 'x@y.fr', api_key: 'fausse' });
    expect([wrong.status, wrong.body['detail']]).toEqual([400, 'Credentials Cloudflare invalides']);
    const empty = await ask('POST', '/config', { email: 'x@y.fr', api_key: '' });
    expect([empty.status, empty.body['detail']]).toEqual([400, 'Renseignez votre email et votre clé API Cloudflare.']);
    expect((await ask('POST', '/config', { email: 'x@y.fr' })).status).toBe(422);
    expect((await ask('GET', '/config')).body['has_config']).toBe(false);
  });

  it('reports the missing rights of a token', async () => {
    const { ask } = await stage.addPerson();
    const account = cloudflare.addAccount('b@exemple.fr', 'cle-b');
    cloudflare.addZone(account, 'jeton.fr');
    cloudflare.addToken(account, 'jeton-lecteur', ['zone_read', 'dns_read']);
    cloudflare.addToken(account, 'jeton-complet');
    const read = await ask('POST', '/config/validate', { mode: 'api_token', api_key: 'jeton-lecteur' });
    expect(read.body).toMatchObject({ valid: false });
    expect(read.body['message']).toContain('Zone → DNS → Modifier');
    const whole = await ask('POST', '/config/validate', { mode: 'api_token', api_key: 'jeton-complet' });
    expect(whole.body).toMatchObject({ valid: true, message: null });
    const none = await ask('POST', '/config/validate', { mode: 'api_token', api_key: 'jeton-inconnu' });
    expect(none.body).toMatchObject({ valid: false, message: 'Credentials Cloudflare invalides' });
  });

  it('may be the token of an account, which belongs to no user', async () => {
    const { ask } = await stage.addPerson();
    const account = cloudflare.addAccount('d@exemple.fr', 'cle-d');
    const zone = cloudflare.addZone(account, 'compte.fr');
    const foreign = cloudflare.addZone(cloudflare.addAccount('e@exemple.fr', 'cle-e'), 'etrangere.fr');
    cloudflare.addAccountToken(account, 'cfat_complet', undefined, '2030-01-01T00:00:00Z');
    cloudflare.addAccountToken(account, 'cfat_lecteur', ['zone_read', 'dns_read']);
    const read = await ask('POST', '/config/validate', { mode: 'api_token', api_key: 'cfat_lecteur' });
    expect(read.body).toMatchObject({ valid: false, message: expect.stringContaining('Zone → DNS → Modifier') });
    const created = await ask('POST', '/config', { mode: 'api_token', api_key: 'cfat_complet' });
    expect([created.status, created.body['problem']]).toEqual([201, null]);
    expect((await ask('GET', '/account')).body).toMatchObject({
      account: { id: account },
      expires_at: '2030-01-01T00:00:00.000Z',
    });
    expect((await ask('POST', `/zones/${zone.id}/dns`, www)).status).toBe(201);
    // A refused action does not mean that the token was revoked.
    expect((await ask('GET', `/zones/${foreign.id}/dns`)).status).toBe(404);
    expect((await ask('GET', '/config')).body['problem']).toBeNull();
    cloudflare.revoke('cfat_complet');
    expect((await ask('GET', `/zones/${zone.id}/dns`)).status).toBe(409);
    expect((await ask('GET', '/config')).body['problem']).toBe('Credentials Cloudflare invalides');
  });

  it('keeps its key when the new one is empty, and is deleted with its zones', async () => {
    const { ask, askZone, email } = await stage.addZoneOwner();
    const edited = await ask('PUT', '/config', { api_key: '', notes: 'autre' });
    expect(edited.body).toMatchObject({ email, notes: 'autre' });
    expect((await ask('GET', '/account')).body).toMatchObject({
      email,
      account: { name: `${email}'s Account` },
    });
    // The configuration shows what would be deleted with it.
    expect((await ask('GET', '/config')).body).toMatchObject({ zones_count: 0, snapshots_count: 0 });
    await ask('GET', '/zones');
    await askZone('GET', '/dns');
    expect((await ask('GET', '/config')).body).toMatchObject({ zones_count: 1, snapshots_count: 1 });
    expect((await ask('DELETE', '/config')).status).toBe(204);
    expect((await ask('GET', '/zones')).status).toBe(409);
  });

  it('reports a revoked key, until the credentials work again', async () => {
    const { ask, askZone, accountId, email, key } = await stage.addZoneOwner();
    cloudflare.revoke(`${email} ${key}`);
    const list = await askZone('GET', '/dns');
    expect([list.status, list.body['detail']]).toEqual([
      409,
      { message: 'Credentials Cloudflare invalides', code: 'credentials_refused' },
    ]);
    expect((await ask('GET', '/config')).body['problem']).toBe('Credentials Cloudflare invalides');
    cloudflare.addToken(accountId, `jeton-${accountId}`);
    await ask('PUT', '/config', { mode: 'api_token', api_key: `jeton-${accountId}` });
    expect((await ask('GET', '/config')).body).toMatchObject({ mode: 'api_token', email: null, problem: null });
    expect((await askZone('GET', '/dns')).status).toBe(200);
  });
});

describe('zones', () => {
  it('are read over all pages, searchable, and cached for a minute', async () => {
    const { ask, accountId, zoneId } = await stage.addZoneOwner();
    for (let n = 0; n < 120; n += 1) cloudflare.addZone(accountId, `zone-${n}-${accountId.slice(0, 8)}.fr`);
    const list = await ask('GET', '/zones?fresh=1');
    expect(list.body).toMatchObject({ total: 121, problem: null });
    expect(list.body['zones']).toHaveLength(121);
    const before = cloudflare.count(/^GET \/zones$/);
    const matching = await ask('GET', `/zones?q=zone-11&limit=5&sort=-name`);
    expect(matching.body).toMatchObject({ total: 11 });
    const names = (matching.body['zones'] as { name: string }[]).map(({ name }) => name.split('-')[1]);
    expect(names).toEqual(['119', '118', '117', '116', '115']);
    expect(cloudflare.count(/^GET \/zones$/)).toBe(before);
    const one = await ask('GET', `/zones/${zoneId}`);
    expect(one.body['zone']).toMatchObject({ id: zoneId, status: 'active', paused: false, has_mappings: false });
  });

  it('are created with their name servers, accents as punycode', async () => {
    const { ask } = await stage.addZoneOwner();
    const created = await ask('POST', '/zones', { domain: 'Café-Bleu.fr.' });
    expect(created.status).toBe(201);
    expect(created.body['zone']).toMatchObject({
      name: 'xn--caf-bleu-d1a.fr',
      display_name: 'café-bleu.fr',
      status: 'pending',
      name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    });
    const bad = await ask('POST', '/zones', { domain: 'pas un domaine' });
    expect([bad.status, bad.body['detail']]).toEqual([400, 'Veuillez entrer un nom de domaine valide']);
    const repeated = await ask('POST', '/zones', { domain: 'café-bleu.fr' });
    expect([repeated.status, repeated.body['detail']]).toEqual([409, 'Cette zone existe déjà chez Cloudflare.']);
  });

  it('are looked up before a second creation when the answer was lost', async () => {
    const { ask } = await stage.addZoneOwner();
    cloudflare.failures.push({ of: /^POST \/zones$/, status: 502, takesPlace: true });
    const created = await ask('POST', '/zones', { domain: 'perdue.fr' });
    expect(created.status).toBe(201);
    expect(
      cloudflare.ledger.filter(({ path, body }) => path === '/zones' && Object(body).name === 'perdue.fr'),
    ).toHaveLength(1);
  });
});

describe('a record', () => {
  it('is created, changed and deleted in each of the eight types', async () => {
    const { askZone, name } = await stage.addZoneOwner();
    const forms = [
      { type: 'A', name: '@', content: '203.0.113.1' },
      { type: 'AAAA', name: '@', content: '2001:DB8:0:0::1' },
      { type: 'CNAME', name: 'www', content: '@' },
      { type: 'MX', name, content: `mx.${name}.`, priority: 5 },
      { type: 'TXT', name: 'long', content: `v=DKIM1; p=${'A'.repeat(400)}` },
      { type: 'NS', name: 'sous', content: 'ns1.exemple.fr' },
      { type: 'SRV', name: '_sip._tcp', content: '5 5060 sip.exemple.fr', priority: 7 },
      { type: 'CAA', name: '@', content: '0 issue letsencrypt.org' },
    ];
    for (const form of forms) {
      const created = await askZone('POST', '/dns', form);
      expect([form.type, created.status, created.text]).toEqual([form.type, 201, expect.any(String)]);
    }
    const { body } = await askZone('GET', '/dns');
    const records = body['records'] as Record<string, unknown>[];
    expect(records.map(({ type, display_name: where, content }) => [type, where, content])).toEqual([
      ['A', '@', '203.0.113.1'],
      ['AAAA', '@', '2001:db8::1'],
      ['CAA', '@', '0 issue "letsencrypt.org"'],
      ['MX', '@', `mx.${name}`],
      ['SRV', '_sip._tcp', '5 5060 sip.exemple.fr'],
      ['TXT', 'long', forms[4]?.content],
      ['NS', 'sous', 'ns1.exemple.fr'],
      ['CNAME', 'www', name],
    ]);
    expect(records.find(({ type }) => type === 'SRV')).toMatchObject({ priority: 7, ttl: 3600, proxied: false });
    for (const { id, type } of records) {
      const one = await askZone('GET', `/dns/${String(id)}`);
      expect([type, one.body['record']]).toEqual([type, records.find((record) => record['id'] === id)]);
      const edited = await askZone('PUT', `/dns/${String(id)}`, { ttl: 600 });
      expect([type, edited.status, Object(edited.body['record']).ttl]).toEqual([type, 200, 600]);
      expect((await askZone('DELETE', `/dns/${String(id)}`)).status).toBe(204);
    }
    expect((await askZone('GET', '/dns')).body['total']).toBe(0);
  });

  it('has an automatic TTL while proxied, and an hour afterwards', async () => {
    const { askZone } = await stage.addZoneOwner();
    const body = { type: 'A', name: 'www', content: '203.0.113.1', proxied: true, ttl: 300 };
    const created = await askZone('POST', '/dns', body);
    expect(created.body['record']).toMatchObject({ proxied: true, ttl: 1 });
    const id = String(Object(created.body['record']).id);
    const bare = await askZone('PUT', `/dns/${id}`, { proxied: false });
    expect(bare.body['record']).toMatchObject({ proxied: false, ttl: 3600, content: '203.0.113.1' });
  });

  it('has a TTL of the list, or keeps the one it has', async () => {
    const { askZone } = await stage.addZoneOwner([{ ...www, ttl: 120 }]);
    const refusal = [400, 'Le TTL est automatique (1), ou de 60, 300, 600, 1800, 3600, 7200 ou 86400\u00a0secondes.'];
    const answerTo = async (method: string, path: string, body: object) => {
      const answer = await askZone(method, path, body);
      return [answer.status, answer.body['detail']];
    };
    const a = { type: 'A', name: 'a', content: '203.0.113.2', ttl: 120 };
    expect(await answerTo('POST', '/dns', a)).toEqual(refusal);
    expect(await answerTo('POST', '/subdomain', { subdomain: 'b', content: '203.0.113.3', ttl: 59 })).toEqual(refusal);
    expect(await answerTo('POST', '/dns/bulk', { changes: [{ action: 'create', record: a }] })).toEqual(refusal);
    const { body } = await askZone('GET', '/dns');
    const [stored] = body['records'] as { id: string; ttl: number }[];
    expect(stored?.ttl).toBe(120);
    expect(await answerTo('PUT', `/dns/${stored?.id}`, { ttl: 240 })).toEqual(refusal);
    const edited = await askZone('PUT', `/dns/${stored?.id}`, { content: '203.0.113.9', ttl: 120 });
    expect(edited.body['record']).toMatchObject({ content: '203.0.113.9', ttl: 120 });
  });

  it('is refused with a sentence', async () => {
    const { askZone } = await stage.addZoneOwner([www]);
    const post = async (body: object) => {
      const { status, body: answer } = await askZone('POST', '/dns', body);
      return [status, answer['detail']];
    };
    expect(await post({ type: 'A', name: '', content: '1.2.3.4' })).toEqual([400, 'Renseignez un nom et un contenu.']);
    expect((await post({ type: 'A', name: 'a', content: 'x' }))[0]).toBe(400);
    expect((await post({ type: 'PTR', name: 'a', content: 'x' }))[0]).toBe(400);
    expect((await post({ type: 'A', name: 'a', content: '1.2.3.4', priority: 5 }))[0]).toBe(400);
    expect((await post({ type: 'MX', name: 'a', content: 'mx.a.fr', priority: 70_000 }))[0]).toBe(400);
    expect((await post({ type: 'TXT', name: 'a', content: 'x', proxied: true }))[0]).toBe(400);
    expect((await post({ type: 'A', name: 'a', content: '1.2.3.4', ttl: 5 }))[0]).toBe(400);
    expect(await post(www)).toEqual([409, 'Un enregistrement identique existe déjà.']);
    expect((await post({ type: 'CNAME', name: 'www', content: 'ailleurs.fr' }))[0]).toBe(409);
  });

  it('causes a conflict that shows both versions when it was changed elsewhere', async () => {
    const { askZone, stored } = await stage.addZoneOwner([www]);
    const { body } = await askZone('GET', '/dns');
    const [record] = body['records'] as { id: string; version: string }[];
    stored.patch(record?.id ?? '', { content: '203.0.113.9' });
    const conflicting = { content: '203.0.113.5', expected: record?.version };
    const refused = await askZone('PUT', `/dns/${record?.id}`, conflicting);
    expect([refused.status, refused.body['detail']]).toEqual([
      409,
      expect.objectContaining({
        code: 'record_changed',
        loaded: expect.objectContaining({ content: '203.0.113.1' }),
        current: expect.objectContaining({ content: '203.0.113.9' }),
        wanted: expect.objectContaining({ content: '203.0.113.5' }),
      }),
    ]);
    expect(stored.find(record?.id ?? '').content).toBe('203.0.113.9');
    const drift = await askZone('GET', '/dns');
    expect(drift.body['drift']).toMatchObject({ added: 0, changed: 1, removed: 0 });
    const snapshotId = String(Object(drift.body['drift']).snapshot_id);
    expect((await askZone('POST', `/history/${snapshotId}/accept`, {})).status).toBe(200);
    expect((await askZone('GET', '/dns')).body['drift']).toBeNull();
  });

  it('is changed once when two people change it at once', async () => {
    const { askZone } = await stage.addZoneOwner([www]);
    const { body } = await askZone('GET', '/dns');
    const [record] = body['records'] as { id: string; version: string }[];
    const put = (content: string) => askZone('PUT', `/dns/${record?.id}`, { content, expected: record?.version });
    const answers = await Promise.all([put('203.0.113.2'), put('203.0.113.3')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('is created once when Cloudflare’s answer is lost or the request is repeated', async () => {
    const { askZone, stored } = await stage.addZoneOwner();
    const headers = { 'idempotency-key': 'une-fois' };
    cloudflare.failures.push({ of: /POST .*dns_records/, status: 500, takesPlace: true });
    const first = await askZone('POST', '/dns', www, headers);
    expect(first.status).toBe(201);
    const second = await askZone('POST', '/dns', www, headers);
    expect(second.body).toEqual(first.body);
    expect(stored.records).toHaveLength(1);
    cloudflare.failures.push({ of: /POST .*dns_records/, status: 500 });
    const other = await askZone('POST', '/dns', { ...www, name: 'api' });
    expect(other.status).toBe(201);
    expect(stored.records).toHaveLength(2);
  });
});

describe('a site and its zone', () => {
  async function addSite(token: string, host = '203.0.113.77', domain = 'vitrine.fr') {
    const server = await addServer(stage.product, token, aServer({ port: 22 }, { host }));
    const body = {
      name: 'Vitrine',
      url: `https://${domain}`,
      connection: { ssh: { server_id: server.id, wp_path: '/var/www/vitrine' } },
    };
    const created = await stage.product.request('POST', '/api/sites', { token, body });
    if (created.status !== 201) throw new Error(created.text);
    return String(created.body['id']);
  }

  it('are linked once, and a subdomain gets the server’s address', async () => {
    const { token, ask, askZone, name, zoneId } = await stage.addZoneOwner();
    const siteId = await addSite(token);
    const linked = await askZone('POST', `/link/${siteId}`, {});
    expect(linked.body['site_zone']).toMatchObject({
      site_id: siteId,
      site_name: 'Vitrine',
      zone_mappings: [{ zone_id: zoneId, zone_name: name, auto_sync: false }],
    });
    expect((await askZone('POST', `/link/${siteId}`, {})).status).toBe(409);
    const headers = { 'idempotency-key': 'sous-domaine' };
    const createSubdomain = () => askZone('POST', '/subdomain', { subdomain: 'boutique' }, headers);
    const sub = await createSubdomain();
    expect(sub.body['record']).toMatchObject({ type: 'A', name: `boutique.${name}`, content: '203.0.113.77' });
    expect((await ask('GET', '/zones')).body['zones']).toMatchObject([{ site_id: siteId, total_mappings: 1 }]);
    expect((await ask('DELETE', `/sites/${siteId}/zone`)).status).toBe(204);
    // The server’s address changes meanwhile, but the repeated request is the same.
    expect(await createSubdomain()).toMatchObject({ status: 201, body: sub.body });
    const movedId = await addSite(token, '203.0.113.78');
    await askZone('POST', `/link/${movedId}`, {});
    expect(await createSubdomain()).toMatchObject({ status: 201, body: sub.body });
    expect((await ask('DELETE', `/sites/${movedId}/zone`)).status).toBe(204);
    expect((await ask('GET', '/sites/zones')).body).toEqual({ site_zones: [], total: 0 });
    expect((await ask('DELETE', `/sites/${siteId}/zone`)).status).toBe(404);
  });

  it('are listed, suggested and searchable, however many there are', async () => {
    const { token, ask, askZone, accountId, name } = await stage.addZoneOwner();
    const other = cloudflare.addZone(accountId, name.replace('.fr', '.net'));
    const free = await addSite(token, '203.0.113.7', 'ailleurs.example');
    const own = await addSite(token, '203.0.113.8', `www.${name}`);
    const list = async (path: string) => (await ask('GET', path)).body;
    expect(await list('/sites/free?limit=1')).toMatchObject({ sites: [{}], total: 2 });
    expect(await list(`/sites/free?q=${name}`)).toMatchObject({ sites: [{ id: own }], total: 1 });
    expect(await list('/sites/suggestions')).toMatchObject({ suggestions: [{ site: { id: own } }], total: 1 });
    await askZone('POST', `/link/${own}`, {});
    await ask('POST', `/zones/${other.id}/link/${free}`, {});
    expect(await list('/sites/free')).toEqual({ sites: [], total: 0 });
    expect(await list('/sites/suggestions')).toEqual({ suggestions: [], total: 0 });
    expect(await list('/sites/zones?limit=1&offset=1')).toMatchObject({ site_zones: [{}], total: 2 });
    expect(await list('/sites/zones?q=AILLEURS')).toMatchObject({ site_zones: [{ site_id: free }], total: 1 });
    expect(await list(`/sites/zones?q=${name}`)).toMatchObject({ site_zones: [{ site_id: own }], total: 1 });
    expect(await list(`/sites/zones?site_id=${free}`)).toMatchObject({ site_zones: [{ site_id: free }], total: 1 });
    expect(await list('/zones')).toMatchObject({
      zones: expect.arrayContaining([expect.objectContaining({ site_id: own, site_name: 'Vitrine' })]),
    });
  });

  it('do not publish a private address unless it was typed', async () => {
    const { token, ask, askZone } = await stage.addZoneOwner();
    for (const host of ['10.0.0.5', 'localhost']) {
      const siteId = await addSite(token, host);
      await askZone('POST', `/link/${siteId}`, {});
      const refused = await askZone('POST', '/subdomain', { subdomain: 'boutique' });
      expect([refused.status, refused.body['detail']]).toEqual([400, expect.stringContaining('qu’une adresse privée')]);
      await ask('DELETE', `/sites/${siteId}/zone`);
    }
    const body = { subdomain: 'boutique', content: '10.0.0.5' };
    expect((await askZone('POST', '/subdomain', body)).status).toBe(201);
  });

  it('are unlinked when the site is deleted, even while dns-svc is down', async () => {
    const { token, ask, askZone } = await stage.addZoneOwner();
    const siteId = await addSite(token);
    await askZone('POST', `/link/${siteId}`, {});
    await stage.product.processesOf('dns-svc')[0]?.kill('SIGKILL');
    expect((await stage.product.request('DELETE', `/api/sites/${siteId}`, { token })).status).toBe(204);
    await stage.product.add('dns-svc');
    await until(async () => Object((await ask('GET', '/sites/zones')).body['site_zones']).length === 0);
  });

  it('appear in the feed with the changes of the zone', async () => {
    const { token, ask, askZone } = await stage.addZoneOwner();
    const siteId = await addSite(token);
    await askZone('POST', `/link/${siteId}`, {});
    await askZone('POST', '/dns', www);
    await ask('DELETE', `/sites/${siteId}/zone`);
    const feed = async () =>
      (await stage.product.request('GET', '/api/dashboard/activity?limit=20', { token })).body['items'] as {
        type: string;
      }[];
    await until(async () => (await feed()).some(({ type }) => type === 'zone_unlink'));
    const dnsEvents = (await feed()).filter(({ type }) => /zone|dns/.test(type));
    expect(dnsEvents.map(({ type }) => type)).toEqual(['zone_unlink', 'dns_record_create', 'zone_link']);
    expect(dnsEvents[2]).toMatchObject({ site_id: siteId, actor_name: 'Anne Le Goff' });
  });
});
