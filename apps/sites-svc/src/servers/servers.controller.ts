import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  createServer,
  deleteServer,
  editServer,
  listServers,
  type ReceivedServerChanges,
  type ReceivedServer,
  readPublicKey,
  readServer,
  serversChanged,
  type Server as ServerView,
} from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { partOf, queryPrepared } from '@vigie/service-kit/database';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { changedValues, recordAuditEvent } from '../activity/audit-events';
import { isOwned, ownerFilter } from '../owners/owner-filter';
import { lockOwner } from '../owners/owners';
import { isInGroup, setGroups } from '../groups/memberships';
import { removeSubjects } from '../incidents/end-incidents';
import { endSweeps, scheduleServer } from '../sweeps/schedule';
import { CredentialImports } from './credential-imports';
import { findServer, lockServer } from './find-server';
import { addressOf, Server } from './server.entity';
import { resetSiteConnections, toServers, toServerView } from './server-responses';

const maxNamed = 20;

@Controller()
export class ServersController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly bus: Bus,
    private readonly imports: CredentialImports,
  ) {}

  @Handles(listServers)
  async list(input: Input<typeof listServers>) {
    const { manager } = this.database;
    const { ids, ...counts } = await findServerIds(manager, input);
    return { items: await toServers(manager, ids), ...counts };
  }

  @Handles(readServer)
  async read({ id }: Input<typeof readServer>): Promise<ServerView> {
    return toServerView(this.database.manager, id);
  }

  @Handles(readPublicKey)
  async pubkey({ id }: Input<typeof readPublicKey>) {
    const { publicKey } = await findServer(this.database.manager, id);
    return { pubkey: `${publicKey} vigie` };
  }

  @Handles(createServer)
  async create(input: ReceivedServer): Promise<ServerView> {
    const { name, host, port, user, provider = null, type, auth } = input;
    const newId = uuid();
    const target = { host, port, user };
    const row = { table: 'servers' as const, id: newId };
    const imported = await this.imports.import({ auth, ...target, row, target });
    const { credential, method, public_key: publicKey, digest } = imported;
    return this.database.transaction(async (manager) => {
      const ownerId = await lockOwner(manager);
      // Sealing a secret twice gives two texts, so the idempotency key covers its digest.
      const existingId = await this.idempotencyKeys.claim(manager, createServer, { ...input, auth: digest }, newId);
      if (existingId !== undefined) return toServerView(manager, existingId);
      const server = {
        id: newId,
        ownerId,
        name,
        ...target,
        provider,
        type,
        credential,
        method,
        publicKey,
        version: 1,
      };
      await manager.insert(Server, server);
      await setGroups(manager, { kind: 'servers', ids: [newId], ownerId }, input.groups);
      await scheduleServer(manager, newId);
      await recordAuditEvent(manager, { type: 'server_create', server, details: { host, type } });
      return toServerView(manager, newId);
    });
  }

  @Handles(editServer)
  async edit(input: ReceivedServerChanges): Promise<ServerView> {
    const before = await findServer(this.database.manager, input.id);
    const contactChange = await this.prepareContactChange(before, input);
    const changes = { ...plainChanges(before, input), ...contactChange };
    const { groups } = input;
    if (Object.keys(changes).length === 0 && !groups) return toServerView(this.database.manager, before.id);
    const edited = await this.database.transaction(async (manager) => {
      const server = await lockServer(manager, input.id);
      // The credential was sealed for the address that the row had before.
      if (contactChange && server.version !== before.version) {
        throw new AppError(
          'conflict',
          'Ce serveur vient d’être modifié ailleurs. Rechargez la page, puis recommencez.',
        );
      }
      if (Object.keys(changes).length > 0) await manager.update(Server, { id: server.id }, changes);
      if (contactChange) await resetSiteConnections(manager, server.id, 'hostKey' in contactChange);
      if (groups) await setGroups(manager, { kind: 'servers', ids: [server.id], ownerId: server.ownerId }, groups);
      const renamed = { id: server.id, ownerId: server.ownerId, name: changes.name ?? server.name };
      await recordAuditEvent(manager, {
        type: 'server_edit',
        server: renamed,
        details: changedValues(auditedFields, before, changes),
      });
      return toServerView(manager, input.id);
    });
    if (contactChange) this.bus.publish(serversChanged, { ids: [input.id] });
    return edited;
  }

  @Handles(deleteServer)
  async delete({ id, force }: Input<typeof deleteServer>) {
    await this.database.transaction(async (manager) => {
      const server = await lockServer(manager, id);
      const sites: { id: string; name: string }[] = await manager.query(
        'select id, name from sites where server_id = $1 order by name, id',
        [id],
      );
      if (sites.length > 0 && force === '0') throw serverInUse(sites);
      await detachSites(manager, id);
      await manager.delete(Server, { id });
      await endSweeps(manager, [id]);
      await removeSubjects(manager, [id]);
      await recordAuditEvent(manager, {
        type: 'server_delete',
        server,
        details: { host: server.host, sites: sites.length },
      });
    });
    this.bus.publish(serversChanged, { ids: [id] });
    return {};
  }

  /** Drops the pinned host key and the stored status when the server moves: they are those of another machine. */
  private async prepareContactChange(server: Server, { id, auth, host, port, user }: ReceivedServerChanges) {
    const address = addressOf(server);
    const target = { host: host ?? server.host, port: port ?? server.port, user: user ?? server.user };
    const hasMoved = JSON.stringify(target) !== JSON.stringify(address);
    if (!hasMoved && auth === undefined) return undefined;
    if (hasMoved && auth === undefined && server.method === 'password') {
      throw new AppError(
        'invalid',
        'L’hôte, le port ou l’utilisateur change\u00a0: saisissez de nouveau le mot de passe.',
      );
    }
    const current = { credential: server.credential, address };
    const row = { table: 'servers' as const, id };
    const imported = await this.imports.import({ auth, id, host, port, user, row, target, current });
    return {
      ...target,
      credential: imported.credential,
      method: imported.method,
      publicKey: imported.public_key,
      refusal: null,
      version: server.version + 1,
      ...(hasMoved && { hostKey: null, shownKey: null, status: null, vitals: null, alerts: [], killsChildren: false }),
    };
  }
}

