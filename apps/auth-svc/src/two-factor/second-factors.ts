import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError } from '@vigie/contracts/errors';
import type { Login, LoginResult } from '@vigie/contracts/sessions';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { Repository } from 'typeorm';
import { type Accepted, PasskeyAssertions } from '../passkeys/assertions';
import { User } from '../users/user.entity';
import { hashRecoveryCode } from './recovery-codes';
import { secretSealContext, stepOf } from './totp';

/** With the passkey that was the answer, if it was one. */
type AcceptedFactor = Accepted | { passkey?: undefined };
type Answers = Pick<Login, 'totp_code' | 'backup_code' | 'passkey'>;

/** Checks a second factor, and uses it up in the same statement. */
@Injectable()
export class SecondFactors {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly keyRing: KeyRing,
    private readonly assertions: PasskeyAssertions,
  ) {}

  /** Asks for the second factor that a login did not have; undefined when it had one. */
  async ask(user: User, { totp_code, backup_code, passkey }: Answers): Promise<LoginResult | undefined> {
    if (totp_code || backup_code || passkey) return undefined;
    const options = await this.assertions.offerSecondFactor(user.id);
    const hasTotp = user.totpSecret !== null;
    return {
      requires_2fa: true,
      accepts_totp: hasTotp,
      ...(options && { passkey_options: options }),
      message: askingSentence(hasTotp, options !== undefined),
    };
  }

  /** Returns why the answer is refused, if it is; a right answer is used up. */
  async accept(
    user: User,
    { totp_code: totpCode, backup_code: recoveryCode, passkey }: Answers,
  ): Promise<AcceptedFactor> {
    if (passkey) return this.assertions.accept(passkey, { purpose: 'second_factor', userId: user.id });
    const refusal = totpCode
      ? await this.useTotp(user, totpCode)
      : await this.useRecoveryCode(user, recoveryCode ?? '');
    return refusal ? { refusal } : {};
  }

  private async useTotp({ id, totpSecret }: User, code: string): Promise<AppError | undefined> {
    if (!totpSecret) return new AppError('unauthorized', 'Code invalide');
    const step = await stepOf(await this.keyRing.unseal(totpSecret, secretSealContext(id)), code);
    if (step === undefined) return new AppError('unauthorized', 'Code invalide');
    const [, usedCount]: [unknown, number] = await this.users.query(
      `update users set totp_last_step = $2
       where id = $1 and two_factor_at is not null and (totp_last_step is null or totp_last_step < $2)`,
      [id, step],
    );
    if (usedCount === 1) return undefined;
    return new AppError('unauthorized', 'Ce code a déjà servi. Attendez le suivant.');
  }

  private async useRecoveryCode({ id }: User, code: string): Promise<AppError | undefined> {
    const [, usedCount]: [unknown, number] = await this.users.query(
      'delete from recovery_codes where user_id = $1 and hash = $2',
      [id, hashRecoveryCode(this.keyRing, id, code)],
    );
    return usedCount === 1 ? undefined : new AppError('unauthorized', 'Code invalide');
  }
}

function askingSentence(hasTotp: boolean, hasPasskey: boolean): string {
  if (!hasTotp && !hasPasskey) return 'Saisissez un code de récupération.';
  if (!hasTotp) return 'Utilisez votre clé d’accès, ou saisissez un code de récupération.';
  const codes = 'aisissez le code de votre application ou un code de récupération.';
  return hasPasskey ? `Utilisez votre clé d’accès, ou s${codes}` : `S${codes}`;
}
