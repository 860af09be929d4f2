import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { type FreeSite, listFreeSites, suggestLinks } from '@vigie/contracts/dns-mapping';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import type { DnsConfig } from '../config/config.entity';
import { reachableConfigs } from '../config/find-config';
import { DnsZone } from '../zones/zone.entity';
import { ZoneLists } from '../zones/zone-lists';
import { SitesClient, type ListedSite } from './sites-client';
import { hasNoLink, Link } from './link.entity';
import { compareByZone, pairSites } from './suggestions';

/** More suggestions come once these sites are linked. */
const maxSuggested = 50;

type Pair = { site: FreeSite; zone: DnsZone };

/** Lists and suggests sites that have no zone yet. */
@Controller()
export class FreeSitesController {
  constructor(
    private readonly database: DataSource,
    private readonly sites: SitesClient,
    private readonly lists: ZoneLists,
  ) {}

  @Handles(listFreeSites)
  async list(input: Input<typeof listFreeSites>): Promise<Output<typeof listFreeSites>> {
    const configs = await reachableConfigs(this.database.manager);
    const { sites, total } = await this.sites.list({ ...input, except: await this.linkedSiteIds(configs) });
    return { sites: sites.map(toFreeSite), total };
  }

  @Handles(suggestLinks)
  async suggest(): Promise<Output<typeof suggestLinks>> {
    const configs = await reachableConfigs(this.database.manager);
    // A list that cannot be refreshed is used as stored; the list of zones reports why.
    await Promise.all(configs.map((config) => this.lists.refresh(config, false).catch(() => null)));
    const zones = await this.freeZones(configs);
    const sites = zones.length > 0 ? await this.sites.listAll(await this.linkedSiteIds(configs)) : [];
    const pairs = configs.flatMap(({ id, ownerId }) => {
      const sitesOfOwner = sites.filter(({ owner_id: owner }) => owner === ownerId);
      return pairSites(
        sitesOfOwner,
        zones.filter(({ configId }) => configId === id),
      );
    });
    const suggested: Pair[] = pairs.toSorted(compareByZone).slice(0, maxSuggested);
    return {
      suggestions: suggested.map(({ site, zone }) => ({
        site: toFreeSite(site),
        zone: { id: zone.id, display_name: zone.displayName },
      })),
      total: pairs.length,
    };
  }

  private async linkedSiteIds(configs: readonly DnsConfig[]): Promise<string[]> {
    const links = await this.database.manager.find(Link, { select: { siteId: true }, where: inConfigs(configs) });
    return links.map(({ siteId }) => siteId);
  }

  private freeZones(configs: readonly DnsConfig[]): Promise<DnsZone[]> {
    return this.database.manager
      .createQueryBuilder(DnsZone, 'z')
      .where(inConfigs(configs))
      .andWhere(hasNoLink)
      .getMany();
  }
}

const inConfigs = (configs: readonly DnsConfig[]) => ({ configId: In(configs.map(({ id }) => id)) });

const toFreeSite = ({ id, name, url }: FreeSite | ListedSite): FreeSite => ({ id, name, url });
