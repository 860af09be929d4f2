import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { Passkey } from '../passkeys/passkey.entity';
import { usablePasskeys } from '../passkeys/usable-passkeys';
import { recordAuditEvent } from '../users/audit-events';
import { User } from '../users/user.entity';
import { TwoFactorPolicies } from './policies';
import { hashRecoveryCodes, makeRecoveryCodes, replaceRecoveryCodes } from './recovery-codes';
import { removeSecondFactor } from './remove-second-factor';

/** Turns the 2FA of a user on with the first second factor, and off with the last. The caller has locked the user. */
@Injectable()
export class SecondFactorChanges {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly policies: TwoFactorPolicies,
  ) {}

  /** Returns the recovery codes of a first second factor; with another one there are some already. */
  async enable(transaction: AuditedTransaction, user: User): Promise<string[]> {
    if (user.twoFactorAt) return [];
    const { manager } = transaction;
    const codes = makeRecoveryCodes();
    await manager.update(User, { id: user.id }, { twoFactorAt: new Date() });
    await replaceRecoveryCodes(manager, user.id, hashRecoveryCodes(this.keyRing, user.id, codes));
    await recordAuditEvent(transaction, { actor: user, type: '2fa_enable' });
    return codes;
  }

  /** Returns whether the 2FA is off now. Refuses to turn it off where the policy requires it. */
  async disableIfNoneIsLeft(transaction: AuditedTransaction, userId: string): Promise<boolean> {
    const { manager } = transaction;
    const user = await manager.findOneByOrFail(User, { id: userId });
    if (user.totpSecret || (await manager.existsBy(Passkey, usablePasskeys(userId)))) return false;
    if (await this.policies.appliesTo(user, manager)) {
      throw new AppError(
        'conflict',
        'La double authentification est obligatoire\u00a0: vous ne pouvez pas la désactiver.',
      );
    }
    await removeSecondFactor(manager, userId);
    await recordAuditEvent(transaction, { actor: user, type: '2fa_disable' });
    return true;
  }
}
