import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSiteCsv } from '@vigie/contracts/site-csv-file';
import { emptyTables } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';

type Person = { token: string; id: string };
type Line = Record<string, string | number>;

let product: TestProduct;
let root: Person;
let client: Person;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  const token = await product.login();
  const [{ id } = { id: '' }] = await query<{ id: string }>('select id from auth.users');
  root = { token, id };
  client = await addUser(product, token);
});
afterAll(() => product?.stop());
beforeEach(() => emptyTables(product.database, 'sites.sites', 'sites.groups', 'sites.servers'));

const query = async <R>(sql: string, ...values: unknown[]) => (await product.database.query(sql, values)).rows as R[];
const ask = (method: string, path: string, body?: object, { token } = root, headers: Record<string, string> = {}) =>
  product.request(method, `/api/sites${path}`, { token, headers, ...(body && { body }) });
const group = async (name: string, parent: string | null = null) =>
  String(
    (await product.request('POST', '/api/groups', { token: root.token, body: { name, parent_id: parent } })).body['id'],
  );

async function server(name: string, host: string, { owner = root, method = 'key' } = {}): Promise<string> {
  const id = randomUUID();
  await query(
    `insert into sites.servers (id, owner_id, name, host, port, login, type, credential, method, public_key)
     values ($1, $2, $3, $4, 22, 'deploy', 'prod', '{}', $5, 'ssh-ed25519 AAAA')`,
    id,
    owner.id,
    name,
    host,
    method,
  );
  return id;
}

/** Numbers the lines as a spreadsheet does. */
const linesOf = (...lines: Line[]) => ({
  lines: lines.map((line, at) => ({ line: at + 2, name: `Site ${at}`, url: `site-${at}.fr`, ...line })),
});

async function preview(...lines: Line[]) {
  const { status, body, text } = await ask('POST', '/csv/preview', linesOf(...lines));
  if (status !== 200) throw new Error(text);
  return body['items'] as Record<string, unknown>[];
}
const reasons = async (...lines: Line[]) => (await preview(...lines)).map(({ reason }) => reason);
const rowsOf = (text: string) => {
  const read = readSiteCsv(text);
  if ('refusal' in read) throw new Error(read.refusal);
  return read.lines;
};

describe('a preview', () => {
  it('finds servers by name or host, and groups by name or path', async () => {
    const web = await server('Web-03', 'web3.exemple.fr');
    await server('ailleurs', 'autre.exemple.fr', { owner: client });
    await group('Bretagne', await group('Clients'));
    const [byName, byHost, byOwnHost, byUser] = await preview(
      { server: 'web-03', groups: 'bretagne | Neuf > Dessous' },
      { server: 'web3.exemple.fr', groups: 'clients' },
      { host: 'web3.exemple.fr', path: '/srv/c' },
      { host: 'web3.exemple.fr', user: 'www', path: '/srv/d' },
    );
    expect(byName).toMatchObject({ state: 'new', reason: null, server: { id: web, name: 'Web-03' } });
    expect(byName?.['groups']).toEqual([
      { path: 'Clients › Bretagne', is_new: false },
      { path: 'Neuf › Dessous', is_new: true },
    ]);
    expect(byHost).toMatchObject({ server: { id: web }, groups: [{ path: 'Clients', is_new: false }] });
    expect([byOwnHost?.['server'], byUser?.['server']]).toEqual([{ id: web, name: 'Web-03' }, null]);
    expect(await query('select name from sites.groups where name = $1', 'Neuf')).toEqual([]);
  });

  it('says in French which cell a line is refused for', async () => {
    await server('web-03', 'web3.exemple.fr', { method: 'password' });
    await server('ailleurs', 'autre.exemple.fr', { owner: client });
    await group('Nord', await group('A'));
    await group('Nord', await group('B'));
    expect(
      await reasons(
        { server: 'web-3' },
        { server: 'ailleurs' },
        { name: '', server: 'web-03' },
        { url: 'ftp://a.fr', server: 'web-03' },
        { server: 'web-03', port: 'vingt-deux' },
        { server: 'web-03', path: 'www' },
        { server: 'web-03', user: 'www' },
        { host: 'a.fr' },
        { server: 'web-03', groups: 'Nord' },
      ),
    ).toEqual([
      expect.stringMatching(
        /^serveur «\u00a0web-3\u00a0»\u00a0: Vigie ne le connaît pas\. Le plus proche est «\u00a0web-03\u00a0»/,
      ),
      expect.stringContaining('Vigie ne le connaît pas. Ajoutez-le d’abord'),
      'La case «\u00a0nom\u00a0» est vide.',
      expect.stringMatching(/^url «\u00a0ftp:\/\/a\.fr\u00a0»\u00a0: Cette URL n’est pas valide/),
      'port «\u00a0vingt-deux\u00a0»\u00a0: Un port est un nombre de 1 à 65535.',
      expect.stringMatching(/^chemin «\u00a0www\u00a0»\u00a0: Ce chemin n’est pas valide/),
      expect.stringContaining('Le mot de passe du serveur ne vaut que pour'),
      expect.stringContaining('Renseignez hôte, utilisateur et chemin WP'),
      expect.stringContaining('plusieurs groupes s’appellent «\u00a0Nord\u00a0»'),
    ]);
  });

  it('takes a hundred lines of a reasonable length, and nothing else', async () => {
    const many = Array.from({ length: 101 }, () => ({}));
    for (const body of [linesOf(...many), { lines: [] }, linesOf({ name: 'a'.repeat(5_001) })])
      expect((await ask('POST', '/csv/preview', body)).status).toBe(400);
    expect((await ask('POST', '/csv/preview', { lines: [['a']] })).status).toBe(422);
    expect(
      (await ask('POST', '/csv', linesOf(...Array.from({ length: 100 }, () => ({ name: 'é'.repeat(4_000) }))))).status,
    ).toBe(413);
  });
});

