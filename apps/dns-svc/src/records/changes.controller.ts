import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { applyDnsChanges, type BulkResult, previewDnsChanges } from '@vigie/contracts/dns-changes';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { recordsOf } from '../history/snapshots';
import { ZoneStates } from '../history/zone-states';
import type { HeldRecord } from '../providers/provider';
import { ZoneAccess } from '../zones/zone-access';
import { zoneVersion } from './canonical';
import { planChanges } from './plan';
import { toPreview } from './previews';
import { outcomesAgain } from './repeated-changes';
import { requireZone, toBulkResult, ZoneChanges } from './zone-changes';

/** Previews and applies many changes at once. */
@Controller()
export class ChangesController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly creations: IdempotencyKeys,
    private readonly states: ZoneStates,
  ) {}

  @Handles(previewDnsChanges)
  async preview({ zone_id: zoneId, changes }: Input<typeof previewDnsChanges>) {
    const reached = await this.access.find(zoneId);
    const records = await this.states.look(reached);
    const planned = planChanges(records, reached.zone.name, changes);
    return { ...toPreview(planned), version: zoneVersion(records) };
  }

  /** A repeated request is answered with the recorded outcomes, and skips the check of the zone’s version. */
  @Handles(applyDnsChanges)
  async apply(input: Input<typeof applyDnsChanges>): Promise<BulkResult> {
    const { manager } = this.database;
    const reached = await this.access.find(input.zone_id);
    const { name } = reached.zone;
    let left: readonly HeldRecord[] | undefined;
    const applied = await this.changes.apply(reached, {
      reason: 'bulk',
      claim: this.creations.claimOf(applyDnsChanges, input),
      plan: async (records) => {
        const known = await this.creations.find(manager, applyDnsChanges, input);
        if (known !== undefined) left = await recordsOf(manager, known);
        if (left) return [];
        requireZone(records, input.expected_zone);
        return planChanges(records, name, input.changes);
      },
    });
    const known = left && outcomesAgain([left, applied.after], name, input.changes);
    return toBulkResult({ ...applied, ...known }, name);
  }
}
