import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { setGroups } from '../groups/memberships';
import { RequestedJobs } from '../queue/requested-jobs';
import { serverTarget } from '../queue/jobs';
import { lockServer } from '../servers/find-server';
import { insertSites } from '../sites/insert-sites';
import { existingSitesSql } from './save-discovery';

type ImportRequest = Input<typeof importSites>;

/** Discovers the sites on a server and registers them. */
@Controller()
export class SiteDiscoveryController {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: RequestedJobs,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Handles(discoverSites)
  async discover(input: Input<typeof discoverSites>) {
    return this.jobs.createCheck(discoverSites, input, async (manager) => {
      const server = await lockServer(manager, input.id);
      const newItems = { version: server.version, folder: input.folder ?? null };
      return { kind: 'servers.discover', target: serverTarget(server), input: newItems };
    });
  }

  /** A repeated import registers nothing twice. */
  @Handles(importSites)
  async import(input: ImportRequest) {
    const importId = uuid();
    return this.database.transaction(async (manager) => {
      // The lock lets the second of two simultaneous imports find the sites of the first.
      const server = await lockServer(manager, input.server_id);
      const existingId = await this.idempotencyKeys.claim(manager, importSites, input, importId);
      const existing = await findExistingSites(manager, server.id, input.items);
      if (existingId !== undefined) return repeatAnswer(manager, existingId, existing);
      const newItems = input.items.filter(({ path }) => !existing.has(path));
      const rows = [...new Map(newItems.map((item) => [item.path, { ...item, id: uuid() }])).values()];
      const { id: serverId, ownerId } = server;
      const sites = rows.map((row) => ({ site: { ...row, serverId, ownerId }, details: { server: server.name } }));
      await insertSites(manager, sites);
      // Last, because it locks the counts of the groups. Without new sites it still refuses another owner's group.
      const members = { kind: 'sites', ids: rows.map(({ id }) => id), ownerId } as const;
      await setGroups(manager, members, input.groups);
      const skipped = [...existing].map(([path, id]) => ({ path, site_id: id }));
      return { items: rows.map(({ id, name, path }) => ({ id, name, path })), skipped };
    });
  }
}

/** Sites and idempotency key of one import share a time, because `now()` is that of the transaction. */
async function repeatAnswer(manager: EntityManager, importId: string, existing: ReadonlyMap<string, string>) {
  const items: { id: string; name: string; path: string }[] = await manager.query(
    `select id, name, wp_path as path from sites
     where id = any($2::uuid[]) and created_at = (select at from creation_keys where made_id = $1) order by id`,
    [importId, [...existing.values()]],
  );
  const members = new Set(items.map(({ id }) => id));
  return { items, skipped: [...existing].flatMap(([path, id]) => (members.has(id) ? [] : [{ path, site_id: id }])) };
}

async function findExistingSites(
  manager: EntityManager,
  serverId: string,
  items: ImportRequest['items'],
): Promise<Map<string, string>> {
  const rows: { id: string; path: string }[] = await manager.query(existingSitesSql, [
    serverId,
    JSON.stringify(items.map(({ path, url }) => ({ path, url }))),
  ]);
  return new Map(rows.map(({ id, path }) => [path, id]));
}
