import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DnsStage, type ZoneOwner } from '@vigie/testing/dns';
import { addUser } from '@vigie/testing/people';
import type { TestProduct } from '@vigie/testing/product';
import { aServer } from '@vigie/testing/hosts';
import type { SearchResults } from '@vigie/contracts/search';

let stage: DnsStage;
let product: TestProduct;
let root: string;
let client: ZoneOwner;
let zoneName: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  stage = await DnsStage.shared();
  ({ product, root } = stage);
  client = await stage.addZoneOwner();
  zoneName = client.name;
  for (const name of ['Éditions du Musée', 'Musée d’Évreux', 'Boutique 10', 'Boutique 9', '100 % bois']) {
    await add('sites', name, { url: `https://www.${name === 'Boutique 9' ? 'epicerie' : 'exemple'}.fr`, ...ssh });
  }
  await add('servers', 'web-03', aServer({ port: 22 }, { host: 'machine.exemple.fr' }));
  await add('groups', 'Évêché', {});
  await add('groups', 'Sous l’évêché', { parent_id: ids['Évêché'] });
  await product.database.query(
    `insert into sites.site_extensions (site_id, type, slug, kind, file, name, status, is_network_active, has_update)
     select $1, type, slug, 'regular', '', name, 'active', false, false
     from (values ('plugin', 'reglages-2', 'Réglages avancés'), ('theme', 'reglages', 'Réglages')) v (type, slug, name)`,
    [ids['Boutique 9']],
  );
  await client.ask('GET', '/zones');
});
afterAll(() => stage?.stop());

const ssh = { connection: { ssh: { host: 'nulle-part.exemple.fr', user: 'web', wp_path: '/var/www' } } };

async function add(kind: string, name: string, form: object): Promise<void> {
  const { status, body, text } = await product.request('POST', `/api/${kind}`, {
    token: client.token,
    body: { ...form, name },
  });
  if (status !== 201) throw new Error(text);
  ids[name] = String(body['id']);
}

type SearchOptions = { token?: string; headers?: Record<string, string>; limit?: number };

async function search(
  q: string,
  { token = client.token, headers = {}, limit }: SearchOptions = {},
): Promise<SearchResults> {
  const query = new URLSearchParams({ q, ...(limit !== undefined && { limit: String(limit) }) });
  const { status, body, text } = await product.request('GET', `/api/search?${query.toString()}`, { token, headers });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as SearchResults;
}

const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);
const sitesOf = async (q: string, options?: SearchOptions) => namesOf((await search(q, options)).sites);

describe('the search', () => {
  it('finds any words in any order, ignoring accents and case, with matches at the beginning first', async () => {
    expect(await sitesOf('MUSEE')).toEqual(['Musée d’Évreux', 'Éditions du Musée']);
    expect(await sitesOf("d'evreux mus")).toEqual(['Musée d’Évreux']);
    expect(await sitesOf('boutique')).toEqual(['Boutique 9', 'Boutique 10']);
    expect(await sitesOf('https://www.ÉPICERIE.fr/')).toEqual(['Boutique 9']);
    expect(await sitesOf('https://www.exemple.fr/')).toHaveLength(4);
  });

  it('forgives one typing error in a longer word where nothing has all words', async () => {
    for (const q of ['evrexu', 'evruex', 'evreuux', 'musee evrux', 'd evrseux']) {
      expect([q, ...(await sitesOf(q))]).toEqual([q, 'Musée d’Évreux']);
    }
    expect(await sitesOf('evxxex')).toEqual([]);
    expect(await sitesOf('(evreux')).toEqual(['Musée d’Évreux']);
  });

  it('finds every kind at once, with what distinguishes equal names', async () => {
    const { servers, groups, plugins } = await search('e');
    expect(servers).toEqual([
      {
        id: ids['web-03'],
        name: 'web-03',
        host: 'machine.exemple.fr',
        state: expect.stringMatching(/^(?:unknown|offline)$/),
      },
    ]);
    expect(groups).toEqual([
      { id: ids['Évêché'], name: 'Évêché', parent: null },
      { id: ids['Sous l’évêché'], name: 'Sous l’évêché', parent: 'Évêché' },
    ]);
    expect(plugins).toEqual([{ slug: 'reglages-2', name: 'Réglages avancés' }]);
    expect((await search(zoneName.slice(0, 6))).zones).toMatchObject([{ name: zoneName, display_name: zoneName }]);
  });

  it('returns as many as requested, and nothing for an empty search', async () => {
    expect(await sitesOf('e', { limit: 2 })).toHaveLength(2);
    const nothing = { sites: [], servers: [], groups: [], plugins: [], zones: [], away: [] };
    expect([await search(''), await search(' \t ')]).toEqual([nothing, nothing]);
  });

  it('shows nothing to other users, and everything to an administrator in admin mode alone', async () => {
    const other = await addUser(product, root);
    const forged = { 'x-admin-mode': '1', 'x-user-id': client.id };
    for (const options of [{ token: other.token }, { token: other.token, headers: forged }, { token: root }]) {
      const { away, ...found } = await search('e', options);
      expect([away, Object.values(found).flat()]).toEqual([[], []]);
      expect((await search(zoneName, options)).zones).toEqual([]);
    }
    const all = { token: root, headers: { 'x-admin-mode': '1' } };
    const { sites, plugins } = await search('e', all);
    expect([sites.length, plugins.length]).toEqual([5, 1]);
    expect((await search(zoneName, all)).zones).toHaveLength(1);
  });

  it('treats SQL characters as text, and refuses an invalid search', async () => {
    expect(await sitesOf('100 %')).toEqual(['100 % bois']);
    for (const q of ['%', '_', "'; drop table sites; --", '\\', '"', '🙂', '\u202e', 'a'.repeat(200)]) {
      expect((await search(q)).away).toEqual([]);
    }
    const options = async (query: string) =>
      (await product.request('GET', `/api/search?${query}`, { token: client.token })).status;
    expect(await options('q=%00')).toBe(400);
    for (const query of [`q=${'a'.repeat(201)}`, 'q=a&limit=0', 'q=a&limit=21']) expect(await options(query)).toBe(400);
    for (const query of ['q=a&q=b', 'q=a&limit=x']) expect(await options(query)).toBe(422);
  });

  it('leaves out the part that is away, and names it', async () => {
    await product.processesOf('dns-svc')[0]?.kill();
    expect(await search('musee')).toMatchObject({ sites: [{}, {}], zones: [], away: ['zones'] });
    await product.processesOf('sites-svc')[0]?.kill();
    expect((await product.request('GET', '/api/search?q=musee', { token: client.token })).status).toBe(503);
  });
});
