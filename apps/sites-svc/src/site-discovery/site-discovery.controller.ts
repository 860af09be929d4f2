import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordDoings } from '../activity/doings';
import { putIntoGroups } from '../groups/memberships';
import { AskedLooks } from '../jobs/asked-looks';
import { serverTarget } from '../jobs/jobs';
import { holdServer } from '../servers/find-server';
import type { Server } from '../servers/server.entity';
import { scheduleSites } from '../sweeps/schedule';
import { placesSql } from './keep-discovery';

type Wanted = Input<typeof importSites>;
type Row = { id: string; name: string; url: string; path: string };

/** What lies on a server, and what is made of it. */
@Controller()
export class SiteDiscoveryController {
  constructor(
    private readonly database: DataSource,
    private readonly asked: AskedLooks,
    private readonly creations: IdempotencyKeys,
  ) {}

  @Handles(discoverSites)
  async discover(input: Input<typeof discoverSites>) {
    return this.asked.one(discoverSites, input, async (manager) => {
      const server = await holdServer(manager, input.id);
      const wanted = { version: server.version, folder: input.folder ?? null };
      return { kind: 'servers.discover', on: serverTarget(server), input: wanted };
    });
  }

  /** Asked again, it finds all of them there. */
  @Handles(importSites)
  async import(input: Wanted) {
    const importId = uuid();
    return this.database.transaction(async (manager) => {
      // Held: of two imports at once the second finds what the first one made.
      const server = await holdServer(manager, input.server_id);
      const known = await this.creations.claim(manager, importSites, input, importId);
      const there = await placesOn(manager, server.id, input.items);
      if (known !== undefined) return answerAgain(manager, known, there);
      const wanted = input.items.filter(({ path }) => !there.has(path));
      const rows = [...new Map(wanted.map((item) => [item.path, { ...item, id: uuid() }])).values()];
      if (rows.length > 0) await this.make(manager, server, rows);
      // Last: who puts sites into groups holds their counts from then on. Where all is there already, a group that is not
      // one's own is no less wrong.
      const made = { kind: 'sites', ids: rows.map(({ id }) => id), ownerId: server.ownerId } as const;
      await putIntoGroups(manager, made, input.groups);
      const skipped = [...there].map(([path, id]) => ({ path, site_id: id }));
      return { items: rows.map(({ id, name, path }) => ({ id, name, path })), skipped };
    });
  }

  private async make(manager: EntityManager, server: Server, rows: readonly Row[]) {
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
    await recordDoings(
      manager,
      rows.map(({ id, name, url }) => ({
        type: 'site_create',
        site: { id, name, ownerId },
        details: { url, server: server.name },
      })),
    );
  }
}

/** What was made under that key was made in its transaction, and has its time. */
async function answerAgain(manager: EntityManager, importId: string, there: ReadonlyMap<string, string>) {
  const items: { id: string; name: string; path: string }[] = await manager.query(
    `select id, name, wp_path as path from sites
     where id = any($2::uuid[]) and created_at = (select at from creation_keys where made_id = $1) order by id`,
    [importId, [...there.values()]],
  );
  const made = new Set(items.map(({ id }) => id));
  return { items, skipped: [...there].flatMap(([path, id]) => (made.has(id) ? [] : [{ path, site_id: id }])) };
}

async function placesOn(
  manager: EntityManager,
  serverId: string,
  items: Wanted['items'],
): Promise<Map<string, string>> {
  const rows: { id: string; path: string }[] = await manager.query(placesSql, [
    serverId,
    JSON.stringify(items.map(({ path, url }) => ({ path, url }))),
  ]);
  return new Map(rows.map(({ id, path }) => [path, id]));
}
