import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeDone } from '@vigie/contracts/changes';
import { finishJob, type JobError } from '@vigie/contracts/jobs';
import { reportScans } from '@vigie/contracts/site-looks';
import { emptyTables } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { anExtension, someFacts } from '@vigie/testing/site-facts';

let ledger: TestLedger;
let id: string;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(async () => {
  await emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs', 'sites.activity');
  const connection = { ssh: { server_id: ledger.server.id, wp_path: '/srv/www' } };
  const body = { name: 'vitrine.fr', url: 'https://exemple.fr', connection };
  id = String((await ledger.product.request('POST', '/api/sites', { token: ledger.root, body })).body['id']);
  await see('1.2.0', '1.3.0');
  await ledger.rows('truncate sites.activity');
});

const kinds = ['update', 'install', 'activate', 'deactivate', 'restore'].map((verb) => `changes.${verb}`);

const see = (version: string, offered: string | null) =>
  ledger.agent.call(reportScans, {
    items: [
      {
        id,
        version: 1,
        failure: null,
        facts: someFacts({
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
  ledger.product.request('POST', `/api/sites/${id}/${path}`, {
    token: ledger.root,
    body,
    headers: { prefer: 'respond-async', ...headers },
  });

async function accepted(path: string): Promise<string> {
  const { status, body, text } = await ask(path);
  if (status !== 202) throw new Error(text);
  return String(body['job_id']);
}

/** As an agent ends it. */
async function end(
  job: string,
  change: ChangeDone | null,
  error: JobError | null = null,
  state?: 'unknown' | 'cancelled',
) {
  const claimed = await ledger.claim(job, undefined, kinds);
  if (!claimed) throw new Error('not claimed');
  await ledger.agent.call(finishJob, {
    id: job,
    fence: claimed.fence,
    state: state ?? (error ? 'failed' : 'succeeded'),
    result: error ? null : change,
    error: error && { ...error, ...(change && { change }) },
  });
}

const done = (job: string, fields: Partial<ChangeDone> = {}): ChangeDone => ({
  kind: 'plugin',
  slug: 'vitrine',
  name: 'Vitrine',
  from: '1.2.0',
  to: '1.3.0',
  status: 'active',
  aside: { id: job, version: '1.2.0', bytes: 4_000_000_000, made_at: new Date().toISOString(), has_tables: false },
  ...fields,
});

const feed = async () =>
  (await ledger.product.request('GET', '/api/dashboard/activity', { token: ledger.root })).body['items'];
const plugin = async () => {
  const { body } = await ledger.product.request('GET', `/api/sites/${id}`, { token: ledger.root });
  return (body['plugins'] as object[])[0];
};

describe('the feed', () => {
  it('tells of a change that was made, by whoever asked for it', async () => {
    const job = await accepted('plugins/update');
    expect(await feed()).toEqual([]);
    await end(job, done(job));
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

  it('tells of one that was undone, with its reason', async () => {
    const job = await accepted('plugins/update');
    const message = 'La mise à jour abîme le site. La version 1.2.0 est de retour.';
    await end(job, done(job, { aside: null }), { message, code: 'rolled_back' });
    expect(await feed()).toMatchObject([
      { type: 'plugin_update', details: { state: 'failed', code: 'rolled_back', reason: message, to: '1.3.0' } },
    ]);
    expect(await plugin()).toMatchObject({ previous: null });
  });

  it('tells of one of which nobody knows what it did, and of none that touched nothing', async () => {
    await end(await accepted('plugins/update'), null, { message: 'Pas de place.', code: 'no_room' });
    const cancelled = await accepted('plugins/update');
    await ledger.act(cancelled, 'cancel');
    expect(await feed()).toEqual([]);
    await end(await accepted('plugins/update'), null, { message: 'Perdu.', code: 'interrupted' }, 'unknown');
    expect(await feed()).toMatchObject([{ details: { state: 'unknown', reason: 'Perdu.' } }]);
  });

  it('survives the site', async () => {
    const job = await accepted('plugins/update');
    const claimed = await ledger.claim(job, undefined, kinds);
    await ledger.product.request('DELETE', `/api/sites/${id}`, { token: ledger.root });
    const held = { id: job, fence: claimed?.fence ?? 0, error: null };
    await ledger.agent.call(finishJob, { ...held, state: 'succeeded', result: done(job) });
    expect(await ledger.rowOf(job)).toMatchObject({ state: 'succeeded' });
    expect(await ledger.rows('select id from sites.asides')).toEqual([]);
  });
});

describe('the version before', () => {
  it('can be had back for a week: the newest only', async () => {
    const first = await accepted('plugins/update');
    await end(first, done(first));
    await see('1.3.0', '1.4.0');
    expect(await plugin()).toMatchObject({
      previous: { version: '1.2.0', made_at: expect.stringMatching(/Z$/), has_tables: false },
    });
    const second = await accepted('plugins/update');
    await end(
      second,
      done(second, { from: '1.3.0', to: '1.4.0', aside: { ...asideOf(second), version: '1.3.0', has_tables: true } }),
    );
    await see('1.4.0', null);
    expect(await plugin()).toMatchObject({ previous: { version: '1.3.0', has_tables: true } });
    const back = await accepted('plugins/restore');
    const claimed = await ledger.claim(back, undefined, kinds);
    expect(claimed?.input).toMatchObject({ aside_id: second, from: '1.4.0', to: '1.3.0' });
    await ledger.agent.call(finishJob, {
      id: back,
      fence: claimed?.fence ?? 0,
      state: 'succeeded',
      result: done(back, { from: '1.4.0', to: '1.3.0', aside: { ...asideOf(back), version: '1.4.0' } }),
      error: null,
    });
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

  const asideOf = (job: string) => ({
    id: job,
    version: null,
    bytes: 1,
    made_at: new Date().toISOString(),
    has_tables: false,
  });

  it('of another place is not there', async () => {
    const job = await accepted('plugins/update');
    await end(job, done(job));
    await ledger.product.request('PUT', `/api/sites/${id}`, {
      token: ledger.root,
      body: { connection: { ssh: { wp_path: '/srv/autre' } } },
    });
    expect(await ledger.rows('select id from sites.asides')).toEqual([]);
  });
});

describe('a licence that is missing', () => {
  const refused = { message: 'Mise à jour indisponible: licence requise', code: 'licence_required' };

  it('blocks that version, until it succeeds, another is offered, or a week is over', async () => {
    await end(await accepted('plugins/update'), null, refused);
    expect(await plugin()).toMatchObject({ hasUpdate: true, blockedByLicense: true });
    const { status, body } = await ask('plugins/update');
    expect([status, body['detail']]).toEqual([409, refused]);
    await ledger.rows("update sites.site_licences set since = since - interval '7 days'");
    expect(await plugin()).toMatchObject({ blockedByLicense: false });
    await ledger.rows('update sites.site_licences set since = now()');
    await see('1.2.0', '1.3.1');
    expect(await plugin()).toMatchObject({ blockedByLicense: false });
    const job = await accepted('plugins/update');
    await end(job, done(job, { to: '1.3.1' }));
    expect(await ledger.rows('select slug from sites.site_licences')).toEqual([]);
  });
});

describe('a change that is asked for again', () => {
  it('is for the version that is offered now, and audited', async () => {
    const job = await accepted('plugins/update');
    await end(job, null, { message: 'Une autre version est proposée.', code: 'refused_by_wordpress' });
    await see('1.2.0', '1.3.1');
    const { body } = await ledger.act(job, 'retry');
    expect(body).toMatchObject({ retry_of: job, about: 'Vitrine 1.2.0 → 1.3.1' });
    const claimed = await ledger.claim(String(body['id']), undefined, kinds);
    expect(claimed?.input).toMatchObject({ from: '1.2.0', to: '1.3.1', item: { slug: 'vitrine' } });
    expect(
      await ledger.rows("select id from sites.audit_lines where action = 'plugin_update' and target_id = $1", [id]),
    ).toHaveLength(2);
  });

  it('as a batch asks again for what was refused too', async () => {
    const items = [
      { kind: 'plugin', slug: 'vitrine' },
      { kind: 'plugin', slug: 'absente' },
    ];
    const batch = String((await ask('updates', { items })).body['job_id']);
    const [line] = await ledger.rows<{ id: string }>(
      "select id from sites.jobs where batch_id = $1 and state = 'queued'",
      [batch],
    );
    await end(line?.id ?? '', done(line?.id ?? ''));
    expect((await ledger.read(batch)).body).toMatchObject({ state: 'failed', counts: { succeeded: 1, failed: 1 } });
    const { body } = await ledger.act(batch, 'retry');
    expect(body).toMatchObject({ retry_of: batch, counts: { total: 1, queued: 1 } });
  });
});
