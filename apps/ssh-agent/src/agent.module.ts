import { Module } from '@nestjs/common';
import { Connections } from './connections';
import { CredentialsController } from './credentials/credentials.controller';
import { KeyReader } from './credentials/key-reader';
import { HealthController } from './health.controller';
import { ServersController } from './servers/servers.controller';

@Module({
  controllers: [CredentialsController, HealthController, ServersController],
  providers: [Connections, KeyReader],
})
export class AgentModule {}
