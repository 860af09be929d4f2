import { randomUUID } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChangeOutcome, ChangeInput } from '@vigie/contracts/changes';
import { finishJob, type JobError } from '@vigie/contracts/jobs';
import { reportScans } from '@vigie/contracts/site-checks';
import { FileStore } from '@vigie/files/file-store';
import { emptyTables } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { anExtension, aSiteState } from '@vigie/testing/site-state';
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
  await emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs', 'sites.activity', 'sites.uploads');
  for (const key of await listObjects()) await rm(objectAt(key));
  id = await ledger.createSite('vitrine.fr');
  await reportState('1.2.0', '1.3.0');
  await ledger.rows('truncate sites.activity');
});

const kinds = ['update', 'install', 'activate', 'deactivate', 'restore'].map((verb) => `changes.${verb}`);

const reportState = (version: string, offered: string | null) =>
  ledger.agent.call(reportScans, {
    items: [
      {
        id,
        version: 1,
        failure: null,
        facts: aSiteState({
          depth: 'inspect',
          extensions: [
            anExtension({
              slug: 'vitrine',
              name: 'Vitrine',
              version,
              hasUpdate: offered !== null,
              new_version: offered,
            }),
          ],
        }),
      },
    ],
  });

const ask = (path: string, body: object = { slug: 'vitrine' }, headers = {}) =>
  ledger.request('POST', `/sites/${id}/${path}`, { body, headers: { prefer: 'respond-async', ...headers } });

async function requestChange(path: string, body?: object, headers?: object): Promise<string> {
  const { status, body: ticket, text } = await ask(path, body, headers);
  if (status !== 202) throw new Error(text);
  return String(ticket['job_id']);
}

async function claimChange(jobId: string) {
  const { fence, input } = await ledger.begin(jobId, kinds);
  return { id: jobId, fence, input: ChangeInput.parse(input) };
}

/** Finishes the job as an agent would. */
async function end(
  jobId: string,
  change: ChangeOutcome | null,
  error: JobError | null = null,
  state?: 'unknown' | 'cancelled',
) {
  const { fence } = await claimChange(jobId);
  await ledger.agent.call(finishJob, {
    id: jobId,
    fence,
    state: state ?? (error ? 'failed' : 'succeeded'),
    result: error ? null : change,
    error: error && { ...error, ...(change && { change }) },
  });
}

const outcomeOf = (jobId: string, fields: Partial<ChangeOutcome> = {}): ChangeOutcome => ({
  kind: 'plugin',
  slug: 'vitrine',
  name: 'Vitrine',
  from: '1.2.0',
  to: '1.3.0',
  status: 'active',
  aside: { id: jobId, version: '1.2.0', bytes: 4_000_000_000, made_at: new Date().toISOString(), has_tables: false },
  checks: null,
  ...fields,
});

const feed = async () => (await ledger.request('GET', '/dashboard/activity')).body['items'];
const plugin = async () => {
  const { body } = await ledger.request('GET', `/sites/${id}`);
  return (body['plugins'] as object[])[0];
};

