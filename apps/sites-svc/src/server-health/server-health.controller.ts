import { Controller } from '@nestjs/common';
import type { Input, Received } from '@vigie/contracts/contract';
import { claimSweep, readServersHealth, reportSweep } from '@vigie/contracts/server-health';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import { administratorsAmong } from '../owners/owners';
import { scope } from '../servers/find-server';
import { Server, toAccess } from '../servers/server.entity';
import { toHealthItem } from './health-item';
import { keepSeen } from './keep-seen';
import { Sweeps } from '../sweeps/sweeps';

const places = 30;
const placeSeconds = 120;

@Controller()
export class ServerHealthController {
  constructor(
    private readonly database: DataSource,
    private readonly sweeps: Sweeps,
  ) {}

  @Handles(readServersHealth)
  async read({ ids, history, fresh, offset, limit }: Received<typeof readServersHealth>) {
    const { manager } = this.database;
    const servers = await manager.find(Server, {
      where: { ...scope(), ...(ids && { id: In(ids) }) },
      order: { name: 'asc', id: 'asc' },
      skip: offset,
      take: limit,
    });
    const refreshing = fresh === '1' && (await this.sweeps.hurry(servers.map(({ id }) => id)));
    const loads = history === '1' ? await this.loadsOf(servers) : undefined;
    const items = servers.map((server) => toHealthItem(server, loads && (loads.get(server.id) ?? [...nothing])));
    const looks = items.flatMap(({ checked_at: at }) => at ?? []);
    return { items, updated_at: looks.toSorted().at(-1) ?? null, refreshing };
  }

  @Handles(claimSweep)
  async claim({ ids }: Input<typeof claimSweep>) {
    const { manager } = this.database;
    const servers = await manager.findBy(Server, { id: In(ids) });
    const admins = await administratorsAmong(
      manager,
      servers.map(({ ownerId }) => ownerId),
    );
    return {
      items: servers.map((server) => ({
        ...toAccess(server, admins.has(server.ownerId)),
        tcp_only: server.refusal !== null,
      })),
    };
  }

  @Handles(reportSweep)
  async report({ items }: Input<typeof reportSweep>) {
    await keepSeen(this.database.manager, items);
    return {};
  }

  /** The highest of each place, the latest last. */
  private async loadsOf(servers: readonly Server[]): Promise<Map<string, (number | null)[]>> {
    const rows: { id: string; ago: number; load: number }[] = await this.database.query(
      `select server_id as id, floor(extract(epoch from now() - at) / $2)::int as ago, max(load)::float8 as load
       from health_samples where server_id = any($1::uuid[]) and at > now() - make_interval(secs => $2 * $3) and load is not null
       group by 1, 2`,
      [servers.map(({ id }) => id), placeSeconds, places],
    );
    const loads = new Map<string, (number | null)[]>();
    for (const { id, ago, load } of rows) {
      const line = loads.get(id) ?? [...nothing];
      if (ago >= 0 && ago < places) line[places - 1 - ago] = Math.round(load * 100) / 100;
      loads.set(id, line);
    }
    return loads;
  }
}

const nothing: readonly null[] = Array<null>(places).fill(null);
