import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { linkZone, listSiteZones, type SiteZone, unlinkZone } from '@vigie/contracts/dns-mapping';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { lockName } from '@vigie/service-kit/locks';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { DataSource, type EntityManager, In } from 'typeorm';
import { reachableConfigs } from '../config/find-config';
import { recordAuditEvent } from '../audit-events';
import { isDeleted } from '../deletions';
import { ZoneAccess } from '../zones/zone-access';
import { type RefOf, loadZoneRefs } from '../zones/zone-refs';
import { SitesClient, unknownSite } from './sites-client';
import { Link } from './link.entity';

const matchesSearch = `(strpos(l.zone_name collate "C", lower(:typed)) > 0 or l.site_id = any(cast(:ids as uuid[])))`;

@Controller()
export class MappingController {
  constructor(
    private readonly database: DataSource,
    private readonly access: ZoneAccess,
    private readonly transactions: AuditedTransactions,
    private readonly sites: SitesClient,
  ) {}

  @Handles(listSiteZones)
  async list({
    q,
    site_id: onlySiteId,
    limit,
    offset,
  }: Input<typeof listSiteZones>): Promise<Output<typeof listSiteZones>> {
    const { manager } = this.database;
    const configs = await reachableConfigs(manager);
    const query = manager
      .createQueryBuilder(Link, 'l')
      .where({ configId: In(configs.map(({ id }) => id)), ...(onlySiteId !== undefined && { siteId: onlySiteId }) })
      .orderBy('l.zoneName')
      .addOrderBy('l.siteId')
      .offset(offset)
      .limit(limit);
    const searchText = q.trim();
    if (searchText !== '') {
      const ids = await this.sites.searchIds(searchText);
      query.andWhere(matchesSearch, { typed: searchText.normalize('NFC'), ids });
    }
    const [links, total] = await query.getManyAndCount();
    // Links are listed even while sites-svc is unavailable.
    const names = await this.sites.namesOf(links.map(({ siteId }) => siteId));
    const refOf = await loadZoneRefs(manager, configs, zonesOf(links));
    return { site_zones: links.map((link) => toSiteZone(link, names.get(link.siteId) ?? null, refOf)), total };
  }

  @Handles(linkZone)
  async link({ zone_id: ref, site_id: siteId, auto_sync: autoSync }: Input<typeof linkZone>) {
    const site = await this.sites.find(siteId);
    const { config, zone } = await this.access.find(ref, site.owner_id);
    const link = { siteId, configId: config.id, zoneId: zone.id, zoneName: zone.name, autoSync, linkedAt: new Date() };
    await this.transactions.write(async (transaction) => {
      if (await isDeleted(transaction.manager, siteId)) throw unknownSite();
      // Read under the lock: a change of owner that is told later drops the link again.
      if ((await this.sites.find(siteId)).owner_id !== config.ownerId) throw differentOwners();
      await refuseLinked(transaction.manager, link);
      await transaction.manager.insert(Link, link);
      const event = { ownerId: config.ownerId, target: zone.name, targetId: zone.id, site };
      await recordAuditEvent(transaction, { type: 'zone_link', ...event });
    });
    const { manager } = this.database;
    const refOf = await loadZoneRefs(manager, await reachableConfigs(manager), zonesOf([link]));
    return { site_zone: toSiteZone(link, site.name, refOf) };
  }

  @Handles(unlinkZone)
  async unlink({ site_id: siteId }: Input<typeof unlinkZone>) {
    const configs = await reachableConfigs(this.database.manager);
    const [site] = await this.sites.describe([siteId]).catch(() => []);
    await this.transactions.write(async (transaction) => {
      const link = await transaction.manager.findOne(Link, {
        where: { siteId, configId: In(configs.map(({ id }) => id)) },
        lock: { mode: 'pessimistic_write' },
      });
      const config = configs.find(({ id }) => id === link?.configId);
      if (!link || !config) throw new AppError('not_found', 'Ce site n’est lié à aucune zone.');
      await transaction.manager.delete(Link, { siteId });
      const event = { ownerId: config.ownerId, target: link.zoneName, targetId: link.zoneId };
      await recordAuditEvent(transaction, { type: 'zone_unlink', ...event, ...(site && { site }) });
    });
    return {};
  }
}

const differentOwners = () => new AppError('conflict', 'Ce site et cette zone n’appartiennent pas à la même personne.');

/** Locks the configuration’s links, so that two parallel requests cannot both pass the check. */
async function refuseLinked(manager: EntityManager, { siteId, configId, zoneId }: Link): Promise<void> {
  await lockName(manager, 'links', configId);
  const [existing] = await manager.find(Link, { where: [{ siteId }, { configId, zoneId }], take: 1 });
  if (!existing) return;
  throw new AppError(
    'conflict',
    existing.siteId === siteId
      ? `Ce site est déjà lié à la zone ${existing.zoneName}\u00a0: déliez-le d’abord.`
      : `La zone ${existing.zoneName} est déjà liée à un autre site\u00a0: déliez-la d’abord.`,
  );
}

const zonesOf = (links: readonly Link[]) => links.map(({ zoneId: id }) => ({ id }));

const toSiteZone = (link: Link, name: string | null, refOf: RefOf): SiteZone => ({
  site_id: link.siteId,
  site_name: name,
  zone_mappings: [
    {
      zone_id: link.zoneId,
      zone_ref: refOf(link.configId, link.zoneId).ref,
      zone_name: link.zoneName,
      auto_sync: link.autoSync,
      linked_at: link.linkedAt.toISOString(),
    },
  ],
});
