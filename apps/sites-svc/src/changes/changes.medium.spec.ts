import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ChangeInput } from '@vigie/contracts/changes';
import type { SiteState } from '@vigie/contracts/inventory';
import { reportScans } from '@vigie/contracts/site-checks';
import { emptyTables } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { addUser } from '@vigie/testing/people';
import { anExtension, aSiteState } from '@vigie/testing/site-state';
import { sendArchive } from '@vigie/testing/uploads';
import { until } from '@vigie/testing/until';
import { aPlugin, aTheme } from '@vigie/testing/zip';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.start();
});
afterAll(() => ledger?.stop());
beforeEach(() => emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs', 'sites.uploads'));

const kinds = ['update', 'install', 'activate', 'deactivate', 'restore'].map((verb) => `changes.${verb}`);
const vitrine = anExtension({
  slug: 'vitrine',
  file: 'vitrine/vitrine.php',
  name: 'Vitrine',
  version: '1.2.0',
  hasUpdate: true,
  new_version: '1.3.0',
});
const extensions = [
  vitrine,
  anExtension({ slug: 'pause', name: 'Pause', version: '2.0', status: 'inactive' }),
  anExtension({ slug: 'loader', name: 'Loader', kind: 'must_use', hasUpdate: true, new_version: '9' }),
  anExtension({ slug: 'object-cache', name: 'Cache', kind: 'drop_in' }),
  anExtension({ type: 'theme', slug: 'voile', file: null, name: 'Voile', version: '1.0' }),
];
const core = { version: '6.8', locale: 'fr_FR', hasUpdate: true, new_version: '6.9' };

async function site(state: Partial<SiteState> = {}, name = 'vitrine.fr'): Promise<string> {
  const id = await ledger.createSite(name);
  await reportState(id, state);
  return id;
}

const reportState = (id: string, state: Partial<SiteState> = {}) =>
  ledger.agent.call(reportScans, {
    items: [{ id, version: 1, facts: aSiteState({ depth: 'inspect', core, extensions, ...state }), failure: null }],
  });

const ask = (path: string, body: object = {}, headers = {}, token = ledger.root) =>
  ledger.product.request('POST', `/api${path}`, { token, body, headers: { prefer: 'respond-async', ...headers } });
const requestChange = (id: string, path: string, body: object = {}, headers = {}) =>
  ask(`/sites/${id}/${path}`, body, headers);

async function requestAcceptedChange(id: string, path: string, body: object = {}, headers = {}): Promise<string> {
  const { status, body: ticket, text } = await requestChange(id, path, body, headers);
  if (status !== 202) throw new Error(text);
  return String(ticket['job_id']);
}
/** Gives the site a login of its own, because its new owner does not own the server. */
async function giveTo(id: string, owner: string) {
  await ledger.rows('update sites.sites set owner_id = $2, server_id = null, host = $3, login = $4 where id = $1', [
    id,
    owner,
    '10.0.0.7',
    'www',
  ]);
  await ledger.rows(
    `update sites.sites set (credential, credential_for, method) = (select credential, '{"host":"10.0.0.7","port":22,"user":"www"}'::jsonb, 'password' from sites.servers limit 1) where id = $1`,
    [id],
  );
}
const adminMode = { 'x-admin-mode': '1' };
const jobOf = async (id: string) => (await ledger.read(id)).body;
const linesOf = async (batch: string) =>
  (await ledger.request('GET', `/jobs?batch_id=${batch}`)).body['items'] as {
    id: string;
    about: string;
    state: string;
    error: { message: string; code: string } | null;
  }[];
const upload = async (filename: string, archive = aPlugin(), token = ledger.root, kind = 'plugins') =>
  (await sendArchive(ledger.product, archive, filename, { token, kind })).body;

describe('a change', () => {
  it('is an exclusive job, announced to the agents and audited', async () => {
    const id = await site();
    const jobId = await requestAcceptedChange(id, 'plugins/update', { slug: 'vitrine' });
    expect(await jobOf(jobId)).toMatchObject({
      kind: 'changes.update',
      about: 'Vitrine 1.2.0 → 1.3.0',
      item: { kind: 'plugin', slug: 'vitrine' },
      site_name: 'vitrine.fr',
    });
    const { input } = await ledger.begin(jobId, kinds);
    expect(ChangeInput.parse(input)).toMatchObject({
      site: { id, path: '/srv/www', php: '/usr/bin/php8.2' },
      item: { kind: 'plugin', slug: 'vitrine', name: 'Vitrine' },
      from: '1.2.0',
      to: '1.3.0',
      package: null,
      aside_id: null,
    });
    const [line] = await ledger.rows<{ details: string }>(
      "select details from sites.audit_lines where action = 'plugin_update' and target_id = $1",
      [id],
    );
    const details = { slug: 'vitrine', from: '1.2.0', to: '1.3.0', job_id: jobId };
    expect(JSON.parse(line?.details ?? '')).toMatchObject(details);
  });

  it('waits while another change of its site is open', async () => {
    const id = await site();
    const first = await requestAcceptedChange(id, 'plugins/update', { slug: 'vitrine' });
    await ledger.claim(first, undefined, kinds);
    const second = await requestAcceptedChange(id, 'core/update');
    const other = await requestAcceptedChange(await site({}, 'autre.fr'), 'core/update');
    await until(() => ledger.isDispatched(other));
    expect(await ledger.isDispatched(second)).toBe(false);
  });

  it('requested twice is one job, and another change of the same item is refused', async () => {
    const id = await site();
    const both = await Promise.all([1, 2].map(() => requestAcceptedChange(id, 'plugins/update', { slug: 'vitrine' })));
    expect(both[0]).toBe(both[1]);
    const { status, text } = await requestChange(id, 'plugins/deactivate', { slug: 'vitrine' });
    expect([status, text]).toEqual([
      409,
      expect.stringContaining('Vitrine est déjà en cours de modification sur ce site\u00a0: '),
    ]);
    expect(await ledger.rows('select id from sites.jobs')).toHaveLength(1);
  });

  it('under one idempotency key is one job, even after it has ended', async () => {
    const id = await site();
    const key = { 'idempotency-key': randomUUID() };
    const jobId = await requestAcceptedChange(id, 'plugins/update', { slug: 'vitrine' }, key);
    await ledger.rows("update sites.jobs set state = 'succeeded', finished_at = now()");
    await reportState(id, { extensions: [{ ...vitrine, version: '1.3.0', hasUpdate: false, new_version: null }] });
    expect(await requestAcceptedChange(id, 'plugins/update', { slug: 'vitrine' }, key)).toBe(jobId);
    expect((await requestChange(id, 'plugins/update', { slug: 'pause' }, key)).status).toBe(422);
    expect((await requestChange(id, 'plugins/update', { slug: 'vitrine' })).status).toBe(409);
  });

  it.each([
    ['plugins/update', { slug: 'pause' }, 409, 'Aucune mise à jour n’est proposée pour Pause.'],
    ['plugins/update', { slug: 'absente' }, 404, 'Cette extension n’est pas connue sur ce site'],
    ['themes/activate', { slug: 'absent' }, 404, 'Ce thème n’est pas connu sur ce site'],
    ['plugins/update', { slug: 'loader' }, 400, 'Loader est une extension indispensable (must-use)'],
    ['plugins/deactivate', { slug: 'object-cache' }, 400, 'Cache est un fichier de remplacement (drop-in)'],
    ['plugins/activate', { slug: 'vitrine' }, 400, 'Vitrine est déjà active.'],
    ['themes/activate', { slug: 'voile' }, 400, 'Le thème Voile est déjà actif.'],
    ['plugins/deactivate', { slug: 'pause' }, 400, 'Pause est déjà inactive.'],
    ['plugins/restore', { slug: 'vitrine' }, 409, 'Aucune version précédente de Vitrine n’est conservée'],
    ['plugins/update', { slug: '../x' }, 400, 'Cet identifiant n’est pas celui d’une extension.'],
    ['plugins/install', { filename: ' ' }, 400, 'Choisissez un fichier.'],
    ['plugins/install', { filename: 'absent.zip' }, 404, 'Cette archive n’existe pas ou n’existe plus'],
    ['plugins/update', {}, 422, ''],
  ])('is refused: %s %j', async (path, body, status, words) => {
    const { status: answered, text } = await requestChange(await site(), path, body);
    expect([answered, text]).toEqual([status, expect.stringContaining(words)]);
  });

  it.each([
    [{ forbids_changes: true }, 'DISALLOW_FILE_MODS'],
    [{ is_composer: true }, 'Composer'],
    [{ is_writable: false }, 'ne peuvent pas être modifiés'],
  ])('is refused when files must not change: %j', async (state, words) => {
    const id = await site(state);
    await upload('boussole.zip');
    for (const [path, body] of [
      ['plugins/update', { slug: 'vitrine' }],
      ['core/update', {}],
      ['plugins/install', { filename: 'boussole.zip' }],
    ] as const) {
      const { status, body: answer } = await requestChange(id, path, body);
      expect([path, status, answer['detail']]).toEqual([
        path,
        409,
        { code: 'changes_forbidden', message: expect.stringContaining(words), remedy: expect.any(String) },
      ]);
    }
    expect((await requestChange(id, 'plugins/activate', { slug: 'pause' })).status).toBe(202);
  });

  it('is not refused on uncertain state: the job asks WordPress itself', async () => {
    await upload('boussole.zip');
    const uncertainState: Partial<SiteState> = {
      depth: 'scan',
      needs_boot: ['computed_config'],
      is_writable: false,
      forbids_changes: true,
    };
    const unread = await ledger.createSite('neuf.fr');
    for (const id of [
      unread,
      await site({ ...uncertainState, extensions: [] }),
      await site(uncertainState, 'autre.fr'),
    ]) {
      const update = await requestAcceptedChange(id, 'plugins/update', { slug: 'inconnue' });
      const [job] = await ledger.rows('select input from sites.jobs where id = $1', [update]);
      expect(job).toMatchObject({ input: { item: { slug: 'inconnue', name: 'inconnue' }, from: null, to: null } });
      await requestAcceptedChange(id, 'plugins/deactivate', { slug: 'pause' });
      await requestAcceptedChange(id, 'plugins/install', { filename: 'boussole.zip' });
    }
  });
});

describe('an archive', () => {
  it('is the site owner’s, rather than the caller’s own', async () => {
    const client = await addUser(ledger.product, ledger.root);
    const id = await site();
    await giveTo(id, client.id);
    const ownUpload = await upload('b.zip', aPlugin({ version: '3.0.0' }));
    const jobId = await requestAcceptedChange(id, 'plugins/install', { filename: 'b.zip' }, adminMode);
    const otherUpload = await upload('b.zip', aPlugin({ version: '4.0.0' }), client.token);
    await ledger.rows('delete from sites.jobs');
    const after = await requestAcceptedChange(id, 'plugins/install', { filename: 'b.zip', activate: true }, adminMode);
    expect(jobId).not.toBe(after);
    const [row] = await ledger.rows<{ input: unknown; about: string }>('select input, about from sites.jobs');
    expect(row?.about).toBe('b.zip');
    expect(ChangeInput.parse(row?.input)).toMatchObject({
      item: { kind: 'plugin', slug: 'boussole', name: 'Boussole' },
      from: null,
      to: '4.0.0',
      activate: true,
      package: { sha256: otherUpload['sha256'], filename: 'b.zip', unpacked: expect.any(Number) },
    });
    expect(ownUpload['sha256']).not.toBe(otherUpload['sha256']);
  });

  it('must be of the installed type, and require no more than the site has', async () => {
    const id = await site({ php: { binary: '/usr/bin/php', version: '7.4.33' } });
    await upload('voile.zip', aTheme(), ledger.root, 'themes');
    expect((await requestChange(id, 'plugins/install', { filename: 'voile.zip' })).status).toBe(404);
    await upload('boussole.zip');
    const { status, text } = await requestChange(id, 'plugins/install', { filename: 'boussole.zip' });
    expect([status, text]).toEqual([409, expect.stringContaining('demande PHP 8.1, ce site a PHP 7.4.33.')]);
  });

  it('is installed on many sites, with a reason for each refusal', async () => {
    const [openSite, closedSite] = [await site({}, 'ouvert.fr'), await site({ forbids_changes: true }, 'fermé.fr')];
    const { id } = await upload('boussole.zip');
    const plan = await ask(`/uploads/${String(id)}/install/plan`, { site_ids: [openSite, closedSite] });
    expect(plan.body).toMatchObject({
      items: [
        { site_name: 'fermé.fr', refusal: expect.stringContaining('DISALLOW_FILE_MODS') },
        {
          site_name: 'ouvert.fr',
          refusal: null,
          from: null,
          to: '2.1.0',
          command: "Plugin_Upgrader->install('boussole.zip', ['overwrite_package' => true]) dans /srv/www",
        },
      ],
    });
    const { status, body } = await ask(`/uploads/${String(id)}/install`, {
      site_ids: [openSite, closedSite],
      activate: true,
    });
    expect(status).toBe(202);
    expect((await linesOf(String(body['job_id']))).map(({ state, error }) => [state, error?.code])).toEqual(
      expect.arrayContaining([
        ['failed', 'changes_forbidden'],
        ['queued', undefined],
      ]),
    );
  });
});

describe('many changes', () => {
  const items = [
    { kind: 'plugin', slug: 'vitrine' },
    { kind: 'core', slug: 'wordpress' },
    { kind: 'plugin', slug: 'pause' },
    { kind: 'plugin', slug: 'vitrine' },
  ];

  it('of one site are a batch with a job for each, refused ones included', async () => {
    const id = await site();
    const { status, body, headers } = await requestChange(id, 'updates', { items });
    const batch = String(body['job_id']);
    expect([status, headers.get('location')]).toEqual([202, `/api/jobs/${batch}`]);
    expect((await jobOf(batch))['counts']).toMatchObject({ total: 3, queued: 2, failed: 1 });
    const lines = await linesOf(batch);
    expect(lines.map(({ about, state }) => `${about} ${state}`).toSorted()).toEqual([
      'Pause 2.0 → nouvelle version failed',
      'Vitrine 1.2.0 → 1.3.0 queued',
      'WordPress 6.8 → 6.9 queued',
    ]);
    expect(lines.find(({ state }) => state === 'failed')?.error).toMatchObject({ code: 'nothing_to_do' });
    const repeated = await requestChange(id, 'updates', { items: items.slice(0, 2) });
    expect(repeated.body['job_id']).toBe(batch);
  });

  it('of many sites are one batch under one idempotency key', async () => {
    const ids = [await site({}, 'a.fr'), await site({}, 'b.fr')];
    const targets = ids.map((id) => ({ site_id: id, kind: 'plugin', slug: 'vitrine' }));
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2].map(() => ask('/updates', { targets }, key)));
    expect(new Set(answers.map(({ body }) => body['job_id'])).size).toBe(1);
    expect(await ledger.rows('select id from sites.jobs where not is_batch and is_exclusive')).toHaveLength(2);
    const auditLines = await ledger.rows('select id from sites.audit_lines where target_id = any($1)', [ids]);
    // One line for the creation of each site, and one for each update.
    expect(auditLines).toHaveLength(4);
  });

  it('are refused while they are open in a batch that the caller may not see', async () => {
    const client = await addUser(ledger.product, ledger.root);
    const [ownSite, otherSite] = [await site({}, 'a.fr'), await site({}, 'b.fr')];
    await giveTo(otherSite, client.id);
    const targets = [ownSite, otherSite].map((id) => ({ site_id: id, kind: 'plugin', slug: 'vitrine' }));
    expect((await ask('/updates', { targets }, adminMode)).status).toBe(202);
    const body = { items: [{ kind: 'plugin', slug: 'vitrine' }] };
    const { status, text } = await ask(`/sites/${otherSite}/updates`, body, {}, client.token);
    expect([status, text]).toEqual([409, expect.stringContaining('Vitrine est déjà en cours de modification')]);
  });

  it('are refused with each reason when none is possible', async () => {
    const ids = [await site({}, 'a.fr'), await site({}, 'b.fr')];
    const targets = ids.map((id) => ({ site_id: id, kind: 'plugin', slug: 'pause' }));
    const { status, body } = await ask('/updates', { targets });
    expect([status, body['detail']]).toEqual([
      409,
      {
        message: expect.stringContaining('Rien de cette sélection ne peut être fait.'),
        code: 'refused_by_wordpress',
        refusals: expect.arrayContaining([expect.objectContaining({ site_name: 'b.fr', slug: 'pause' })]),
      },
    ]);
    expect(await ledger.rows('select id from sites.jobs')).toEqual([]);
  });

  it('of somebody else’s sites are not found, whatever headers the caller sends', async () => {
    const { token } = await addUser(ledger.product, ledger.root);
    const id = await site();
    const { id: archive } = await upload('boussole.zip');
    const ownUpload = await upload('c.zip', aPlugin(), token);
    const target = { site_id: id, kind: 'plugin', slug: 'vitrine' };
    const statuses = [];
    for (const [path, body] of [
      ['/updates', { targets: [target] }],
      ['/updates/plan', { site_ids: [id] }],
      [`/uploads/${String(ownUpload['id'])}/install`, { site_ids: [id] }],
      [`/uploads/${String(archive)}/install/plan`, { site_ids: [id] }],
    ] as const) {
      statuses.push((await ask(path, body, adminMode, token)).status);
    }
    expect(statuses).toEqual([404, 404, 404, 404]);
    expect(await ledger.rows('select id from sites.jobs')).toEqual([]);
  });
});

