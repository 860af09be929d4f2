import { Injectable } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { describeSites, listOtherSites } from '@vigie/contracts/sites';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';

export type KnownSite = Output<typeof describeSites>['sites'][number];
export type OtherSite = Output<typeof listOtherSites>['sites'][number];

const maxAsked = 1_000;

export const unknownSite = () => new AppError('not_found', 'Ce site n’existe pas ou n’existe plus.');

/** Calls sites-svc about sites. */
@Injectable()
export class KnownSites {
  constructor(private readonly bus: Bus) {}

  async describe(ids: readonly string[]): Promise<KnownSite[]> {
    const sites: KnownSite[] = [];
    for (let from = 0; from < ids.length; from += maxAsked) {
      const part = await this.bus.call(describeSites, { ids: ids.slice(from, from + maxAsked) });
      sites.push(...part.sites);
    }
    return sites;
  }

  /** Returns site names for display, or none while sites-svc is unavailable. */
  async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const named = await this.describe(ids).catch(() => []);
    return new Map(named.map(({ id, name }) => [id, name]));
  }

  /** Returns ids of the sites that the acting user may see and that match, or none while sites-svc is unavailable. */
  async matching(q: string): Promise<string[]> {
    const found = await this.others({ q, except: [], limit: maxAsked, offset: 0 }).catch(() => ({ sites: [] }));
    return found.sites.map(({ id }) => id);
  }

  /**
   * Lists sites that the acting user may see. sites-svc learns the user from this call: only the gateway sends it the
   * user itself.
   */
  others(asked: Omit<Input<typeof listOtherSites>, 'owner_id'>): Promise<Output<typeof listOtherSites>> {
    const { sub, adminMode } = currentUser();
    return this.bus.call(listOtherSites, { ...asked, owner_id: adminMode ? null : sub });
  }

  async allOthers(except: string[]): Promise<OtherSite[]> {
    const found: OtherSite[] = [];
    for (;;) {
      const part = await this.others({ q: '', except, limit: maxAsked, offset: found.length });
      found.push(...part.sites);
      if (part.sites.length === 0 || found.length >= part.total) return found;
    }
  }

  /** Finds a site that the acting user may see. */
  async find(id: string): Promise<KnownSite> {
    const { sub, adminMode } = currentUser();
    const [site] = await this.describe([id]);
    if (!site || (site.owner_id !== sub && !adminMode)) throw unknownSite();
    return site;
  }
}
