import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { type Kit, KitModule } from '@vigie/service-kit/bootstrap';
import { Counters, openCounters } from '@vigie/service-kit/counters';
import { ActivityController } from './activity.controller';
import { AuthGuard } from './auth.guard';
import { DocsController } from './docs.controller';
import { env } from './env';
import { HealthController } from './health.controller';
import { JobsController } from './jobs.controller';
import { NotificationsController } from './notifications.controller';
import { PasswordsController } from './passwords.controller';
import { RequestBudget } from './request-budget';
import { RouteList } from './route-list';
import { ServerHealthController } from './server-health.controller';
import { ServersController } from './servers.controller';
import { SessionCache } from './session-cache';
import { SessionsController } from './sessions.controller';
import { SettingsController } from './settings.controller';
import { TwoFactorController } from './two-factor.controller';
import { UsersController } from './users.controller';

@Module({})
export class GatewayModule {
  static with(kit: Kit): DynamicModule {
    return {
      module: GatewayModule,
      imports: [KitModule.with(kit), DiscoveryModule],
      controllers: [
        ActivityController,
        DocsController,
        HealthController,
        JobsController,
        NotificationsController,
        PasswordsController,
        ServerHealthController,
        ServersController,
        SessionsController,
        SettingsController,
        TwoFactorController,
        UsersController,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AuthGuard },
        { provide: Counters, useFactory: () => openCounters(env.REDIS_URL, kit) },
        RequestBudget,
        RouteList,
        SessionCache,
      ],
    };
  }
}