describe('the feed', () => {
  it('shows a change with the person who requested it', async () => {
    const jobId = await requestChange('plugins/update');
    expect(await feed()).toEqual([]);
    await end(jobId, outcomeOf(jobId));
    expect(await feed()).toEqual([
      expect.objectContaining({
        type: 'plugin_update',
        actor_name: expect.any(String),
        site_id: id,
        site_name: 'vitrine.fr',
        details: {
          kind: 'plugin',
          name: 'Vitrine',
          slug: 'vitrine',
          from: '1.2.0',
          to: '1.3.0',
          state: 'succeeded',
        },
      }),
    ]);
  });

  it('shows a change that was rolled back, with the reason', async () => {
    const jobId = await requestChange('plugins/update');
    const message = 'La mise à jour abîme le site. La version 1.2.0 est de retour.';
    const still = 'La page d’accueil est vide.';
    await end(jobId, outcomeOf(jobId, { aside: null }), { message, code: 'rolled_back', still });
    expect(await feed()).toMatchObject([
      { type: 'plugin_update', details: { state: 'failed', code: 'rolled_back', reason: message, still, to: '1.3.0' } },
    ]);
    expect(await plugin()).toMatchObject({ previous: null });
  });

  it('shows a change whose effect is unknown, and none that touched nothing', async () => {
    await end(await requestChange('plugins/update'), null, { message: 'Pas de place.', code: 'no_room' });
    const cancelled = await requestChange('plugins/update');
    await ledger.act(cancelled, 'cancel');
    expect(await feed()).toEqual([]);
    await end(await requestChange('plugins/update'), null, { message: 'Perdu.', code: 'interrupted' }, 'unknown');
    expect(await feed()).toMatchObject([{ details: { state: 'unknown', reason: 'Perdu.' } }]);
  });

  it('survives the site', async () => {
    const jobId = await requestChange('plugins/update');
    const { fence } = await claimChange(jobId);
    await ledger.request('DELETE', `/sites/${id}`);
    await ledger.agent.call(finishJob, { id: jobId, fence, error: null, state: 'succeeded', result: outcomeOf(jobId) });
    expect(await ledger.rowOf(jobId)).toMatchObject({ state: 'succeeded' });
    expect(await ledger.rows('select id from sites.asides')).toEqual([]);
  });
});

describe('the previous version', () => {
  it('can be restored for a week, the newest one only', async () => {
    const first = await requestChange('plugins/update');
    await end(first, outcomeOf(first));
    await reportState('1.3.0', '1.4.0');
    expect(await plugin()).toMatchObject({
      previous: { version: '1.2.0', made_at: expect.stringMatching(/Z$/), has_tables: false },
    });
    const second = await requestChange('plugins/update');
    await end(
      second,
      outcomeOf(second, {
        from: '1.3.0',
        to: '1.4.0',
        aside: { ...rollbackCopyOf(second), version: '1.3.0', has_tables: true },
      }),
    );
    await reportState('1.4.0', null);
    expect(await plugin()).toMatchObject({ previous: { version: '1.3.0', has_tables: true } });
    const back = await requestChange('plugins/restore');
    const { fence, input } = await claimChange(back);
    expect(input).toMatchObject({ aside_id: second, from: '1.4.0', to: '1.3.0' });
    const result = outcomeOf(back, {
      from: '1.4.0',
      to: '1.3.0',
      aside: { ...rollbackCopyOf(back), version: '1.4.0' },
    });
    await ledger.agent.call(finishJob, { id: back, fence, state: 'succeeded', result, error: null });
    expect(await feed()).toContainEqual(
      expect.objectContaining({
        type: 'plugin_update',
        details: expect.objectContaining({ restored: true, from: '1.4.0', to: '1.3.0' }),
      }),
    );
    expect(await plugin()).toMatchObject({ previous: { version: '1.4.0' } });
    await ledger.rows("update sites.asides set made_at = made_at - interval '7 days'");
    expect(await plugin()).toMatchObject({ previous: null });
    expect((await ask('plugins/restore')).status).toBe(409);
  });

  const rollbackCopyOf = (jobId: string) => ({
    id: jobId,
    version: null,
    bytes: 1,
    made_at: new Date().toISOString(),
    has_tables: false,
  });

  it('is not offered after the site has moved', async () => {
    const jobId = await requestChange('plugins/update');
    await end(jobId, outcomeOf(jobId));
    await ledger.request('PUT', `/sites/${id}`, { body: { connection: { ssh: { wp_path: '/srv/autre' } } } });
    expect(await ledger.rows('select id from sites.asides')).toEqual([]);
  });
});

