import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import { isPrivateAddress } from '@vigie/service-kit/private-addresses';
import { SitesClient } from '../mapping/sites-client';
import { Link } from '../mapping/link.entity';
import type { ZoneContext } from '../zones/zone-access';

@Injectable()
export class SubdomainTargets {
  constructor(
    private readonly database: DataSource,
    private readonly sites: SitesClient,
  ) {}

  async find({ config, zone }: ZoneContext, type: 'A' | 'AAAA' | 'CNAME'): Promise<string> {
    if (type === 'CNAME') return zone.name;
    const link = await this.database.manager.findOneBy(Link, { configId: config.id, zoneId: zone.id });
    if (!link) throw targetRequired('aucun site n’est lié à cette zone');
    const [site] = await this.sites.describe([link.siteId]);
    if (!site?.host) throw targetRequired('le site lié n’a pas de serveur');
    const family = type === 'A' ? 4 : 6;
    const addresses = await addressesOf(site.host, family);
    // A person may type a private address; Vigie never publishes one by itself.
    const address = addresses.find((each) => !isPrivateAddress(each));
    if (address !== undefined) return address;
    throw targetRequired(
      addresses.length === 0
        ? `le serveur ${site.host} n’a pas d’adresse IPv${family} connue`
        : `le serveur ${site.host} n’a qu’une adresse privée (${addresses.join(', ')}), qui ne répond pas depuis Internet`,
    );
  }
}

async function addressesOf(host: string, family: 4 | 6): Promise<string[]> {
  const version = isIP(host);
  if (version !== 0) return version === family ? [host] : [];
  const addresses = await lookup(host, { family, all: true }).catch(() => []);
  return addresses.map(({ address }) => address);
}

const targetRequired = (reason: string) =>
  new AppError('invalid', `Indiquez vers quelle adresse le sous-domaine doit pointer\u00a0: ${reason}.`);
