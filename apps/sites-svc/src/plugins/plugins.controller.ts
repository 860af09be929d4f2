import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { exportPlugins, type PluginItem, readPlugins, readPluginSites, retryFailures } from '@vigie/contracts/plugins';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { RequestedJobs } from '../queue/requested-jobs';
import { isFailed } from '../sites/failures';
import { toSiteTests } from '../sites/site-tests';
import { fitInBytes } from './fit-in-bytes';
import { countBlocked, diagnose, findPage, findSites } from './overview';
import { exportPart, findPlugin, findPluginSites } from './plugin-sites';
import { findScope, readInScope } from './site-scope';
import { canRefresh, isRefreshing, refresh } from './refreshes';

const maxRetried = 500;

@Controller()
export class PluginsController {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: RequestedJobs,
  ) {}

  @Handles(readPlugins)
  async read({ fresh, ...input }: Input<typeof readPlugins>) {
    if (fresh === '1') {
      await this.database.transaction(async (manager) => refresh(manager, await findScope(manager, input)));
    }
    return readInScope(this.database, input, async (manager, scope) => {
      const { lines, ...sums } = await findPage(manager, scope, input);
      const slugs = lines.map(({ plugin }) => plugin);
      const sites = await findSites(manager, scope, slugs);
      const blocked = await countBlocked(manager, scope, slugs);
      const items = lines.map(
        (line): PluginItem => ({
          ...line,
          blocked_count: blocked.get(line.plugin) ?? 0,
          sites: sites.get(line.plugin) ?? [],
        }),
      );
      const { updated_at: at, ...diag } = await diagnose(manager, scope);
      const refreshing = await isRefreshing(manager, scope);
      const updatedAt = at?.toISOString() ?? null;
      return { items: fitInBytes(items), ...sums, updated_at: updatedAt, refreshing, can_refresh: canRefresh(), diag };
    });
  }

  @Handles(readPluginSites)
  async readSites(input: Input<typeof readPluginSites>) {
    return readInScope(this.database, input, async (manager, scope) => {
      const sites = await findPluginSites(manager, scope, input);
      return { ...(await findPlugin(manager, scope, input.slug, sites.total > 0)), ...sites };
    });
  }

  @Handles(retryFailures)
  async retry(input: Input<typeof retryFailures>) {
    return this.jobs.createChecks(retryFailures, input, 'sites.test', async (manager) => {
      const { isSiteIn, values } = await findScope(manager, input);
      const failed: { id: string }[] = await manager.query(
        `select s.id from sites s where ${isSiteIn('s')} and ${isFailed('s')} order by s.name, s.id limit ${maxRetried}`,
        [...values],
      );
      return toSiteTests(
        manager,
        failed.map(({ id }) => id),
      );
    });
  }

  @Handles(exportPlugins)
  async export(input: Input<typeof exportPlugins>) {
    const { manager } = this.database;
    return exportPart(manager, await findScope(manager, input), input);
  }
}
