import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SiteState } from '@vigie/contracts/inventory';
import { type ClaimedJob, finishJob, type JobError } from '@vigie/contracts/jobs';
import { claimScans, claimVisits, reportScans, reportVisits } from '@vigie/contracts/site-checks';
import { emptyTables } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { anExtension, aSiteState } from '@vigie/testing/site-state';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
let client: { id: string; token: string };
let serverId: string;
let clientServer: string;

beforeAll(async () => {
  ledger = await TestLedger.start();
  client = await addUser(ledger.product, ledger.root);
  serverId = ledger.server.id;
  clientServer = await ledger.createServer(client.id, { host: '10.0.0.8' });
  await ledger.rows("update sites.servers set login = 'www', method = 'key'");
});
afterAll(() => ledger?.stop());
beforeEach(async () => {
  await emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs');
  await ledger.rows('update sites.servers set refusal = null, host_key = null, shown_key = null');
});

const ask = (method: string, path: string, body?: unknown, headers = {}, token = ledger.root) =>
  ledger.request(method, path, { body, headers, token });
async function create(ssh: object = {}, token = ledger.root): Promise<string> {
  const connection = { ssh: { server_id: serverId, wp_path: '/srv/www', ...ssh } };
  const { body, text } = await ask('POST', '/sites', { name: 's', url: 'https://exemple.fr', connection }, {}, token);
  if (typeof body['id'] !== 'string') throw new Error(text);
  return body['id'];
}
const read = async (id: string) => (await ask('GET', `/sites/${id}`)).body;
const scan = (ids: string[]) => ledger.agent.call(claimScans, { ids });
const report = (id: string, state: SiteState | null, failure: JobError | null = null, version = 1, hostKey?: string) =>
  ledger.agent.call(reportScans, { items: [{ id, version, facts: state, failure, host_key: hostKey }] });
const showing = (actual: string) => ({ message: 'Une autre clé.', code: 'host_key_changed', expected: '', actual });
const query = (sql: string, ...values: unknown[]) => ledger.rows(sql, values);

describe('sites that are due', () => {
  it('are scanned over one connection when they share it', async () => {
    const [one, two, apart] = [await create(), await create(), await create({ user: 'autre' })];
    const ownSite = await create({ server_id: clientServer }, client.token);
    const { groups } = await scan([one, two, apart, ownSite]);
    const ofServer = groups.find(({ access }) => access.row.id === serverId);
    expect(ofServer?.sites.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted());
    expect(ofServer?.access).toMatchObject({ row: { table: 'servers' }, user: 'www', allows_private: true });
    // The server's key is sealed for the server's address only.
    expect(groups.find(({ access }) => access.row.id === apart)?.access).toMatchObject({
      row: { table: 'sites' },
      user: 'autre',
      sealed_for: { row: { table: 'servers', id: serverId }, address: { user: 'www', host: '10.0.0.9' } },
    });
    expect(groups.find(({ access }) => access.row.id === clientServer)?.access.allows_private).toBe(false);
  });

  it('are skipped after their credential was refused, until somebody changes it', async () => {
    const [id, other] = [await create(), await create({ user: 'autre' })];
    const refusal = { message: 'Mot de passe refusé.', code: 'authentication' };
    await report(id, null, refusal);
    expect(await read(id)).toMatchObject({ ssh_error: 'Mot de passe refusé.', status: 'error' });
    expect((await scan([id])).groups).toEqual([]);
    expect((await query('select refusal from sites.servers where id = $1', serverId))[0]).toEqual({
      refusal: refusal.message,
    });
    await query('update sites.servers set refusal = null');
    await report(other, null, refusal);
    expect((await scan([id, other])).groups.map(({ access }) => access.row.table)).toEqual(['servers']);
  });
});

