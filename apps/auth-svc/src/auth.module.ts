import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { Counters, openCounters } from '@vigie/service-kit/counters';
import { env } from './env';
import { HealthController } from './health.controller';
import { LoginLimits } from './sessions/login-limits';
import { Passwords } from './sessions/passwords';
import { Session } from './sessions/session.entity';
import { SessionExpiry } from './sessions/session-expiry';
import { SessionsController } from './sessions/sessions.controller';
import { FirstAdmin } from './users/first-admin';
import { User } from './users/user.entity';
import { UsersController } from './users/users.controller';

@Module({})
export class AuthModule {
  static with(kit: Kit, database: DynamicModule): DynamicModule {
    return {
      module: AuthModule,
      imports: [database, TypeOrmModule.forFeature([User, Session])],
      controllers: [HealthController, SessionsController, UsersController],
      providers: [
        { provide: Counters, useFactory: () => openCounters(env.REDIS_URL, kit) },
        FirstAdmin,
        LoginLimits,
        Passwords,
        SessionExpiry,
      ],
    };
  }
}
