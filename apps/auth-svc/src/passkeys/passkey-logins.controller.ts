import { Controller } from '@nestjs/common';
import { loginWithPasskey, type LoginWithPasskey, offerPasskeyLogin } from '@vigie/contracts/passkey-logins';
import type { LoginResult } from '@vigie/contracts/sessions';
import { writeAudit } from '@vigie/service-kit/audit';
import { callerAddress } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { AttemptLimits } from '../sessions/attempt-limits';
import { OpenSessions } from '../sessions/open-sessions';
import { toUserView } from '../users/user.entity';
import { PasskeyAssertions } from './assertions';

/** Logins without a password. A passkey verifies its user, so it is the second factor at the same time. */
@Controller()
export class PasskeyLoginsController {
  constructor(
    private readonly database: DataSource,
    private readonly limits: AttemptLimits,
    private readonly openSessions: OpenSessions,
    private readonly assertions: PasskeyAssertions,
  ) {}

  @Handles(offerPasskeyLogin)
  async offer() {
    await this.limits.countChallenge(callerAddress());
    return this.assertions.offerLogin();
  }

  @Handles(loginWithPasskey)
  async login({ response, user_agent: userAgent }: LoginWithPasskey): Promise<LoginResult> {
    await this.limits.admitAddress(callerAddress());
    const answer = await this.assertions.accept(response, { purpose: 'login', userId: null });
    if ('refusal' in answer) {
      // The failure is counted first, so that an attempt is never free when its audit line cannot be written.
      const refusal = await this.limits.countAddressFailure(callerAddress(), answer.refusal);
      await this.auditRefusal();
      throw refusal;
    }
    const { passkey } = answer;
    const { user } = passkey;
    return { access_token: await this.openSessions.open(user, { userAgent, passkey }), user: toUserView(user) };
  }

  /** Names nobody: what was sent proves no account. */
  private auditRefusal(): Promise<void> {
    const entry = { actorId: null, actorName: null, action: 'login', result: 'refused' as const };
    return this.database.transaction((manager) => writeAudit(manager, { ...entry, details: { reason: 'passkey' } }));
  }
}
