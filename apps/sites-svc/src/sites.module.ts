import { type DynamicModule, Module } from '@nestjs/common';
import { FileStore } from '@vigie/files/file-store';
import { openStore } from '@vigie/files/open-store';
import { AuditChainer } from '@vigie/service-kit/audit';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { provideFromDatabase } from '@vigie/service-kit/database';
import { Resealer } from '@vigie/service-kit/resealer';
import { Retention } from '@vigie/service-kit/retention';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ChannelsController } from './alerts/channels.controller';
import { DeliveriesController } from './alerts/deliveries.controller';
import { Planner } from './alerts/planner';
import { Sender } from './alerts/sender';
import { ActivityController } from './activity/activity.controller';
import { ArchivesController } from './backups/archives.controller';
import { BackupLinksController } from './backups/backup-links.controller';
import { BackupUploadsController } from './backups/backup-uploads.controller';
import { BackupsController } from './backups/backups.controller';
import { HostBackups } from './backups/host-backups';
import { OpenArchives } from './backups/open-archives';
import { ChangesController } from './changes/changes.controller';
import { ConsolesController } from './consoles/consoles.controller';
import { LostConsoles } from './consoles/lost-consoles';
import { ShellsController } from './consoles/shells.controller';
import { DashboardController } from './dashboard/dashboard.controller';
import { sealedColumns } from './db/sealed-columns';
import { makeRetention } from './db/retention';
import { DomainReader } from './domains/domain-reader';
import { env } from './env';
import { OutboxEvents } from './outbox-events';
import { HealthController } from './health.controller';
import { GrantsController } from './grants/grants.controller';
import { SharedRoleInterceptor } from './owners/shared-role.interceptor';
import { StatusPagesController } from './status-pages/status-pages.controller';
import { TeamsController } from './teams/teams.controller';
import { GroupsController } from './groups/groups.controller';
import { GatewaysController } from './heartbeats/gateways.controller';
import { Heartbeats } from './heartbeats/heartbeats';
import { DispatchSchedule } from './queue/dispatch-schedule';
import { Dispatcher } from './jobs/dispatcher';
import { RequestedJobs } from './queue/requested-jobs';
import { IncidentsController } from './incidents/incidents.controller';
import { MaintenanceWindowsController } from './maintenance-windows/maintenance-windows.controller';
import { JobQueues } from './queue/job-queues';
import { JobsController } from './jobs/jobs.controller';
import { JobMetrics } from './jobs/job-metrics';
import { WorkController } from './jobs/work.controller';
import { OutboxController } from './outbox.controller';
import { OwnerChangesController } from './owner-changes/owner-changes.controller';
import { PluginsController } from './plugins/plugins.controller';
import { ProposalsController } from './proposals/proposals.controller';
import { SearchController } from './search/search.controller';
import { ServerHealthController } from './server-health/server-health.controller';
import { CredentialImports } from './servers/credential-imports';
import { ServerProbes } from './servers/server-probes';
import { ServerContactsController } from './servers/server-contacts.controller';
import { ServersController } from './servers/servers.controller';
import { SiteBatchesController } from './site-batches/site-batches.controller';
import { SiteCommandsController } from './site-commands/site-commands.controller';
import { SiteViewsController } from './site-views/site-views.controller';
import { SiteContactsController } from './sites/site-contacts.controller';
import { SiteCredentials } from './sites/site-credentials';
import { SitesController } from './sites/sites.controller';
import { SiteRepairsController } from './site-repairs/site-repairs.controller';
import { Opinions } from './site-checks/opinions';
import { SiteCheckRulesController } from './site-checks/site-check-rules.controller';
import { SiteChecksController } from './site-checks/site-checks.controller';
import { Sweeps } from './sweeps/sweeps';
import { SiteCsvController } from './site-csv/site-csv.controller';
import { SiteDiscoveryController } from './site-discovery/site-discovery.controller';
import { StatusCache } from './status-pages/status-cache';
import { Leftovers } from './uploads/leftovers';
import { UploadsController } from './uploads/uploads.controller';
import { UptimeController } from './uptime/uptime.controller';
import { VisitHistory } from './visit-history/visit-history';

const controllers = [
  ActivityController,
  ArchivesController,
  BackupLinksController,
  BackupUploadsController,
  BackupsController,
  ChangesController,
  ChannelsController,
  ConsolesController,
  DashboardController,
  DeliveriesController,
  GatewaysController,
  GrantsController,
  GroupsController,
  HealthController,
  IncidentsController,
  JobsController,
  MaintenanceWindowsController,
  OutboxController,
  OwnerChangesController,
  PluginsController,
  ProposalsController,
  SearchController,
  ServerContactsController,
  ServerHealthController,
  ServersController,
  ShellsController,
  SiteBatchesController,
  SiteCommandsController,
  SiteContactsController,
  SiteCsvController,
  SiteDiscoveryController,
  SiteCheckRulesController,
  SiteChecksController,
  SiteRepairsController,
  SiteViewsController,
  SitesController,
  StatusPagesController,
  TeamsController,
  UploadsController,
  UptimeController,
  WorkController,
];

@Module({})
export class SitesModule {
  static with(kit: Kit, database: DynamicModule): DynamicModule {
    return {
      module: SitesModule,
      imports: [database],
      controllers,
      providers: [
        { provide: FileStore, useFactory: () => openStore(env.VIGIE_STORE) },
        { provide: JobQueues, useFactory: () => new JobQueues(env.REDIS_URL, `vigie:${kit.keys.instance}:jobs`) },
        provideFromDatabase(AuditChainer, (source) => new AuditChainer(source, kit.log)),
        provideFromDatabase(Retention, (source) => makeRetention(source, kit.log)),
        provideFromDatabase(Resealer, (source) => new Resealer(source, kit, sealedColumns(kit.bus))),
        { provide: APP_INTERCEPTOR, useClass: SharedRoleInterceptor },
        RequestedJobs,
        IdempotencyKeys,
        CredentialImports,
        DispatchSchedule,
        Dispatcher,
        OutboxEvents,
        DomainReader,
        Heartbeats,
        HostBackups,
        Leftovers,
        ServerProbes,
        LostConsoles,
        JobMetrics,
        OpenArchives,
        SiteCredentials,
        Opinions,
        Planner,
        Sender,
        StatusCache,
        Sweeps,
        VisitHistory,
      ],
    };
  }
}
