import { Injectable } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { describeSites } from '@vigie/contracts/sites';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';

export type KnownSite = Output<typeof describeSites>['sites'][number];

const mostAsked = 1_000;

export const unknownSite = () => new AppError('not_found', 'Ce site n’existe pas ou n’existe plus.');

/** What sites-svc knows of sites. */
@Injectable()
export class KnownSites {
  constructor(private readonly bus: Bus) {}

  async describe(ids: readonly string[]): Promise<KnownSite[]> {
    const sites: KnownSite[] = [];
    for (let from = 0; from < ids.length; from += mostAsked) {
      const part = await this.bus.call(describeSites, { ids: ids.slice(from, from + mostAsked) });
      sites.push(...part.sites);
    }
    return sites;
  }

  /** One that the acting user may see. */
  async find(id: string): Promise<KnownSite> {
    const { sub, adminMode } = currentUser();
    const [site] = await this.describe([id]);
    if (!site || (site.owner_id !== sub && !adminMode)) throw unknownSite();
    return site;
  }
}
