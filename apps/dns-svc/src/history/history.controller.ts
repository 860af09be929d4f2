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
import { auditAction } from '../audit-events';
import type { ProviderRecord } from '../providers/provider';
import { shortName, fullName, zoneVersion } from '../records/canonical';
import { limitChanges } from '../records/limit-changes';
import { planBetween, type PlannedChange } from '../records/plan';
import { toPreview } from '../records/previews';
import { toRecord } from '../records/record-view';
import { toBulkResult, ZoneChanges } from '../records/zone-changes';
import { type ZoneContext, ZoneAccess } from '../zones/zone-access';
import { DnsSnapshot, toSnapshot } from './snapshot.entity';
import { zoneKeyOf, recordsOf, type ZoneKey } from './snapshots';
import { ZoneStates } from './zone-states';

@Controller()
export class HistoryController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly transactions: AuditedTransactions,
    private readonly states: ZoneStates,
  ) {}

  @Handles(listDnsSnapshots)
  async list({ zone_id: zoneId, limit, before }: Input<typeof listDnsSnapshots>) {
    const key = zoneKeyOf(await this.access.find(zoneId));
    const snapshots = await this.database.manager.find(DnsSnapshot, {
      where: { ...key, ...(before && { id: LessThan(before) }) },
      order: { id: 'desc' },
      take: limit + 1,
    });
    return { items: snapshots.slice(0, limit).map(toSnapshot), has_more: snapshots.length > limit };
  }

  @Handles(readDnsSnapshot)
  async read({ zone_id: zoneId, snapshot_id: id, against }: Input<typeof readDnsSnapshot>) {
    const context = await this.access.find(zoneId);
    const snapshot = await this.find(zoneKeyOf(context), id);
    const records = await recordsOf(this.database.manager, id);
    if (against === 'current') {
      const currentRecords = await this.states.readRecords(context);
      const planned = planBetween(currentRecords, records, context.zone.name);
      return { snapshot: toSnapshot(snapshot), ...toPreview(planned), version: zoneVersion(currentRecords) };
    }
    const before = await this.recordsBefore(zoneKeyOf(context), id);
    const planned = before ? planBetween(before, records, context.zone.name) : [];
    for (const { difference } of planned) Object.assign(difference, { warnings: [], refusal: null });
    return { snapshot: toSnapshot(snapshot), ...toPreview(planned), version: null };
  }

  @Handles(listSnapshotRecords)
  async records({ zone_id: zoneId, snapshot_id: id, offset, limit }: Input<typeof listSnapshotRecords>) {
    const context = await this.access.find(zoneId);
    await this.find(zoneKeyOf(context), id);
    const records = await recordsOf(this.database.manager, id);
    const page = records.slice(offset, limit === undefined ? undefined : offset + limit);
    return { records: page.map((record) => toRecord(record, context.zone.name)), total: records.length };
  }

  @Handles(revertDnsZone)
  async revert(input: Input<typeof revertDnsZone>): Promise<BulkResult> {
    const context = await this.access.find(input.zone_id);
    const snapshot = await this.find(zoneKeyOf(context), input.snapshot_id);
    const snapshotRecords = await recordsOf(this.database.manager, snapshot.id);
    const limit = limitChanges();
    const applied = await this.changes.apply(context, {
      reason: 'revert',
      expectedZone: input.expected_zone,
      plan: (currentRecords) => limit.take(planOf(context, currentRecords, snapshotRecords, input.names)),
    });
    return limit.finish(toBulkResult(applied, context.zone.name));
  }

  @Handles(acceptDnsDrift)
  async accept({
    zone_id: zoneId,
    snapshot_id: id,
  }: Input<typeof acceptDnsDrift>): Promise<Output<typeof acceptDnsDrift>> {
    const context = await this.access.find(zoneId);
    const key = zoneKeyOf(context);
    const snapshot = await this.find(key, id);
    await this.transactions.write(async (transaction) => {
      await transaction.manager.update(
        DnsSnapshot,
        { ...key, id: LessThanOrEqual(id), isDrift: true },
        { isDrift: false },
      );
      const { name: target, id: targetId } = context.zone;
      await auditAction(transaction, { action: 'dns_drift_accept', target, targetId, details: { snapshot_id: id } });
    });
    return { snapshot: { ...toSnapshot(snapshot), is_drift: false } };
  }

  private async find(key: ZoneKey, id: string): Promise<DnsSnapshot> {
    const snapshot = await this.database.manager.findOneBy(DnsSnapshot, { ...key, id });
    if (!snapshot) throw new AppError('not_found', 'Cet état de la zone n’est plus conservé.');
    return snapshot;
  }

  private async recordsBefore(key: ZoneKey, id: string): Promise<ProviderRecord[] | undefined> {
    const before = await this.database.manager.findOne(DnsSnapshot, {
      where: { ...key, id: LessThan(id) },
      order: { id: 'desc' },
    });
    return before ? recordsOf(this.database.manager, before.id) : undefined;
  }
}

/** Plans the revert of the whole zone, or of some of its names. */
function planOf(
  { zone }: ZoneContext,
  currentRecords: readonly ProviderRecord[],
  snapshotRecords: readonly ProviderRecord[],
  names: readonly string[] | undefined,
): PlannedChange[] {
  const planned = planBetween(currentRecords, snapshotRecords, zone.name);
  if (names === undefined) return planned;
  const selectedNames = new Set(names.map((name) => shortName(fullName(name, zone.name), zone.name)));
  const isSelected = ({ difference: { before, after } }: PlannedChange) =>
    [before, after].some((record) => record && selectedNames.has(shortName(record.name, zone.name)));
  return planned.filter(isSelected).map((plan, index) => ({ ...plan, index }));
}
