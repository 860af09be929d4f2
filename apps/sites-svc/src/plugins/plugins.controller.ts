import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { exportPlugins, type PluginItem, readPlugins, readPluginSites, retryFailures } from '@vigie/contracts/plugins';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { AskedLooks } from '../jobs/asked-looks';
import { testsOf } from '../sites/tests-of';
import { inBytes } from './in-bytes';
import { countBlocked, diagnose, findPage, findSites, findVersions } from './overview';
import { exportPart, findPlugin, findPluginSites } from './plugin-sites';
import { isFailed, reachOf, wholeReach } from './reach';
import { canRefresh, isRefreshing, refresh } from './refreshes';

const maxRetried = 500;

/** The plugins of many sites, each once. */
@Controller()
export class PluginsController {
  constructor(
    private readonly database: DataSource,
    private readonly asked: AskedLooks,
  ) {}

  @Handles(readPlugins)
  async read({ fresh, ...input }: Input<typeof readPlugins>) {
    const { manager } = this.database;
    const reach = await reachOf(manager, input);
    if (fresh === '1') await this.database.transaction((transaction) => refresh(transaction, reach));
    const { lines, ...sums } = await findPage(manager, reach, input);
    const slugs = lines.map(({ plugin }) => plugin);
    const [versions, sites, blocked] = await Promise.all([
      findVersions(manager, reach, slugs),
      findSites(manager, reach, slugs),
      countBlocked(manager, reach, slugs),
    ]);
    const items = lines.map(
      (line): PluginItem => ({
        ...line,
        blocked_count: blocked.get(line.plugin) ?? 0,
        ...(versions.get(line.plugin) ?? { versions: [], versions_count: 0, latest_version: null }),
        sites: sites.get(line.plugin) ?? [],
      }),
    );
    const { updated_at: at, ...diag } = await diagnose(manager, reach);
    const refreshing = await isRefreshing(manager, reach);
    const updatedAt = at?.toISOString() ?? null;
    return { items: inBytes(items), ...sums, updated_at: updatedAt, refreshing, can_refresh: canRefresh(), diag };
  }

  @Handles(readPluginSites)
  async readSites(input: Input<typeof readPluginSites>) {
    const { manager } = this.database;
    const plugin = await findPlugin(manager, wholeReach(), input.slug);
    return { ...plugin, ...(await findPluginSites(manager, await reachOf(manager, input), input)) };
  }

  @Handles(retryFailures)
  async retry(input: Input<typeof retryFailures>) {
    return this.asked.many(retryFailures, input, 'sites.test', async (manager) => {
      const { holds, values } = await reachOf(manager, input);
      const failed: { id: string }[] = await manager.query(
        `select s.id from sites s where ${holds('s')} and ${isFailed('s')} order by s.name, s.id limit ${maxRetried}`,
        [...values],
      );
      return testsOf(
        manager,
        failed.map(({ id }) => id),
      );
    });
  }

  @Handles(exportPlugins)
  async export(input: Input<typeof exportPlugins>) {
    const { manager } = this.database;
    return exportPart(manager, await reachOf(manager, input), input);
  }
}
