import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  challengeLifetimeMs,
  createPasskey,
  deletePasskey,
  listPasskeys,
  maxPasskeys,
  offerPasskey,
  renamePasskey,
} from '@vigie/contracts/passkeys';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, Not, QueryFailedError } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { env } from '../env';
import { AccessMails } from '../mail/access-mails';
import { passkeyAdded, passkeyDeleted } from '../mail/templates';
import { PasswordCheck } from '../passwords/password-check';
import { OpenSessions } from '../sessions/open-sessions';
import { Settings, settingsRow } from '../settings/settings.entity';
import { liftRestriction } from '../two-factor/lift-restriction';
import { SecondFactorChanges } from '../two-factor/second-factor-changes';
import { recordAuditEvent } from '../users/audit-events';
import { lockUnchangedUser } from '../users/lock-user';
import { requireUser } from '../users/require-user';
import { nameOf, type User } from '../users/user.entity';
import { algorithms, readAttestation, unreadable } from './attestations';
import { challengeIn, issueChallenge, useChallenge } from './challenges';
import { Passkey, toCredential, toPasskeyView, userHandleOf } from './passkey.entity';
import { passkeyOrigin, relyingPartyOf, unavailableReason } from './relying-party';
import { usablePasskeys } from './usable-passkeys';

@Controller()
export class PasskeysController {
  constructor(
    private readonly database: DataSource,
    private readonly transactions: AuditedTransactions,
    private readonly passwordCheck: PasswordCheck,
    private readonly openSessions: OpenSessions,
    private readonly secondFactorChanges: SecondFactorChanges,
    private readonly mails: AccessMails,
  ) {}

  @Handles(listPasskeys)
  async list() {
    const { VIGIE_PUBLIC_URL: publicUrl } = env;
    const order = { createdAt: 'desc', id: 'desc' } as const;
    const passkeys = await this.database.manager.find(Passkey, { where: { userId: currentUser().sub }, order });
    return {
      items: passkeys.map((passkey) => toPasskeyView(passkey, hostOf(publicUrl))),
      total: passkeys.length,
      unavailable_reason: unavailableReason(publicUrl) ?? null,
      passkey_origin: passkeyOrigin(publicUrl),
    };
  }

  @Handles(offerPasskey)
  async offer({ password }: Input<typeof offerPasskey>): Promise<Output<typeof offerPasskey>> {
    const { manager } = this.database;
    const { id } = relyingPartyOf(env.VIGIE_PUBLIC_URL);
    const user = await this.requirePassword(password);
    if ((await manager.countBy(Passkey, { userId: user.id })) >= maxPasskeys) throw tooMany();
    const { appName } = await manager.findOneByOrFail(Settings, settingsRow);
    const passkeys = await manager.findBy(Passkey, usablePasskeys(user.id));
    return {
      rp: { id, name: appName },
      user: { id: userHandleOf(user.id), name: user.email, displayName: nameOf(user) },
      challenge: await this.database.transaction(async (transaction) => {
        await lockUnchangedUser(transaction, user);
        return issueChallenge(transaction, creationOf(user));
      }),
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
      timeout: challengeLifetimeMs,
      excludeCredentials: passkeys.map(toCredential),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    };
  }

  @Handles(createPasskey)
  async create({ name, response }: Input<typeof createPasskey>): Promise<Output<typeof createPasskey>> {
    const user = await requireUser(this.database.manager);
    const made = await this.readNewPasskey(user, response);
    const { passkey, codes, ended } = await this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      await lockUnchangedUser(manager, user);
      if ((await manager.countBy(Passkey, { userId: user.id })) >= maxPasskeys) throw tooMany();
      const id = uuid();
      await manager.insert(Passkey, { ...made, id, userId: user.id, name }).catch(refuseKnownCredential);
      await recordAuditEvent(transaction, { actor: user, type: 'passkey_create', details: { name } });
      const recoveryCodes = await this.secondFactorChanges.enable(transaction, user);
      await this.mails.queue(manager, user, passkeyAdded(name));
      return {
        passkey: await manager.findOneByOrFail(Passkey, { id }),
        codes: recoveryCodes,
        ended: await liftRestriction(manager, this.openSessions, user.id),
      };
    });
    this.openSessions.announce(ended);
    return { ...toPasskeyView(passkey, made.rpId), backup_codes: codes };
  }

  @Handles(renamePasskey)
  async rename({ id, name }: Input<typeof renamePasskey>) {
    return this.transactions.write(async ({ manager, audit }) => {
      const user = await requireUser(manager);
      const { affected } = await manager.update(Passkey, { id, userId: user.id }, { name });
      if (affected !== 1) throw unknownPasskey();
      await audit({
        actorId: user.id,
        actorName: user.email,
        action: 'passkey_rename',
        targetId: id,
        result: 'done',
        details: { name },
      });
      return toPasskeyView(await manager.findOneByOrFail(Passkey, { id }), hostOf(env.VIGIE_PUBLIC_URL));
    });
  }

  @Handles(deletePasskey)
  async delete({ id, password }: Input<typeof deletePasskey>) {
    const user = await this.requirePassword(password);
    const ended = await this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      await lockUnchangedUser(manager, user);
      const passkey = await manager.findOneBy(Passkey, { id, userId: user.id });
      if (!passkey) throw unknownPasskey();
      const sids = await this.openSessions.end(manager, { passkeyId: id, id: Not(currentUser().sid) });
      await manager.delete(Passkey, { id });
      const { name } = passkey;
      await recordAuditEvent(transaction, { actor: user, type: 'passkey_delete', details: { name } });
      const isOff = await this.secondFactorChanges.disableIfNoneIsLeft(transaction, user.id);
      await this.mails.queue(manager, user, passkeyDeleted(name, isOff));
      return sids;
    });
    this.openSessions.announce(ended);
    return {};
  }

  /** Failures count per session: a stolen session must not lock its owner out of the login. */
  private async requirePassword(password: string): Promise<User> {
    const user = await requireUser(this.database.manager);
    const refusal = new AppError('invalid', 'Mot de passe incorrect');
    await this.passwordCheck.require(user, password, refusal, currentUser().sid);
    return user;
  }

  /** The challenge is used up first and outside of the transaction, so that a failure does not bring it back. */
  private async readNewPasskey(user: User, response: Input<typeof createPasskey>['response']) {
    const party = relyingPartyOf(env.VIGIE_PUBLIC_URL);
    const challenge = challengeIn(response.response);
    if (challenge === undefined) throw unreadable();
    if (await useChallenge(this.database.manager, challenge, creationOf(user))) {
      return readAttestation(response, challenge, party);
    }
    throw new AppError('invalid', 'Cette demande a expiré ou a déjà servi. Recommencez.');
  }
}

const hostOf = (url: string) => new URL(url).hostname;

const creationOf = ({ id: userId }: User) => ({ purpose: 'creation' as const, userId, sid: currentUser().sid });

function refuseKnownCredential(error: unknown): never {
  const isKnown = error instanceof QueryFailedError && error.driverError.code === '23505';
  throw isKnown ? new AppError('conflict', 'Cette clé d’accès est déjà enregistrée.') : error;
}

const tooMany = () =>
  new AppError(
    'conflict',
    `Vous avez déjà ${maxPasskeys}\u00a0clés d’accès\u00a0: supprimez-en une pour en ajouter une autre.`,
  );

const unknownPasskey = () => new AppError('not_found', 'Cette clé d’accès n’existe pas ou n’existe plus.');
