import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  type ChangePassword,
  changePassword,
  forgotPassword,
  type ResetPassword,
  resetPassword,
} from '@vigie/contracts/passwords';
import { callerAddress, currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { type AuditedTransaction, AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { hashToken } from '@vigie/service-kit/tokens';
import { DataSource, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { env } from '../env';
import { Mailer } from '../mail/mailer';
import { resetMail } from '../mail/templates';
import { describeNewPassword } from '../passkeys/usable-passkeys';
import { AttemptLimits } from '../sessions/attempt-limits';
import { OpenSessions } from '../sessions/open-sessions';
import { Settings, settingsRow } from '../settings/settings.entity';
import { recordAuditEvent } from '../users/audit-events';
import { deleteFirstPassword } from '../users/first-admin';
import { lockUnchangedUser } from '../users/lock-user';
import { requireUser } from '../users/require-user';
import { User } from '../users/user.entity';
import { PasswordCheck } from './password-check';
import { replacePassword } from './replace-password';
import { Passwords } from './passwords';

const linkLifetimeMs = 30 * 60_000;
const forgotAnswer = { message: 'Si un compte existe, un email de réinitialisation sera envoyé.' };

@Controller()
export class PasswordsController {
  constructor(
    private readonly database: DataSource,
    private readonly transactions: AuditedTransactions,
    private readonly limits: AttemptLimits,
    private readonly mailer: Mailer,
    private readonly openSessions: OpenSessions,
    private readonly passwordCheck: PasswordCheck,
    private readonly passwords: Passwords,
  ) {}

  @Handles(changePassword)
  async change({ current_password: password, new_password: newPassword }: ChangePassword) {
    const user = await requireUser(this.database.manager);
    await this.passwordCheck.require(user, password, new AppError('invalid', 'Le mot de passe actuel est incorrect.'));
    const passwordHash = await this.passwords.hash(newPassword);
    const ended = await this.transactions.write(async (transaction) => {
      await lockUnchangedUser(transaction.manager, user);
      await replacePassword(transaction.manager, user, passwordHash);
      await recordAuditEvent(transaction, { actor: user, type: 'password_change' });
      return this.openSessions.end(transaction.manager, { userId: user.id, id: Not(currentUser().sid) });
    });
    this.openSessions.announce(ended);
    await deleteFirstPassword(user.email);
    const message = 'Votre mot de passe est changé. Vos autres sessions sont fermées.';
    return describeNewPassword(this.database.manager, user.id, message);
  }

  /** Does the same work for every address: a mail without account is dropped when it would leave. */
  @Handles(forgotPassword)
  async forgot({ email }: Input<typeof forgotPassword>) {
    if (!(await this.limits.admitReset(email, callerAddress()))) return forgotAnswer;
    const token = randomBytes(32).toString('base64url');
    const { appName } = await this.database.manager.findOneByOrFail(Settings, settingsRow);
    const mail = resetMail(appName, new URL(`/reset?token=${token}`, env.VIGIE_PUBLIC_URL).toString());
    const expiresAt = new Date(Date.now() + linkLifetimeMs);
    await this.transactions.write(async ({ manager, audit }) => {
      await manager.query('insert into password_resets (id, email, token_hash, expires_at) values ($1, $2, $3, $4)', [
        uuid(),
        email,
        hashToken(token),
        expiresAt,
      ]);
      await this.mailer.queue(manager, { ...mail, to: email, expiresAt, needsAccount: true });
      await audit({ actorId: null, actorName: email, action: 'password_forgot', result: 'done' });
    });
    return forgotAnswer;
  }

  @Handles(resetPassword)
  async reset({ token, password }: ResetPassword) {
    // Checked before hashing, to refuse cheaply; used in the transaction, so that it works once.
    if (!(await this.isLinkValid(token))) throw invalidLink();
    const passwordHash = await this.passwords.hash(password);
    const { user, ended } = await this.transactions.write((transaction) =>
      this.useLink(transaction, token, passwordHash),
    );
    this.openSessions.announce(ended);
    await deleteFirstPassword(user.email);
    const message = 'Votre mot de passe est changé. Connectez-vous avec le nouveau.';
    return describeNewPassword(this.database.manager, user.id, message);
  }

  private async useLink(transaction: AuditedTransaction, token: string, passwordHash: string) {
    const { manager } = transaction;
    const [link]: { email: string }[] = await manager.query('select email from password_resets where token_hash = $1', [
      hashToken(token),
    ]);
    // Locks the account before its links: two links of one account used at once would deadlock.
    const user =
      link && (await manager.findOne(User, { where: { email: link.email }, lock: { mode: 'pessimistic_write' } }));
    const [, usedCount]: [unknown, number] = await manager.query(
      'update password_resets set used_at = now() where token_hash = $1 and used_at is null and expires_at > now()',
      [hashToken(token)],
    );
    if (!user || usedCount !== 1) throw invalidLink();
    await replacePassword(manager, user, passwordHash);
    await recordAuditEvent(transaction, { actor: user, type: 'password_change', details: { by: 'mail' } });
    // A person who has lost the password may have lost more.
    return { user, ended: await this.openSessions.endAccess(manager, user.id) };
  }

  private async isLinkValid(token: string): Promise<boolean> {
    const links: unknown[] = await this.database.query(
      'select 1 from password_resets where token_hash = $1 and used_at is null and expires_at > now()',
      [hashToken(token)],
    );
    return links.length > 0;
  }
}

const invalidLink = () => new AppError('invalid', 'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.');
