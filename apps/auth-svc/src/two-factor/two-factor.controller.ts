import { timingSafeEqual } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  disableTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  resetTwoFactor,
  setUpTwoFactor,
  verifyTwoFactor,
} from '@vigie/contracts/two-factor';
import { callerAddress, currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { Sealed } from '@vigie/vault/seal';
import { generateSecret } from 'otplib';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { PasswordCheck } from '../passwords/password-check';
import { AttemptLimits } from '../sessions/attempt-limits';
import { OpenSessions } from '../sessions/open-sessions';
import { Session } from '../sessions/session.entity';
import { Settings, settingsRow } from '../settings/settings.entity';
import { recordAuditEvent } from '../users/audit-events';
import { lockUnchangedUser, lockTarget, lockUser } from '../users/lock-user';
import { User } from '../users/user.entity';
import { requireUser, sessionExpired } from '../users/require-user';
import { removeSecondFactor } from './remove-second-factor';
import { TwoFactorPolicies } from './policies';
import { qrCode } from './qr-code';
import { hashRecoveryCode, makeRecoveryCodes, replaceRecoveryCodes } from './recovery-codes';
import { enrolmentUri, secretSealContext, stepOf } from './totp';

type Enrolment = { secret: Sealed; code_hashes: string[] };

@Controller()
export class TwoFactorController {
  constructor(
    private readonly database: DataSource,
    private readonly transactions: AuditedTransactions,
    private readonly keyRing: KeyRing,
    private readonly limits: AttemptLimits,
    private readonly passwordCheck: PasswordCheck,
    private readonly policies: TwoFactorPolicies,
    private readonly openSessions: OpenSessions,
  ) {}

  @Handles(readTwoFactor)
  async status() {
    const user = await requireUser(this.database.manager);
    const [codes]: { n: number }[] = await this.database.query(
      'select count(*)::int as n from recovery_codes where user_id = $1',
      [user.id],
    );
    return {
      enabled: user.twoFactorAt !== null,
      backup_codes_count: codes?.n ?? 0,
      is_required: await this.policies.appliesTo(user),
    };
  }

  /** The proposed secret and codes stay valid for ten minutes; another set-up replaces them. */
  @Handles(setUpTwoFactor)
  async setUp() {
    const user = await requireUser(this.database.manager);
    if (user.twoFactorAt) throw alreadyEnabled();
    const [secret, recoveryCodes] = [generateSecret(), makeRecoveryCodes()];
    const { appName } = await this.database.manager.findOneByOrFail(Settings, settingsRow);
    const sealed = await this.keyRing.seal(secret, secretSealContext(user.id));
    await this.propose(user, sealed, recoveryCodes);
    return { secret, qr_code: qrCode(enrolmentUri(secret, user.email, appName)), backup_codes: recoveryCodes };
  }

  @Handles(verifyTwoFactor)
  async verify({ secret, code, backup_codes: codes }: Input<typeof verifyTwoFactor>) {
    const user = await requireUser(this.database.manager);
    if (user.twoFactorAt) throw alreadyEnabled();
    const enrolment = await this.pendingEnrolment(user, secret, codes);
    await this.limits.reserve(user.email, callerAddress());
    const step = await stepOf(secret, code);
    if (step === undefined) throw new AppError('invalid', 'Code invalide');
    await this.limits.release(user.email, callerAddress());
    const changed = await this.transactions.write(async (transaction) => {
      await this.enable(transaction.manager, user, enrolment, step);
      await recordAuditEvent(transaction, { actor: user, type: '2fa_enable' });
      return this.liftRestriction(transaction.manager, user.id);
    });
    this.openSessions.announce(changed);
    return { message: 'La double authentification est activée.' };
  }

  @Handles(disableTwoFactor)
  async disable({ password }: Input<typeof disableTwoFactor>) {
    const user = await requireUser(this.database.manager);
    await this.passwordCheck.require(user, password, wrongPassword(), currentUser().sid);
    if (!user.twoFactorAt) throw notEnabled();
    if (await this.policies.appliesTo(user)) {
      throw new AppError(
        'conflict',
        'La double authentification est obligatoire\u00a0: vous ne pouvez pas la désactiver.',
      );
    }
    await this.transactions.write(async (transaction) => {
      await lockUnchangedUser(transaction.manager, user);
      await removeSecondFactor(transaction.manager, user.id);
      await recordAuditEvent(transaction, { actor: user, type: '2fa_disable' });
    });
    return { message: 'La double authentification est désactivée.' };
  }

  @Handles(renewRecoveryCodes)
  async renewCodes({ password }: Input<typeof renewRecoveryCodes>) {
    const user = await requireUser(this.database.manager);
    await this.passwordCheck.require(user, password, wrongPassword());
    if (!user.twoFactorAt) throw notEnabled();
    const codes = makeRecoveryCodes();
    await this.transactions.write(async ({ manager, audit }) => {
      await lockUnchangedUser(manager, user);
      await replaceRecoveryCodes(manager, user.id, this.hashesOf(user, codes));
      await audit({ actorId: user.id, actorName: user.email, action: '2fa_renew_codes', result: 'done' });
    });
    return { backup_codes: codes };
  }

  /** Lets a user who lost both device and codes log in by password again, and ends all their sessions and tokens. */
  @Handles(resetTwoFactor)
  async reset({ id }: Input<typeof resetTwoFactor>) {
    if (id === currentUser().sub) {
      throw new AppError('conflict', 'Désactivez votre propre double authentification avec votre mot de passe.');
    }
    const ended = await this.transactions.write(async (transaction) => {
      const { actor, target } = await lockTarget(transaction.manager, id);
      if (!target.twoFactorAt) throw new AppError('conflict', 'Ce compte n’a pas activé la double authentification.');
      await removeSecondFactor(transaction.manager, id);
      await recordAuditEvent(transaction, { actor, type: '2fa_disable', target });
      return this.openSessions.endAccess(transaction.manager, id);
    });
    this.openSessions.announce(ended);
    return {};
  }

  private async propose(user: User, secret: Sealed, codes: string[]): Promise<void> {
    await this.database.transaction(async (manager) => {
      if (!(await lockUser(manager, user.id))) throw sessionExpired();
      await manager.query(
        `insert into two_factor_enrolments (user_id, secret, code_hashes, expires_at)
         values ($1, $2, $3, now() + interval '10 minutes')
         on conflict (user_id) do update set
           secret = excluded.secret, code_hashes = excluded.code_hashes, expires_at = excluded.expires_at`,
        [user.id, secret, this.hashesOf(user, codes)],
      );
    });
  }

  private async pendingEnrolment(user: User, secret: string, codes: string[]): Promise<Enrolment> {
    const [enrolment]: Enrolment[] = await this.database.query(
      'select secret, code_hashes from two_factor_enrolments where user_id = $1 and expires_at > now()',
      [user.id],
    );
    if (!enrolment) throw new AppError('invalid', 'Cette activation a expiré. Recommencez.');
    const issued = await this.keyRing.unseal(enrolment.secret, secretSealContext(user.id));
    const areIssued = isSame(this.hashesOf(user, codes).join(), enrolment.code_hashes.join());
    if (isSame(secret, issued) && areIssued) return enrolment;
    throw new AppError('invalid', 'Ce code QR ou ces codes de récupération ne sont plus valables. Recommencez.');
  }

  private async enable(manager: EntityManager, user: User, { secret, code_hashes }: Enrolment, step: number) {
    // The enrolment is deleted already when the same code was sent twice at once.
    const [, deletedCount]: [unknown, number] = await manager.query(
      'delete from two_factor_enrolments where user_id = $1 and code_hashes = $2',
      [user.id, code_hashes],
    );
    if (deletedCount !== 1) throw alreadyEnabled();
    const enabled = { totpSecret: secret, twoFactorAt: new Date(), totpLastStep: `${step}` };
    const { affected } = await manager.update(User, { id: user.id, twoFactorAt: IsNull() }, enabled);
    if (affected !== 1) throw alreadyEnabled();
    await replaceRecoveryCodes(manager, user.id, code_hashes);
  }

  /**
   * Frees the session that proved the code. The user’s other restricted sessions only proved the password, so they end
   * and log in again with a code. Returns the sessions that gateways must drop from their caches; an unrestricted
   * session is not among them and keeps its consoles.
   */
  private async liftRestriction(manager: EntityManager, userId: string): Promise<string[]> {
    const { sid } = currentUser();
    const { affected } = await manager.update(Session, { id: sid, isRestricted: true }, { isRestricted: false });
    const ended = await this.openSessions.end(manager, { userId, isRestricted: true });
    return affected === 1 ? [sid, ...ended] : ended;
  }

  private hashesOf({ id }: User, codes: readonly string[]): string[] {
    return codes.map((code) => hashRecoveryCode(this.keyRing, id, code));
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const wrongPassword = () => new AppError('invalid', 'Mot de passe incorrect');
const alreadyEnabled = () => new AppError('conflict', 'La double authentification est déjà activée.');
const notEnabled = () => new AppError('conflict', 'La double authentification n’est pas activée.');