describe('a missing licence', () => {
  const refused = { message: 'Mise à jour indisponible: licence requise', code: 'licence_required' };

  it('blocks that version until an update succeeds, another version is offered, or a week has passed', async () => {
    await end(await requestChange('plugins/update'), null, refused);
    expect(await plugin()).toMatchObject({ hasUpdate: true, blockedByLicense: true });
    const { status, body } = await ask('plugins/update');
    expect([status, body['detail']]).toEqual([409, refused]);
    await ledger.rows("update sites.site_licences set since = since - interval '7 days'");
    expect(await plugin()).toMatchObject({ blockedByLicense: false });
    await ledger.rows('update sites.site_licences set since = now()');
    await reportState('1.2.0', '1.3.1');
    expect(await plugin()).toMatchObject({ blockedByLicense: false });
    const jobId = await requestChange('plugins/update');
    await end(jobId, outcomeOf(jobId, { to: '1.3.1' }));
    expect(await ledger.rows('select slug from sites.site_licences')).toEqual([]);
  });
});

describe('a retried change', () => {
  it('uses the version offered now, and is audited', async () => {
    const jobId = await requestChange('plugins/update');
    await end(jobId, null, { message: 'Une autre version est proposée.', code: 'refused_by_wordpress' });
    await reportState('1.2.0', '1.3.1');
    const { body } = await ledger.act(jobId, 'retry');
    expect(body).toMatchObject({ retry_of: jobId, about: 'Vitrine 1.2.0 → 1.3.1' });
    const { input } = await claimChange(String(body['id']));
    expect(input).toMatchObject({ from: '1.2.0', to: '1.3.1', item: { slug: 'vitrine' } });
    expect(
      await ledger.rows("select id from sites.audit_lines where action = 'plugin_update' and target_id = $1", [id]),
    ).toHaveLength(2);
  });

  it('retries the refused changes of a batch too', async () => {
    const items = [
      { kind: 'plugin', slug: 'vitrine' },
      { kind: 'plugin', slug: 'absente' },
    ];
    const batch = String((await ask('updates', { items })).body['job_id']);
    const [line] = await ledger.rows<{ id: string }>(
      "select id from sites.jobs where batch_id = $1 and state = 'queued'",
      [batch],
    );
    await end(line?.id ?? '', outcomeOf(line?.id ?? ''));
    expect((await ledger.read(batch)).body).toMatchObject({ state: 'failed', counts: { succeeded: 1, failed: 1 } });
    const { body } = await ledger.act(batch, 'retry');
    expect(body).toMatchObject({ retry_of: batch, counts: { total: 1, queued: 1 } });
  });
});

const filename = 'boussole.zip';
const install = (body: object = {}, headers = {}) => ask('plugins/install', { filename, ...body }, headers);
const acceptedInstall = (body: object = {}, headers = {}) =>
  requestChange('plugins/install', { filename, ...body }, headers);

type Archive = Parameters<typeof aPlugin>[0];
async function upload(archive: Archive, query = '', token = ledger.root): Promise<{ id: string; sha256: string }> {
  const { status, body, text } = await sendArchive(ledger.product, aPlugin(archive), filename, { token, query });
  if (status !== 201) throw new Error(text);
  return { id: String(body['id']), sha256: String(body['sha256']) };
}
const replace = (archive: Archive) => upload(archive, '?replace=1');
const remove = () => ledger.request('DELETE', `/uploads/plugins/${filename}`);

const objectAt = (key: string) => join(ledger.product.home, 'store/objects', key);
const listObjects = () => readdir(objectAt(''));

/** Ends an install as an agent does that finds no archive, then retries it and claims the retry. */
async function tryAgain({ id: jobId, fence }: Awaited<ReturnType<typeof claimChange>>) {
  const error = { message: 'L’archive n’est plus parmi les téléversements.', code: 'not_found' };
  await ledger.agent.call(finishJob, { id: jobId, fence, state: 'failed', result: null, error });
  const { body } = await ledger.act(jobId, 'retry');
  return claimChange(String(body['id']));
}

