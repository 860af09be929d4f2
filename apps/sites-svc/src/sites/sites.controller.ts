import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { sitesOutboxWritten } from '@vigie/contracts/outbox';
import { serversChanged } from '@vigie/contracts/servers';
import {
  createSite,
  deleteSite,
  editSite,
  explainSiteSearch,
  listSiteIds,
  listSites,
  missingConnection,
  readSite,
  type ReceivedSite,
  type ReceivedSiteChanges,
  type Site as SiteView,
} from '@vigie/contracts/sites';
import { describeSites, listOtherSites } from '@vigie/contracts/site-references';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { fitInMessage } from '@vigie/service-kit/messages';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { changedValues, recordAuditEvent } from '../activity/audit-events';
import { setGroups, visitMovedSoon } from '../groups/memberships';
import { clearSiteState } from '../items/clear-site-state';
import { owns } from '../owners/owner-filter';
import { lockOwner } from '../owners/owners';
import { roleTooWeak } from '../owners/role-refusal';
import { addressOf, Server } from '../servers/server.entity';
import { hurryScans } from '../sweeps/schedule';
import { findSite, lockSite, refuseLoss } from './find-site';
import { insertSites } from './insert-sites';
import { removeSites } from './remove-sites';
import { changedElsewhere, effectiveAddress, isSameAddress, requireUnchangedServer } from './site-access';
import { SiteCredentials } from './site-credentials';
import { toItems, toSite } from './site-responses';
import { Site } from './site.entity';
import { explainSearch } from './search-hints';
import { findSiteIds, querySites } from './site-query';

/** A message on the bus carries one megabyte, the rest of the answer included. */
const maxBytes = 800_000;

