import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyTables } from '@vigie/testing/database';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { connectSites, countLocks } from '@vigie/testing/plugin-totals';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let root: string;
let client: { token: string; id: string };

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  client = await addUser(product, root);
});
afterAll(() => product?.stop());
beforeEach(() => emptyTables(product.database, 'sites.groups', 'sites.sites'));

const ask = (method: string, path: string, body?: unknown, token = root) =>
  product.request(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
const group = async (name: string, parentId: string | null = null, token = root) =>
  String((await ask('POST', '/groups', { name, parent_id: parentId }, token)).body['id']);
const site = async (name: string, groups: string[], token = root) => {
  const ssh = { host: 'web.exemple.fr', user: 'www', wp_path: '/srv/www', auth: { password: 'x' } };
  const body = { name, url: 'https://exemple.fr', groups, connection: { ssh } };
  return ask('POST', '/sites', body, token);
};
type Line = { id: string; name: string; sitesCount: number; serversCount: number; parent_id: string | null };
const list = async (token = root) => (await ask('GET', '/groups', undefined, token)).body as unknown as Line[];
const namesOf = async (path: string) =>
  ((await ask('GET', path)).body as unknown as { name: string }[]).map(({ name }) => name);

it('counts members of the group and its subgroups, each once', async () => {
  const top = await group('Clients');
  const below = await group('Éoliennes', top);
  await site('un', [top, below]);
  await site('deux', [below]);
  await addServer(product, root, { name: 'web', host: 'web.exemple.fr', groups: [below] });
  expect((await list()).map(({ name, sitesCount, serversCount }) => [name, sitesCount, serversCount])).toEqual([
    ['Clients', 2, 1],
    ['Éoliennes', 2, 1],
  ]);
  expect(await namesOf(`/sites?group_id=${top}`)).toEqual(['deux', 'un']);
  expect(await namesOf(`/servers?group_id=${top}`)).toEqual(['web']);
});

it('needs a name, and is visible to its owner only', async () => {
  const { status, body } = await ask('POST', '/groups', { name: '  ' });
  expect([status, body['detail']]).toEqual([400, 'Renseignez un nom.']);
  const id = await group('Clients');
  const refused = { status: 400, body: { detail: 'Ce groupe n’existe pas ou n’existe plus.' } };
  expect(await site('un', [id], client.token)).toMatchObject(refused);
  expect(await ask('POST', '/groups', { name: 'x', parent_id: id }, client.token)).toMatchObject(refused);
  expect((await product.database.query('select 1 from sites.sites')).rowCount).toBe(0);
});

it('shows its owner in the admin mode', async () => {
  const headers = { 'x-admin-mode': '1' };
  const [ownGroup, foreignGroup] = [await group('mien'), await group('d’autrui', null, client.token)];
  const all = (method: string, path: string, body?: unknown) =>
    product.request(method, `/api${path}`, { token: root, headers, ...(body !== undefined && { body }) });
  const ssh = { host: 'web.exemple.fr', user: 'www', wp_path: '/srv/www', auth: { password: 'x' } };
  const fields = { name: 'un', url: 'https://exemple.fr', groups: [ownGroup, foreignGroup], connection: { ssh } };
  for (const refused of [
    await all('POST', '/sites', fields),
    await all('POST', '/groups', { name: 'x', parent_id: foreignGroup }),
    await all('PUT', `/groups/${foreignGroup}`, { parent_id: ownGroup }),
  ]) {
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('appartient à quelqu’un d’autre')]);
  }
  const listed = (await all('GET', '/groups')).body as unknown as Record<string, unknown>[];
  expect(listed.map(({ name, owner_id: owner }) => [name, owner === client.id])).toEqual([
    ['d’autrui', true],
    ['mien', false],
  ]);
  const { id } = (await site('à autrui', [foreignGroup], client.token)).body;
  expect((await all('GET', `/sites/${String(id)}`)).body).toMatchObject({
    owner_id: client.id,
    groups: [foreignGroup],
  });
  // Outside the admin mode no owner is shown.
  expect((await list())[0]).not.toHaveProperty('owner_id');
  expect((await ask('GET', `/sites/${String(id)}`, undefined, client.token)).body).not.toHaveProperty('owner_id');
});

