import { createHash, randomUUID } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BackupInput, listHostBackups } from '@vigie/contracts/backups';
import { finishJob } from '@vigie/contracts/jobs';
import { reportScans } from '@vigie/contracts/site-checks';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { emptyTables } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { aSiteState } from '@vigie/testing/site-state';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
let store: FileStore;
beforeAll(async () => {
  ledger = await TestLedger.start();
  store = await DiskStore.open(pathToFileURL(join(ledger.product.home, 'store')).href);
});
afterAll(() => ledger?.stop());
beforeEach(() => emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs', 'sites.local_backups'));

const kinds = ['create', 'download', 'import', 'verify'].map((verb) => `backups.${verb}`);
const form = /^exemple-fr-\d{8}-\d{6}-[a-z0-9]{12}\.wpress$/;
const old = 'ancienne.wpress';

const site = (name = 'exemple.fr') => ledger.createSite(name, { url: 'https://exemple.fr/blog' });

type RequestOptions = { body?: object; headers?: object; token?: string };
const ask = (method: string, path: string, { body, headers, token = ledger.root }: RequestOptions = {}) =>
  ledger.product.request(method, `/api${path}`, {
    token,
    headers: { prefer: 'respond-async', ...headers },
    ...(method === 'POST' && { body: body ?? {} }),
  });

async function request(path: string, body: object = {}, headers: object = {}): Promise<string> {
  const { status, body: ticket, text } = await ask('POST', path, { body, headers });
  if (status !== 202) throw new Error(`${status} ${text}`);
  return String(ticket['job_id']);
}

async function begin(jobId: string) {
  const { fence, input } = await ledger.begin(jobId, kinds);
  return { fence, input: BackupInput.parse(input) };
}

type End = {
  state?: 'succeeded' | 'failed';
  result?: Record<string, unknown> | null;
  error?: { message: string; code: string } | null;
};
const end = (id: string, fence: number, { state = 'succeeded', result = null, error = null }: End) =>
  ledger.agent.call(finishJob, { id, fence, state, result, error });

/** Finishes the download as an agent would. */
async function fetched(id: string, filename: string, content: string, size = Buffer.byteLength(content)) {
  const jobId = await request(`/sites/${id}/backups/${filename}/download`);
  const { fence, input } = await begin(jobId);
  await store.write(input.object?.key ?? '', [Buffer.from(content)] as never, size);
  const sha256 = createHash('sha256').update(content).digest('hex');
  await end(jobId, fence, { result: { local: filename, size, sha256, created: '2026-01-02T03:04:05.000Z' } });
  return (await ledger.read(jobId)).body['result'] as { local: string };
}

const createdBackup = (filename: string) => ({
  filename,
  size: 5_000,
  createdAt: '2026-02-03T04:05:06.000Z',
  created: '2026-02-03T04:05:06.000Z',
  storage: 'wp-content/ai1wm-backups',
  location: 'Distant',
  stdout: '',
  entries: 12,
  tables: 3,
  rows: 40,
  missed: 0,
  examples: [],
});
const lastOf = async (id: string) => (await ask('GET', `/sites/${id}`)).body['last_backup_at'];
const feed = async () => (await ask('GET', '/dashboard/activity?limit=1')).body['items'] as Record<string, unknown>[];
const localsOf = async (id: string, query = '') =>
  (await ask('GET', `/sites/${id}/backups/local${query}`)).body as unknown as Record<string, unknown>[];
const objects = () => readdir(join(ledger.product.home, 'store/objects'));

describe('a new backup', () => {
  it('is an exclusive job with a random file name, and sets the date of the last backup', async () => {
    const id = await site();
    const jobId = await request(`/sites/${id}/backups`, { exclude_cache: false });
    const { fence, input } = await begin(jobId);
    expect(input).toMatchObject({ site: { id, path: '/srv/www' }, exclude_cache: false, object: null });
    expect(input.filename).toMatch(form);
    const [row] = await ledger.rows('select kind, queue, is_exclusive, about from sites.jobs');
    expect(row).toEqual({ kind: 'backups.create', queue: 'site-transfers', is_exclusive: true, about: input.filename });
    expect(await request(`/sites/${id}/backups`, { exclude_cache: false })).toBe(jobId);
    expect(await request(`/sites/${id}/backups`)).not.toBe(jobId);
    await end(jobId, fence, { result: createdBackup(input.filename) });
    expect(await lastOf(id)).toBe('2026-02-03T04:05:06.000Z');
    const details = { filename: input.filename, size: 5_000, state: 'succeeded' };
    expect(await feed()).toMatchObject([{ type: 'backup_create', site_id: id, details }]);
    const [line] = await ledger.rows<{ details: string }>(
      "select details from sites.audit_lines where action = 'backup_create' and target_id = $1 order by at limit 1",
      [id],
    );
    expect(JSON.parse(line?.details ?? '')).toEqual({ filename: input.filename, job_id: jobId });
  });

  it('stays listed when a listing that began earlier ends later', async () => {
    const id = await site();
    const jobId = await request(`/sites/${id}/backups`);
    const { fence, input } = await begin(jobId);
    const stop = await ledger.agent.answer(listHostBackups, async () => {
      await end(jobId, fence, { result: createdBackup(input.filename) });
      return { folder: '/srv/www/wp-content/ai1wm-backups', items: [], free: null };
    });
    expect((await ask('GET', `/sites/${id}/backups`)).body).toEqual([]);
    expect(await lastOf(id)).toBe('2026-02-03T04:05:06.000Z');
    stop();
  });

  it.each([
    ['scan', [], '/srv/www/contenu'],
    ['scan', ['multisite', 'object_cache'], '/srv/www/contenu'],
    ['scan', ['computed_config'], null],
    ['scan', ['unreadable'], null],
    ['inspect', ['computed_config'], '/srv/www/contenu'],
  ] as const)(
    'names the wp-content folder to the agent unless it is a guess: %s %j',
    async (depth, reasons, content) => {
      const id = await site();
      const state = aSiteState({ depth, needs_boot: [...reasons], content_dir: '/srv/www/contenu' });
      await ledger.agent.call(reportScans, { items: [{ id, version: 1, facts: state, failure: null }] });
      const jobId = await request(`/sites/${id}/backups`);
      // At the request, and again when an agent claims the job.
      const [row] = await ledger.rows("select input ->> 'content' as content from sites.jobs");
      expect([row, (await begin(jobId)).input]).toMatchObject([{ content }, { content }]);
    },
  );

  it('that failed has its reason in the feed, and keeps its name when it is retried', async () => {
    const id = await site();
    const jobId = await request(`/sites/${id}/backups`);
    const { fence, input } = await begin(jobId);
    await end(jobId, fence, { state: 'failed', error: { message: 'Plus de place.', code: 'no_room' } });
    const details = { filename: input.filename, state: 'failed', reason: 'Plus de place.', code: 'no_room' };
    expect([await lastOf(id), await feed()]).toMatchObject([null, [{ type: 'backup_create', details }]]);
    const retried = await ledger.act(jobId, 'retry');
    expect((await begin(String(retried.body['id']))).input.filename).toBe(input.filename);
  });
});

describe('a downloaded backup', () => {
  it('becomes a local backup, listed before those of other sites', async () => {
    const [first, second] = [await site('un.fr'), await site('deux.fr')];
    const both = await Promise.all([1, 2].map(() => request(`/sites/${first}/backups/${old}/download`)));
    expect(both[0]).toBe(both[1]);
    await begin(both[0] ?? '');
    expect(await localsOf(first)).toEqual([]);
    expect(await fetched(second, 'deux.wpress', 'deux')).toEqual(expect.objectContaining({ local: 'deux.wpress' }));
    await ledger.rows('delete from sites.jobs');
    await fetched(first, old, 'contenu');
    const [ownBackup, other] = await localsOf(first);
    expect(ownBackup).toMatchObject({
      filename: old,
      size: 7,
      location: 'Local',
      createdAt: '2026-01-02T03:04:05.000Z',
      site_id: first,
      site_name: 'un.fr',
      goes_at: null,
      verified: null,
    });
    expect(other).toMatchObject({ filename: 'deux.wpress', site_name: 'deux.fr' });
    const listNames = async (query?: string) => (await localsOf(second, query)).map(({ filename }) => filename);
    expect(await listNames()).toEqual(['deux.wpress', old]);
    expect(await listNames('?limit=1')).toEqual(['deux.wpress']);
    expect(await listNames('?q=UN.fr%20ancienne&limit=50')).toEqual([old]);
    expect(await listNames(`?filename=${old}`)).toEqual([old]);
    expect(await lastOf(first)).toBe('2026-01-02T03:04:05.000Z');
    expect(await feed()).toMatchObject([{ type: 'backup_download', details: { filename: old, size: 7 } }]);
  });

  it('with a taken name replaces nothing, and is not stored twice', async () => {
    const id = await site();
    await fetched(id, old, 'un');
    const { local } = await fetched(id, old, 'deux');
    expect(local).toMatch(/^ancienne-[0-9a-f]{8}\.wpress$/);
    expect((await fetched(id, old, 'un')).local).toBe(old);
    expect((await fetched(id, old, 'deux')).local).toBe(local);
    expect(new Set((await localsOf(id)).map(({ filename }) => filename))).toEqual(new Set([local, old]));
  });

  it('is imported, verified and deleted, but not while a job reads it', async () => {
    const id = await site();
    await fetched(id, old, 'contenu');
    const { status, text } = await ask('POST', `/sites/${id}/backups/import`, { body: { filename: 'autre.wpress' } });
    expect([status, text]).toEqual([404, expect.stringContaining('n’existe pas ou n’existe plus')]);
    const sent = await request(`/sites/${id}/backups/import`, { filename: old });
    const { fence, input } = await begin(sent);
    const object = input.object;
    expect(object).toMatchObject({ key: expect.stringMatching(/^[0-9a-f]{64}$/), size: 7 });
    const remove = () => ask('DELETE', `/sites/${id}/backups/${old}?location=local`);
    expect([(await remove()).status, (await localsOf(id)).length]).toEqual([409, 1]);
    await end(sent, fence, { result: { filename: old, size: 7, storage: 'wp-content/ai1wm-backups' } });
    expect(await feed()).toMatchObject([{ type: 'backup_import', details: { filename: old, state: 'succeeded' } }]);
    const verified = { at: '2026-03-01T00:00:00.000Z', entries: 3, by: 'vigie' };
    const reading = await request(`/sites/${id}/backups/${old}/verify`, { location: 'local' });
    await end(reading, (await begin(reading)).fence, { result: { ...verified, filename: old, size: 7 } });
    expect(await localsOf(id)).toMatchObject([{ verified }]);
    const retried = await request(`/sites/${id}/backups/${old}/verify`, { location: 'local' });
    const error = { message: 'Cette archive est abîmée.', code: 'damaged_archive' };
    await end(retried, (await begin(retried)).fence, { state: 'failed', error });
    expect(await localsOf(id)).toMatchObject([{ verified: null }]);
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    expect(await objects()).not.toContain(object?.key);
    expect(await feed()).toMatchObject([{ type: 'backup_delete', details: { filename: old, location: 'local' } }]);
  });
});

it('shows the size of a restored archive in the feed when it is known', async () => {
  const id = await site();
  await ledger.rows(
    'insert into sites.remote_backups (site_id, filename, size, modified_at) values ($1, $2, 7000, now())',
    [id, old],
  );
  for (const [filename, size] of [
    [old, 7_000],
    ['inconnue.wpress', null],
  ] as const) {
    const jobId = await request(`/sites/${id}/backups/${filename}/restore`, { confirm: 'RESTORE' });
    const { fence } = await ledger.begin(jobId, ['backups.restore']);
    await end(jobId, fence, { state: 'failed', error: { message: 'Archive abîmée.', code: 'damaged' } });
    expect(await feed()).toMatchObject([{ type: 'backup_restore', details: { filename, size, state: 'failed' } }]);
  }
});

it('refuses to delete the safety copy of a running restore', async () => {
  const id = await site();
  await request(`/sites/${id}/backups/${old}/restore`, { confirm: 'RESTORE' });
  const [open] = await ledger.rows<{ safety: string }>("select input ->> 'safety' as safety from sites.jobs");
  const remove = (name: string | undefined) => ask('DELETE', `/sites/${id}/backups/${name}`);
  expect([(await remove(old)).status, (await remove(open?.safety)).status]).toEqual([409, 409]);
});

it('audits a deletion on a host even when its answer is lost', async () => {
  const id = await site();
  const { status } = await ask('DELETE', `/sites/${id}/backups/${old}`);
  expect(status).toBe(503);
  const audits = await ledger.rows(
    "select actor_name, details from sites.audit_lines where action = 'backup_delete' and target_id = $1",
    [id],
  );
  const details = JSON.stringify({ filename: old, location: 'remote' });
  expect(audits).toEqual([{ actor_name: expect.any(String), details }]);
  expect(
    await ledger.rows("select id from sites.activity where type = 'backup_delete' and site_id = $1", [id]),
  ).toEqual([]);
});

it('refuses file names that a command, a folder or an address could misread', async () => {
  const id = await site();
  const names = [
    '..%2Fx.wpress',
    '-rf.wpress',
    '.x.wpress',
    'a%20b.wpress',
    'x.zip',
    'x.wpress%00',
    `${'a'.repeat(300)}.wpress`,
  ];
  for (const name of names) {
    const requests = [
      ask('DELETE', `/sites/${id}/backups/${name}`),
      ask('POST', `/sites/${id}/backups/${name}/download`),
      ask('POST', `/sites/${id}/backups/${name}/verify`),
      ask('POST', `/sites/${id}/backups/local/${name}/link`),
      ask('GET', `/sites/${id}/backups/local/${name}/entries`),
      ask('POST', `/sites/${id}/backups/import`, { body: { filename: decodeURIComponent(name) } }),
    ];
    expect([name, ...(await Promise.all(requests)).map(({ status }) => status)]).toEqual([
      name,
      ...requests.map(() => 400),
    ]);
  }
  const empty = await ask('POST', `/sites/${id}/backups/import`, { body: { filename: ' ' } });
  expect([empty.status, empty.body['detail']]).toEqual([400, 'Choisissez un backup local.']);
  expect(await ledger.rows('select id from sites.jobs')).toEqual([]);
});

it('keeps the backups of a deleted site for thirty days, then deletes their objects', async () => {
  const [id, other] = [await site(), await site('autre.fr')];
  await fetched(id, old, 'contenu');
  await store.write(FileStore.newKey(), [Buffer.from('x')] as never, 1);
  const running = (await begin(await request(`/sites/${other}/backups/${old}/download`))).input.object?.key ?? '';
  await store.write(running, [Buffer.from('x')] as never, 1);
  expect((await ask('DELETE', `/sites/${id}`)).status).toBe(204);
  const [keptBackup] = await localsOf(other);
  expect(keptBackup).toMatchObject({ filename: old, site_id: null, site_name: 'exemple.fr' });
  const days = (Date.parse(String(keptBackup?.['goes_at'])) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  for (const key of await objects()) await utimes(join(ledger.product.home, 'store/objects', key), 1, 1);
  await ledger.rows("update sites.local_backups set goes_at = now() - interval '1 second'");
  // Cleaning up begins when the service starts.
  await ledger.product.add('sites-svc');
  await until(async () => (await localsOf(other)).length === 0);
  await ledger.product.add('sites-svc');
  await until(async () => (await objects()).length === 1);
  expect(await objects()).toEqual([running]);
});

it('passes backups on to the heir, and renames duplicates', async () => {
  const { token, id: person } = await addUser(ledger.product, ledger.root);
  const [ownSite, otherSite] = [await site(), await site('client.fr')];
  await ledger.rows('update sites.sites set owner_id = $2 where id = $1', [otherSite, person]);
  await fetched(ownSite, old, 'un');
  await ledger.rows(
    `insert into sites.local_backups (id, owner_id, site_id, site_name, filename, size, sha256, object_key, made_at)
     values ($1, $2, $3, 'client.fr', $4, 4, $5, $5, now())`,
    [randomUUID(), person, otherSite, old, FileStore.newKey()],
  );
  expect((await ask('GET', `/sites/${otherSite}/backups/local`)).status).toBe(404);
  const listing = (await ask('GET', `/sites/${otherSite}/backups/local`, { token })).body;
  expect(listing).toMatchObject([{ filename: old, site_id: otherSite, size: 4 }]);
  expect((await ledger.request('DELETE', `/admin/users/${person}`)).status).toBe(204);
  await until(async () => (await localsOf(ownSite)).length === 2);
  const names = (await localsOf(ownSite)).map(({ filename }) => filename);
  expect(names).toEqual([old, expect.stringMatching(/^ancienne-[0-9a-f]{8}\.wpress$/)]);
});
