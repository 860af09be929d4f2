import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let root: string;
let client: { token: string; id: string };

beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  client = await addUser(product, root);
});
afterAll(() => product?.stop());
beforeEach(() => product.database.query('truncate sites.groups, sites.sites cascade'));

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

it('counts what is in it and below it, each once', async () => {
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

it('needs a name, and is nobody else’s', async () => {
  const { status, body } = await ask('POST', '/groups', { name: '  ' });
  expect([status, body['detail']]).toEqual([400, 'Renseignez un nom.']);
  const id = await group('Clients');
  for (const [method, path] of [
    ['PUT', `/groups/${id}`],
    ['DELETE', `/groups/${id}`],
  ] as const) {
    expect((await ask(method, path, method === 'PUT' ? { name: 'x' } : undefined, client.token)).status).toBe(404);
  }
  const refused = { status: 400, body: { detail: 'Ce groupe n’existe pas ou n’existe plus.' } };
  expect(await site('un', [id], client.token)).toMatchObject(refused);
  expect(await ask('POST', '/groups', { name: 'x', parent_id: id }, client.token)).toMatchObject(refused);
  expect((await product.database.query('select 1 from sites.sites')).rowCount).toBe(0);
});

it('is never above itself, whoever moves at once', async () => {
  const [a, b] = [await group('a'), await group('b')];
  expect((await ask('PUT', `/groups/${a}`, { parent_id: a })).status).toBe(409);
  const moves = [ask('PUT', `/groups/${a}`, { parent_id: b }), ask('PUT', `/groups/${b}`, { parent_id: a })];
  expect(new Set((await Promise.all(moves)).map(({ status }) => status))).toEqual(new Set([200, 409]));
});

it('is eight deep at most, with all that is below it', async () => {
  let at: string | null = null;
  const made: string[] = [];
  for (let level = 1; level <= 8; level += 1) made.push((at = await group(`n${level}`, at)));
  expect((await ask('POST', '/groups', { name: 'n9', parent_id: at })).status).toBe(400);
  const top = await group('dessus');
  expect((await ask('PUT', `/groups/${made[0]}`, { parent_id: top })).status).toBe(400);
});

it('hands its children to its parent when it goes, and what was in it stays', async () => {
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

it('goes to the heir of a deleted user, with its sites', async () => {
  const { id, token } = await addUser(product, root);
  await site('légué', [await group('legs', null, token)], token);
  await ask('DELETE', `/admin/users/${id}`);
  await until(async () => (await list()).some(({ name, sitesCount }) => name === 'legs' && sitesCount === 1));
  expect(await namesOf('/sites')).toEqual(['légué']);
});
