import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import { DataSource, In } from 'typeorm';
import { configName, type DnsConfig } from '../config/config.entity';
import { reachableConfigs } from '../config/find-config';
import { Providers } from '../providers/providers';
import { keepZones } from './keep-zones';
import { DnsZone } from './zone.entity';

const unknownZone = () => new AppError('not_found', 'Cette zone n’existe pas, ou ces identifiants n’y ont pas accès.');

export type Reached = { config: DnsConfig; zone: DnsZone };
/** A zone whose stored row may be deleted. */
export type Named = { config: DnsConfig; zone: Pick<DnsZone, 'id' | 'name'> };

/** Finds the zones that the acting user may use. */
@Injectable()
export class ZoneAccess {
  constructor(
    private readonly database: DataSource,
    private readonly providers: Providers,
  ) {}

  /**
   * Finds a zone by the configuration in `ref`, else by the configuration of `ownerId`. Never chooses between
   * configurations of other users.
   */
  async find(ref: string, ownerId = currentUser().sub): Promise<Reached> {
    const [zoneId = '', configId] = ref.split('@');
    const { manager } = this.database;
    const configs = (await reachableConfigs(manager)).filter(({ id }) => configId === undefined || id === configId);
    const known = await manager.findBy(DnsZone, { id: zoneId, configId: In(configs.map(({ id }) => id)) });
    const holding = configs.filter(({ id }) => known.some((zone) => zone.configId === id));
    const config = chooseConfig(holding, ownerId);
    const zone = known.find((each) => each.configId === config?.id);
    if (config && zone) return { config, zone };
    // The zone may have been created after the list was read.
    const asked = chooseConfig(
      configs.length > 1 ? configs.filter((each) => each.ownerId === ownerId) : configs,
      ownerId,
    );
    if (!asked) throw unknownZone();
    return { config: asked, zone: await this.ask(asked, zoneId) };
  }

  /** Reads the zone from the provider. */
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

function chooseConfig(configs: readonly DnsConfig[], ownerId: string): DnsConfig | undefined {
  const own = configs.find((config) => config.ownerId === ownerId);
  if (own || configs.length < 2) return own ?? configs[0];
  const names = configs.map((config) => `«\u00a0${configName(config)}\u00a0»`).join(', ');
  throw new AppError('conflict', {
    message: `Plusieurs configurations tiennent cette zone\u00a0: ${names}. Ouvrez-la depuis la liste des zones, par celle qui doit agir.`,
    code: 'zone_ambiguous',
  });
}
