import { Controller } from '@nestjs/common';
import { readSummary, readTodo, type Summary } from '@vigie/contracts/dashboard';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { scope } from '../servers/find-server';
import { todoFor } from './todo';

type Counted = Summary['counts'] & Summary['updates'] & Pick<Summary, 'sites_with_updates' | 'sites_backed_up'>;

@Controller()
export class DashboardController {
  constructor(private readonly database: DataSource) {}

  /** A site of which anything is known counts nothing for the rest, as its line in the list does. */
  @Handles(readSummary)
  async summary(): Promise<Summary> {
    const [counted]: Counted[] = await this.database.query(
      `select s.*,
         (select count(*) from groups where $1::uuid is null or owner_id = $1)::int as groups,
         (select count(*) from servers where $1::uuid is null or owner_id = $1)::int as servers
       from (
         select count(*)::int as sites, count(last_backup_at)::int as sites_backed_up,
           (sum(coalesce(updates_core, 0)) filter (where is_known))::int as core,
           (sum(coalesce(updates_plugins, 0)) filter (where is_known))::int as plugins,
           (sum(coalesce(updates_themes, 0)) filter (where is_known))::int as themes,
           (sum(case when coalesce(updates_core, 0) + coalesce(updates_plugins, 0) + coalesce(updates_themes, 0) > 0
             then 1 else 0 end) filter (where is_known))::int as sites_with_updates
         from (select *, num_nonnulls(updates_core, updates_plugins, updates_themes) > 0 as is_known from sites) known
         where $1::uuid is null or owner_id = $1
       ) s`,
      [scope().ownerId ?? null],
    );
    if (!counted) throw new Error('nothing was counted');
    const { sites, groups, servers, core, plugins, themes, ...more } = counted;
    return { counts: { sites, groups, servers }, updates: { core, plugins, themes }, ...more };
  }

  @Handles(readTodo)
  async todo() {
    return { items: await todoFor(this.database.manager, scope().ownerId ?? null) };
  }
}
