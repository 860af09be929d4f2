import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { FileStore } from '@vigie/files/file-store';
import { openStore } from '@vigie/files/open-store';
import { connectNats, type Kit, KitModule } from '@vigie/service-kit/bootstrap';
import { Counters, openCounters } from '@vigie/service-kit/counters';
import { ActivityController } from './activity.controller';
import { AuthGuard } from './auth.guard';
import { ArchivesController } from './backups/archives.controller';
import { BackupFilesController } from './backups/backup-files.controller';
import { BackupsController } from './backups/backups.controller';
import { StoredParts } from './backups/stored-parts';
import { BulkChangesController, ChangesController } from './changes.controller';
import { ConsoleAdmission } from './consoles/console-admission';
import { ConsoleSockets } from './consoles/console-sockets';
import { ConsolesController } from './consoles/consoles.controller';
import { DashboardController } from './dashboard.controller';
import { DnsConfigController } from './dns/dns-config.controller';
import { DnsHistoryController } from './dns/dns-history.controller';
import { DnsRecordsController } from './dns/dns-records.controller';
import { DnsZonesController } from './dns/dns-zones.controller';
import { DocsController } from './docs.controller';
import { env } from './env';
import { GroupsController } from './groups.controller';
import { HealthController } from './health.controller';
import { JobsController } from './jobs.controller';
import { NotificationsController } from './notifications.controller';
import { Admission } from './admission';
import { PasswordsController } from './passwords.controller';
import { PluginsController } from './plugins/plugins.controller';
import { RequestBudget } from './request-budget';
import { RouteList } from './route-list';
import { SearchController } from './search.controller';
import { ServerHealthController } from './server-health.controller';
import { ServersController } from './servers.controller';
import { SessionCache } from './session-cache';
import { SessionsController } from './sessions.controller';
import { SettingsController } from './settings.controller';
import { SiteBatchesController } from './site-batches.controller';
import { SiteDiscoveryController } from './site-discovery.controller';
import { SiteRepairsController } from './site-repairs.controller';
import { SiteViewsController } from './site-views.controller';
import { SitesController } from './sites.controller';
import { TwoFactorController } from './two-factor.controller';
import { FileReceiver } from './uploads/file-receiver';
import { UploadsController } from './uploads/uploads.controller';
import { UsersController } from './users.controller';

@Module({})
export class GatewayModule {
  static with(kit: Kit): DynamicModule {
    // Consoles get a connection of their own, since NATS cuts a connection whose reader stalls.
    const makeSockets = async () => new ConsoleSockets(kit, await connectNats(env.NATS_URL, 'gateway consoles'));
    const makeBudget = (counters: Counters) => new RequestBudget(counters, env.VIGIE_REQUESTS_PER_MINUTE, kit.log);
    return {
      module: GatewayModule,
      imports: [KitModule.with(kit), DiscoveryModule],
      controllers: [
        ActivityController,
        ArchivesController,
        BackupFilesController,
        BackupsController,
        BulkChangesController,
        ChangesController,
        ConsolesController,
        DashboardController,
        DnsConfigController,
        DnsHistoryController,
        DnsRecordsController,
        DnsZonesController,
        DocsController,
        GroupsController,
        HealthController,
        JobsController,
        NotificationsController,
        PasswordsController,
        PluginsController,
        SearchController,
        ServerHealthController,
        ServersController,
        SessionsController,
        SettingsController,
        SiteBatchesController,
        SiteDiscoveryController,
        SiteRepairsController,
        SiteViewsController,
        SitesController,
        TwoFactorController,
        UploadsController,
        UsersController,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AuthGuard },
        { provide: Counters, useFactory: () => openCounters(env.REDIS_URL, kit) },
        { provide: RequestBudget, useFactory: makeBudget, inject: [Counters] },
        { provide: ConsoleSockets, useFactory: makeSockets },
        { provide: FileStore, useFactory: () => openStore(env.VIGIE_STORE) },
        ConsoleAdmission,
        FileReceiver,
        Admission,
        RouteList,
        SessionCache,
        StoredParts,
      ],
    };
  }
}
