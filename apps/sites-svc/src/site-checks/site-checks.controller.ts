import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { claimScans, claimVisits, reportScans, reportVisits } from '@vigie/contracts/site-checks';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, Any } from 'typeorm';
import { administratorsAmong } from '../owners/owners';
import { saveSiteReports } from '../sites/save-site-reports';
import { isCredentialRefused, siteAccess, toSiteToRead, connectionsOf } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import { findExpectations } from './content';
import { saveChecks } from './save-checks';

type Groups = Output<typeof claimScans>['groups'];

/** Hands out scans and visits to agents, and stores their reports. */
@Controller()
export class SiteChecksController {
  constructor(private readonly database: DataSource) {}

  @Handles(claimScans)
  async claim({ ids }: Input<typeof claimScans>) {
    const { manager } = this.database;
    const sites = await manager.findBy(Site, { id: Any(ids) });
    const connections = await connectionsOf(manager, sites);
    const admins = await administratorsAmong(
      manager,
      sites.map(({ ownerId }) => ownerId),
    );
    const groups = new Map<string, Groups[number]>();
    for (const connection of connections) {
      const access = siteAccess(connection, admins.has(connection.site.ownerId));
      // Hosts ban the address of a machine that keeps presenting a refused credential.
      if (access instanceof AppError || isCredentialRefused(connection)) continue;
      const group = groups.get(access.row.id) ?? { access, sites: [] };
      groups.set(access.row.id, group);
      group.sites.push(toSiteToRead(connection.site));
    }
    return { groups: [...groups.values()] };
  }

  @Handles(reportScans)
  async report({ items }: Input<typeof reportScans>) {
    await this.database.transaction((manager) => saveSiteReports(manager, items));
    return {};
  }

  @Handles(claimVisits)
  async claimVisits({ ids }: Input<typeof claimVisits>) {
    const { manager } = this.database;
    // The state of a site may be large: it is not needed each minute.
    const sites = await manager.find(Site, { select: { id: true, url: true, ownerId: true }, where: { id: Any(ids) } });
    const admins = await administratorsAmong(
      manager,
      sites.map(({ ownerId }) => ownerId),
    );
    const expectations = await findExpectations(manager, ids);
    return {
      items: sites.map(({ id, url, ownerId }) => ({
        id,
        url,
        allows_private: admins.has(ownerId),
        expected: expectations.get(id) ?? null,
      })),
    };
  }

  @Handles(reportVisits)
  async reportVisits(report: Input<typeof reportVisits>) {
    await saveChecks(this.database, report);
    return {};
  }
}