describe('a scan or inspection', () => {
  it('is stored, counted and shown', async () => {
    const id = await create();
    const extensions = [
      anExtension({ hasUpdate: true, new_version: '5.4' }),
      anExtension({ slug: 'hello', name: 'Hello', file: 'hello.php', status: 'inactive' }),
      anExtension({ slug: 'mu', kind: 'must_use', file: 'mu.php', name: 'Mu' }),
      anExtension({ type: 'theme', slug: 'tt5', file: null, name: 'TT5' }),
    ];
    await report(
      id,
      aSiteState({ extensions, core: { version: '6.8', locale: 'fr_FR', hasUpdate: true, new_version: '6.9' } }),
    );
    const site = await read(id);
    expect(site).toMatchObject({
      status: 'warning',
      wpCore: { version: '6.8', hasUpdate: true, new_version: '6.9' },
      updates: { core: 1, plugins: 1, themes: 0 },
      plugins_count: 2,
      themes_count: 1,
      php_version: '8.2.7',
      themes: [expect.objectContaining({ slug: 'tt5', file: null })],
      facts: { database: { kind: 'mariadb' }, depth: 'scan' },
    });
    expect((site['plugins'] as { slug: string }[]).map(({ slug }) => slug)).toEqual(['akismet', 'hello', 'mu']);
    await report(id, aSiteState());
    expect(await read(id)).toMatchObject({
      status: 'ok',
      updates: { core: 0, plugins: 0 },
      plugins_count: 1,
      themes: [],
    });
    const { body, headers } = await ask('GET', '/sites?status=ok');
    expect([headers.get('x-total-count'), Object(body)[0].id]).toEqual(['1', id]);
  });

  it('is ignored when it belongs to an older connection, or is older than the stored state', async () => {
    const id = await create();
    await report(id, aSiteState());
    await report(id, aSiteState({ extensions: [] }), null, 2);
    await report(id, aSiteState({ extensions: [], read_at: '2026-01-01T00:00:00Z' }));
    await report(id, null, { message: 'Injoignable.' }, 2);
    expect(await read(id)).toMatchObject({ plugins_count: 1, ssh_error: null });
    await ask('PUT', `/servers/${serverId}`, { user: 'www' });
    const fingerprint = `SHA256:${'A'.repeat(43)}`;
    await report(id, null, showing(fingerprint));
    const { body } = await ask('POST', `/servers/${serverId}/trust`, { fingerprint });
    expect(body['host_key']).toBe(fingerprint);
    expect((await scan([id])).groups[0]?.sites[0]?.version).toBe(2);
  });

  it('is ignored with its discovered folder when the address has changed', async () => {
    const id = await create({ wp_path: null });
    await ask('PUT', `/sites/${id}`, { url: 'https://autre.fr' });
    await ledger.agent.call(reportScans, {
      items: [{ id, version: 1, facts: aSiteState(), failure: null, path: '/srv/faux' }],
    });
    expect(await read(id)).toMatchObject({ read_at: null, connection: { ssh: { wp_path: null } } });
    await ledger.agent.call(reportScans, {
      items: [{ id, version: 2, facts: aSiteState(), failure: null, path: '/srv/vrai' }],
    });
    expect(await read(id)).toMatchObject({ connection: { ssh: { wp_path: '/srv/vrai' } } });
  });

  it('offers no version that has been installed meanwhile', async () => {
    const id = await create();
    const core = { version: '6.5', locale: 'fr_FR', hasUpdate: true, new_version: '6.6' };
    await report(id, aSiteState({ depth: 'inspect', core }));
    const newer = { read_at: new Date(Date.now() + 60_000).toISOString(), needs_boot: ['multisite' as const] };
    await report(id, aSiteState({ ...newer, core: { ...core, version: '6.6', hasUpdate: false, new_version: null } }));
    expect((await read(id))['wpCore']).toEqual({ version: '6.6', hasUpdate: false, new_version: null });
  });

  it('that does not start WordPress keeps what an inspection knew', async () => {
    const id = await create();
    const problem = {
      kind: 'fatal',
      message: 'boum',
      file: 'x.php',
      line: 3,
      culprit: { type: 'plugin', slug: 'x' },
    } as const;
    const extensions = [anExtension({ hasUpdate: true, new_version: '6' }), anExtension({ slug: 'b', name: 'B' })];
    await report(id, aSiteState({ depth: 'inspect', extensions, problem, needs_boot: ['object_cache'] }));
    expect(await read(id)).toMatchObject({ status: 'error', problem: { kind: 'fatal' } });
    await report(id, aSiteState({ extensions: [], needs_boot: ['object_cache'] }));
    expect(await read(id)).toMatchObject({
      plugins_count: 2,
      updates: { plugins: 1 },
      problem: { kind: 'fatal' },
      facts: { depth: 'inspect' },
    });
    // The mark differs: something has changed on the site.
    await report(id, aSiteState({ mark: 'b', extensions, needs_boot: [] }));
    expect(await read(id)).toMatchObject({ problem: null, facts: { depth: 'scan' }, status: 'warning' });
  });

  it('of WordPress itself is stored when a scan meanwhile saw the same files', async () => {
    const id = await create();
    const at = (second: number) => ({ read_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() });
    const problem = { kind: 'fatal', message: 'boum', file: null, line: null, culprit: null } as const;
    await report(id, aSiteState(at(5)));
    await report(id, aSiteState({ ...at(4), depth: 'inspect', mark: 'b' }));
    expect(await read(id)).toMatchObject({ facts: { depth: 'scan' } });
    await report(id, aSiteState({ ...at(4), depth: 'inspect', problem }));
    expect(await read(id)).toMatchObject({ problem: { kind: 'fatal' }, facts: { depth: 'inspect' } });
    await report(id, aSiteState({ ...at(3), depth: 'inspect' }));
    expect(await read(id)).toMatchObject({ problem: { kind: 'fatal' } });
  });

  it('that began first counts as older, however late it is reported', async () => {
    const id = await create();
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const inspection = { depth: 'inspect' } as const;
    const of = (version: string) => [anExtension({ version })];
    const inspected = (from: number, to: number, version: string) =>
      report(
        id,
        aSiteState({ ...inspection, mark: version, read_at: at(from), ended_at: at(to), extensions: of(version) }),
      );
    await inspected(4, 6, 'new');
    await inspected(3, 9, 'old');
    await report(id, aSiteState({ read_at: at(5), extensions: of('half') }));
    expect((await read(id))['plugins']).toMatchObject([{ version: 'new' }]);
    // A scan during the update check of WordPress, which changed the mark.
    await report(id, aSiteState({ read_at: at(8), extensions: of('scanned') }));
    await inspected(7, 9, 'newest');
    expect((await read(id))['plugins']).toMatchObject([{ version: 'newest' }]);
  });

  it('shows the error of the newest update check until one succeeds', async () => {
    const id = await create();
    const failed = { checked_at: '2026-01-01T00:00:00Z', error: 'Pas de réseau.' };
    const checks = aSiteState().checks;
    await report(id, aSiteState({ depth: 'inspect', checks: { ...checks, plugins: failed } }));
    await report(id, aSiteState());
    expect(await read(id)).toMatchObject({ checks: { plugins: failed } });
    const newer = { checked_at: '2026-02-01T00:00:00Z', error: null };
    await report(id, aSiteState({ checks: { ...checks, plugins: newer } }));
    expect(await read(id)).toMatchObject({ checks: { plugins: newer } });
  });

  it('pins the first host key on the server whose connection is used, or else on the site', async () => {
    const [id, apart] = [await create(), await create({ port: 2222 })];
    const key = `SHA256:${'B'.repeat(43)}`;
    await report(id, aSiteState(), null, 1, key);
    await report(apart, aSiteState(), null, 1, key);
    await report(apart, aSiteState(), null, 1, `SHA256:${'C'.repeat(43)}`);
    expect(await query('select host_key from sites.servers where id = $1', serverId)).toEqual([{ host_key: key }]);
    expect(await query('select host_key from sites.sites order by id')).toEqual([
      { host_key: null },
      { host_key: key },
    ]);
    expect((await ask('POST', `/sites/${id}/trust`, { fingerprint: key })).status).toBe(409);
    const fingerprint = `SHA256:${'D'.repeat(43)}`;
    expect(await ask('POST', `/sites/${apart}/trust`, { fingerprint })).toMatchObject({
      status: 409,
      body: { detail: { code: 'host_key_not_shown' } },
    });
    await report(apart, null, showing(fingerprint));
    expect((await ask('POST', `/sites/${apart}/trust`, { fingerprint })).body).toMatchObject({
      connection: { ssh: { host_key: fingerprint } },
    });
    expect(await query('select shown_key from sites.servers where id = $1', serverId)).toEqual([{ shown_key: null }]);
  });

  it('is stored without bytes that are invalid in text', async () => {
    const id = await create();
    await report(id, aSiteState({ extensions: [anExtension({ name: 'a\0b\ud800c' })], owner: '\0' }));
    expect(await read(id)).toMatchObject({ plugins: [{ name: 'abc' }] });
  });
});

