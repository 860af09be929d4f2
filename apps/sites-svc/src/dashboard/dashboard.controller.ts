import { Controller } from '@nestjs/common';
import { type Fleet, readFleet, readSummary, readTodo, type Summary } from '@vigie/contracts/dashboard';
import { queryPrepared } from '@vigie/service-kit/database';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { isOwned } from '../owners/owner-filter';
import { reachesGroup, reachesSite, reachingCaller } from '../owners/reach';
import { readFleetSites } from './fleet';
import { readTodoLines } from './todo';

type FleetCounts = Summary['counts'] & Summary['updates'] & Pick<Summary, 'sites_with_updates' | 'sites_backed_up'>;

/** SQL: the sum is null, not zero, while no site was read. */
const nullIfUnknown = (sum: string) => `case when s.known > 0 then coalesce(s.${sum}, 0) end as ${sum}`;

@Controller()
export class DashboardController {
  constructor(private readonly database: DataSource) {}

  @Handles(readSummary)
  async summary(): Promise<Summary> {
    const [counts] = await queryPrepared<FleetCounts>(
      this.database.manager,
      `select s.sites, s.sites_backed_up,
         ${['core', 'plugins', 'themes', 'sites_with_updates'].map(nullIfUnknown).join(', ')},
         (select count(*) from groups g where ${reachesGroup('g', '$1')})::int as groups,
         (select count(*) from servers v where ${isOwned('v', '$1')})::int as servers
       from (
         select count(*)::int as sites, count(last_backup_at)::int as sites_backed_up,
           count(coalesce(updates_core, updates_plugins, updates_themes)) as known, sum(updates_core)::int as core,
           sum(updates_plugins)::int as plugins, sum(updates_themes)::int as themes,
           (count(*) filter (where updates_core > 0 or updates_plugins > 0 or updates_themes > 0))::int as sites_with_updates
         from sites s where ${reachesSite('s', '$1')}
       ) s`,
      [reachingCaller()],
    );
    if (!counts) throw new Error('a count is one row');
    const { sites, groups, servers, core, plugins, themes, ...otherCounts } = counts;
    return { counts: { sites, groups, servers }, updates: { core, plugins, themes }, ...otherCounts };
  }

  @Handles(readTodo)
  async todo() {
    return { items: await readTodoLines(this.database.manager) };
  }

  @Handles(readFleet)
  fleet(): Promise<Fleet> {
    return readFleetSites(this.database.manager);
  }
}