describe('a retried install', () => {
  it('uses the upload that replaced the archive, or one of the same name', async () => {
    await upload({ version: '1.0.0' });
    const first = await claimChange(await acceptedInstall({ activate: true }));
    const newer = await replace({ version: '2.0.0' });
    const second = await tryAgain(first);
    expect(second.input).toMatchObject({ to: '2.0.0', activate: true, package: { sha256: newer.sha256, filename } });
    await remove();
    const newest = await upload({ version: '3.0.0' });
    const third = await tryAgain(second);
    expect(third.input).toMatchObject({ to: '3.0.0', package: { sha256: newest.sha256 } });
    expect(await listObjects()).toContain(third.input.package?.key);
  });

  it('uses no other extension of the same file name, and no upload that the user may not see', async () => {
    await upload({ version: '1.0.0' });
    const first = await claimChange(await acceptedInstall());
    await replace({ version: '2.0.0', slug: 'autre' });
    const second = await tryAgain(first);
    expect(second.input).toMatchObject({ to: '1.0.0', item: { slug: 'boussole' } });
    await remove();
    const stranger = await addUser(ledger.product, ledger.root);
    await upload({ version: '9.0.0' }, '', stranger.token);
    expect((await tryAgain(second)).input).toMatchObject({ to: '1.0.0' });
  });
});

describe('one of several archives of the same name', () => {
  const adminMode = { 'x-admin-mode': '1' };

  it('is chosen by its id, among those that the caller may see', async () => {
    const other = await addUser(ledger.product, ledger.root);
    await upload({ version: '1.0.0' });
    const otherUpload = await upload({ version: '2.0.0' }, '', other.token);
    const refused = await install({ upload_id: otherUpload.id });
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('n’existe pas')]);
    expect((await install({ upload_id: randomUUID() }, adminMode)).status).toBe(404);
    const { input } = await claimChange(await acceptedInstall({ upload_id: otherUpload.id }, adminMode));
    expect(input).toMatchObject({ to: '2.0.0', package: { sha256: otherUpload.sha256 } });
  });
});

/** Cleaning up the store begins when the process starts. */
async function sweep(): Promise<void> {
  // Objects are deleted in the order of their folder: after the last one, the cleanup is over.
  let last = FileStore.newKey();
  for (;;) {
    await writeFile(objectAt(last), 'x');
    if ((await listObjects()).at(-1) === last) break;
    await rm(objectAt(last));
    last = FileStore.newKey();
  }
  const then = new Date(Date.now() - 25 * 3_600_000);
  for (const key of await listObjects()) await utimes(objectAt(key), then, then);
  await ledger.product.processesOf('sites-svc').at(-1)?.kill('SIGKILL');
  await ledger.product.add('sites-svc');
  await until(async () => !(await listObjects()).includes(last));
}

async function isWaiting(query: string): Promise<boolean> {
  await ledger.rows('select pg_stat_clear_snapshot()');
  const waiting = await ledger.rows(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ilike $1`,
    [query],
  );
  return waiting.length > 0;
}

describe('an archive that an install needs', () => {
  it('stays after it was replaced or deleted, until the install has ended', async () => {
    await upload({ version: '1.0.0' });
    const jobId = await acceptedInstall();
    const { input, fence } = await claimChange(jobId);
    const key = input.package?.key ?? '';
    await replace({ version: '2.0.0' });
    expect(await listObjects()).toContain(key);
    expect((await remove()).status).toBe(204);
    expect(await listObjects()).toEqual([key]);
    await sweep();
    expect(await listObjects()).toEqual([key]);
    await ledger.finish({ id: jobId, fence }, 'failed');
    await sweep();
    expect(await listObjects()).toEqual([]);
  });

  it('stays when it is deleted while the install is created', async () => {
    await upload({ version: '1.0.0' });
    await ledger.rows('begin');
    await ledger.rows('lock table sites.jobs in exclusive mode');
    const asking = install();
    await until(() => isWaiting('insert into jobs%'));
    const removing = remove();
    await Promise.race([removing, until(() => isWaiting('%"uploads"%'))]);
    await ledger.rows('commit');
    expect([(await asking).status, (await removing).status]).toEqual([202, 204]);
    const rows = await ledger.rows<{ key: string }>("select input #>> '{package,key}' as key from sites.jobs");
    expect(await listObjects()).toEqual(rows.map(({ key }) => key));
  });
});
