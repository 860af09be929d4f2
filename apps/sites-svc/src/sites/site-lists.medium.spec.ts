import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { http, useSiteRows } from '@vigie/testing/site-rows';

const { root, client, addAdmin, query, ask, find, site, group, join, server } = useSiteRows();
const tick = (key: string) => ({ 'idempotency-key': key });
const days = (count: number) => new Date(Date.now() - count * 86_400_000);

describe('a search', () => {
  it('compares versions number by number, and skips sites without a version', async () => {
    const versions = ['7.4.33', '8.2', '8.2.20', '8.10.1', '9', 'n/a', '99999999999999999999.1', '8..1', null];
    for (const [at, version] of versions.entries()) await site(`v${at}`, { php_version: version, wp_version: version });
    expect(await find('php:<8.2')).toBe('v0 v7');
    expect(await find('php:8.2')).toBe('v1 v2');
    expect(await find('wp:>8.2')).toBe('v3 v4 v6');
    expect(await find('wp:>=8.10 wp:<9.0')).toBe('v3');
    expect(await find('php:9.0')).toBe('v4');
  });

  it('filters by updates, HTTP status, site status and last backup', async () => {
    const counts = { updates_core: 0, updates_plugins: 0, updates_themes: 0, ...http(200) };
    await site('neuf', { ...counts, last_backup_at: days(1) });
    await site('vieux', { ...counts, updates_plugins: 2, last_backup_at: days(8) });
    await site('muet', { ...http(0), updates_core: 1 });
    await site('cassé', http(503));
    await site('perdu', http(404));
    await site('jamais lu', { read_at: null });
    expect(await find('maj:oui')).toBe('muet vieux');
    expect(await find('maj:non')).toBe('neuf');
    expect(await find('http:5xx')).toBe('cassé');
    expect(await find('http:4xx')).toBe('perdu');
    expect(await find('http:200 vi')).toBe('vieux');
    expect(await find('http:0')).toBe('muet');
    expect(await find('statut:erreur')).toBe('cassé muet');
    expect(await find('statut:attention', '&sort=-name')).toBe('vieux perdu');
    expect(await find('statut:inconnu')).toBe('jamais lu');
    expect(await find('sauvegarde:>7j')).toBe('vieux');
    expect(await find('sauvegarde:<48h')).toBe('neuf');
    expect(await find('sauvegarde:jamais')).toBe('cassé muet perdu');
    expect(await find('sauvegarde:jamais maj:oui')).toBe('muet');
    expect(await find('', '&sort=backup')).toBe('vieux neuf cassé jamais lu muet perdu');
    expect(await find('', '&sort=-backup')).toBe('neuf vieux cassé jamais lu muet perdu');
  });

  it('counts a site’s updates although those of one kind are unknown', async () => {
    await site('un', { updates_core: 1, updates_plugins: 0, updates_themes: 0 });
    await site('neuf', { updates_core: 0, updates_plugins: 0, updates_themes: 0 });
    await site('beaucoup', { updates_core: null, updates_plugins: 8, updates_themes: 1 });
    await site('inconnu');
    expect(await find('statut:attention')).toBe('beaucoup un');
    expect(await find('statut:ok')).toBe('inconnu neuf');
    expect(await find('', '&sort=-updates')).toBe('beaucoup un neuf inconnu');
    const { body } = await ask('GET', '/dashboard/todo');
    const [, updates] = body['items'] as { worst: { name: string; updates: number }[] }[];
    expect(updates?.worst.map(({ name, updates: count }) => [name, count])).toEqual([
      ['beaucoup', 9],
      ['un', 1],
    ]);
  });

  it('filters by group with its subgroups, by server and by plugin', async () => {
    const [a, b, c] = [await site('a'), await site('b', { server_id: await server('web-10') }), await site('c')];
    const top = await group('Grands Comptes');
    await join(top, a);
    await join(await group('dessous', top), b);
    // The overview of plugins links here, so the counts must agree.
    await query(
      `insert into sites.site_extensions (site_id, type, slug, kind, name, status, is_network_active, has_update)
       values ($1, 'plugin', 'woocommerce', 'regular', 'WooCommerce', 'active', false, false),
         ($2, 'plugin', 'woocommerce', 'must_use', 'WooCommerce', 'active', false, false)`,
      c,
      a,
    );
    await site('z', { server_id: await server('web-9'), host: null });
    expect(await find('groupe:"grands comptes"')).toBe('a b');
    expect(await find('groupe:"grands comptes" groupe:dessous')).toBe('b');
    expect(await find('serveur:WEB-10')).toBe('b');
    expect(await find('serveur:h.exemple.fr')).toBe('a c');
    expect(await find('plugin:WooCommerce')).toBe('c');
    expect(await find('', '&sort=server')).toBe('a c z b');
    expect(await find('', '&sort=-server')).toBe('b z a c');
    expect(await find('groupe:"grands comptes"', '', client)).toBe('');
  });

  it('finds all words in any order, with or without accents, in the name and address of the site or its server', async () => {
    const site1 = await site('Musée d’Évreux');
    await query("update sites.sites set url = 'https://www.boutique.fr/' || repeat('é', 900) where id = $1", site1);
    await site('Boutique', { server_id: await server('Web Été') });
    expect(await find("EVREUX d'e musee")).toBe('Musée d’Évreux');
    expect(await find('https://www.boutique.fr/')).toBe('Musée d’Évreux');
    expect(await find('boutique')).toBe('Boutique Musée d’Évreux');
    expect(await find('ete web')).toBe('Boutique');
    expect(await find('musee web')).toBe('');
    expect(await find('boutique', '&sort=-name')).toBe('Musée d’Évreux Boutique');
  });

  it.each([
    ["' or 1=1 --", ''],
    ['groupe:"\' or true --"', ''],
    ['%', ''],
    ['https://y', ''],
    ['maj:bof', '«\u00a0maj:\u00a0» attend «\u00a0oui\u00a0» ou «\u00a0non\u00a0».'],
    ["php:8') or true --", '«\u00a0php:\u00a0» attend une version comme «\u00a08.2\u00a0» ou «\u00a0<8.2\u00a0».'],
    ['maj:oui '.repeat(12), 'Une recherche compte 10 filtres au plus.'],
  ])('for %s finds nothing, or explains why', async (q, expected) => {
    await site('a');
    expect(await find(q)).toBe(expected);
  });

  it('returns the ids of all matching sites of the caller', async () => {
    const ids = [await site('a'), await site('b'), await site('autre', {}, client)];
    const { body } = await ask('GET', '/sites/ids?limit=1&offset=1&sort=server');
    expect(body).toEqual({ ids: [ids[1]], total: 2 });
    expect((await ask('GET', '/sites/ids?q=autre', undefined, client)).body).toEqual({ ids: [ids[2]], total: 1 });
    expect((await ask('GET', '/sites/ids?q=http:9')).status).toBe(400);
  });
});

