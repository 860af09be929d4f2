import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { configName, type DnsConfig } from '../config/config.entity';
import type { DnsZone, ZoneRef } from './zone.entity';

/** Returns the reference that opens a zone with this configuration: its id, unless several configurations have it. */
export type RefOf = (configId: string, zoneId: string) => ZoneRef;

export async function loadZoneRefs(
  manager: EntityManager,
  configs: readonly DnsConfig[],
  zones: readonly Pick<DnsZone, 'id'>[],
): Promise<RefOf> {
  const shared = new Set(configs.length > 1 ? await findShared(manager, configs, zones) : []);
  return (configId, zoneId) => {
    const config = configs.find(({ id }) => id === configId);
    if (!config || !shared.has(zoneId)) return { ref: zoneId, config_name: null };
    // The plain id opens the user’s own configuration.
    const ref = config.ownerId === currentUser().sub ? zoneId : `${zoneId}@${configId}`;
    return { ref, config_name: configName(config) };
  };
}

async function findShared(
  manager: EntityManager,
  configs: readonly DnsConfig[],
  zones: readonly Pick<DnsZone, 'id'>[],
): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(
    'select id from zones where config_id = any($1::uuid[]) and id = any($2::text[]) group by id having count(*) > 1',
    [configs.map(({ id }) => id), zones.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}
