import type { ActivityType } from '@vigie/contracts/activity';
import type { Chapter } from '@vigie/service-kit/history';
import { recordDoing } from '../doings';
import type { DnsZone } from '../zones/zone.entity';
import type { Reached } from '../zones/zone-access';
import type { SnapshotReason } from './snapshot.entity';
import type { Outcome } from './write-all';

const types = {
  create: 'dns_record_create',
  edit: 'dns_record_edit',
  delete: 'dns_record_delete',
} as const satisfies Record<string, ActivityType>;

/** A line for one change, or one for all of a kind: hundreds of them would hide everything else. */
export async function recordChanges(
  chapter: Chapter,
  { config, zone }: Reached,
  reason: SnapshotReason,
  outcomes: readonly Outcome[],
): Promise<void> {
  const done = outcomes.filter(({ state, planned }) => state === 'done' && planned.write);
  for (const action of ['create', 'edit', 'delete'] as const) {
    const of = done.filter(({ planned }) => planned.write?.action === action);
    const [first] = of;
    if (!first) continue;
    const told = { type: types[action], ownerId: config.ownerId };
    const how = reason === 'write' ? {} : { reason };
    if (of.length > 1) {
      const details = { zone: zone.name, count: of.length, ...how };
      await recordDoing(chapter, { ...told, target: zone.name, targetId: zone.id, details });
    } else
      await recordDoing(chapter, { ...told, ...describe(first, zone), details: { ...detailsOf(first, zone), ...how } });
  }
}

type Zone = Pick<DnsZone, 'id' | 'name'>;

function describe({ planned, record }: Outcome, zone: Zone) {
  const { before, after, record_id: id } = planned.difference;
  return { target: (after ?? before)?.name ?? zone.name, targetId: record?.id ?? id ?? zone.id };
}

function detailsOf({ planned: { difference } }: Outcome, zone: Zone): Record<string, unknown> {
  const { before, after } = difference;
  const type = (after ?? before)?.type;
  return {
    zone: zone.name,
    record_type: type,
    ...(before && { from: before.content }),
    ...(after && { to: after.content }),
  };
}
