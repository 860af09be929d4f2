import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError } from '@vigie/contracts/errors';
import type { Login } from '@vigie/contracts/sessions';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { Repository } from 'typeorm';
import { User } from '../users/user.entity';
import { hashRecoveryCode } from './recovery-codes';
import { secretSealContext, stepOf } from './totp';

type Codes = Pick<Login, 'totp_code' | 'backup_code'>;

/** Checks a second factor, and uses it up in the same statement. */
@Injectable()
export class SecondFactors {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly keyRing: KeyRing,
  ) {}

  /** Returns why the code is refused, or undefined when it was right; a right code is used up. */
  async accept(user: User, { totp_code: totpCode, backup_code: recoveryCode }: Codes): Promise<AppError | undefined> {
    if (totpCode) return this.useTotp(user, totpCode);
    return (await this.useRecoveryCode(user, recoveryCode ?? ''))
      ? undefined
      : new AppError('unauthorized', 'Code invalide');
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

  private async useRecoveryCode({ id }: User, code: string): Promise<boolean> {
    const [, usedCount]: [unknown, number] = await this.users.query(
      'delete from recovery_codes where user_id = $1 and hash = $2',
      [id, hashRecoveryCode(this.keyRing, id, code)],
    );
    return usedCount === 1;
  }
}
