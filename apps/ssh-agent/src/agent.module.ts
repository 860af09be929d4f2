import { type DynamicModule, Module } from '@nestjs/common';
import type { JobKind } from '@vigie/contracts/jobs';
import { openStore as openStoreAt } from '@vigie/files/open-store';
import { connectNats, type Kit } from '@vigie/service-kit/bootstrap';
import { AlertsController } from './alerts/alerts.controller';
import { BackupsController } from './backups/backups.controller';
import { backupsJobs } from './backups/backups.jobs';
import { changesJobs } from './changes/changes.jobs';
import { Connections } from './connections';
import { Consoles } from './consoles/consoles';
import { ConsolesController } from './consoles/consoles.controller';
import { CredentialsController } from './credentials/credentials.controller';
import { KeyReader } from './credentials/key-reader';
import { DomainsController } from './domains/domains.controller';
import { env } from './env';
import { HealthController } from './health.controller';
import type { JobHandlers } from './jobs/job-handler';
import type { JobDependencies } from './job-dependencies';
import { JobWorker } from './jobs/worker';
import { ServerHealthController } from './server-health/server-health.controller';
import { Sweeper } from './server-health/sweeper';
import { serversJobs } from './servers/servers.jobs';
import { siteDiscoveryJobs } from './site-discovery/site-discovery.jobs';
import { NetworkCheck } from './site-checks/network-check';
import { ruleFor } from './site-checks/rule-for';
import { Scanner } from './site-checks/scanner';
import { SiteChecksController } from './site-checks/site-checks.controller';
import { Visitor } from './site-checks/visitor';
import { siteCommandsJobs } from './site-commands/site-commands.jobs';
import { siteRepairsJobs } from './site-repairs/site-repairs.jobs';
import { sitesJobs } from './sites/sites.jobs';

const openStore = () => openStoreAt(env.VIGIE_STORE);

const jobDependencies = ({ bus }: Kit): JobDependencies => ({
  bus,
  ruleFor,
  api: env.VIGIE_WORDPRESS_API_URL,
  openStore,
});

const queues = { redisUrl: env.REDIS_URL, operations: env.VIGIE_AGENT_OPERATIONS };

const handlersOf = (kit: Kit, connections: Connections): JobHandlers<JobKind> => ({
  ...serversJobs(connections),
  ...siteDiscoveryJobs(connections),
  ...siteCommandsJobs(connections),
  ...siteRepairsJobs(connections),
  ...sitesJobs(connections),
  ...changesJobs(connections, jobDependencies(kit)),
  ...backupsJobs(connections, { openStore, ruleFor }),
});

@Module({})
export class AgentModule {
  /** `makeExtraHandlers`: job kinds that only trials and benchmarks of the product use. */
  static with(kit: Kit, makeExtraHandlers: (connections: Connections) => JobHandlers = () => ({})): DynamicModule {
    const makeWorker = (connections: Connections) =>
      new JobWorker(kit, queues, { ...handlersOf(kit, connections), ...makeExtraHandlers(connections) });
    const makeSweeper = (connections: Connections) => new Sweeper(kit, env.REDIS_URL, connections);
    const makeScanner = (connections: Connections) => new Scanner(kit, env.REDIS_URL, connections);
    const makeVisitor = () =>
      new Visitor(kit, { redisUrl: env.REDIS_URL, network: new NetworkCheck(env.VIGIE_CANARY_URLS) });
    // Consoles get a connection of their own, since NATS cuts a connection whose reader stalls.
    const makeConsoles = async (connections: Connections) =>
      new Consoles(kit, await connectNats(env.NATS_URL, 'ssh-agent consoles'), connections);
    return {
      module: AgentModule,
      controllers: [
        AlertsController,
        BackupsController,
        ConsolesController,
        CredentialsController,
        DomainsController,
        HealthController,
        ServerHealthController,
        SiteChecksController,
      ],
      providers: [
        Connections,
        KeyReader,
        { provide: Consoles, useFactory: makeConsoles, inject: [Connections] },
        { provide: JobWorker, useFactory: makeWorker, inject: [Connections] },
        { provide: Sweeper, useFactory: makeSweeper, inject: [Connections] },
        { provide: Scanner, useFactory: makeScanner, inject: [Connections] },
        { provide: Visitor, useFactory: makeVisitor },
      ],
    };
  }
}
