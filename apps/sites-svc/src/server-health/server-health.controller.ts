import { Controller } from '@nestjs/common';
import type { Input, ReceivedInput } from '@vigie/contracts/contract';
import {
  claimSweep,
  type HealthColumn,
  readHealthHistory,
  readServersHealth,
  reportSweep,
} from '@vigie/contracts/server-health';
import { splitIds } from '@vigie/contracts/servers';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, Any } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { administratorsAmong } from '../owners/owners';
import { Server, toProbeAccess } from '../servers/server.entity';
import { findServer } from '../servers/find-server';
import { findHealthHistory } from './health-history';
import { type ListedServer, toHealthItem } from './health-item';
import { saveProbes } from '../servers/save-probes';
import { countServerOutages } from './server-outages';
import { Sweeps } from '../sweeps/sweeps';

const pointCount = 30;
const pointSeconds = 120;

const sortColumns: Readonly<Record<Exclude<HealthColumn, 'name'>, string>> = {
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
  async read(filters: ReceivedInput<typeof readServersHealth>) {
    const { history, fresh, offset, limit } = filters;
    const servers = await this.sortedServers(filters).offset(offset).limit(limit).getMany();
    const totals = await this.countServers(filters);
    const refreshing = fresh === '1' && (await this.sweeps.hurry(servers.map(({ id }) => id)));
    const loads = history === '1' ? await this.loadsOf(servers) : undefined;
    const items = servers.map((server) => toHealthItem(server, loads && (loads.get(server.id) ?? [...noLoads])));
    const checkTimes = items.flatMap(({ checked_at: at }) => at ?? []);
    return { items, updated_at: checkTimes.toSorted().at(-1) ?? null, refreshing, ...totals };
  }

  @Handles(readHealthHistory)
  async history({ id, range }: Input<typeof readHealthHistory>) {
    const server = await findServer(this.database.manager, id);
    return findHealthHistory(this.database, server.id, range);
  }

  private filteredServers({
    ids,
    in_alert: inAlert,
  }: Pick<ReceivedInput<typeof readServersHealth>, 'ids' | 'in_alert'>) {
    const query = this.database.manager
      .createQueryBuilder(Server, 's')
      .where({ ...ownerFilter(), ...(ids !== undefined && { id: Any(splitIds(ids)) }) });
    return inAlert === '1' ? query.andWhere("s.alerts <> '[]'") : query;
  }

  private sortedServers({ sort, ...filters }: ReceivedInput<typeof readServersHealth>) {
    const isDescending = sort.startsWith('-');
    const column = sort.replace('-', '') as HealthColumn;
    const query = this.filteredServers(filters).select([
      's.id',
      's.name',
      's.host',
      's.status',
      's.vitals',
      's.alerts',
    ]);
    if (column === 'name') return query.orderBy('s.name', isDescending ? 'DESC' : 'ASC').addOrderBy('s.id');
    query.addSelect(sortColumns[column], 'measure').orderBy('measure', isDescending ? 'DESC' : 'ASC', 'NULLS LAST');
    return query.addOrderBy('s.name').addOrderBy('s.id');
  }

  private async countServers(
    filters: ReceivedInput<typeof readServersHealth>,
  ): Promise<{ total: number; alerts_total: number }> {
    const counts = await this.filteredServers(filters)
      .select('count(*)::int', 'total')
      .addSelect("(count(*) filter (where s.alerts <> '[]'))::int", 'alerts_total')
      .getRawOne<{ total: number; alerts_total: number }>();
    return counts ?? { total: 0, alerts_total: 0 };
  }

  @Handles(claimSweep)
  async claim({ ids }: Input<typeof claimSweep>) {
    const { manager } = this.database;
    const servers = await manager.findBy(Server, { id: Any(ids) });
    const admins = await administratorsAmong(
      manager,
      servers.map(({ ownerId }) => ownerId),
    );
    return { items: servers.map((server) => toProbeAccess(server, admins.has(server.ownerId))) };
  }

  @Handles(reportSweep)
  async report({ items }: Input<typeof reportSweep>) {
    const { manager } = this.database;
    const saved = new Set(await saveProbes(manager, items));
    await countServerOutages(
      this.database,
      items.filter(({ id }) => saved.has(id)),
    );
    return {};
  }

  /** The highest load of each two minutes, the latest last. */
  private async loadsOf(servers: readonly ListedServer[]): Promise<Map<string, (number | null)[]>> {
    const rows: { id: string; ago: number; load: number }[] = await this.database.query(
      `select server_id as id, floor(extract(epoch from now() - at) / $2)::int as ago, max(load)::float8 as load
       from health_samples where server_id = any($1::uuid[]) and at > now() - make_interval(secs => $2 * $3) and load is not null
       group by 1, 2`,
      [servers.map(({ id }) => id), pointSeconds, pointCount],
    );
    const loads = new Map<string, (number | null)[]>();
    for (const { id, ago, load } of rows) {
      const points = loads.get(id) ?? [...noLoads];
      if (ago >= 0 && ago < pointCount) points[pointCount - 1 - ago] = Math.round(load * 100) / 100;
      loads.set(id, points);
    }
    return loads;
  }
}

const noLoads: readonly null[] = Array<null>(pointCount).fill(null);
