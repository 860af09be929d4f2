import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController } from './health.controller';

@Module({})
export class DnsModule {
  static with(database: DynamicModule): DynamicModule {
    return { module: DnsModule, imports: [database], controllers: [HealthController] };
  }
}
