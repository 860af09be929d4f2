import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import { DataSource, In } from 'typeorm';
import { configName, type DnsConfig } from '../config/config.entity';
import { reachableConfigs } from '../config/find-config';
import { Providers } from '../providers/providers';
import { saveZones } from './save-zones';
import { DnsZone } from './zone.entity';

const unknownZone = () => new AppError('not_found', 'Cette zone n’existe pas, ou ces identifiants n’y ont pas accès.');

export type ZoneContext = { config: DnsConfig; zone: DnsZone };
/** A zone whose stored row may be deleted. */
export type ZoneTarget = { config: DnsConfig; zone: Pick<DnsZone, 'id' | 'name'> };

/** Finds the zones that the acting user may use. */
@Injectable()
export class ZoneAccess {
  constructor(
    private readonly database: DataSource,
    private readonly providers: Providers,
  ) {}

  /** Finds a zone by the configuration in `ref`, else by that of `ownerId`; never chooses among other users. */
  async find(ref: string, ownerId = currentUser().sub): Promise<ZoneContext> {
    const [zoneId = '', configId] = ref.split('@');
    const { manager } = this.database;
    const configs = (await reachableConfigs(manager)).filter(({ id }) => configId === undefined || id === configId);
    const zones = await manager.findBy(DnsZone, { id: zoneId, configId: In(configs.map(({ id }) => id)) });
    const configsWithZone = configs.filter(({ id }) => zones.some((zone) => zone.configId === id));
    const config = chooseConfig(configsWithZone, ownerId);
    const zone = zones.find((each) => each.configId === config?.id);
    if (config && zone) return { config, zone };
    // The zone may have been created after the list was read.
    const fallback = chooseConfig(
      configs.length > 1 ? configs.filter((each) => each.ownerId === ownerId) : configs,
      ownerId,
    );
    if (!fallback) throw unknownZone();
    return { config: fallback, zone: await this.refresh(fallback, zoneId) };
  }

  async refresh(config: DnsConfig, zoneId: string): Promise<DnsZone> {
    const providerZone = await this.providers.use(config, { fallback: 'Failed to load zones' }, (provider) =>
      provider.zone(zoneId),
    );
    await saveZones(this.database.manager, config.id, [providerZone]);
    const zone = await this.database.manager.findOneBy(DnsZone, { configId: config.id, id: zoneId });
    if (!zone) throw unknownZone();
    return zone;
  }
}

function chooseConfig(configs: readonly DnsConfig[], ownerId: string): DnsConfig | undefined {
  const own = configs.find((config) => config.ownerId === ownerId);
  if (own || configs.length < 2) return own ?? configs[0];
  const names = configs.map((config) => `«\u00a0${configName(config)}\u00a0»`).join(', ');
  throw new AppError('conflict', {
    message: `Plusieurs configurations gèrent cette zone\u00a0: ${names}. Ouvrez-la depuis la liste des zones, avec celle à utiliser.`,
    code: 'zone_ambiguous',
  });
}