describe('a visit', () => {
  const visitResult = (code: number, minutes = 0) => ({
    code,
    error: code === 0 ? 'Ne répond pas.' : null,
    method: 'GET',
    url: 'https://exemple.fr/',
    ms: 12,
    checked_at: new Date(Date.now() + minutes * 60_000).toISOString(),
  });
  const visit = (id: string, code: number, minutes = 0, url = 'https://exemple.fr') =>
    ledger.agent.call(reportVisits, { items: [{ id, url, seen: visitResult(code, minutes) }] });

  it('decides the status together with the last scan', async () => {
    const id = await create();
    const statusAt = async (code: number) => {
      await visit(id, code);
      return (await read(id))['status'];
    };
    expect(await statusAt(500)).toBe('unknown');
    await report(id, aSiteState());
    expect(await statusAt(200)).toBe('ok');
    expect([await statusAt(404), await statusAt(503), await statusAt(0), await statusAt(301)]).toEqual([
      'warning',
      'error',
      'error',
      'ok',
    ]);
  });

  it('counts for the current address only, and is never replaced by an earlier one', async () => {
    const id = await create();
    expect((await ledger.agent.call(claimVisits, { ids: [id] })).items).toEqual([
      { id, url: 'https://exemple.fr', allows_private: true, expected: null },
    ]);
    await visit(id, 200, 0, 'https://ailleurs.fr');
    expect((await read(id))['http']).toBeNull();
    await visit(id, 200, 1);
    await visit(id, 404);
    expect((await ask('GET', `/sites/${id}/http_status`)).body).toMatchObject({ code: 200 });
    await ask('PUT', `/sites/${id}`, { url: 'https://neuf.fr' });
    expect((await read(id))['http']).toBeNull();
  });
});