describe('a view', () => {
  const settings = { q: 'maj:oui', status: 'error', sort: '-backup', columns: ['http', 'url'] };
  const names = async (user = root) =>
    ((await ask('GET', '/site-views', undefined, user)).body as unknown as { name: string }[]).map(({ name }) => name);

  it('is created, renamed, changed and deleted by its owner, and visible to nobody else', async () => {
    const { status, body } = await ask('POST', '/site-views', { name: ' Retards ', ...settings }, root, tick('one'));
    const repeated = await ask('POST', '/site-views', { name: ' Retards ', ...settings }, root, tick('one'));
    expect([status, repeated.body]).toEqual([201, body]);
    const path = `/site-views/${String(body['id'])}`;
    const none = { group_id: null, server_id: null };
    expect(body).toEqual({ id: body['id'], name: 'Retards', ...settings, columns: ['url', 'http'], ...none });
    const renamed = await ask('PUT', path, { name: 'À jour' });
    expect(renamed.body).toEqual({ ...body, name: 'À jour' });
    expect((await ask('PUT', path, { shown: { q: 'http:5xx', columns: [] } })).body).toMatchObject({
      name: 'À jour',
      q: 'http:5xx',
      status: null,
      columns: [],
    });
    for (const user of [client, await addAdmin()]) expect(await names(user)).toEqual([]);
    expect((await ask('DELETE', path)).status).toBe(204);
    expect(await names()).toEqual([]);
  });

  it.each([
    [{ name: ' ', columns: [] }, 400],
    [{ name: 'a', columns: ['mot de passe'] }, 400],
    [{ name: 'a', columns: [], q: 'maj:bof' }, 400],
    [{ name: 'a', columns: [], sort: 'id' }, 400],
    [{ name: 'a' }, 422],
  ])('that is %j is refused', async (body, status) => {
    expect((await ask('POST', '/site-views', body)).status).toBe(status);
  });

  it('has a unique name, and is one of fifty at most', async () => {
    const createView = (name: string) => ask('POST', '/site-views', { name, columns: [] });
    const first = await createView('Vue');
    expect((await createView('vue')).body['detail']).toContain('s’appelle déjà');
    await query(
      `insert into sites.site_views select gen_random_uuid(), user_id, 'v' || n, q, null, null, null, sort, columns
       from sites.site_views, generate_series(1, 48) n`,
    );
    const [a, b] = await Promise.all([createView('x'), createView('y')]);
    expect(new Set([a.status, b.status])).toEqual(new Set([201, 409]));
    expect((await ask('PUT', `/site-views/${String(first.body['id'])}`, { name: 'V1' })).status).toBe(409);
    expect((await names()).length).toBe(50);
  });
});

