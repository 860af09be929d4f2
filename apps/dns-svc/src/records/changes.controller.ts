import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { applyDnsChanges, type BulkResult, previewDnsChanges } from '@vigie/contracts/dns-changes';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { recordsOf } from '../history/snapshots';
import { ZoneStates } from '../history/zone-states';
import type { ProviderRecord } from '../providers/provider';
import { ZoneAccess } from '../zones/zone-access';
import { zoneVersion } from './canonical';
import { planChanges } from './plan';
import { toPreview } from './previews';
import { outcomesOfRepeat } from './repeated-changes';
import { requireZone, toBulkResult, ZoneChanges } from './zone-changes';

@Controller()
export class ChangesController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly states: ZoneStates,
  ) {}

  @Handles(previewDnsChanges)
  async preview({ zone_id: zoneId, changes }: Input<typeof previewDnsChanges>) {
    const context = await this.access.find(zoneId);
    const records = await this.states.readRecords(context);
    const planned = planChanges(records, context.zone.name, changes);
    return { ...toPreview(planned), version: zoneVersion(records) };
  }

  /** A repeated request is answered with the recorded outcomes, and skips the check of the zone’s version. */
  @Handles(applyDnsChanges)
  async apply(input: Input<typeof applyDnsChanges>): Promise<BulkResult> {
    const { manager } = this.database;
    const context = await this.access.find(input.zone_id);
    const { name } = context.zone;
    let recordsAfterWrite: readonly ProviderRecord[] | undefined;
    const applied = await this.changes.apply(context, {
      reason: 'bulk',
      claim: this.idempotencyKeys.claimOf(applyDnsChanges, input),
      plan: async (records) => {
        const snapshotId = await this.idempotencyKeys.find(manager, applyDnsChanges, input);
        if (snapshotId !== undefined) recordsAfterWrite = await recordsOf(manager, snapshotId);
        if (recordsAfterWrite) return [];
        requireZone(records, input.expected_zone);
        return planChanges(records, name, input.changes);
      },
    });
    const snapshotId = recordsAfterWrite && outcomesOfRepeat([recordsAfterWrite, applied.after], name, input.changes);
    return toBulkResult({ ...applied, ...snapshotId }, name);
  }
}
