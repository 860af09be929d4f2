import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reportScans } from '@vigie/contracts/site-checks';
import { emptyTables, waitingFor } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { anExtension, aSiteState } from '@vigie/testing/site-state';
import { sendArchive } from '@vigie/testing/uploads';
import { until } from '@vigie/testing/until';
import { aPlugin } from '@vigie/testing/zip';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs', 'sites.uploads'));

const vitrine = anExtension({ slug: 'vitrine', name: 'Vitrine', hasUpdate: true, new_version: '1.3.0' });

async function site(extensions = [vitrine]): Promise<string> {
  const id = await ledger.createSite('vitrine.fr');
  const facts = aSiteState({ depth: 'inspect', extensions });
  await ledger.agent.call(reportScans, { items: [{ id, version: 1, facts, failure: null }] });
  return id;
}

const twoServers = async () => [
  await ledger.createServer(ledger.server.owner, { name: 'a', host: '10.0.1.1' }),
  await ledger.createServer(ledger.server.owner, { name: 'b', host: '10.0.1.2' }),
];

const ask = (path: string, body: object = {}) =>
  ledger.request('POST', path, { body, headers: { prefer: 'respond-async' } });

async function request(path: string, body: object = {}): Promise<string> {
  const { status, body: ticket, text } = await ask(path, body);
  if (status !== 202) throw new Error(`${status} ${text}`);
  return String(ticket['job_id']);
}

async function retry(id: string): Promise<string> {
  const { status, body, text } = await ledger.act(id, 'retry');
  if (status >= 300) throw new Error(`${status} ${text}`);
  return String(body['id']);
}

/** Ends a job, or a batch with its jobs. */
const fail = (id: string) =>
  ledger.rows("update sites.jobs set state = 'failed', finished_at = now() where id = $1 or batch_id = $1", [id]);

const openJobs = () =>
  ledger.rows<{ id: string }>("select id from sites.jobs where not is_batch and state in ('queued', 'running')");

const sendPlugin = (version: string) =>
  sendArchive(ledger.product, aPlugin({ version }), 'b.zip', { token: ledger.root, query: '?replace=1' });

/** Ends once so many sessions wait for a lock. */
const waitForLocks = (n: number) => until(async () => (await waitingFor(ledger.product.database)) >= n);

describe('work', () => {
  it.each([
    ['backups', {}, 'backups.create'],
    ['backups/a.wpress/restore', { mode: 'replace', confirm: 'RESTORE' }, 'backups.restore'],
    ['plugins/update', { slug: 'vitrine' }, 'changes.update'],
  ])('that was cancelled while it ran is under way again once it is retried: %s', async (path, body, kind) => {
    const id = await site();
    const first = await request(`/sites/${id}/${path}`, body);
    const { fence } = await ledger.begin(first, [kind]);
    await ledger.act(first, 'cancel');
    await ledger.finish({ id: first, fence }, 'cancelled');
    const second = await retry(first);
    expect(await request(`/sites/${id}/${path}`, body)).toBe(second);
    expect(await openJobs()).toEqual([{ id: second }]);
  });

  it('that is being cancelled may be requested anew', async () => {
    const id = await site();
    const first = await request(`/sites/${id}/backups`);
    await ledger.begin(first, ['backups.create']);
    await ledger.act(first, 'cancel');
    expect(await request(`/sites/${id}/backups`)).not.toBe(first);
  });

  it('is not done twice when it is retried and requested at the same time', async () => {
    const id = await site();
    const first = await request(`/sites/${id}/plugins/update`, { slug: 'vitrine' });
    await fail(first);
    await ledger.rows('begin');
    await ledger.rows('lock table sites.audit_lines in exclusive mode');
    const retried = ledger.act(first, 'retry');
    await waitForLocks(1);
    const requested = ask(`/sites/${id}/plugins/update`, { slug: 'vitrine' });
    await waitForLocks(2);
    await ledger.rows('commit');
    expect((await requested).body['job_id']).toBe((await retried).body['id']);
    expect(await openJobs()).toHaveLength(1);
  });

  it('of a retried install is that of the package that replaced its own', async () => {
    const id = await site([]);
    const install = () => request(`/sites/${id}/plugins/install`, { filename: 'b.zip' });
    await sendPlugin('2.0.0');
    const first = await install();
    await fail(first);
    await sendPlugin('3.0.0');
    const second = await retry(first);
    expect(await install()).toBe(second);
    await fail(second);
    await install();
    expect((await ledger.act(second, 'retry')).status).toBe(409);
    expect(await openJobs()).toHaveLength(1);
  });

  it('of a batch and of a single request is one job, audited once', async () => {
    const ids = [await site(), await site()];
    const batch = await request('/sites/batches/backup', { ids });
    const single = await request(`/sites/${ids[0]}/backups`);
    expect(await ledger.rows('select batch_id from sites.jobs where id = $1', [single])).toEqual([{ batch_id: batch }]);
    expect(await request('/sites/batches/backup', { ids })).toBe(batch);
    const lines = await ledger.rows(
      "select id from sites.audit_lines where action = 'backup_create' and target_id = any($1)",
      [ids],
    );
    expect(lines).toHaveLength(2);
  });
});

describe('a check', () => {
  it('of an edited site is shared when it began, or was retried, after the edit', async () => {
    const id = await site();
    const first = await request(`/sites/${id}/test`);
    const edit = () => ledger.rows('update sites.sites set version = version + 1 where id = $1', [id]);
    await edit();
    await ledger.begin(first, ['sites.test']);
    expect(await request(`/sites/${id}/test`)).toBe(first);
    await fail(first);
    await edit();
    const second = await retry(first);
    expect(await request(`/sites/${id}/test`)).toBe(second);
  });

  it('is shared by a batch that is retried as a whole', async () => {
    const ids = await twoServers();
    const first = await request('/servers/test', { ids });
    await fail(first);
    const second = await retry(first);
    expect(await request('/servers/test', { ids })).toBe(second);
    expect(await openJobs()).toHaveLength(2);
  });

  it('is not taken for one of a batch of long ago, of which one is retried', async () => {
    const ids = await twoServers();
    const batch = await request('/servers/test', { ids });
    await fail(batch);
    await ledger.rows("update sites.jobs set created_at = now() - interval '7 days'");
    const [failed] = await ledger.rows<{ id: string }>('select id from sites.jobs where batch_id = $1 limit 1', [
      batch,
    ]);
    await retry(failed?.id ?? '');
    expect(await request('/servers/test', { ids })).not.toBe(batch);
  });
});
