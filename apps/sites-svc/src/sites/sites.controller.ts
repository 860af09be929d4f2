import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { sitesOutboxWritten } from '@vigie/contracts/outbox';
import { serversChanged } from '@vigie/contracts/servers';
import {
  createSite,
  deleteSite,
  describeSites,
  editSite,
  listOtherSites,
  listSiteIds,
  listSites,
  missingConnection,
  readSite,
  type ReceivedSite,
  type ReceivedSiteChanges,
  type Site as SiteView,
} from '@vigie/contracts/sites';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { fitInMessage } from '@vigie/service-kit/messages';
import { DataSource, type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { changedOf, recordDoing } from '../activity/doings';
import { putIntoGroups } from '../groups/memberships';
import { holdOwner } from '../owners/owners';
import { addressOf, Server } from '../servers/server.entity';
import { hurryScans, scheduleSites } from '../sweeps/schedule';
import { findSite, holdSite } from './find-site';
import { unread } from './keep-facts';
import { removeSites } from './remove-sites';
import { effectiveOf, isSameAddress } from './site-access';
import { SiteCredentials } from './site-credentials';
import { toItems, toSite } from './site-answers';
import { Site } from './site.entity';
import { whichSites } from './which-sites';

/** Of the sites of a list: a message on the bus carries a megabyte, with what is around them. */
const maxBytes = 800_000;

@Controller()
export class SitesController {
  constructor(
    private readonly database: DataSource,
    private readonly creations: IdempotencyKeys,
    private readonly credentials: SiteCredentials,
    private readonly bus: Bus,
  ) {}

  @Handles(listSites)
  async list({ limit, offset, ...which }: Input<typeof listSites>) {
    const { manager } = this.database;
    const [found, total] = await whichSites(manager, which).offset(offset).limit(limit).getManyAndCount();
    // None but those of the page is read whole.
    const sites = await manager.findBy(Site, { id: In(found.map(({ id }) => id)) });
    const known = new Map(sites.map((site) => [site.id, site]));
    const page = found.flatMap(({ id }) => known.get(id) ?? []);
    return { items: fitInMessage(await toItems(manager, page), maxBytes), total };
  }

  @Handles(listSiteIds)
  async listIds({ limit, offset, ...which }: Input<typeof listSiteIds>) {
    const query = whichSites(this.database.manager, which).offset(offset).limit(limit);
    const [sites, total] = await query.getManyAndCount();
    return { ids: sites.map(({ id }) => id), total };
  }

  @Handles(listOtherSites)
  async listOthers({ owner_id: ownerId, except, limit, offset, q }: Input<typeof listOtherSites>) {
    const owner = ownerId === null ? {} : { ownerId };
    const query = whichSites(this.database.manager, { q, sort: 'name' }, owner)
      .addSelect(['s.ownerId', 's.name', 's.url'])
      .andWhere('s.id <> all(cast(:except as uuid[]))', { except })
      .offset(offset)
      .limit(limit);
    const [sites, total] = await query.getManyAndCount();
    return {
      sites: sites.map((site) => ({ id: site.id, owner_id: site.ownerId, name: site.name, url: site.url })),
      total,
    };
  }

  @Handles(readSite)
  async read({ id }: Input<typeof readSite>): Promise<SiteView> {
    return view(this.database.manager, id);
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
    const madeId = uuid();
    const server = await serverOf(this.database.manager, serverId, currentUser().sub);
    refuseUnreachable({ ...place, serverId, path });
    const made = await this.credentials.next({ id: madeId, named: input, place, server });
    const { digest, ...credential } = made ?? { digest: null };
    return this.database.transaction(async (manager) => {
      const ownerId = await holdOwner(manager);
      // The seal of a secret is another one each time it comes; its digest is the same.
      const known = await this.creations.claim(manager, createSite, { ...input, auth: digest }, madeId);
      if (known !== undefined) return view(manager, known);
      await refuseMoved(manager, server, ownerId);
      const site = { id: madeId, ownerId, name, url, serverId, ...place, path, ...credential, version: 1 };
      await manager.insert(Site, site);
      await putIntoGroups(manager, { kind: 'sites', ids: [madeId], ownerId }, groups);
      await scheduleSites(manager, [madeId]);
      await recordDoing(manager, { type: 'site_create', site, details: { url, ...effectiveOf(place, server) } });
      return view(manager, madeId);
    });
  }

  @Handles(editSite)
  async edit(input: ReceivedSiteChanges): Promise<SiteView> {
    const { manager } = this.database;
    const before = await findSite(manager, input.id);
    const way = await this.newWay(manager, before, input);
    const plain = { ...differing(before, { name: input.name, url: input.url }), ...way?.changes };
    const isNewUrl = input.url !== undefined && input.url !== before.url;
    const edited = await this.database.transaction(async (transaction) => {
      const site = await holdSite(transaction, input.id);
      // Sealed for the address and beside the key of a row that is another one meanwhile.
      if (way && site.version !== before.version) throw changedElsewhere();
      if (way) {
        await refuseMoved(transaction, way.server, site.ownerId);
        await hurryScans(transaction, [site.id]);
      }
      // What is under way was asked of the old address: it may have looked for its folder by it.
      const anew = isNewUrl && { http: null, version: site.version + 1 };
      if (Object.keys(plain).length > 0) await transaction.update(Site, { id: site.id }, { ...plain, ...anew });
      if (way?.isElsewhere || (isNewUrl && site.path === null)) await unread(transaction, [site.id]);
      if (input.groups) {
        await putIntoGroups(transaction, { kind: 'sites', ids: [site.id], ownerId: site.ownerId }, input.groups);
      }
      if (Object.keys(plain).length === 0 && !input.groups) return view(transaction, site.id);
      const renamed = { id: site.id, ownerId: site.ownerId, name: plain.name ?? site.name };
      await recordDoing(transaction, { type: 'site_edit', site: renamed, details: changedOf(told, before, plain) });
      return view(transaction, site.id);
    });
    if (way) this.bus.publish(serversChanged, { ids: [input.id] });
    return edited;
  }

  @Handles(deleteSite)
  async delete({ id }: Input<typeof deleteSite>) {
    await this.database.transaction(async (manager) => removeSites(manager, [await holdSite(manager, id)]));
    this.bus.publish(serversChanged, { ids: [id] });
    this.bus.publish(sitesOutboxWritten, {});
    return {};
  }

  /** What changes when its way or its credential does: nothing of before is trusted elsewhere. */
  private async newWay(manager: EntityManager, site: Site, input: ReceivedSiteChanges) {
    const wanted = { serverId: input.server_id, host: input.host, port: input.port, user: input.user };
    const moved = differing(site, wanted);
    const moving = { ...moved, ...differing(site, { path: input.wp_path }) };
    if (Object.keys(moving).length === 0 && input.auth === undefined) return undefined;
    const next = { ...wayOf(site), ...moving };
    refuseUnreachable(next);
    const old = site.serverId === null ? null : await manager.findOneBy(Server, { id: site.serverId });
    const server = 'serverId' in moved ? await serverOf(manager, next.serverId, site.ownerId) : old;
    const isSealedAnew = Object.keys(moved).length > 0 || input.auth !== undefined;
    const asked = { id: site.id, named: input, place: next, server, before: site };
    const made = isSealedAnew ? await this.credentials.next(asked) : undefined;
    const { digest: _, ...credential } = made ?? { digest: null };
    const isThere = isSameAddress(
      effectiveOf(site, old && addressOf(old)),
      effectiveOf(next, server && addressOf(server)),
    );
    return {
      server,
      isElsewhere: !isThere || 'path' in moving,
      changes: {
        ...moving,
        ...credential,
        version: site.version + 1,
        refusal: null,
        ...(!isThere && { hostKey: null, shownKey: null }),
      },
    };
  }
}

/** Within the transaction that made or changed it: right after, it may have passed on to somebody else. */
async function view(manager: EntityManager, id: string): Promise<SiteView> {
  await findSite(manager, id);
  return toSite(manager, id);
}

const wayOf = ({ serverId, host, port, user, path }: Site) => ({ serverId, host, port, user, path });

/** What was named and is another value than before. */
function differing(site: Site, wanted: object): Partial<Site> {
  const known = new Map(Object.entries(site));
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => value !== undefined && value !== (known.get(field) ?? null)),
  );
}

async function serverOf(manager: EntityManager, id: string | null, ownerId: string): Promise<Server | null> {
  if (id === null) return null;
  const server = await manager.findOneBy(Server, { id, ownerId });
  if (!server) throw new AppError('not_found', 'Ce serveur n’existe pas ou n’existe plus.');
  return server;
}

/** As it was when the secret was sealed for its address, and until the end of the transaction. */
async function refuseMoved(manager: EntityManager, server: Server | null, ownerId: string): Promise<void> {
  if (!server) return;
  const { id, version } = server;
  const held = await manager.findOne(Server, { where: { id, ownerId, version }, lock: { mode: 'for_key_share' } });
  if (!held) throw changedElsewhere();
}

const changedElsewhere = () =>
  new AppError(
    'conflict',
    'Ce site ou son serveur vient d’être modifié ailleurs. Rechargez la page, puis recommencez.',
  );

function refuseUnreachable({ serverId, host, user, path }: Pick<Site, 'serverId' | 'host' | 'user' | 'path'>): void {
  if (serverId === null && !(host && user && path)) throw new AppError('invalid', missingConnection);
}

/** What of a change is told, never the secret. */
const told = ['name', 'url', 'serverId', 'host', 'port', 'user', 'path', 'method'] as const;
