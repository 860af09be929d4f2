import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyTables } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { connectSites, countLocks } from '@vigie/testing/plugin-totals';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

type User = Awaited<ReturnType<typeof addUser>>;

let product: TestProduct;
let owner: User;
let guest: User;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  const root = await product.login();
  [owner, guest] = [await addUser(product, root), await addUser(product, root)];
});
afterAll(() => product?.stop());
beforeEach(async () => {
  await emptyTables(product.database, 'sites.sites');
  await addSites(product.database, owner, 'a', 'b');
  await share('a', 'b');
});

const insertSites = `
  with added as (
    insert into sites.sites (id, owner_id, name, url, host, login, wp_path, updates_plugins)
    select gen_random_uuid(), $1, name, 'https://' || name || '.fr', 'h', 'u', '/srv', 1 from unnest($2::text[]) name
    returning id, name)
  insert into sites.site_extensions (site_id, owner_id, type, slug, kind, name, version, status, is_network_active, has_update,
    new_version)
  select id, $1, 'plugin', 'vitrine', 'regular', 'Vitrine', '1.' || ascii(name), 'active', false, true, '2.' || ascii(name) from added`;

/** All sites have the same plugin, each in another version. */
const addSites = (database: Pick<TestProduct['database'], 'query'>, { id }: User, ...names: string[]) =>
  database.query(insertSites, [id, names]);

const share = (...names: string[]) =>
  product.database.query(
    `insert into sites.grants (id, site_id, user_id, role, shared_by)
     select gen_random_uuid(), id, $1, 'viewer', 'Anne' from sites.sites where name = any($2::text[])`,
    [guest.id, names],
  );

type Overview = {
  items: { sites_count: number; latest_version: string; versions: object[]; sites: { site_name: string }[] }[];
  diag: { sites_total: number };
};

async function overview({ token }: User): Promise<Overview> {
  const { body } = await product.request('GET', '/api/plugins/overview', { token });
  return body as Overview;
}

const countsOf = ({ items: [item], diag }: Overview) => ({
  counts: [item?.sites_count, item?.versions.length, diag.sites_total],
  sites: item?.sites.map(({ site_name: name }) => name).toSorted(),
  latest: item?.latest_version,
});

describe('the overview of shared sites', () => {
  const both = { counts: [2, 2, 2], sites: ['a', 'b'], latest: '2.98' };

  it('counts as its owner does where all sites of one owner are shared', async () => {
    expect((await overview(guest)).items).toEqual((await overview(owner)).items);
    expect(countsOf(await overview(guest))).toEqual(both);
  });

  it('leaves out the other sites of their owner, and has one’s own', async () => {
    await addSites(product.database, owner, 'c');
    expect(countsOf(await overview(guest))).toEqual(both);
    expect(countsOf(await overview(owner))).toMatchObject({ counts: [3, 3, 3] });
    await share('c');
    await addSites(product.database, guest, 'd');
    expect(countsOf(await overview(guest))).toMatchObject({ counts: [4, 4, 4], sites: ['a', 'b', 'c', 'd'] });
    const { body } = await product.request('GET', '/api/plugins/overview/vitrine/sites', { token: guest.token });
    expect(body['total']).toBe(4);
  });

  it('has no site that its owner adds while it is read', async () => {
    const adding = await connectSites(product.database);
    try {
      // The reader finds out which sites are shared, and then waits for the totals.
      await adding.query('begin; lock table plugin_totals in access exclusive mode');
      const answer = overview(guest);
      await until(async () => (await countLocks(product.database)).waits > 0);
      await adding.query(insertSites, [owner.id, ['c']]);
      await adding.query('commit');
      expect(countsOf(await answer)).toEqual(both);
    } finally {
      await adding.end();
    }
  });
});
