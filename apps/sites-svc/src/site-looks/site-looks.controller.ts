import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { claimScans, claimVisits, reportScans, reportVisits } from '@vigie/contracts/site-checks';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import { administratorsAmong } from '../owners/owners';
import { keepLooks } from '../sites/keep-facts';
import { keepVisits } from '../sites/keep-visits';
import { isRefused, siteAccess, toSiteToRead, waysOf } from '../sites/site-access';
import { Site } from '../sites/site.entity';

type Groups = Output<typeof claimScans>['groups'];

/** What the agents look at by themselves, and what they saw. */
@Controller()
export class SiteLooksController {
  constructor(private readonly database: DataSource) {}

  @Handles(claimScans)
  async claim({ ids }: Input<typeof claimScans>) {
    const { manager } = this.database;
    const sites = await manager.findBy(Site, { id: In(ids) });
    const ways = await waysOf(manager, sites);
    const admins = await administratorsAmong(
      manager,
      sites.map(({ ownerId }) => ownerId),
    );
    const groups = new Map<string, Groups[number]>();
    for (const way of ways) {
      const access = siteAccess(way, admins.has(way.site.ownerId));
      // Offered again by itself, a credential that was refused would get the address of this machine banned.
      if (access instanceof AppError || isRefused(way)) continue;
      const group = groups.get(access.row.id) ?? { access, sites: [] };
      groups.set(access.row.id, group);
      group.sites.push(toSiteToRead(way.site));
    }
    return { groups: [...groups.values()] };
  }

  @Handles(reportScans)
  async report({ items }: Input<typeof reportScans>) {
    await this.database.transaction((manager) => keepLooks(manager, items));
    return {};
  }

  @Handles(claimVisits)
  async claimVisits({ ids }: Input<typeof claimVisits>) {
    const { manager } = this.database;
    const sites = await manager.findBy(Site, { id: In(ids) });
    const admins = await administratorsAmong(
      manager,
      sites.map(({ ownerId }) => ownerId),
    );
    return { items: sites.map(({ id, url, ownerId }) => ({ id, url, allows_private: admins.has(ownerId) })) };
  }

  @Handles(reportVisits)
  async reportVisits({ items }: Input<typeof reportVisits>) {
    await keepVisits(this.database.manager, items);
    return {};
  }
}
