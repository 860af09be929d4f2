import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import { KnownSites } from '../mapping/known-sites';
import { Link } from '../mapping/link.entity';
import type { Reached } from '../zones/zone-access';

/** Where a subdomain leads that says nothing about it: to the server of the zone's site. */
@Injectable()
export class SubdomainTargets {
  constructor(
    private readonly database: DataSource,
    private readonly sites: KnownSites,
  ) {}

  async of({ config, zone }: Reached, type: 'A' | 'AAAA' | 'CNAME'): Promise<string> {
    if (type === 'CNAME') return zone.name;
    const link = await this.database.manager.findOneBy(Link, { configId: config.id, zoneId: zone.id });
    if (!link) throw sayTarget('aucun site n’est lié à cette zone');
    const [site] = await this.sites.describe([link.siteId]);
    if (!site?.host) throw sayTarget('le site lié n’a pas de serveur');
    const family = type === 'A' ? 4 : 6;
    if (isIP(site.host) === family) return site.host;
    const address = isIP(site.host) === 0 && (await lookup(site.host, { family }).catch(() => undefined))?.address;
    if (!address) throw sayTarget(`le serveur ${site.host} n’a pas d’adresse IPv${family} connue`);
    return address;
  }
}

const sayTarget = (why: string) =>
  new AppError('invalid', `Indiquez vers quelle adresse le sous-domaine doit mener\u00a0: ${why}.`);
