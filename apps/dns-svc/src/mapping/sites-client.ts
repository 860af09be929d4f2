import { Injectable } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { describeSites, listOtherSites } from '@vigie/contracts/site-references';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';

export type SiteSummary = Output<typeof describeSites>['sites'][number];
export type ListedSite = Output<typeof listOtherSites>['sites'][number];

const maxPerCall = 1_000;

export const unknownSite = () => new AppError('not_found', 'Ce site n’existe pas ou n’existe plus.');

@Injectable()
export class SitesClient {
  constructor(private readonly bus: Bus) {}

  async describe(ids: readonly string[]): Promise<SiteSummary[]> {
    const sites: SiteSummary[] = [];
    for (let from = 0; from < ids.length; from += maxPerCall) {
      const page = await this.bus.call(describeSites, { ids: ids.slice(from, from + maxPerCall) });
      sites.push(...page.sites);
    }
    return sites;
  }

  /** Returns site names for display, or none while sites-svc is unavailable. */
  async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const sites = await this.describe(ids).catch(() => []);
    return new Map(sites.map(({ id, name }) => [id, name]));
  }

  /** Returns ids of the sites that the acting user may see and that match, or none while sites-svc is unavailable. */
  async searchIds(q: string): Promise<string[]> {
    const sites = await this.list({ q, except: [], limit: maxPerCall, offset: 0 }).catch(() => ({ sites: [] }));
    return sites.sites.map(({ id }) => id);
  }

  /** Lists sites that the acting user may see; the call names the user, because dns-svc may not assert it. */
  list(filter: Omit<Input<typeof listOtherSites>, 'owner_id'>): Promise<Output<typeof listOtherSites>> {
    const { sub, adminMode } = currentUser();
    return this.bus.call(listOtherSites, { ...filter, owner_id: adminMode ? null : sub });
  }

  async listAll(except: string[]): Promise<ListedSite[]> {
    const sites: ListedSite[] = [];
    for (;;) {
      const page = await this.list({ q: '', except, limit: maxPerCall, offset: sites.length });
      sites.push(...page.sites);
      if (page.sites.length === 0 || sites.length >= page.total) return sites;
    }
  }

  async find(id: string): Promise<SiteSummary> {
    const { sub, adminMode } = currentUser();
    const [site] = await this.describe([id]);
    if (!site || (site.owner_id !== sub && !adminMode)) throw unknownSite();
    return site;
  }
}
