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
import { type AuditedTransaction, AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { Sealed } from '@vigie/vault/seal';
import { generateSecret } from 'otplib';
import { DataSource, IsNull } from 'typeorm';
import { AccessMails } from '../mail/access-mails';
import { appAdded, appRemoved, codesRenewed, secondFactorReset } from '../mail/templates';
import { Passkey } from '../passkeys/passkey.entity';
import { usablePasskeys } from '../passkeys/usable-passkeys';
import { PasswordCheck } from '../passwords/password-check';
import { AttemptLimits } from '../sessions/attempt-limits';
import { OpenSessions } from '../sessions/open-sessions';
import { Settings, settingsRow } from '../settings/settings.entity';
import { recordAuditEvent } from '../users/audit-events';
import { lockUnchangedUser, lockTarget } from '../users/lock-user';
import { User } from '../users/user.entity';
import { requireUser } from '../users/require-user';
import { liftRestriction } from './lift-restriction';
import { TwoFactorPolicies } from './policies';
import { qrCode } from './qr-code';
import { hashRecoveryCodes, makeRecoveryCodes, replaceRecoveryCodes } from './recovery-codes';
import { removeSecondFactor } from './remove-second-factor';
import { SecondFactorChanges } from './second-factor-changes';
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
    private readonly secondFactorChanges: SecondFactorChanges,
    private readonly mails: AccessMails,
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
      has_totp: user.totpSecret !== null,
      passkey_count: await this.database.manager.countBy(Passkey, usablePasskeys(user.id)),
      backup_codes_count: codes?.n ?? 0,
      is_required: await this.policies.appliesTo(user),
    };
  }

  /** The proposed secret and codes stay valid for ten minutes; another set-up replaces them. */
  @Handles(setUpTwoFactor)
  async setUp({ password }: Input<typeof setUpTwoFactor>) {
    const user = await requireUser(this.database.manager);
    if (user.totpSecret) throw alreadyEnabled();
    // A session alone, which may be stolen, must not add a way around the passkeys.
    if (user.twoFactorAt) await this.requirePassword(user, password);
    const [secret, recoveryCodes] = [generateSecret(), user.twoFactorAt ? [] : makeRecoveryCodes()];
    const { appName } = await this.database.manager.findOneByOrFail(Settings, settingsRow);
    const sealed = await this.keyRing.seal(secret, secretSealContext(user.id));
    await this.propose(user, sealed, recoveryCodes);
    return { secret, qr_code: qrCode(enrolmentUri(secret, user.email, appName)), backup_codes: recoveryCodes };
  }

  @Handles(verifyTwoFactor)
  async verify({ secret, code, backup_codes: codes }: Input<typeof verifyTwoFactor>) {
    const user = await requireUser(this.database.manager);
    if (user.totpSecret) throw alreadyEnabled();
    const enrolment = await this.pendingEnrolment(user, secret, codes);
    await this.limits.reserve(user.email, callerAddress());
    const step = await stepOf(secret, code);
    if (step === undefined) throw new AppError('invalid', 'Code invalide');
    await this.limits.release(user.email, callerAddress());
    const changed = await this.transactions.write(async (transaction) => {
      await lockUnchangedUser(transaction.manager, user);
      await this.enable(transaction, user, enrolment, step);
      return liftRestriction(transaction.manager, this.openSessions, user.id);
    });
    this.openSessions.announce(changed);
    return { message: user.twoFactorAt ? 'Votre application est ajoutée.' : 'La double authentification est activée.' };
  }

  @Handles(disableTwoFactor)
  async disable({ password }: Input<typeof disableTwoFactor>) {
    const user = await requireUser(this.database.manager);
    await this.requirePassword(user, password);
    if (!user.twoFactorAt) throw notEnabled();
    if (!user.totpSecret) throw onlyPasskeys();
    const isOff = await this.transactions.write(async (transaction) => {
      await lockUnchangedUser(transaction.manager, user);
      await transaction.manager.update(User, { id: user.id }, { totpSecret: null });
      const isLast = await this.secondFactorChanges.disableIfNoneIsLeft(transaction, user.id);
      const line = { actorId: user.id, actorName: user.email, action: 'totp_disable', result: 'done' as const };
      if (!isLast) await transaction.audit(line);
      await this.mails.queue(transaction.manager, user, appRemoved(isLast));
      return isLast;
    });
    return { message: isOff ? 'La double authentification est désactivée.' : passkeysStay };
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
      await this.mails.queue(manager, user, codesRenewed);
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
      await this.mails.queue(transaction.manager, target, secondFactorReset);
      return this.openSessions.endAccess(transaction.manager, id);
    });
    this.openSessions.announce(ended);
    return {};
  }

  /** Failures count per session: a stolen session must not lock its owner out of the login. */
  private async requirePassword(user: User, password: string | undefined): Promise<void> {
    if (password === undefined) throw new AppError('invalid', 'Veuillez saisir votre mot de passe');
    await this.passwordCheck.require(user, password, wrongPassword(), currentUser().sid);
  }

  private async propose(user: User, secret: Sealed, codes: string[]): Promise<void> {
    await this.database.transaction(async (manager) => {
      await lockUnchangedUser(manager, user);
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
    // One without codes was proposed to somebody who has the 2FA already, and who gave the password.
    const isForNow = (enrolment.code_hashes.length === 0) === (user.twoFactorAt !== null);
    if (isSame(secret, issued) && areIssued && isForNow) return enrolment;
    throw new AppError('invalid', 'Ce code QR ou ces codes de récupération ne sont plus valables. Recommencez.');
  }

  /** The first second factor brings its recovery codes; with another one there are some already. */
  private async enable(
    transaction: AuditedTransaction,
    user: User,
    { secret, code_hashes }: Enrolment,
    step: number,
  ): Promise<void> {
    const { manager } = transaction;
    // The enrolment is deleted already when the same code was sent twice at once.
    const [, deletedCount]: [unknown, number] = await manager.query(
      'delete from two_factor_enrolments where user_id = $1 and code_hashes = $2',
      [user.id, code_hashes],
    );
    if (deletedCount !== 1) throw alreadyEnabled();
    const enabled = { totpSecret: secret, twoFactorAt: user.twoFactorAt ?? new Date(), totpLastStep: `${step}` };
    const { affected } = await manager.update(User, { id: user.id, totpSecret: IsNull() }, enabled);
    if (affected !== 1) throw alreadyEnabled();
    if (user.twoFactorAt) {
      const line = { actorId: user.id, actorName: user.email, action: 'totp_enable', result: 'done' as const };
      await transaction.audit(line);
      return this.mails.queue(manager, user, appAdded);
    }
    await replaceRecoveryCodes(manager, user.id, code_hashes);
    await recordAuditEvent(transaction, { actor: user, type: '2fa_enable' });
  }

  private hashesOf({ id }: User, codes: readonly string[]): string[] {
    return hashRecoveryCodes(this.keyRing, id, codes);
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const wrongPassword = () => new AppError('invalid', 'Mot de passe incorrect');
const alreadyEnabled = () => new AppError('conflict', 'La double authentification est déjà activée.');
const notEnabled = () => new AppError('conflict', 'La double authentification n’est pas activée.');
const onlyPasskeys = () =>
  new AppError(
    'conflict',
    'Votre double authentification tient à vos clés d’accès\u00a0: supprimez-les pour la désactiver.',
  );
const passkeysStay = 'Votre application est retirée. Vos clés d’accès restent votre double authentification.';
