import { describe, expect, it } from 'vitest';
import { http, useSiteRows } from '@vigie/testing/site-rows';

const { root, client, query, ask, find, site, group, join, server } = useSiteRows();

describe('a search', () => {
  it('finds groups, servers and plugins by a part of their names, unless one has the whole name', async () => {
    const [a, b, c] = [await site('a'), await site('b', { server_id: await server('démo-Brest') }), await site('c')];
    await join(await group('UX Bretagne'), a);
    await join(await group('Clients'), b);
    await join(await group('Clients VIP'), c);
    await site('d', { server_id: await server('web-1'), host: null });
    await site('e', { server_id: await server('web-10'), host: null });
    await query(
      `insert into sites.site_extensions (site_id, type, slug, kind, name, status, is_network_active, has_update)
       values ($1, 'plugin', 'vitrine', 'regular', 'Étal', 'active', false, false),
         ($2, 'plugin', 'vitrine-pro', 'regular', 'Étal pro', 'active', false, false)`,
      a,
      b,
    );
    expect(await find('groupe:bretagne')).toBe('a');
    expect(await find('groupe:clients')).toBe('b');
    expect(await find('groupe:CLIENT')).toBe('b c');
    expect(await find('serveur:brest')).toBe('b');
    expect(await find('serveur:web-1')).toBe('d');
    expect(await find('serveur:web')).toBe('d e');
    expect(await find('serveur:exemple')).toBe('a c');
    expect(await find('plugin:vitr')).toBe('a b');
    expect(await find('plugin:vitrine')).toBe('a');
    expect(await find('plugin:etal')).toBe('a b');
    expect(await find('grp:x plugin:vitrine')).toBe('a');
  });

  it('that matches no group, server or plugin is explained by names that come near, of the caller alone', async () => {
    await join(await group('Vitrines'), await site('a'));
    await group('Vitrinnes des autres', null, client);
    await server('démo-brest');
    const explain = async (q: string, user = root) => {
      const { body } = await ask('GET', `/sites/search-hints?q=${encodeURIComponent(q)}`, undefined, user);
      return body['hints'];
    };
    expect(await explain('groupe:vitrinnes serveur:BREST maj:oui')).toEqual([
      { key: 'groupe', value: 'vitrinnes', choices: ['Vitrines'] },
    ]);
    expect(await explain('serveur:h.exemple serveur:lorient plugin:x')).toEqual([
      { key: 'serveur', value: 'lorient', choices: ['démo-brest'] },
      { key: 'plugin', value: 'x', choices: [] },
    ]);
    expect(await explain('groupe:vitrines', client)).toEqual([
      { key: 'groupe', value: 'vitrines', choices: ['Vitrinnes des autres'] },
    ]);
  });
});

describe('a site in the list', () => {
  const list = async (more = '') =>
    (await ask('GET', `/sites?limit=50${more}`)).body as unknown as {
      name: string;
      status_reasons: string[];
      work: object | null;
    }[];

  it('comes first when it needs somebody, and says why', async () => {
    const counts = { updates_core: 1, updates_plugins: 2, updates_themes: 0 };
    await site('a', { ...http(200), ...counts });
    await site('z', { ...http(500), ...counts });
    await site('y', { ssh_error: 'Le serveur refuse la clé.', ...http(200) });
    await site('b', { read_at: null });
    const waiting = 'À mettre à jour\u00a0: WordPress, 2\u00a0plugins.';
    const lines = await list('&sort=attention');
    expect(lines.map(({ name, status_reasons: reasons }) => [name, ...reasons])).toEqual([
      ['y', 'Le serveur refuse la clé.'],
      ['z', 'Le site répond 500.', waiting],
      ['a', waiting],
      ['b', 'Pas encore testé.'],
    ]);
    expect((await ask('GET', '/sites/ids?sort=attention&limit=1')).body['total']).toBe(4);
  });

  it('tells of its open jobs, and of those that ended in the same batch', async () => {
    const ids = [await site('a'), await site('b')];
    const { body } = await ask('POST', '/sites/batches/backup', { ids });
    const works = async () => (await list()).map(({ work }) => work);
    const queued = { kind: 'backups.create', state: 'queued', step: null, open: 1, done: 0 };
    expect(await works()).toEqual([expect.objectContaining(queued), expect.objectContaining(queued)]);
    const progress = { step: 'Copie des fichiers', done: 1, total: 4 };
    await query(
      "update sites.jobs set state = 'running', progress = $2 where site_id = $1 and not is_batch",
      ids[0],
      progress,
    );
    await query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, batch_id, queue, lane, is_exclusive, is_heavy, input, state,
         attempts, fence, created_at, finished_at)
       select gen_random_uuid(), kind, owner_id, actor_id, site_id, batch_id, queue, lane, is_exclusive, is_heavy, '{}',
         'succeeded', attempts, fence, created_at, now() from sites.jobs where site_id = $1 and not is_batch`,
      ids[0],
    );
    expect(await works()).toEqual([
      expect.objectContaining({ ...queued, state: 'running', step: 'Copie des fichiers', done: 1 }),
      expect.objectContaining(queued),
    ]);
    await query("update sites.jobs set state = 'failed', finished_at = now() where batch_id = $1", body['job_id']);
    expect(await works()).toEqual([null, null]);
  });
});

it('gives a broken site one reason, on its page, in the list of things to do and in the picture of the fleet', async () => {
  const culprit = { type: 'plugin', slug: 'avarie' };
  const problem = {
    kind: 'fatal',
    culprit,
    file: 'wp-content/plugins/avarie/avarie.php',
    line: 10,
    message: 'Undefined',
  };
  const silence = { ...http(0).http, error: `Silence${'.'.repeat(400)}` };
  await site('a', { problem, ...http(500) });
  await site('b', { http: silence });
  await site('c', http(503));
  await site('d', http(404));
  const read = async (path: string) => (await ask('GET', path)).body as never;
  const pages: { status_reasons: string[] }[] = await read('/sites?limit=50&sort=name');
  const shown = pages.map(({ status_reasons: [reason = ''] }) => reason);
  expect(shown).toEqual([
    'Le plugin avarie provoque une erreur PHP.',
    silence.error,
    'Le site répond 503.',
    'Le site répond 404.',
  ]);
  const { items }: { items: { worst: { reason: string }[] }[] } = await read('/dashboard/todo');
  expect(items[0]?.worst.map(({ reason }) => reason)).toEqual(shown.slice(0, 3).map((reason) => reason.slice(0, 300)));
  const { reasons }: { reasons: { text: string }[] } = await read('/dashboard/fleet');
  expect(reasons.map(({ text }) => text)).toEqual(shown.map((reason) => reason.slice(0, 120)));
});
