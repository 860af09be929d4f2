import type { RecordConflict } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';
import type { ProviderRecord } from '../providers/provider';
import type { ZoneContext } from '../zones/zone-access';
import { versionOf } from './canonical';
import { recordMissing, type PlannedChange } from './plan';
import { toRecord } from './record-view';

/** Refuses all changes when one conflicts, before anything is sent, because they were decided on an outdated state. */
export async function refuseConflicts(
  manager: EntityManager,
  { config, zone }: ZoneContext,
  planned: readonly PlannedChange[],
): Promise<void> {
  const conflict = planned.find(({ difference }) => difference.is_conflict);
  if (!conflict) return;
  const { before, difference, expected } = conflict;
  const id = difference.record_id ?? '';
  const loaded = await loadedRecord(manager, { configId: config.id, zoneId: zone.id, id, expected });
  const detail: RecordConflict = {
    message: before
      ? 'Cet enregistrement a été modifié ailleurs depuis que vous l’avez chargé. Comparez les deux versions, puis recommencez.'
      : 'Cet enregistrement a été supprimé ailleurs depuis que vous l’avez chargé.',
    code: 'record_changed',
    loaded: loaded && toRecord(loaded, zone.name),
    current: before && toRecord(before, zone.name),
    wanted: difference.after,
  };
  throw new AppError('conflict', detail);
}

type LoadedVersion = { configId: string; zoneId: string; id: string; expected: string | undefined };

async function loadedRecord(manager: EntityManager, loaded: LoadedVersion): Promise<ProviderRecord | null> {
  const { configId, zoneId, id, expected } = loaded;
  const rows: { record: ProviderRecord }[] = await manager.query(
    `select r.record from (
       select id, records from snapshots where config_id = $1 and zone_id = $2 order by id desc limit 20
     ) s cross join lateral jsonb_array_elements(s.records) r(record)
     where r.record ->> 'id' = $3 order by s.id desc`,
    [configId, zoneId, id],
  );
  return rows.find(({ record }) => versionOf(record) === expected)?.record ?? null;
}

export const unknownRecord = () => new AppError('not_found', recordMissing);
