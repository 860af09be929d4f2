import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChangeInput } from '@vigie/contracts/changes';
import { finishJob } from '@vigie/contracts/jobs';
import { FileStore } from '@vigie/files/file-store';
import { emptyTables } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { until } from '@vigie/testing/until';
import { sendArchive } from '@vigie/testing/uploads';
import { aPlugin } from '@vigie/testing/zip';

let ledger: TestLedger;
let id: string;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(async () => {
  await emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs', 'sites.uploads');
  for (const key of await stored()) await rm(objectAt(key));
  const connection = { ssh: { server_id: ledger.server.id, wp_path: '/srv/www' } };
  const body = { name: 'vitrine.fr', url: 'https://exemple.fr', connection };
  id = String((await ledger.product.request('POST', '/api/sites', { token: ledger.root, body })).body['id']);
});

const token = () => ledger.root;
const filename = 'boussole.zip';

async function upload(
  archive: Parameters<typeof aPlugin>[0],
  query = '',
  who = token(),
): Promise<{ id: string; sha256: string }> {
  const { status, body, text } = await sendArchive(ledger.product, aPlugin(archive), filename, { token: who, query });
  if (status !== 201) throw new Error(text);
  return { id: String(body['id']), sha256: String(body['sha256']) };
}
const replace = (archive: Parameters<typeof aPlugin>[0]) => upload(archive, '?replace=1');
const remove = () => ledger.product.request('DELETE', `/api/uploads/plugins/${filename}`, { token: token() });

const install = (body: object = {}, headers = {}) =>
  ledger.product.request('POST', `/api/sites/${id}/plugins/install`, {
    token: token(),
    body: { filename, ...body },
    headers: { prefer: 'respond-async', ...headers },
  });

async function accepted(body: object = {}, headers = {}): Promise<string> {
  const { status, body: ticket, text } = await install(body, headers);
  if (status !== 202) throw new Error(text);
  return String(ticket['job_id']);
}

async function claimed(job: string) {
  const claim = await ledger.claim(job, undefined, ['changes.install']);
  if (!claim) throw new Error('not claimed');
  return { id: job, fence: claim.fence, input: ChangeInput.parse(claim.input) };
}

/** As an agent ends it that finds no archive; its retry, as another one is given that. */
async function tryAgain({ id: job, fence }: Awaited<ReturnType<typeof claimed>>) {
  const error = { message: 'L’archive n’est plus parmi les téléversements.', code: 'not_found' };
  await ledger.agent.call(finishJob, { id: job, fence, state: 'failed', result: null, error });
  const { body } = await ledger.act(job, 'retry');
  return claimed(String(body['id']));
}

const objectAt = (key: string) => join(ledger.product.home, 'store/objects', key);
const stored = () => readdir(objectAt(''));

/** A round over what the store has begins with the process. */
async function sweep(): Promise<void> {
  const unneeded = FileStore.newKey();
  await writeFile(objectAt(unneeded), 'x');
  const then = new Date(Date.now() - 25 * 3_600_000);
  for (const key of await stored()) await utimes(objectAt(key), then, then);
  await ledger.product.of('sites-svc').at(-1)?.kill('SIGKILL');
  await ledger.product.add('sites-svc');
  await until(async () => !(await stored()).includes(unneeded));
}

async function isWaiting(query: string): Promise<boolean> {
  await ledger.rows('select pg_stat_clear_snapshot()');
  const waiting = await ledger.rows(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ilike $1`,
    [query],
  );
  return waiting.length > 0;
}

describe('an archive that an install waits for', () => {
  it('stays when it is replaced or deleted, until that install has ended', async () => {
    await upload({ version: '1.0.0' });
    const job = await accepted();
    const { input, fence } = await claimed(job);
    const key = input.package?.key ?? '';
    await replace({ version: '2.0.0' });
    expect(await stored()).toContain(key);
    expect((await remove()).status).toBe(204);
    expect(await stored()).toEqual([key]);
    await sweep();
    expect(await stored()).toEqual([key]);
    await ledger.finish({ id: job, fence }, 'failed');
    await sweep();
    expect(await stored()).toEqual([]);
  });

  it('stays when it is deleted while that install is written down', async () => {
    await upload({ version: '1.0.0' });
    await ledger.rows('begin');
    await ledger.rows('lock table sites.jobs in exclusive mode');
    const asking = install();
    await until(() => isWaiting('insert into%"jobs"%'));
    const removing = remove();
    await Promise.race([removing, until(() => isWaiting('%"uploads"%'))]);
    await ledger.rows('commit');
    expect([(await asking).status, (await removing).status]).toEqual([202, 204]);
    const rows = await ledger.rows<{ key: string }>("select input #>> '{package,key}' as key from sites.jobs");
    expect(await stored()).toEqual(rows.map(({ key }) => key));
  });
});

describe('an install that is asked for again', () => {
  it('takes what the archive was replaced by, or what was uploaded in its place', async () => {
    await upload({ version: '1.0.0' });
    const first = await claimed(await accepted({ activate: true }));
    const newer = await replace({ version: '2.0.0' });
    const second = await tryAgain(first);
    expect(second.input).toMatchObject({ to: '2.0.0', activate: true, package: { sha256: newer.sha256, filename } });
    await remove();
    const newest = await upload({ version: '3.0.0' });
    const third = await tryAgain(second);
    expect(third.input).toMatchObject({ to: '3.0.0', package: { sha256: newest.sha256 } });
    expect(await stored()).toContain(third.input.package?.key);
  });

  it('takes no other extension that has the same file name, and nothing that whoever asks does not see', async () => {
    await upload({ version: '1.0.0' });
    const first = await claimed(await accepted());
    await replace({ version: '2.0.0', slug: 'autre' });
    const second = await tryAgain(first);
    expect(second.input).toMatchObject({ to: '1.0.0', item: { slug: 'boussole' } });
    await remove();
    const stranger = await addUser(ledger.product, token());
    await upload({ version: '9.0.0' }, '', stranger.token);
    expect((await tryAgain(second)).input).toMatchObject({ to: '1.0.0' });
  });
});

describe('an archive of several that have one name', () => {
  const adminMode = { 'x-admin-mode': '1' };

  it('is the one that was chosen by its id, of those that the caller sees', async () => {
    const other = await addUser(ledger.product, token());
    await upload({ version: '1.0.0' });
    const theirs = await upload({ version: '2.0.0' }, '', other.token);
    const refused = await install({ upload_id: theirs.id });
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('n’existe pas')]);
    expect((await install({ upload_id: randomUUID() }, adminMode)).status).toBe(404);
    const { input } = await claimed(await accepted({ upload_id: theirs.id }, adminMode));
    expect(input).toMatchObject({ to: '2.0.0', package: { sha256: theirs.sha256 } });
  });
});
