import { type DynamicModule, Module } from '@nestjs/common';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { Connections } from './connections';
import { CredentialsController } from './credentials/credentials.controller';
import { KeyReader } from './credentials/key-reader';
import { env } from './env';
import { HealthController } from './health.controller';
import type { JobHandlers } from './jobs/job-handler';
import { JobWorker } from './jobs/worker';
import { ServersController } from './servers/servers.controller';
import { serversJobs } from './servers/servers.jobs';

@Module({})
export class AgentModule {
  /** With other kinds of jobs than the product's own where a trial of it wants them. */
  static with(kit: Kit, others: (connections: Connections) => JobHandlers = () => ({})): DynamicModule {
    const makeWorker = (connections: Connections) =>
      new JobWorker(kit, env.REDIS_URL, { ...serversJobs(connections), ...others(connections) });
    return {
      module: AgentModule,
      controllers: [CredentialsController, HealthController, ServersController],
      providers: [Connections, KeyReader, { provide: JobWorker, useFactory: makeWorker, inject: [Connections] }],
    };
  }
}