@Controller()
export class SitesController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly credentials: SiteCredentials,
    private readonly bus: Bus,
  ) {}

  @Handles(listSites)
  async list(input: Input<typeof listSites>) {
    const { manager } = this.database;
    const { ids, total } = await findSiteIds(manager, input);
    return { items: fitInMessage(await toItems(manager, ids), maxBytes), total };
  }

  @Handles(listSiteIds)
  async listIds(input: Input<typeof listSiteIds>) {
    return findSiteIds(this.database.manager, input);
  }

  @Handles(explainSiteSearch)
  async explain({ q }: Input<typeof explainSiteSearch>) {
    return { hints: await explainSearch(this.database.manager, q) };
  }

  @Handles(listOtherSites)
  async listOthers({ owner_id: ownerId, except, limit, offset, q }: Input<typeof listOtherSites>) {
    const { where, order, values } = querySites({ q, sort: 'name' }, ownerId === null ? {} : { ownerId });
    const [exceptAt, limitAt, offsetAt] = [values.push(except), values.push(limit), values.push(offset)];
    const others = `from sites s where ${where} and s.id <> all($${exceptAt}::uuid[])`;
    const [page]: Output<typeof listOtherSites>[] = await this.database.query(
      `select (select count(*)::int ${others}) as total, coalesce((select json_agg(o) from (
         select s.id, s.owner_id, s.name, s.url ${others} order by ${order} limit $${limitAt} offset $${offsetAt}) o), '[]') as sites`,
      values,
    );
    if (!page) throw new Error('a count is one row');
    return page;
  }

  @Handles(readSite)
  async read({ id }: Input<typeof readSite>): Promise<SiteView> {
    return toSite(this.database.manager, id);
  }

  @Handles(describeSites)
  async describe({ ids }: Input<typeof describeSites>): Promise<Output<typeof describeSites>> {
    const sites: Output<typeof describeSites>['sites'] = await this.database.query(
      `select s.id, s.owner_id, s.name, s.url, coalesce(s.host, v.host) as host
       from sites s left join servers v on v.id = s.server_id where s.id = any($1::uuid[])`,
      [ids],
    );
    return { sites };
  }

  @Handles(createSite)
  async create(input: ReceivedSite): Promise<SiteView> {
    const { name, url, groups, server_id: serverId = null, wp_path: path = null } = input;
    const place = { host: input.host ?? null, port: input.port ?? null, user: input.user ?? null };
    const newId = uuid();
    const server = await findOwnedServer(this.database.manager, serverId, currentUser().sub);
    refuseUnreachable({ ...place, serverId, path });
    const newCredential = await this.credentials.next({ id: newId, submitted: input, address: place, server });
    const { digest, ...credential } = newCredential ?? { digest: null };
    return this.database.transaction(async (manager) => {
      const ownerId = await lockOwner(manager);
      // Sealing a secret twice gives two texts, so the idempotency key covers its digest.
      const sitesById = await this.idempotencyKeys.claim(manager, createSite, { ...input, auth: digest }, newId);
      if (sitesById !== undefined) return toSite(manager, sitesById);
      await requireUnchangedServer(manager, server, ownerId);
      const site = { id: newId, ownerId, name, url, serverId, ...place, path, ...credential };
      await insertSites(manager, [{ site, details: { ...effectiveAddress(place, server) } }]);
      await setGroups(manager, { kind: 'sites', ids: [newId], ownerId }, groups);
      return toSite(manager, newId);
    });
  }

  @Handles(editSite)
  async edit(input: ReceivedSiteChanges): Promise<SiteView> {
    const { manager } = this.database;
    const before = await findSite(manager, input.id);
    if (!owns(before)) refuseConnection(before, input);
    const connectionChange = await this.prepareConnectionChange(manager, before, input);
    const changes = { ...changedFields(before, { name: input.name, url: input.url }), ...connectionChange?.changes };
    const isNewUrl = input.url !== undefined && input.url !== before.url;
    const edited = await this.database.transaction(async (transaction) => {
      const site = await lockSite(transaction, input.id);
      // The credential was sealed for the address that the row had before.
      if (connectionChange && site.version !== before.version) throw changedElsewhere();
      if (connectionChange) {
        await requireUnchangedServer(transaction, connectionChange.server, site.ownerId);
        await hurryScans(transaction, [site.id]);
      }
      // A running job may have searched for the site's folder by the old address: its result no longer counts.
      const addressReset = isNewUrl && { http: null, version: site.version + 1 };
      if (Object.keys(changes).length > 0)
        await transaction.update(Site, { id: site.id }, { ...changes, ...addressReset });
      if (connectionChange?.hasMoved || (isNewUrl && site.path === null)) await clearSiteState(transaction, [site.id]);
      if (input.groups) {
        await setGroups(transaction, { kind: 'sites', ids: [site.id], ownerId: site.ownerId }, input.groups);
        await refuseLoss(transaction, [site.id]);
      }
      if (isNewUrl) await visitMovedSoon(transaction, [site.id]);
      if (Object.keys(changes).length === 0 && !input.groups) return toSite(transaction, site.id);
      const renamed = { id: site.id, ownerId: site.ownerId, name: changes.name ?? site.name };
      await recordAuditEvent(transaction, {
        type: 'site_edit',
        site: renamed,
        details: changedValues(auditedFields, before, changes),
      });
      return toSite(transaction, site.id);
    });
    if (connectionChange) this.bus.publish(serversChanged, { ids: [input.id] });
    return edited;
  }

  @Handles(deleteSite)
  async delete({ id }: Input<typeof deleteSite>) {
    await this.database.transaction(async (manager) => removeSites(manager, [await lockSite(manager, id)]));
    this.bus.publish(serversChanged, { ids: [id] });
    this.bus.publish(sitesOutboxWritten, {});
    return {};
  }

  /** Drops the pinned host key when the site moves to another host: trust in the old one says nothing of the new one. */
  private async prepareConnectionChange(manager: EntityManager, site: Site, input: ReceivedSiteChanges) {
    const { server_id: serverId, host, port, user } = input;
    const addressChanges = changedFields(site, { serverId, host, port, user });
    const connectionChanges = { ...addressChanges, ...changedFields(site, { path: input.wp_path }) };
    if (Object.keys(connectionChanges).length === 0 && input.auth === undefined) return undefined;
    const wanted = { ...connectionFields(site), ...connectionChanges };
    refuseUnreachable(wanted);
    const oldServer = site.serverId === null ? null : await manager.findOneBy(Server, { id: site.serverId });
    const server =
      'serverId' in addressChanges ? await findOwnedServer(manager, wanted.serverId, site.ownerId) : oldServer;
    const needsCredential = Object.keys(addressChanges).length > 0 || input.auth !== undefined;
    const request = { id: site.id, submitted: input, address: wanted, server, before: site };
    const newCredential = needsCredential ? await this.credentials.next(request) : undefined;
    const { digest: _, ...credential } = newCredential ?? { digest: null };
    const isSameHost = isSameAddress(
      effectiveAddress(site, oldServer && addressOf(oldServer)),
      effectiveAddress(wanted, server && addressOf(server)),
    );
    return {
      server,
      hasMoved: !isSameHost || 'path' in connectionChanges,
      changes: {
        ...connectionChanges,
        ...credential,
        version: site.version + 1,
        refusal: null,
        ...(!isSameHost && { hostKey: null, shownKey: null }),
      },
    };
  }
}

const connectionFields = ({ serverId, host, port, user, path }: Site) => ({ serverId, host, port, user, path });

function changedFields(site: Site, wanted: object): Partial<Site> {
  const sitesById = new Map(Object.entries(site));
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => value !== undefined && value !== (sitesById.get(field) ?? null)),
  );
}

async function findOwnedServer(manager: EntityManager, id: string | null, ownerId: string): Promise<Server | null> {
  if (id === null) return null;
  const server = await manager.findOneBy(Server, { id, ownerId });
  if (!server) throw new AppError('not_found', 'Ce serveur n’existe pas ou n’existe plus.');
  return server;
}

function refuseUnreachable({ serverId, host, user, path }: Pick<Site, 'serverId' | 'host' | 'user' | 'path'>): void {
  if (serverId === null && !(host && user && path)) throw new AppError('invalid', missingConnection);
}

/** A site that moved to another address or folder would open what is there, by its owner's credentials. */
function refuseConnection(
  site: Site,
  { url, server_id: serverId, host, port, user, wp_path: path, auth }: ReceivedSiteChanges,
): void {
  // Even what stays as it is would tell by its success what the connection is.
  const connection = [serverId, host, port, user, path, auth];
  const isNewUrl = url !== undefined && url !== site.url;
  if (isNewUrl || connection.some((field) => field !== undefined)) throw roleTooWeak();
}

/** Fields that the audit may quote: never a secret. */
const auditedFields = ['name', 'url', 'serverId', 'host', 'port', 'user', 'path', 'method'] as const;