describe('a plan', () => {
  const lines = async (body: object) => (await ask('/updates/plan', body)).body['items'] as Record<string, unknown>[];

  it('lists the commands, sites and warnings', async () => {
    const id = await site({ is_multisite: true });
    const { body } = await ask('/updates/plan', { site_ids: [id] });
    expect(body).toMatchObject({
      items: [
        {
          kind: 'core',
          from: '6.8',
          to: '6.9',
          command: "Core_Upgrader->upgrade('6.9'), puis wp_upgrade() dans /srv/www",
        },
        {
          name: 'Vitrine',
          command: "Plugin_Upgrader->bulk_upgrade(['vitrine/vitrine.php']) dans /srv/www",
          warnings: [
            expect.stringContaining('plus de 24\u00a0heures'),
            expect.stringContaining('réseau de sites (multisite)'),
          ],
          refusal: null,
        },
      ],
      left_out: 0,
    });
    expect(body['notes']).toContainEqual(
      expect.stringContaining('la base de données est mise de côté avec les fichiers'),
    );
    expect(await lines({ site_ids: [id], items: [{ kind: 'plugin', slug: 'vitrine' }] })).toHaveLength(1);
  });

  it('shows refused items, broken sites, open changes and full disks', async () => {
    const problem = { kind: 'fatal', message: 'x'.repeat(900), file: null, line: null, culprit: null } as const;
    const id = await site({ problem });
    await requestAcceptedChange(id, 'plugins/update', { slug: 'vitrine' });
    await ledger.rows(`update sites.servers set vitals = '{"disk_pct": 93, "disk_mount": "/srv"}'`);
    const { body } = await ask('/updates/plan', { site_ids: [id] });
    const [, line] = body['items'] as { refusal: string; warnings: string[] }[];
    expect(line?.refusal).toContain('Vitrine est déjà en cours de modification');
    expect(line?.warnings[0]).toMatch(/^Ce site est déjà en panne\u00a0: x{170,175}…$/);
    expect(body['disks']).toEqual([{ server_name: 'web', disk: '93%:/srv', is_nearly_full: true }]);
    await ledger.rows('update sites.servers set vitals = null');
  });
});
