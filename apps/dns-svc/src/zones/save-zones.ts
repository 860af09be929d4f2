import { domainToUnicode } from 'node:url';
import type { EntityManager } from 'typeorm';
import type { ProviderZone } from '../providers/provider';

export async function saveZones(
  manager: EntityManager,
  configId: string,
  zones: readonly ProviderZone[],
): Promise<void> {
  const rows = zones.map(({ id, name, status, created_at: createdAt, ...details }) => ({
    id,
    name,
    display_name: domainToUnicode(name) || name,
    status,
    created_at: createdAt,
    facts: details,
  }));
  // The first checks are spread over a day, so that hundreds of zones are never due at once.
  await manager.query(
    `insert into zones as z (config_id, id, name, display_name, status, created_at, facts, next_look_at)
     select $1, r.*, now() + random() * interval '1 day'
     from jsonb_to_recordset($2::jsonb) as r(id text, name text, display_name text, status text, created_at timestamptz, facts jsonb)
     on conflict (config_id, id) do update set name = excluded.name, display_name = excluded.display_name,
       status = excluded.status, created_at = excluded.created_at, facts = excluded.facts`,
    [configId, JSON.stringify(rows)],
  );
}

/** Also deletes the zones that are missing from the list. */
export async function replaceZones(
  manager: EntityManager,
  configId: string,
  zones: readonly ProviderZone[],
): Promise<void> {
  await saveZones(manager, configId, zones);
  await manager.query('delete from zones where config_id = $1 and id <> all($2::text[])', [
    configId,
    zones.map(({ id }) => id),
  ]);
  await manager.query('update configs set zones_read_at = now() where id = $1', [configId]);
}
