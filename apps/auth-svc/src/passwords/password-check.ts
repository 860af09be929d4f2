import { Injectable } from '@nestjs/common';
import type { AppError } from '@vigie/contracts/errors';
import { callerAddress } from '@vigie/service-kit/context';
import { AttemptLimits } from '../sessions/attempt-limits';
import type { User } from '../users/user.entity';
import { Passwords } from './passwords';

/** Asks a logged-in user for the password. Failures count with those of the login, or of the given session. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly limits: AttemptLimits,
    private readonly passwords: Passwords,
  ) {}

  async require(user: User, password: string, refusal: AppError, sid?: string): Promise<void> {
    await this.limits.admit(user.email, callerAddress(), sid);
    if (!(await this.passwords.isRight(user.passwordHash, password))) {
      throw await this.limits.countFailure(user.email, callerAddress(), refusal, sid);
    }
    await this.limits.refuseFull(user.email, callerAddress(), sid);
  }
}
