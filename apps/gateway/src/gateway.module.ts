import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { FileStore } from '@vigie/files/file-store';
import { openStore } from '@vigie/files/open-store';
import { connectNats, type Kit, KitModule } from '@vigie/service-kit/bootstrap';
import { Counters, openCounters } from '@vigie/service-kit/counters';
import { AuthGuard } from './auth.guard';
import { ArchivesController } from './backups/archives.controller';
import { BackupFilesController } from './backups/backup-files.controller';
import { BackupUploadsController } from './backups/backup-uploads.controller';
import { StoredParts } from './backups/stored-parts';
import { ContractRoutes } from './contract-routes';
import { ConsoleAdmission } from './consoles/console-admission';
import { ConsoleSockets } from './consoles/console-sockets';
import { ConsolesController } from './consoles/consoles.controller';
import { env } from './env';
import { GatewayReports } from './gateway-reports';
import { HealthController } from './health.controller';
import { Admission } from './admission';
import { OpenApiController } from './openapi/openapi.controller';
import { McpAnswers } from './mcp/mcp-answers';
import { McpController } from './mcp/mcp.controller';
import { PluginsController } from './plugins/plugins.controller';
import { ProposalsController } from './proposals.controller';
import { RequestBudget } from './request-budget';
import { RouteList } from './route-list';
import { SearchController } from './search.controller';
import { SessionCache } from './session-cache';
import { SessionsController } from './sessions.controller';
import { SiteCsvController } from './site-csv/site-csv.controller';
import { InventoryController } from './inventory.controller';
import { FileReceiver } from './uploads/file-receiver';
import { UploadsController } from './uploads/uploads.controller';

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
        ArchivesController,
        BackupFilesController,
        BackupUploadsController,
        ConsolesController,
        ContractRoutes,
        HealthController,
        InventoryController,
        OpenApiController,
        McpController,
        PluginsController,
        ProposalsController,
        SearchController,
        SessionsController,
        SiteCsvController,
        UploadsController,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AuthGuard },
        { provide: Counters, useFactory: () => openCounters(env.REDIS_URL, kit) },
        { provide: RequestBudget, useFactory: makeBudget, inject: [Counters] },
        { provide: ConsoleSockets, useFactory: makeSockets },
        { provide: McpAnswers, useFactory: () => new McpAnswers(kit.bus, kit.log) },
        { provide: GatewayReports, useFactory: () => new GatewayReports(kit.bus, kit.log) },
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
