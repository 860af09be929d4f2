import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditChainer } from '@vigie/service-kit/audit';
import { Creations } from '@vigie/service-kit/creations';
import { ActivityController } from './activity/activity.controller';
import { Activity } from './activity/activity.entity';
import { AuthFacts } from './auth-facts';
import { HealthController } from './health.controller';
import { ContactsController } from './servers/contacts.controller';
import { Looks } from './servers/looks';
import { Server } from './servers/server.entity';
import { ServersController } from './servers/servers.controller';

@Module({})
export class SitesModule {
  static with(database: DynamicModule): DynamicModule {
    return {
      module: SitesModule,
      imports: [database, TypeOrmModule.forFeature([Activity, Server])],
      controllers: [ActivityController, ContactsController, HealthController, ServersController],
      providers: [AuditChainer, AuthFacts, Creations, Looks],
    };
  }
}
