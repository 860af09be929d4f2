import type { ChangeCounts, Drift } from '@vigie/contracts/dns-records';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { ProviderRecord } from '../providers/provider';
import { zoneVersion } from '../records/canonical';
import { changesBetween } from '../records/plan';
import type { ZoneTarget } from '../zones/zone-access';
import { DnsSnapshot, type SnapshotReason } from './snapshot.entity';

export type ZoneKey = { configId: string; zoneId: string };

export const zoneKeyOf = ({ config, zone }: ZoneTarget): ZoneKey => ({ configId: config.id, zoneId: zone.id });

/** A zone keeps at most this many snapshots, for at most this many days. */
const maxSnapshots = 500;
export const retentionDays = 400;

export const latestSnapshot = (manager: EntityManager, key: ZoneKey): Promise<DnsSnapshot | null> =>
  manager.findOne(DnsSnapshot, { where: key, order: { id: 'desc' } });

export async function recordsOf(manager: EntityManager, id: string): Promise<ProviderRecord[]> {
  const { records } = await manager.findOneOrFail(DnsSnapshot, { where: { id }, select: { id: true, records: true } });
  return records;
}

type State = {
  reason: SnapshotReason;
  records: readonly ProviderRecord[];
  actor?: { id: string; name: string | null };
};

/** Saves a state of a zone, unless it equals the latest snapshot. */
export async function saveSnapshot(manager: EntityManager, key: ZoneKey, state: State): Promise<DnsSnapshot> {
  const { reason, records, actor } = state;
  const latest = await latestSnapshot(manager, key);
  const version = zoneVersion(records);
  if (latest?.version === version) return latest;
  const before = latest ? await recordsOf(manager, latest.id) : [];
  const snapshot = {
    id: uuid(),
    ...key,
    at: new Date(),
    reason: latest ? reason : 'first',
    actorId: actor?.id ?? null,
    actorName: actor?.name ?? null,
    counts: latest ? countChanges(before, records) : { added: 0, changed: 0, removed: 0 },
    total: records.length,
    version,
    isDrift: latest !== null && reason === 'look',
    records: [...records],
  } satisfies DnsSnapshot;
  await manager.insert(DnsSnapshot, snapshot);
  await deleteOldSnapshots(manager, key);
  return snapshot;
}

function countChanges(before: readonly ProviderRecord[], after: readonly ProviderRecord[]): ChangeCounts {
  const { edits, idempotencyKeys: creations, deletions } = changesBetween(before, after);
  return { added: creations.length, changed: edits.length, removed: deletions.length };
}

/** Locks a zone’s history until the transaction ends, so that a concurrent read notices that it is out of date. */
export const lockHistory = (manager: EntityManager, { configId, zoneId }: ZoneKey) =>
  lockName(manager, 'history', `${configId}${zoneId}`);

/** Locks several histories in one order, so that two writers cannot deadlock. */
export async function lockHistories(manager: EntityManager, keys: readonly ZoneKey[]): Promise<void> {
  for (const key of keys.toSorted((a, b) => (a.configId < b.configId ? -1 : 1))) await lockHistory(manager, key);
}

/** Returns the same zone in all other configurations, none of which can be deleted before the transaction ends. */
export async function otherConfigsOf(manager: EntityManager, { configId, zoneId }: ZoneKey): Promise<ZoneKey[]> {
  const rows: { id: string }[] = await manager.query(
    `select c.id from configs c join zones z on z.config_id = c.id
     where z.id = $1 and c.id <> $2 order by c.id for key share of c`,
    [zoneId, configId],
  );
  return rows.map(({ id }) => ({ configId: id, zoneId }));
}

/** Records that the latest snapshot was the current state just now. */
export const recordRead = (manager: EntityManager, { configId, zoneId }: ZoneKey) =>
  manager.query('update zones set looked_at = now() where config_id = $1 and id = $2', [configId, zoneId]);

/** Sums the changes made outside Vigie that nobody has accepted yet. */
export async function driftOf(manager: EntityManager, key: ZoneKey): Promise<Drift | null> {
  const drifts = await manager.find(DnsSnapshot, { where: { ...key, isDrift: true }, order: { id: 'desc' } });
  const [last] = drifts;
  if (!last) return null;
  const sum = (field: keyof ChangeCounts) => drifts.reduce((total, { counts }) => total + counts[field], 0);
  return {
    snapshot_id: last.id,
    at: last.at.toISOString(),
    added: sum('added'),
    changed: sum('changed'),
    removed: sum('removed'),
  };
}

/** The last snapshot stays, however old: the next read compares with it. */
const deleteOldSnapshots = (manager: EntityManager, { configId, zoneId }: ZoneKey) =>
  manager.query(
    `delete from snapshots where config_id = $1 and zone_id = $2 and id in (
       select id from (
         select id, at, row_number() over (order by id desc) as n from snapshots where config_id = $1 and zone_id = $2
       ) s where n > $3 or (n > 1 and at < now() - make_interval(days => $4)))`,
    [configId, zoneId, maxSnapshots, retentionDays],
  );