describe('an import', () => {
  it('registers what is new once, with its groups, and reads the sites at once', async () => {
    const web = await server('web-03', 'web3.exemple.fr');
    const clients = await group('Clients');
    const body = linesOf(
      { server: 'web-03', path: '/srv/a', groups: 'Clients › Neuf | clients' },
      { server: 'web-03', path: '/srv/a/' },
      { host: 'WEB3.exemple.fr', port: '22', user: 'deploy', path: '/srv/b', groups: 'clients > neuf' },
      { server: 'inconnu' },
      { host: 'seul.exemple.fr', user: 'www', path: '/srv/c' },
    );
    const key = { 'idempotency-key': 'csv-1' };
    const answer = await ask('POST', '/csv', body, root, key);
    expect(answer.status).toBe(201);
    const { items, skipped, refused } = answer.body as { items: Line[]; skipped: Line[]; refused: Line[] };
    expect(items.map(({ line, name, server_id: id }) => [line, name, id])).toEqual([
      [2, 'Site 0', web],
      [4, 'Site 2', web],
      [6, 'Site 4', null],
    ]);
    expect(skipped).toEqual([{ line: 3, site_id: items[0]?.['id'] }]);
    expect(refused).toMatchObject([{ line: 5 }]);
    // The same request again creates nothing, and gets the same answer.
    expect((await ask('POST', '/csv', body, root, key)).body).toEqual(answer.body);
    expect(await query('select id from sites.sites')).toHaveLength(3);
    const [, , alone] = await query('select host, port, login, method, credential_for from sites.sites order by name');
    expect(alone).toMatchObject({ host: 'seul.exemple.fr', login: 'www', method: 'pair' });
    expect(await query('select host, port, login from sites.sites where server_id is not null')).toEqual(
      [0, 1].map(() => ({ host: null, port: null, login: null })),
    );
    const groups = await query<{ name: string; parent_id: string | null; sites_count: number }>(
      'select g.name, g.parent_id, c.sites_count from sites.groups g join sites.group_counts c on c.group_id = g.id order by g.name',
    );
    expect(groups).toEqual([
      { name: 'Clients', parent_id: null, sites_count: 2 },
      { name: 'Neuf', parent_id: clients, sites_count: 2 },
    ]);
    const due = await query(
      "select from sites.sweeps where kind = 'site-scan' and target_id = any($1::uuid[])",
      items.map(({ id }) => id),
    );
    expect(due).toHaveLength(3);
    const [again] = await preview({ server: 'web-03', path: '/srv/a' });
    expect(again).toMatchObject({
      state: 'known',
      site_id: items[0]?.['id'],
      reason: expect.stringContaining('Site 0'),
    });
  });

  it('finds a site without a folder by its address', async () => {
    await server('web-03', 'web3.exemple.fr');
    await ask('POST', '/csv', linesOf({ server: 'web-03', url: 'https://a.fr' }));
    const states = await preview(
      { server: 'web-03', url: 'https://a.fr/', path: '/srv/a' },
      { server: 'web-03', url: 'https://b.fr', path: '/srv/a' },
    );
    expect(states.map(({ state }) => state)).toEqual(['known', 'new']);
  });

  it('of two at the same time registers the sites and groups of one', async () => {
    await server('web-03', 'web3.exemple.fr');
    const body = linesOf({ server: 'web-03', path: '/srv/a', groups: 'Neuf' });
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/csv', body)));
    expect(answers.flatMap(({ body: { items } }) => items)).toHaveLength(1);
    expect(await query('select from sites.groups')).toHaveLength(1);
  });
});

