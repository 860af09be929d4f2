import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { createDnsZone, listDnsZones, readDnsZone } from '@vigie/contracts/dns-zones';
import { AppError } from '@vigie/contracts/errors';
import { Creations } from '@vigie/service-kit/creations';
import { Handles } from '@vigie/service-kit/handles';
import { History } from '@vigie/service-kit/history';
import { DataSource, In } from 'typeorm';
import type { DnsConfig } from '../config/config.entity';
import { configMissing, findOwnConfig, reachableConfigs } from '../config/find-config';
import { recordDoing } from '../doings';
import { Link } from '../mapping/link.entity';
import { ProviderFailure } from '../providers/failures';
import { fromUuid, toUuid } from '../providers/ids';
import type { DnsProvider, HeldZone } from '../providers/provider';
import { Providers } from '../providers/providers';
import { keepZones } from './keep-zones';
import { ZoneAccess } from './zone-access';
import { ZoneLists } from './zone-lists';
import { DnsZone, toZone } from './zone.entity';

const columns = { name: 'name', status: 'status', created_at: 'createdAt' } as const;

@Controller()
export class ZonesController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly creations: Creations,
    private readonly history: History,
    private readonly lists: ZoneLists,
    private readonly providers: Providers,
  ) {}

  @Handles(listDnsZones)
  async list(input: Input<typeof listDnsZones>): Promise<Output<typeof listDnsZones>> {
    const configs = await reachableConfigs(this.database.manager);
    if (configs.length === 0) throw configMissing();
    // What follows a first part is of the same reading.
    const problem = input.offset > 0 ? null : await this.refresh(configs, input.fresh === '1');
    const ids = configs.map(({ id }) => id);
    const [zones, total] = await this.select(ids, input);
    const sites = await this.sitesOf(zones);
    const [read]: { at: Date | null }[] = await this.database.query(
      'select min(zones_read_at) as at from configs where id = any($1::uuid[])',
      [ids],
    );
    return {
      zones: zones.map((zone) => toZone(zone, sites.get(`${zone.configId} ${zone.id}`) ?? null)),
      total,
      updated_at: (read?.at ?? new Date()).toISOString(),
      problem,
    };
  }

  @Handles(readDnsZone)
  async read({ id }: Input<typeof readDnsZone>) {
    const { config } = await this.access.find(id);
    return this.view(await this.access.ask(config, id));
  }

  @Handles(createDnsZone)
  async create({ domain }: Input<typeof createDnsZone>) {
    const config = await findOwnConfig(this.database.manager);
    if (!config) throw configMissing();
    const known = await this.creations.find(this.database.manager, createDnsZone, { domain });
    if (known !== undefined) return this.view((await this.access.find(fromUuid(known))).zone);
    const made = await this.providers.use(config, { fallback: 'Failed to create zone' }, (provider) =>
      makeZone(provider, domain),
    );
    await this.history.write(async (chapter) => {
      await this.creations.claim(chapter.manager, createDnsZone, { domain }, toUuid(made.id));
      await keepZones(chapter.manager, config.id, [made]);
      const target = { target: made.name, targetId: made.id, ownerId: config.ownerId };
      await recordDoing(chapter, { type: 'zone_create', ...target });
    });
    return this.view(await this.database.manager.findOneByOrFail(DnsZone, { configId: config.id, id: made.id }));
  }

  private async view(zone: DnsZone) {
    const sites = await this.sitesOf([zone]);
    return { zone: toZone(zone, sites.get(`${zone.configId} ${zone.id}`) ?? null) };
  }

  /** One that cannot be asked keeps nobody from the zones of the others. */
  private async refresh(configs: readonly DnsConfig[], isAsked: boolean): Promise<string | null> {
    const refreshed = await Promise.all(
      configs.map((config) =>
        this.lists.refresh(config, isAsked).catch((error: unknown) => {
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
      query.andWhere("strpos(z.name || ' ' || z.display_name, lower(:q)) > 0", { q: q.trim().normalize('NFC') });
    }
    if (status !== undefined) query.andWhere('z.status = :status', { status });
    if (unlinked === '1') {
      query.andWhere('not exists (select from links l where l.config_id = z.config_id and l.zone_id = z.id)');
    }
    const column = columns[sort.replace('-', '') as keyof typeof columns];
    query.orderBy(`z.${column}`, sort.startsWith('-') ? 'DESC' : 'ASC', 'NULLS LAST');
    if (column !== 'name') query.addOrderBy('z.name');
    return query.addOrderBy('z.id').skip(offset).take(limit).getManyAndCount();
  }

  private async sitesOf(zones: readonly DnsZone[]): Promise<Map<string, string>> {
    if (zones.length === 0) return new Map();
    const links = await this.database.manager.findBy(Link, { zoneId: In(zones.map(({ id }) => id)) });
    return new Map(links.map(({ configId, zoneId, siteId }) => [`${configId} ${zoneId}`, siteId]));
  }
}

/** One that took its time may be there all the same: it is looked up before it is asked for again. */
async function makeZone(provider: DnsProvider, name: string): Promise<HeldZone> {
  try {
    return await provider.createZone(name);
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== 'uncertain') throw error;
    const made = await provider.zones().then((zones) => zones.find((zone) => zone.name === name));
    return made ?? provider.createZone(name);
  }
}
