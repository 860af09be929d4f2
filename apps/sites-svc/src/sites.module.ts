import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityController } from './activity/activity.controller';
import { Activity } from './activity/activity.entity';
import { AuthFacts } from './activity/auth-facts';
import { HealthController } from './health.controller';

@Module({})
export class SitesModule {
  static with(database: DynamicModule): DynamicModule {
    return {
      module: SitesModule,
      imports: [database, TypeOrmModule.forFeature([Activity])],
      controllers: [HealthController, ActivityController],
      providers: [AuthFacts],
    };
  }
}
