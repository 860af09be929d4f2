import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { currentContext } from '@vigie/service-kit/context';
import { queryPrepared } from '@vigie/service-kit/database';
import type { Observable } from 'rxjs';
import { DataSource } from 'typeorm';

/** Finds out before a call whether anything is shared with its user: for all others, conditions name the owner alone. */
@Injectable()
export class SharedRoleInterceptor implements NestInterceptor {
  constructor(private readonly database: DataSource) {}

  async intercept(_: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const context = currentContext();
    const { user, grantRole } = context ?? {};
    // All that a narrowed token reaches is as if shared with it, and read by the conditions of what is shared.
    if (context && user?.groupIds) context.sharedRole = grantRole;
    else if (context && user && grantRole && !user.adminMode) {
      const [found] = await queryPrepared<{ is_found: boolean }>(
        this.database.manager,
        'select exists (select from grants_to($1)) as is_found',
        [user.sub],
      );
      if (found?.is_found) context.sharedRole = grantRole;
    }
    return next.handle();
  }
}