describe('a batch', () => {
  const plan = async (body: object, user = root) => {
    const answer = await ask('POST', '/sites/batches/plan', body, user);
    const items = answer.body['items'] as { site_name: string; warning: string | null; refusal: string | null }[];
    return answer.status === 200
      ? items.map(({ site_name: name, warning, refusal }) => [name, refusal ?? warning])
      : [answer.status];
  };
  const lost = { host: null, login: null, method: null, credential: null, credential_for: null };
  const lines = (id: unknown) =>
    query('select site_name, state, queue, is_exclusive from sites.jobs where batch_id = $1 order by site_name', id);

  it('of backups creates the possible ones once, with a reason for the others', async () => {
    const ids = [await site('b 10'), await site('b 9', { ssh_error: 'Silence.' }), await site('perdu', lost)];
    const lonely = expect.stringContaining('n’a plus de serveur');
    expect(await plan({ verb: 'backup', ids })).toEqual([
      ['b 9', 'La dernière connexion a échoué\u00a0: Silence.'],
      ['b 10', null],
      ['perdu', lonely],
    ]);
    const first = await ask('POST', '/sites/batches/backup', { ids }, root, tick('backup'));
    const repeated = await ask('POST', '/sites/batches/backup', { ids }, root, tick('backup'));
    expect([first.status, repeated.body]).toEqual([202, first.body]);
    const columns = { queue: 'site-transfers', is_exclusive: true };
    expect(await lines(first.body['job_id'])).toEqual([
      { site_name: 'b 10', state: 'queued', ...columns },
      { site_name: 'b 9', state: 'queued', ...columns },
      { site_name: 'perdu', state: 'failed', ...columns },
    ]);
    const same = await ask('POST', '/sites/batches/backup', { ids: ids.slice(0, 2) });
    expect(same.body['job_id']).toBe(first.body['job_id']);
    const another = await ask('POST', '/sites/batches/backup', { ids: ids.slice(0, 2), exclude_cache: false });
    expect([another.status, another.text]).toEqual([409, expect.stringContaining('déjà en cours')]);
    expect(await plan({ verb: 'backup', ids: ids.slice(0, 1) })).toEqual([
      ['b 10', expect.stringContaining('déjà en cours')],
    ]);
    // The caller may not see a batch that an administrator created over several owners.
    await query('update sites.jobs set owner_id = gen_random_uuid() where id = $1', first.body['job_id']);
    const hidden = await ask('POST', '/sites/batches/backup', { ids: ids.slice(0, 2) });
    expect([hidden.status, hidden.text]).toEqual([409, expect.stringContaining('déjà en cours')]);
    expect(await plan({ verb: 'delete', ids: ids.slice(0, 1) })).toEqual([
      ['b 10', expect.stringContaining('ira à son terme')],
    ]);
  });

  it('of tests names sites without a connection', async () => {
    const ids = [await site('un', { refusal: 'non' }), await site('perdu', lost)];
    expect(await plan({ verb: 'test', ids })).toEqual([
      ['perdu', expect.stringContaining('n’a plus de serveur')],
      ['un', expect.stringContaining('de nouveau')],
    ]);
    const { body } = await ask('POST', '/sites/test', { ids: ids.slice(0, 1) });
    expect(await lines(body['job_id'])).toHaveLength(1);
  });

  it('adds all sites to a group or none, with a line for each that moved', async () => {
    const [clients, theirs] = [await group('Clients'), await group('Ailleurs', null, client)];
    const ids = [await site('a'), await site('b')];
    const other = await site('c', {}, client);
    await join(clients, ids[0] ?? '');
    const form = { ids, group_id: clients, verb: 'join' };
    expect(await plan(form)).toEqual([
      ['a', 'Ce site est déjà dans le groupe Clients.'],
      ['b', null],
    ]);
    const done = await ask('POST', '/sites/batches/group', form, root, tick('group'));
    expect([done.status, done.body]).toEqual([200, { count: 2 }]);
    expect((await ask('POST', '/sites/batches/group', form, root, tick('group'))).body).toEqual({ count: 2 });
    const feedNames = () => query("select site_name from sites.activity where type = 'site_edit' order by created_at");
    expect(await feedNames()).toEqual([{ site_name: 'b' }]);
    for (const refused of [
      { ...form, group_id: theirs },
      { ...form, ids: [...ids, other] },
    ]) {
      expect((await ask('POST', '/sites/batches/group', refused)).status).toBe(404);
    }
    const admin = { 'x-admin-mode': '1' };
    const mixedAnswer = await ask('POST', '/sites/batches/group', { ...form, ids: [...ids, other] }, root, admin);
    expect([mixedAnswer.status, mixedAnswer.text]).toEqual([400, expect.stringContaining('même personne')]);
    expect((await ask('POST', '/sites/batches/group', { ...form, verb: 'leave' })).body).toEqual({ count: 2 });
    expect(await query('select site_id from sites.site_groups')).toEqual([]);
    expect(await feedNames()).toHaveLength(3);
  });

  it('deletes all sites with their rows or none, once', async () => {
    const ids = [await site('a'), await site('b')];
    const other = await site('c', {}, client);
    const remove = (which: string[], headers = {}) =>
      ask('POST', '/sites/batches/delete', { ids: which }, root, headers);
    expect((await remove([...ids, other])).status).toBe(404);
    expect(await query('select id from sites.sites')).toHaveLength(3);
    const state = async () =>
      (await query("select fact from sites.outbox where fact ->> 'kind' = 'site_deleted'")).length;
    const before = await state();
    const done = await remove(ids, tick('delete'));
    expect([done.status, done.body]).toEqual([200, { count: 2 }]);
    expect((await remove(ids, tick('delete'))).body).toEqual({ count: 2 });
    expect((await remove(ids)).status).toBe(404);
    expect(await query('select id from sites.sites')).toEqual([{ id: other }]);
    expect((await state()) - before).toBe(2);
    expect(await query("select site_name from sites.activity where type = 'site_delete' order by site_name")).toEqual([
      { site_name: 'a' },
      { site_name: 'b' },
    ]);
  });

  it.each([
    ['to join no group', 'plan', { verb: 'join', ids: [randomUUID()] }, 400],
    ['to test a group', 'plan', { verb: 'test', ids: [randomUUID()], group_id: randomUUID() }, 400],
    ['for what nobody knows', 'plan', { verb: 'raser', ids: [randomUUID()] }, 400],
    ['for nothing', 'delete', { ids: [] }, 400],
    ['for too many', 'backup', { ids: Array.from({ length: 501 }, () => randomUUID()) }, 400],
    ['in another shape', 'backup', { ids: 'tous' }, 422],
    ['for what is not there', 'plan', { verb: 'delete', ids: [randomUUID()] }, 404],
  ])('with %s is refused', async (_, path, body, status) => {
    expect((await ask('POST', `/sites/batches/${path}`, body)).status).toBe(status);
  });
});