describe('a job on a site', () => {
  async function hold(kind: string) {
    const find = () =>
      ledger.rows<{ id: string }>("select id from sites.jobs where kind = $1 and state = 'queued'", [kind]);
    await until(async () => (await find()).length > 0);
    return ledger.begin((await find())[0]?.id ?? '', [kind]);
  }
  const finish = ({ id, fence }: ClaimedJob, result: Record<string, unknown> | null, error: JobError | null = null) =>
    ledger.agent.call(finishJob, { id, fence, state: error ? 'failed' : 'succeeded', result, error });
  const asyncHeaders = { prefer: 'respond-async' };

  it('stores its result, or why it failed', async () => {
    const id = await create();
    const test = ask('POST', `/sites/${id}/test`);
    const job = await hold('sites.test');
    expect(job).toMatchObject({
      input: { site: { id, version: 1, path: '/srv/www' } },
      access: { row: { id: serverId } },
    });
    const result = { version: '6.9', steps: [], facts: aSiteState(), host_key: `SHA256:${'E'.repeat(43)}` };
    await finish(job, result);
    expect((await test).body).toMatchObject({ version: '6.9' });
    expect(await read(id)).toMatchObject({ status: 'ok', plugins_count: 1 });
    await ask('POST', `/sites/${id}/test`, undefined, asyncHeaders);
    await finish(await hold('sites.test'), null, { message: 'Le dossier n’existe pas.' });
    expect(await read(id)).toMatchObject({ status: 'error', ssh_error: 'Le dossier n’existe pas.' });
  });

  it('that is retried uses the current connection of the site', async () => {
    const id = await create();
    await ask('POST', `/sites/${id}/test`, undefined, asyncHeaders);
    const failed = await hold('sites.test');
    await finish(failed, null, { message: 'non' });
    await ask('PUT', `/sites/${id}`, { connection: { ssh: { wp_path: '/srv/autre' } } });
    await ask('POST', `/jobs/${failed.id}/retry`);
    const job = await hold('sites.test');
    expect(job.input).toMatchObject({ site: { version: 2, path: '/srv/autre' } });
    await finish(job, { version: '6.9', steps: [], facts: aSiteState() });
    expect(await read(id)).toMatchObject({ status: 'ok' });
  });

  it('that inspects is shared while it is open, and updates the inventory', async () => {
    const id = await create();
    const fresh = [ask('GET', `/sites/${id}/inventory?fresh=1`), ask('GET', `/sites/${id}/inventory?fresh=1`)];
    await finish(await hold('sites.inspect'), { facts: aSiteState({ depth: 'inspect' }) });
    for (const { status, body } of await Promise.all(fresh)) {
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          depth: 'inspect',
          core: expect.objectContaining({ locale: 'fr_FR', version: '6.9' }),
        }),
      ]);
    }
    expect(await query('select kind from sites.jobs')).toEqual([{ kind: 'sites.inspect' }]);
    const reply = await ask('GET', `/sites/${id}/inventory?fresh=1`, undefined, asyncHeaders);
    expect([reply.status, reply.headers.get('location')]).toEqual([202, `/api/jobs/${String(reply.body['job_id'])}`]);
  });

  it('is created in a batch for the caller’s own sites', async () => {
    const ownSite = await create({ server_id: clientServer }, client.token);
    const [one, two] = [await create(), await create()];
    const { status, body } = await ask('POST', '/sites/test', {});
    expect(status).toBe(202);
    expect((await ask('POST', '/sites/test', { ids: [two, one] })).body['job_id']).toBe(body['job_id']);
    expect((await ask('GET', `/jobs/${String(body['job_id'])}`)).body).toMatchObject({
      kind: 'sites.test',
      counts: { total: 2 },
    });
    expect((await ask('POST', '/sites/test', { ids: [one, ownSite] })).status).toBe(404);
    expect((await ask('POST', '/sites/test', { ids: [] })).status).toBe(400);
    expect((await ask('POST', '/sites/test', {}, {}, client.token)).status).toBe(202);
  });

  it('that discovers marks registered sites, and an import creates no site twice', async () => {
    const id = await create({ wp_path: '/srv/a' });
    const item = { url: 'https://a.fr', title: 'A', version: '6.9', owner: 'www', is_multisite: false, needs_boot: [] };
    const discovery = ask('POST', `/servers/${serverId}/discover`);
    await finish(await hold('servers.discover'), {
      items: [
        { ...item, path: '/srv/a' },
        { ...item, path: '/srv/b' },
      ],
      notes: ['/root'],
    });
    expect((await discovery).body).toMatchObject({
      items: [
        { path: '/srv/a', site_id: id },
        { path: '/srv/b', site_id: null },
      ],
      notes: ['/root'],
    });
    const items = ['/srv/a', '/srv/b', '/srv/b/'].map((path) => ({ path, name: 'Né', url: 'https://b.fr' }));
    const importRequest = { server_id: serverId, items };
    const key = { 'idempotency-key': 'import-1' };
    const { status, body } = await ask('POST', '/sites/import', importRequest, key);
    expect([status, body]).toEqual([
      201,
      { items: [{ id: expect.any(String), name: 'Né', path: '/srv/b' }], skipped: [{ path: '/srv/a', site_id: id }] },
    ]);
    expect((await ask('POST', '/sites/import', importRequest, key)).body).toEqual(body);
    const foreign = await ask('POST', '/sites/import', { ...importRequest, groups: [randomUUID()] });
    expect([foreign.status, foreign.text]).toEqual([400, expect.stringContaining('Ce groupe n’existe pas')]);
    expect((await ask('POST', '/sites/import', importRequest, {}, client.token)).status).toBe(404);
    expect(await query('select count(*)::int as n from sites.sites')).toEqual([{ n: 2 }]);
  });
});
