import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordAuditEvents } from '../activity/audit-events';
import { setGroups } from '../groups/memberships';
import { RequestedJobs } from '../queue/requested-jobs';
import { serverTarget } from '../queue/jobs';
import { lockServer } from '../servers/find-server';
import type { Server } from '../servers/server.entity';
import { scheduleSites } from '../sweeps/schedule';
import { existingSitesSql } from './save-discovery';

type ImportRequest = Input<typeof importSites>;
type NewSite = { id: string; name: string; url: string; path: string };

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
      if (rows.length > 0) await this.createSites(manager, server, rows);
      // Last, because it locks the counts of the groups. Without new sites it still refuses another owner's group.
      const members = { kind: 'sites', ids: rows.map(({ id }) => id), ownerId: server.ownerId } as const;
      await setGroups(manager, members, input.groups);
      const skipped = [...existing].map(([path, id]) => ({ path, site_id: id }));
      return { items: rows.map(({ id, name, path }) => ({ id, name, path })), skipped };
    });
  }

  private async createSites(manager: EntityManager, server: Server, rows: readonly NewSite[]) {
    const { id: serverId, ownerId } = server;
    await manager.query(
      `insert into sites (id, owner_id, name, url, server_id, wp_path)
       select id, $2, name, url, $3, path from jsonb_to_recordset($1::jsonb) as r(id uuid, name text, url text, path text)`,
      [JSON.stringify(rows), ownerId, serverId],
    );
    await scheduleSites(
      manager,
      rows.map(({ id }) => id),
    );
    await recordAuditEvents(
      manager,
      rows.map(({ id, name, url }) => ({
        type: 'site_create',
        site: { id, name, ownerId },
        details: { url, server: server.name },
      })),
    );
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
