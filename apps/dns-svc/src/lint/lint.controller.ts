import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { lintDnsZone } from '@vigie/contracts/dns-lint';
import { Handles } from '@vigie/service-kit/handles';
import { ZoneStates } from '../history/zone-states';
import { ZoneAccess } from '../zones/zone-access';
import { lintZone } from './lint-zone';

const maxFindings = 500;

@Controller()
export class LintController {
  constructor(
    private readonly access: ZoneAccess,
    private readonly states: ZoneStates,
  ) {}

  @Handles(lintDnsZone)
  async lint({ zone_id: zoneId }: Input<typeof lintDnsZone>) {
    const context = await this.access.find(zoneId);
    const records = await this.states.readRecords(context);
    return { findings: lintZone({ name: context.zone.name, records }).slice(0, maxFindings) };
  }
}
