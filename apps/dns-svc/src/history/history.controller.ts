import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { type BulkResult } from '@vigie/contracts/dns-changes';
import {
  acceptDnsDrift,
  listDnsSnapshots,
  listSnapshotRecords,
  readDnsSnapshot,
  revertDnsZone,
} from '@vigie/contracts/dns-history';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { DataSource, LessThan, LessThanOrEqual } from 'typeorm';
import { auditDoing } from '../doings';
import type { HeldRecord } from '../providers/provider';
import { shortName, wholeName, zoneVersion } from '../records/canonical';
import { firstChanges } from '../records/first-changes';
import { planBetween, type Planned } from '../records/plan';
import { toPreview } from '../records/previews';
import { toRecord } from '../records/record-view';
import { toBulkResult, ZoneChanges } from '../records/zone-changes';
import { type Reached, ZoneAccess } from '../zones/zone-access';
import { DnsSnapshot, toSnapshot } from './snapshot.entity';
import { placeOf, recordsOf, type ZonePlace } from './snapshots';
import { ZoneStates } from './zone-states';

@Controller()
export class HistoryController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly history: AuditedTransactions,
    private readonly states: ZoneStates,
  ) {}

  @Handles(listDnsSnapshots)
  async list({ zone_id: zoneId, limit, before }: Input<typeof listDnsSnapshots>) {
    const place = placeOf(await this.access.find(zoneId));
    const found = await this.database.manager.find(DnsSnapshot, {
      where: { ...place, ...(before && { id: LessThan(before) }) },
      order: { id: 'desc' },
      take: limit + 1,
    });
    return { items: found.slice(0, limit).map(toSnapshot), has_more: found.length > limit };
  }

  @Handles(readDnsSnapshot)
  async read({ zone_id: zoneId, snapshot_id: id, against }: Input<typeof readDnsSnapshot>) {
    const reached = await this.access.find(zoneId);
    const snapshot = await this.find(placeOf(reached), id);
    const records = await recordsOf(this.database.manager, id);
    if (against === 'current') {
      const now = await this.states.look(reached);
      const planned = planBetween(now, records, reached.zone.name);
      return { snapshot: toSnapshot(snapshot), ...toPreview(planned), version: zoneVersion(now) };
    }
    const before = await this.recordsBefore(placeOf(reached), id);
    const planned = before ? planBetween(before, records, reached.zone.name) : [];
    for (const { difference } of planned) Object.assign(difference, { warnings: [], refusal: null });
    return { snapshot: toSnapshot(snapshot), ...toPreview(planned), version: null };
  }

  @Handles(listSnapshotRecords)
  async records({ zone_id: zoneId, snapshot_id: id, offset, limit }: Input<typeof listSnapshotRecords>) {
    const reached = await this.access.find(zoneId);
    await this.find(placeOf(reached), id);
    const records = await recordsOf(this.database.manager, id);
    const part = records.slice(offset, limit === undefined ? undefined : offset + limit);
    return { records: part.map((record) => toRecord(record, reached.zone.name)), total: records.length };
  }

  @Handles(revertDnsZone)
  async revert(input: Input<typeof revertDnsZone>): Promise<BulkResult> {
    const reached = await this.access.find(input.zone_id);
    const snapshot = await this.find(placeOf(reached), input.snapshot_id);
    const then = await recordsOf(this.database.manager, snapshot.id);
    const part = firstChanges();
    const applied = await this.changes.apply(reached, {
      reason: 'revert',
      expectedZone: input.expected_zone,
      plan: (now) => part.take(planOf(reached, now, then, input.names)),
    });
    return part.finish(toBulkResult(applied, reached.zone.name));
  }

  @Handles(acceptDnsDrift)
  async accept({
    zone_id: zoneId,
    snapshot_id: id,
  }: Input<typeof acceptDnsDrift>): Promise<Output<typeof acceptDnsDrift>> {
    const reached = await this.access.find(zoneId);
    const place = placeOf(reached);
    const snapshot = await this.find(place, id);
    await this.history.write(async (chapter) => {
      await chapter.manager.update(
        DnsSnapshot,
        { ...place, id: LessThanOrEqual(id), isDrift: true },
        { isDrift: false },
      );
      const { name: target, id: targetId } = reached.zone;
      await auditDoing(chapter, { action: 'dns_drift_accept', target, targetId, details: { snapshot_id: id } });
    });
    return { snapshot: { ...toSnapshot(snapshot), is_drift: false } };
  }

  private async find(place: ZonePlace, id: string): Promise<DnsSnapshot> {
    const snapshot = await this.database.manager.findOneBy(DnsSnapshot, { ...place, id });
    if (!snapshot) throw new AppError('not_found', 'Cet état de la zone n’est plus conservé.');
    return snapshot;
  }

  private async recordsBefore(place: ZonePlace, id: string): Promise<HeldRecord[] | undefined> {
    const before = await this.database.manager.findOne(DnsSnapshot, {
      where: { ...place, id: LessThan(id) },
      order: { id: 'desc' },
    });
    return before ? recordsOf(this.database.manager, before.id) : undefined;
  }
}

/** Plans the revert of the whole zone, or of some of its names. */
function planOf(
  { zone }: Reached,
  now: readonly HeldRecord[],
  then: readonly HeldRecord[],
  names: readonly string[] | undefined,
): Planned[] {
  const planned = planBetween(now, then, zone.name);
  if (names === undefined) return planned;
  const wanted = new Set(names.map((name) => shortName(wholeName(name, zone.name), zone.name)));
  const isWanted = ({ difference: { before, after } }: Planned) =>
    [before, after].some((record) => record && wanted.has(shortName(record.name, zone.name)));
  return planned.filter(isWanted).map((plan, index) => ({ ...plan, index }));
}
