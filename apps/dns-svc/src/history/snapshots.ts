import type { ChangeCounts, Drift } from '@vigie/contracts/dns-records';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { HeldRecord } from '../providers/provider';
import { zoneVersion } from '../records/canonical';
import { changesBetween } from '../records/plan';
import type { Named } from '../zones/zone-access';
import { DnsSnapshot, type SnapshotReason } from './snapshot.entity';

export type ZonePlace = { configId: string; zoneId: string };

export const placeOf = ({ config, zone }: Named): ZonePlace => ({ configId: config.id, zoneId: zone.id });

/** A zone keeps at most this many snapshots, for at most this many days. */
const maxKept = 500;
export const keptDays = 400;

export const latestSnapshot = (manager: EntityManager, place: ZonePlace): Promise<DnsSnapshot | null> =>
  manager.findOne(DnsSnapshot, { where: place, order: { id: 'desc' } });

export async function recordsOf(manager: EntityManager, id: string): Promise<HeldRecord[]> {
  const { records } = await manager.findOneOrFail(DnsSnapshot, { where: { id }, select: { id: true, records: true } });
  return records;
}

type State = {
  reason: SnapshotReason;
  records: readonly HeldRecord[];
  actor?: { id: string; name: string | null };
};

/** Saves a state of a zone, unless it equals the latest snapshot. */
export async function keepSnapshot(manager: EntityManager, place: ZonePlace, state: State): Promise<DnsSnapshot> {
  const { reason, records, actor } = state;
  const latest = await latestSnapshot(manager, place);
  const version = zoneVersion(records);
  if (latest?.version === version) return latest;
  const before = latest ? await recordsOf(manager, latest.id) : [];
  const snapshot = {
    id: uuid(),
    ...place,
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
  await forgetOld(manager, place);
  return snapshot;
}

function countChanges(before: readonly HeldRecord[], after: readonly HeldRecord[]): ChangeCounts {
  const { edits, creations, deletions } = changesBetween(before, after);
  return { added: creations.length, changed: edits.length, removed: deletions.length };
}

/** Locks a zone’s history until the transaction ends, so that a concurrent read notices that it is out of date. */
export const holdHistory = (manager: EntityManager, { configId, zoneId }: ZonePlace) =>
  lockName(manager, 'history', `${configId}${zoneId}`);

/** Locks several histories in one order, so that two writers cannot deadlock. */
export async function holdHistories(manager: EntityManager, places: readonly ZonePlace[]): Promise<void> {
  for (const place of places.toSorted((a, b) => (a.configId < b.configId ? -1 : 1))) await holdHistory(manager, place);
}

/** Returns the same zone in all other configurations, none of which can be deleted before the transaction ends. */
export async function othersOf(manager: EntityManager, { configId, zoneId }: ZonePlace): Promise<ZonePlace[]> {
  const rows: { id: string }[] = await manager.query(
    `select c.id from configs c join zones z on z.config_id = c.id
     where z.id = $1 and c.id <> $2 order by c.id for key share of c`,
    [zoneId, configId],
  );
  return rows.map(({ id }) => ({ configId: id, zoneId }));
}

/** Records that the latest snapshot was the current state just now. */
export const noteLook = (manager: EntityManager, { configId, zoneId }: ZonePlace) =>
  manager.query('update zones set looked_at = now() where config_id = $1 and id = $2', [configId, zoneId]);

/** Sums the changes made outside Vigie that nobody has accepted yet. */
export async function driftOf(manager: EntityManager, place: ZonePlace): Promise<Drift | null> {
  const found = await manager.find(DnsSnapshot, { where: { ...place, isDrift: true }, order: { id: 'desc' } });
  const [last] = found;
  if (!last) return null;
  const sum = (field: keyof ChangeCounts) => found.reduce((total, { counts }) => total + counts[field], 0);
  return {
    snapshot_id: last.id,
    at: last.at.toISOString(),
    added: sum('added'),
    changed: sum('changed'),
    removed: sum('removed'),
  };
}

/** The last snapshot stays, however old: the next read compares with it. */
const forgetOld = (manager: EntityManager, { configId, zoneId }: ZonePlace) =>
  manager.query(
    `delete from snapshots where config_id = $1 and zone_id = $2 and id in (
       select id from (
         select id, at, row_number() over (order by id desc) as n from snapshots where config_id = $1 and zone_id = $2
       ) s where n > $3 or (n > 1 and at < now() - make_interval(days => $4)))`,
    [configId, zoneId, maxKept, keptDays],
  );
