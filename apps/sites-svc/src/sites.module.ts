import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController } from './health.controller';

@Module({})
export class SitesModule {
  static with(database: DynamicModule): DynamicModule {
    return { module: SitesModule, imports: [database], controllers: [HealthController] };
  }
}
