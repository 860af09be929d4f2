import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { type CommandPlan, planCommand, runCommand } from '@vigie/contracts/site-commands';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { RequestedJobs } from '../queue/requested-jobs';
import { findSiteContexts, lockSiteContexts } from '../sites/site-contexts';
import { auditCommand } from './audit-commands';
import { noCommandPossible, planCommandOn, requireExpected, toCommandRequests } from './command-requests';
import { refuseNarrowed } from './may-run';

/** Runs a command on many sites. */
@Controller()
export class SiteCommandsController {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: RequestedJobs,
  ) {}

  @Handles(planCommand)
  async plan({ site_ids: siteIds }: Input<typeof planCommand>): Promise<CommandPlan> {
    refuseNarrowed();
    const { manager } = this.database;
    const lines = await planCommandOn(manager, await findSiteContexts(manager, siteIds));
    return {
      items: lines.map(({ context: { site }, refusal }) => ({
        site_id: site.id,
        site_name: site.name,
        url: site.url,
        refusal: refusal?.message ?? null,
      })),
    };
  }

  @Handles(runCommand)
  async run(input: Input<typeof runCommand>) {
    refuseNarrowed();
    const { site_ids: siteIds, expected, ...command } = input;
    return this.jobs.createBatch(runCommand, input, {
      kind: 'commands.run',
      find: async (manager) => {
        const requests = await toCommandRequests(manager, await lockSiteContexts(manager, siteIds), command);
        const possible = requests.filter(({ refusal }) => !refusal);
        if (possible.length === 0) return requests;
        requireExpected(requests, expected);
        // The plan has named those that are left out.
        return possible;
      },
      refuseAll: noCommandPossible,
      audit: auditCommand,
    });
  }
}
