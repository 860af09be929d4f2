import { Controller } from '@nestjs/common';
import type { Input, ReceivedInput } from '@vigie/contracts/contract';
import { claimSweep, type HealthColumn, readServersHealth, reportSweep } from '@vigie/contracts/server-health';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, In } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { administratorsAmong } from '../owners/owners';
import { Server, toAccess } from '../servers/server.entity';
import { toHealthItem } from './health-item';
import { keepSeen } from './keep-seen';
import { Sweeps } from '../sweeps/sweeps';

const places = 30;
const placeSeconds = 120;

/** What is sorted by, as it is shown. */
const measures: Readonly<Record<Exclude<HealthColumn, 'name'>, string>> = {
  load: "(s.vitals ->> 'load')::float8",
  mem: "100 * (s.vitals ->> 'mem_used_kib')::bigint / (s.vitals ->> 'mem_total_kib')::bigint",
  disk: "(s.vitals ->> 'disk_pct')::int",
  procs: "(s.vitals ->> 'procs')::int",
  threads: "(s.vitals ->> 'threads')::int",
};

@Controller()
export class ServerHealthController {
  constructor(
    private readonly database: DataSource,
    private readonly sweeps: Sweeps,
  ) {}

  @Handles(readServersHealth)
  async read(asked: ReceivedInput<typeof readServersHealth>) {
    const { history, fresh, offset, limit } = asked;
    const servers = await this.asked(asked).offset(offset).limit(limit).getMany();
    const totals = await this.countThose(asked);
    const refreshing = fresh === '1' && (await this.sweeps.hurry(servers.map(({ id }) => id)));
    const loads = history === '1' ? await this.loadsOf(servers) : undefined;
    const items = servers.map((server) => toHealthItem(server, loads && (loads.get(server.id) ?? [...nothing])));
    const looks = items.flatMap(({ checked_at: at }) => at ?? []);
    return { items, updated_at: looks.toSorted().at(-1) ?? null, refreshing, ...totals };
  }

  private those({ ids, in_alert: inAlert }: Pick<ReceivedInput<typeof readServersHealth>, 'ids' | 'in_alert'>) {
    const query = this.database.manager
      .createQueryBuilder(Server, 's')
      .where({ ...ownerFilter(), ...(ids && { id: In(ids) }) });
    return inAlert === '1' ? query.andWhere("s.alerts <> '[]'") : query;
  }

  private asked({ sort, ...which }: ReceivedInput<typeof readServersHealth>) {
    const isDescending = sort.startsWith('-');
    const column = sort.replace('-', '') as HealthColumn;
    const query = this.those(which);
    if (column === 'name') return query.orderBy('s.name', isDescending ? 'DESC' : 'ASC').addOrderBy('s.id');
    query.addSelect(measures[column], 'measure').orderBy('measure', isDescending ? 'DESC' : 'ASC', 'NULLS LAST');
    return query.addOrderBy('s.name').addOrderBy('s.id');
  }

  private async countThose(
    which: ReceivedInput<typeof readServersHealth>,
  ): Promise<{ total: number; alerts_total: number }> {
    const counts = await this.those(which)
      .select('count(*)::int', 'total')
      .addSelect("(count(*) filter (where s.alerts <> '[]'))::int", 'alerts_total')
      .getRawOne<{ total: number; alerts_total: number }>();
    return counts ?? { total: 0, alerts_total: 0 };
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
