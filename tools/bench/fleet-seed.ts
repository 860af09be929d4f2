import { seedFleet, seedUploads, type Sizes } from '@vigie/testing/seed';
import { openDatabase } from '../database';
import { administrator } from './product';

/** Each site has ten activity rows. */
const addTraces = `
  insert into sites.activity (id, type, owner_id, actor_id, actor_name, site_id, site_name, details, created_at)
  select gen_random_uuid(), (array['plugin_update', 'backup_create', 'site_edit'])[1 + k % 3], s.owner_id, s.owner_id,
    'Camille Essai', s.id, s.name, '{"name": "Extension", "from": "1.0", "to": "2.0"}',
    now() - k * interval '1 hour' - (hashtext(s.id::text) & 3600) * interval '1 second'
  from sites.sites s cross join generate_series(1, 10) k
  where not exists (select from sites.activity a where a.site_id = s.id)`;

/** Adds sites, activity and archives for the first administrator. */
export async function seed(databaseUrl: string, sizes: Sizes): Promise<void> {
  const client = await openDatabase(databaseUrl);
  try {
    const { rows } = await client.query<{ id: string }>('select id from auth.users where email = $1', [
      administrator.email,
    ]);
    const owner = rows[0]?.id ?? '';
    const query = (sql: string, values: unknown[]) => client.query(sql, values);
    await seedFleet(query, owner, sizes);
    await client.query(addTraces);
    await seedUploads(query, owner, sizes.sites / 10);
    // Autovacuum would do the same some minutes later.
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