it('is never above itself, even when two groups move at the same time', async () => {
  const [a, b] = [await group('a'), await group('b')];
  expect((await ask('PUT', `/groups/${a}`, { parent_id: a })).status).toBe(409);
  const moves = [ask('PUT', `/groups/${a}`, { parent_id: b }), ask('PUT', `/groups/${b}`, { parent_id: a })];
  expect(new Set((await Promise.all(moves)).map(({ status }) => status))).toEqual(new Set([200, 409]));
});

it('is eight levels deep at most, subgroups included', async () => {
  let at: string | null = null;
  const groupIds: string[] = [];
  for (let level = 1; level <= 8; level += 1) groupIds.push((at = await group(`n${level}`, at)));
  expect((await ask('POST', '/groups', { name: 'n9', parent_id: at })).status).toBe(400);
  const top = await group('dessus');
  expect((await ask('PUT', `/groups/${groupIds[0]}`, { parent_id: top })).status).toBe(400);
});

it('leaves its subgroups to its parent when it is deleted, and its members stay', async () => {
  const top = await group('haut');
  const middle = await group('milieu', top);
  await group('bas', middle);
  await site('un', [middle]);
  expect((await ask('DELETE', `/groups/${middle}`)).status).toBe(204);
  expect((await list()).map(({ name, parent_id: parent }) => [name, parent])).toEqual([
    ['bas', top],
    ['haut', null],
  ]);
  expect(await namesOf('/sites')).toEqual(['un']);
});

it('passes to the heir of a deleted user with its sites', async () => {
  const { id, token } = await addUser(product, root);
  await site('légué', [await group('legs', null, token)], token);
  await ask('DELETE', `/admin/users/${id}`);
  await until(async () => (await list()).some(({ name, sitesCount }) => name === 'legs' && sitesCount === 1));
  expect(await namesOf('/sites')).toEqual(['légué']);
});

/** Groups whose stored count differs from a count of all rows. */
const miscounted = `
  with recursive tree (root, id) as (
    select id, id from sites.groups union all select t.root, g.id from tree t join sites.groups g on g.parent_id = t.id
  ), due as (
    select t.root, count(distinct s.site_id)::int as sites, count(distinct v.server_id)::int as servers
    from tree t left join sites.site_groups s on s.group_id = t.id left join sites.server_groups v on v.group_id = t.id
    group by 1
  )
  select * from due d full join sites.group_counts c on c.group_id = d.root
  where (d.sites, d.servers) is distinct from (coalesce(c.sites_count, 0), coalesce(c.servers_count, 0))`;