const sortColumns = { name: 's.name', host: 's.host', provider: 's.provider', type: 's.type' } as const;

/** Lists servers that are down first unless an order is chosen. */
function orderOf(sort: Input<typeof listServers>['sort']): string {
  const column = (sort?.replace('-', '') ?? 'name') as keyof typeof sortColumns;
  const direction = sort?.startsWith('-') ? 'desc' : 'asc';
  if (column === 'name') return `${sort === undefined ? 's.is_down desc, ' : ''}s.name ${direction}, s.id`;
  return `${sortColumns[column]} ${direction} nulls last, s.name, s.id`;
}

type ServerPage = { ids: string[]; total: number; offline: number };

/** Returns one page of the matching servers, and how many there are on all pages. */
async function findServerIds(manager: EntityManager, input: Input<typeof listServers>): Promise<ServerPage> {
  const { q, group_id: groupId, owner_id: ownerId, sort } = input;
  const values: unknown[] = [ownerFilter().ownerId ?? null];
  const add = (value: unknown) => `$${values.push(value)}`;
  const text = "lower(concat_ws(' ', s.name, s.host, s.provider, s.login))";
  const filters = [
    ...(q.trim() === '' ? [] : [`strpos(${text}, lower(${add(q.trim().normalize('NFC'))})) > 0`]),
    ...(groupId === undefined ? [] : [isInGroup('servers', 's', add(groupId))]),
    ...(ownerId === undefined ? [] : [`s.owner_id = ${add(ownerId)}`]),
  ];
  const where = [isOwned('s', '$1'), ...filters].join(' and ');
  const [page] = await queryPrepared<ServerPage>(
    manager,
    `select c.*, to_json(array(select s.id from servers s where ${where} order by ${orderOf(sort)} ${partOf(input, add)})) as ids
     from (select count(*)::int as total, (count(*) filter (where s.is_down))::int as offline from servers s where ${where}) c`,
    values,
  );
  if (!page) throw new Error('a count is one row');
  return page;
}

function plainChanges(server: Server, { name, provider, type }: ReceivedServerChanges) {
  return {
    ...(name !== undefined && name !== server.name && { name }),
    ...(provider !== undefined && provider !== server.provider && { provider }),
    ...(type !== undefined && type !== server.type && { type }),
  };
}

/** Fields that the audit may quote: never a secret. */
const auditedFields = ['name', 'host', 'port', 'user', 'provider', 'type', 'method'] as const;

/** Keeps the sites; those without a credential of their own cannot be reached until they get one. */
const detachSites = (manager: EntityManager, serverId: string) =>
  manager.query(
    `update sites set server_id = null, version = version + 1,
       ssh_error = case when credential is null then $2 else ssh_error end
     where server_id = $1`,
    [serverId, 'Le serveur de ce site a été supprimé\u00a0: choisissez-en un autre, ou renseignez son accès.'],
  );

function serverInUse(sites: { id: string; name: string }[]): AppError {
  const names = sites.slice(0, maxNamed).map(({ name }) => name);
  const others = sites.length - names.length;
  const more = others > 0 ? ` et ${others}\u00a0${others > 1 ? 'autres' : 'autre'}` : '';
  const message = `Des sites utilisent ce serveur\u00a0: ${names.join(', ')}${more}.`;
  return new AppError('conflict', {
    message,
    code: 'sites_attached',
    sites: sites.slice(0, maxNamed),
    total: sites.length,
  });
}
