import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { applyDnsChanges, type BulkResult, previewDnsChanges } from '@vigie/contracts/dns-changes';
import { Handles } from '@vigie/service-kit/handles';
import { ZoneStates } from '../history/zone-states';
import { ZoneAccess } from '../zones/zone-access';
import { zoneVersion } from './canonical';
import { planChanges } from './plan';
import { toPreview } from './previews';
import { toBulkResult, ZoneChanges } from './zone-changes';

/** Many changes at once, and what any change would do. */
@Controller()
export class ChangesController {
  constructor(
    private readonly access: ZoneAccess,
    private readonly changes: ZoneChanges,
    private readonly states: ZoneStates,
  ) {}

  @Handles(previewDnsChanges)
  async preview({ zone_id: zoneId, changes }: Input<typeof previewDnsChanges>) {
    const reached = await this.access.find(zoneId);
    const records = await this.states.look(reached);
    const planned = planChanges(records, reached.zone.name, changes);
    return { ...toPreview(planned), version: zoneVersion(records) };
  }

  @Handles(applyDnsChanges)
  async apply(input: Input<typeof applyDnsChanges>): Promise<BulkResult> {
    const reached = await this.access.find(input.zone_id);
    const { name } = reached.zone;
    const applied = await this.changes.apply(reached, {
      reason: 'bulk',
      expectedZone: input.expected_zone,
      plan: (records) => planChanges(records, name, input.changes),
    });
    return toBulkResult(applied, name);
  }
}
