import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource, In } from 'typeorm';
import type { DnsConfig } from '../config/config.entity';
import { reachableConfigs } from '../config/find-config';
import { Providers } from '../providers/providers';
import { keepZones } from './keep-zones';
import { DnsZone } from './zone.entity';

const unknownZone = () => new AppError('not_found', 'Cette zone n’existe pas, ou ces identifiants n’y ont pas accès.');

export type Reached = { config: DnsConfig; zone: DnsZone };

/** Finds the zones that the acting user reaches. */
@Injectable()
export class ZoneAccess {
  constructor(
    private readonly database: DataSource,
    private readonly providers: Providers,
  ) {}

  async find(zoneId: string): Promise<Reached> {
    const { manager } = this.database;
    const configs = await reachableConfigs(manager);
    const known = await manager.findBy(DnsZone, { id: zoneId, configId: In(configs.map(({ id }) => id)) });
    for (const config of configs) {
      const zone = known.find(({ configId }) => configId === config.id);
      if (zone) return { config, zone };
    }
    // Made elsewhere since all zones were read.
    const [first] = configs;
    if (!first) throw unknownZone();
    return { config: first, zone: await this.ask(first, zoneId) };
  }

  /** As it is now. */
  async ask(config: DnsConfig, zoneId: string): Promise<DnsZone> {
    const held = await this.providers.use(config, { fallback: 'Failed to load zones' }, (provider) =>
      provider.zone(zoneId),
    );
    await keepZones(this.database.manager, config.id, [held]);
    const zone = await this.database.manager.findOneBy(DnsZone, { configId: config.id, id: zoneId });
    if (!zone) throw unknownZone();
    return zone;
  }
}