describe('the export', () => {
  it('holds the sites of the filter or the selection, of nobody else, and can be imported again as it is', async () => {
    await server('web-03', 'web3.exemple.fr');
    const nested = 'Clients \\| amis › Bretagne | Vitrines';
    await ask(
      'POST',
      '/csv',
      linesOf(
        { name: "=SOMME(1) ; l'été", server: 'web-03', path: '/srv/a "b"', groups: nested },
        { name: 'Deux', host: 'seul.exemple.fr', port: '2222', user: 'www', path: '/srv/c' },
      ),
    );
    await server('web-09', 'web9.exemple.fr', { owner: client });
    await ask('POST', '/csv', linesOf({ name: 'Secret', server: 'web-09', path: '/x' }), client);

    const file = await ask('GET', '/export');
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="sites-\d{4}-\d\d-\d\d\.csv"$/);
    expect(file.text.split('\r\n')[0]).toBe(
      '"nom";"url";"groupes";"serveur";"hôte";"port";"utilisateur";"chemin";"statut";"raisons";"http";"wordpress";"php";"mises à jour";"dernière sauvegarde";"lu le"',
    );
    expect(file.text).toContain(`"'=SOMME(1) ; l'été"`);
    expect(file.text).not.toMatch(/Secret|ssh-ed25519|BEGIN/);
    const lines = rowsOf(file.text);
    expect(lines.map(({ name }) => name).toSorted()).toEqual(["=SOMME(1) ; l'été", 'Deux']);
    expect((await preview(...lines)).map(({ state }) => state)).toEqual(['known', 'known']);
    await query('delete from sites.sites where owner_id = $1', root.id);
    await ask('POST', '/csv', { lines });
    expect(rowsOf((await ask('GET', '/export')).text)).toEqual(lines);

    expect(rowsOf((await ask('GET', '/export?q=deux')).text).map(({ name }) => name)).toEqual(['Deux']);
    expect((await ask('GET', '/export?q=nulle-part')).text.trim().split('\r\n')).toHaveLength(1);
    expect((await ask('GET', '/export?status=x')).status).toBe(400);
    const [own] = await query<{ id: string }>("select id from sites.sites where name = 'Deux'");
    const [foreign] = await query<{ id: string }>("select id from sites.sites where name = 'Secret'");
    const chosen = await ask('POST', '/export', { ids: [own?.id] });
    expect(rowsOf(chosen.text).map(({ name }) => name)).toEqual(['Deux']);
    expect((await ask('POST', '/export', { ids: [own?.id, foreign?.id] })).status).toBe(404);
    const after = { name: '', site_id: own?.id };
    expect((await ask('POST', '/export', { ids: [foreign?.id], after })).status).toBe(404);
    const afterForeign = { name: '', site_id: foreign?.id };
    expect((await ask('POST', '/export', { ids: [own?.id], after: afterForeign })).status).toBe(404);
    const everybody = await ask('GET', '/export', undefined, root, { 'x-admin-mode': '1' });
    expect(rowsOf(everybody.text)).toHaveLength(3);
  });

  it('of more sites than one part has misses none and repeats none', async () => {
    await query(
      `insert into sites.sites (id, owner_id, name, url, host, login, wp_path)
       select gen_random_uuid(), $1, 'Même nom ' || n % 7, 'https://s' || n || '.fr', 'h.fr', 'www', '/srv/' || n from generate_series(1, 2300) n`,
      root.id,
    );
    const lines = (await ask('GET', '/export')).text.trim().split('\r\n').slice(1);
    expect([lines.length, new Set(lines).size]).toEqual([2_300, 2_300]);
  });
});
