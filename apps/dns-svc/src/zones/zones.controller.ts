import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { createDnsZone, listDnsZones, readDnsZone } from '@vigie/contracts/dns-zones';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import type { DnsConfig } from '../config/config.entity';
import { configMissing, findOwnConfig, reachableConfigs } from '../config/find-config';
import { SitesClient } from '../mapping/sites-client';
import { hasNoLink, Link } from '../mapping/link.entity';
import { NewZones } from './new-zones';
import { ZoneAccess } from './zone-access';
import { ZoneLists } from './zone-lists';
import { loadZoneRefs } from './zone-refs';
import { DnsZone, type LinkedSite, toZone } from './zone.entity';

const columns = { name: 'displayName', status: 'status', created_at: 'createdAt' } as const;

@Controller()
export class ZonesController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly lists: ZoneLists,
    private readonly newZones: NewZones,
    private readonly sites: SitesClient,
  ) {}

  @Handles(listDnsZones)
  async list(input: Input<typeof listDnsZones>): Promise<Output<typeof listDnsZones>> {
    const configs = await reachableConfigs(this.database.manager);
    if (configs.length === 0) throw configMissing();
    // Later pages come from the same read as the first; a page opened by itself is as fresh as a first one.
    const problem = await this.refresh(configs, input.fresh === '1' && input.offset === 0);
    const ids = configs.map(({ id }) => id);
    const [zones, total] = await this.select(ids, input);
    const sites = await this.sitesOf(zones);
    const refOf = await loadZoneRefs(this.database.manager, configs, zones);
    const [read]: { at: Date | null }[] = await this.database.query(
      'select min(zones_read_at) as at from configs where id = any($1::uuid[])',
      [ids],
    );
    return {
      zones: zones.map((zone) =>
        toZone(zone, sites.get(`${zone.configId} ${zone.id}`) ?? null, refOf(zone.configId, zone.id)),
      ),
      total,
      updated_at: (read?.at ?? new Date()).toISOString(),
      problem,
    };
  }

  @Handles(readDnsZone)
  async read({ id }: Input<typeof readDnsZone>) {
    const { config, zone } = await this.access.find(id);
    return this.view(await this.access.refresh(config, zone.id));
  }

  @Handles(createDnsZone)
  async create({ domain }: Input<typeof createDnsZone>) {
    const config = await findOwnConfig(this.database.manager);
    if (!config) throw configMissing();
    const id = await this.newZones.create(config, domain);
    return this.view((await this.access.find(id)).zone);
  }

  private async view(zone: DnsZone) {
    const { manager } = this.database;
    const sites = await this.sitesOf([zone]);
    const refOf = await loadZoneRefs(manager, await reachableConfigs(manager), [zone]);
    return { zone: toZone(zone, sites.get(`${zone.configId} ${zone.id}`) ?? null, refOf(zone.configId, zone.id)) };
  }

  /** A configuration that cannot be refreshed does not hide the zones of the others. */
  private async refresh(configs: readonly DnsConfig[], isForced: boolean): Promise<string | null> {
    const refreshed = await Promise.all(
      configs.map((config) =>
        this.lists.refresh(config, isForced).catch((error: unknown) => {
          if (configs.length > 1 && error instanceof AppError) return error.message;
          throw error;
        }),
      ),
    );
    return refreshed.find((problem) => problem !== null) ?? null;
  }

  private select(configIds: string[], { q, status, unlinked, sort, limit, offset }: Input<typeof listDnsZones>) {
    const query = this.database.manager.createQueryBuilder(DnsZone, 'z').where({ configId: In(configIds) });
    if (q.trim() !== '') {
      query.andWhere('strpos((z.name || \' \' || z.display_name) collate "C", lower(:q)) > 0', {
        q: q.trim().normalize('NFC'),
      });
    }
    if (status !== undefined) query.andWhere('z.status = :status', { status });
    if (unlinked === '1') {
      query.andWhere(hasNoLink);
    }
    const column = columns[sort.replace('-', '') as keyof typeof columns];
    query.orderBy(`z.${column}`, sort.startsWith('-') ? 'DESC' : 'ASC', 'NULLS LAST');
    if (column !== 'displayName') query.addOrderBy('z.displayName');
    return query.addOrderBy('z.id').skip(offset).take(limit).getManyAndCount();
  }

  private async sitesOf(zones: readonly DnsZone[]): Promise<Map<string, LinkedSite>> {
    if (zones.length === 0) return new Map();
    const links = await this.database.manager.findBy(Link, { zoneId: In(zones.map(({ id }) => id)) });
    const names = await this.sites.namesOf(links.map(({ siteId }) => siteId));
    return new Map(
      links.map(({ configId, zoneId, siteId }) => [
        `${configId} ${zoneId}`,
        { id: siteId, name: names.get(siteId) ?? null },
      ]),
    );
  }
}
