import { randomUUID } from 'node:crypto';
import type { TestProduct } from './product';

type Row = Record<string, unknown>;
type Owner = { token: string; id: string };

const defaults: Row = { host: 'h.exemple.fr', login: 'www', wp_path: '/srv', method: 'key', credential: {} };
const address = { host: 'h.exemple.fr', port: 22, user: 'www' };

/** Makes sites, groups and servers that no host stands behind. Both functions are called once the product runs. */
export function siteRows(product: () => TestProduct, root: () => Owner) {
  const insert = async (table: string, row: Row): Promise<void> => {
    const columns = Object.keys(row);
    const values = columns.map((_, at) => `$${at + 1}`);
    await product().database.query(
      `insert into sites.${table} (${columns.join(', ')}) values (${values.join(', ')})`,
      Object.values(row),
    );
  };
  return {
    site: async (name: string, row: Row = {}, owner = root()): Promise<string> => {
      const id = randomUUID();
      const url = `https://${randomUUID()}.exemple.fr`;
      const state = { credential_for: address, read_at: new Date() };
      await insert('sites', { ...defaults, ...state, ...row, id, owner_id: owner.id, name, url });
      return id;
    },
    group: async (name: string, parent: string | null = null, { token } = root()): Promise<string> => {
      const body = { name, parent_id: parent };
      return String((await product().request('POST', '/api/groups', { token, body })).body['id']);
    },
    join: (groupId: string, siteId: string) => insert('site_groups', { group_id: groupId, site_id: siteId }),
    server: async (name: string): Promise<string> => {
      const id = randomUUID();
      const access = { login: 'root', type: 'prod', credential: {}, method: 'key', public_key: '' };
      await insert('servers', { id, owner_id: root().id, name, host: 'h', port: 22, ...access });
      return id;
    },
  };
}
