import { seedFleet, type Sizes } from '@vigie/testing/seed';
import { openDatabase } from '../audit/database';
import { administrator } from './product';

/** What people and jobs leave behind beside a fleet: ten lines of the feed a site, an archive for each tenth. */
const addTraces = `
  insert into sites.activity (id, type, owner_id, actor_id, actor_name, site_id, site_name, details, created_at)
  select gen_random_uuid(), (array['plugin_update', 'backup_create', 'site_edit'])[1 + k % 3], s.owner_id, s.owner_id,
    'Camille Essai', s.id, s.name, '{"name": "Extension", "from": "1.0", "to": "2.0"}',
    now() - k * interval '1 hour' - (hashtext(s.id::text) & 3600) * interval '1 second'
  from sites.sites s cross join generate_series(1, 10) k
  where not exists (select from sites.activity a where a.site_id = s.id)`;

const addUploads = `
  insert into sites.uploads (id, owner_id, type, filename, slug, name, version, size, sha256, object_key, created_at)
  select gen_random_uuid(), $1, 'plugin', 'extension-' || n || '.zip', 'extension-' || n, 'Extension ' || n, '1.' || n,
    100000 + n, repeat('0', 64), 'imaginaire-' || n, now() - n * interval '1 minute'
  from generate_series(1, $2::int) n on conflict do nothing`;

/** Adds to what the first administrator has. */
export async function seed(databaseUrl: string, sizes: Sizes): Promise<void> {
  const client = await openDatabase(databaseUrl);
  try {
    const { rows } = await client.query<{ id: string }>('select id from auth.users where email = $1', [
      administrator.email,
    ]);
    const owner = rows[0]?.id ?? '';
    await seedFleet((sql, values) => client.query(sql, values), owner, sizes);
    await client.query(addTraces);
    await client.query(addUploads, [owner, sizes.sites / 10]);
    // As it is some minutes later by itself.
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