describe('the stored count', () => {
  const counts = async () => {
    expect((await product.database.query(miscounted)).rows).toEqual([]);
    return (await list())
      .map(({ name, sitesCount, serversCount }) => `${name} ${sitesCount}/${serversCount}`)
      .join(', ');
  };
  const idOf = (answer: { body: Record<string, unknown> }) => String(answer.body['id']);

  it('is exact after each kind of change', async () => {
    const top = await group('a');
    const middle = await group('b', top);
    const [low, beside] = [await group('c', middle), await group('d')];
    const one = idOf(await site('un', [top, low]));
    const two = idOf(await site('deux', [middle, beside]));
    const { id: serverId } = await addServer(product, root, { name: 'web', host: 'web.exemple.fr', groups: [low] });
    expect(await counts()).toBe('a 2/1, b 2/1, c 1/1, d 1/0');
    await ask('PUT', `/sites/${two}`, { groups: [beside] });
    expect(await counts()).toBe('a 1/1, b 1/1, c 1/1, d 1/0');
    await ask('PUT', `/groups/${middle}`, { parent_id: beside });
    expect(await counts()).toBe('a 1/0, b 1/1, c 1/1, d 2/1');
    await product.database.query('update sites.site_groups set group_id = $1 where group_id = $2', [middle, beside]);
    expect(await counts()).toBe('a 1/0, b 2/1, c 1/1, d 2/1');
    await ask('DELETE', `/groups/${middle}`);
    expect(await counts()).toBe('a 1/0, c 1/1, d 1/1');
    await product.database.query('delete from sites.servers where id = $1', [serverId]);
    await ask('DELETE', `/groups/${low}`);
    expect(await counts()).toBe('a 1/0, d 0/0');
    await ask('DELETE', `/sites/${one}`);
    expect(await counts()).toBe('a 0/0, d 0/0');
    // A member of two groups in a tree counts once, and still counts after it leaves one of them.
    const below = await group('e', top);
    await product.database.query('insert into sites.site_groups select g, $1 from unnest($2::uuid[]) g', [
      two,
      [top, below],
    ]);
    expect(await counts()).toBe('a 1/0, d 0/0, e 1/0');
    await product.database.query('delete from sites.site_groups where group_id = $1', [top]);
    expect(await counts()).toBe('a 1/0, d 0/0, e 1/0');
    await ask('DELETE', `/groups/${below}`);
    expect(await counts()).toBe('a 0/0, d 0/0');
    await product.database.query('insert into sites.site_groups select $1::uuid, id from sites.sites', [top]);
    expect(await counts()).toBe('a 1/0, d 0/0');
    await product.database.query('truncate sites.sites cascade');
    expect(await counts()).toBe('a 0/0, d 0/0');
  });

  it('is exact after simultaneous changes', async () => {
    const [top, low] = [await group('a'), await group('b')];
    const sites = await Promise.all(['un', 'deux', 'trois'].map(async (name) => idOf(await site(name, []))));
    const [first, second] = [await connectSites(product.database), await connectSites(product.database)];
    try {
      await first.query('begin');
      await first.query('insert into site_groups (group_id, site_id) values ($1, $2)', [low, sites[0]]);
      const joined = second.query('insert into site_groups (group_id, site_id) values ($1, $2)', [low, sites[1]]);
      const move = ask('PUT', `/groups/${low}`, { parent_id: top });
      await until(async () => (await countLocks(product.database)).waits === 2);
      await first.query('commit');
      await joined;
      expect((await move).status).toBe(200);
    } finally {
      await Promise.all([first.end(), second.end()]);
    }
    expect(await counts()).toBe('a 2/0, b 2/0');
    const answers = await Promise.all([
      ...sites.map((id) => ask('PUT', `/sites/${id}`, { groups: [low] })),
      ...['quatre', 'cinq'].map((name) => site(name, [low, top])),
      ask('DELETE', `/groups/${low}`),
      ask('PUT', `/groups/${low}`, { parent_id: null }),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    await counts();
  });

  it('is locked after the members, even when a group with subgroups is deleted', async () => {
    const low = await group('a');
    await group('b', low);
    const [member, other] = [idOf(await site('un', [low])), idOf(await site('deux', []))];
    const [first, second] = [await connectSites(product.database), await connectSites(product.database)];
    const haveStopped = (waits: number) => until(async () => (await countLocks(product.database)).waits === waits);
    try {
      await first.query('begin');
      await first.query('insert into site_groups (group_id, site_id) values ($1, $2)', [await group('c'), other]);
      const deleted = ask('DELETE', `/groups/${low}`);
      await haveStopped(1);
      const removal = second.query('delete from site_groups where site_id = $1', [member]);
      await haveStopped(2);
      // Groups of another owner are not locked.
      const foreignGroup = await group('d', null, client.token);
      expect((await site('trois', [foreignGroup], client.token)).status).toBe(201);
      await first.query('commit');
      await removal;
      expect((await deleted).status).toBe(204);
    } finally {
      await Promise.all([first.end(), second.end()]);
    }
    expect(await counts()).toBe('b 0/0, c 1/0');
  });
});
