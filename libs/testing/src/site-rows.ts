import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { emptyTables } from './database';
import { addUser } from './people';
import { TestProduct } from './product';

type Row = Record<string, unknown>;
type Owner = { token: string; id: string };

const defaults: Row = { host: 'h.exemple.fr', login: 'www', wp_path: '/srv', method: 'key', credential: {} };
const address = { host: 'h.exemple.fr', port: 22, user: 'www' };

/** The tests of a file on the lists of sites share a product. Without an agent, jobs stay in their table. */
export function useSiteRows() {
  let product: TestProduct;
  const root: Owner = { token: '', id: '' };
  const client: Owner = { token: '', id: '' };
  beforeAll(async () => {
    product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
    const token = await product.login();
    const [user] = (await product.database.query<{ id: string }>('select id from auth.users')).rows;
    Object.assign(root, { token, id: user?.id });
    Object.assign(client, await addUser(product, token));
  });
  afterAll(() => product?.stop());
  beforeEach(() =>
    emptyTables(product.database, 'sites.sites', 'sites.groups', 'sites.servers', 'sites.jobs', 'sites.site_views'),
  );
  const query = async <R extends Record<string, string>>(sql: string, ...values: unknown[]) =>
    (await product.database.query<R>(sql, values)).rows;
  const ask = (method: string, path: string, body?: unknown, { token } = root, headers: Record<string, string> = {}) =>
    product.request(method, `/api${path}`, { token, headers, ...(body !== undefined && { body }) });
  /** The names that a search finds, or why it was refused. */
  const find = async (q: string, more = '', user = root) => {
    const { status, body } = await ask('GET', `/sites?limit=50&q=${encodeURIComponent(q)}${more}`, undefined, user);
    if (status !== 200) return body['detail'];
    return (body as unknown as { name: string }[]).map(({ name }) => name).join(' ');
  };
  const addAdmin = () => addUser(product, root.token, 'admin');
  return { product: () => product, root, client, addAdmin, query, ask, find, ...rowMakers(() => product, root) };
}

/** What the probe of a site stores of this answer. */
export const http = (code: number) => ({
  http: { code, error: null, method: 'GET', url: '', ms: 1, checked_at: new Date() },
});

/** Makes sites, groups and servers that no host stands behind. */
function rowMakers(product: () => TestProduct, root: Owner) {
  const insert = async (table: string, row: Row): Promise<void> => {
    const columns = Object.keys(row);
    const values = columns.map((_, at) => `$${at + 1}`);
    await product().database.query(
      `insert into sites.${table} (${columns.join(', ')}) values (${values.join(', ')})`,
      Object.values(row),
    );
  };
  return {
    site: async (name: string, row: Row = {}, owner = root): Promise<string> => {
      const id = randomUUID();
      const url = `https://${randomUUID()}.exemple.fr`;
      const state = { credential_for: address, read_at: new Date() };
      await insert('sites', { ...defaults, ...state, ...row, id, owner_id: owner.id, name, url });
      return id;
    },
    group: async (name: string, parent: string | null = null, { token } = root): Promise<string> => {
      const body = { name, parent_id: parent };
      return String((await product().requestPatiently('POST', '/api/groups', { token, body })).body['id']);
    },
    join: (groupId: string, siteId: string) => insert('site_groups', { group_id: groupId, site_id: siteId }),
    server: async (name: string): Promise<string> => {
      const id = randomUUID();
      const access = { login: 'root', type: 'prod', credential: {}, method: 'key', public_key: '' };
      await insert('servers', { id, owner_id: root.id, name, host: 'h', port: 22, ...access });
      return id;
    },
  };
}
