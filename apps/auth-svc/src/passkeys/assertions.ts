import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { challengeLifetimeMs, type PasskeyAssertion, type PasskeyRequestOptions } from '@vigie/contracts/passkeys';
import { writeAudit } from '@vigie/service-kit/audit';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { AccessMails } from '../mail/access-mails';
import { passkeyRefused } from '../mail/templates';
import { challengeIn, type ChallengeUse, issueChallenge, useChallenge } from './challenges';
import { makeDecoyKey } from './decoy-key';
import { Passkey, toCredential, userHandleOf } from './passkey.entity';
import { relyingPartyOf } from './relying-party';
import { usablePasskeys } from './usable-passkeys';

type AssertionUse = Exclude<ChallengeUse, { purpose: 'creation' }>;
/** An expired challenge is nobody’s attempt: its login waited for too long. */
export type Accepted = { passkey: Passkey } | { refusal: AppError; isExpired?: true };
type Signature = { counter: number; isSynced: boolean };

/** Asks passkeys to sign a challenge, and checks what they sign. */
@Injectable()
export class PasskeyAssertions {
  private readonly decoyKey = makeDecoyKey();

  constructor(
    private readonly database: DataSource,
    private readonly mails: AccessMails,
  ) {}

  /** For a login, where any passkey may answer. */
  offerLogin(): Promise<PasskeyRequestOptions> {
    return this.offer({ purpose: 'login', userId: null });
  }

  /** For a user whose password was right; undefined without a passkey that could answer. */
  async offerSecondFactor(userId: string): Promise<PasskeyRequestOptions | undefined> {
    const passkeys = await this.database.manager.findBy(Passkey, usablePasskeys(userId));
    if (passkeys.length === 0) return undefined;
    const options = await this.offer({ purpose: 'second_factor', userId });
    return { ...options, allowCredentials: passkeys.map(toCredential) };
  }

  private async offer(use: AssertionUse): Promise<PasskeyRequestOptions> {
    const { id: rpId } = relyingPartyOf(env.VIGIE_PUBLIC_URL);
    const challenge = await issueChallenge(this.database.manager, use);
    return { challenge, rpId, timeout: challengeLifetimeMs, userVerification: 'required' };
  }

  /** Uses the challenge up, and returns the passkey that signed it. All refusals but an expired one are the same. */
  async accept(assertion: PasskeyAssertion, use: AssertionUse): Promise<Accepted> {
    const challenge = challengeIn(assertion.response);
    if (challenge === undefined) return { refusal: refused() };
    if (!(await useChallenge(this.database.manager, challenge, use))) return { refusal: expired(), isExpired: true };
    const { id: credentialId } = assertion;
    const passkey = await this.database.manager.findOne(Passkey, {
      where: { credentialId, ...(use.userId !== null && { userId: use.userId }) },
      relations: { user: true },
    });
    const signature = await this.readSignature(assertion, challenge, passkey);
    if (!passkey || !signature || !isOwnedBy(assertion, passkey, use)) return { refusal: refused() };
    // Passkeys go with the 2FA, so that one which did not, for whatever reason, opens nothing.
    if (passkey.user.twoFactorAt === null) return { refusal: refused() };
    if (await this.count(passkey, signature)) return { passkey };
    await this.reportCounter(passkey, signature);
    return { refusal: refused() };
  }

  /** Undefined unless the key of the passkey signed the challenge, here, with its user verified. */
  private async readSignature(
    { response, ...answer }: PasskeyAssertion,
    challenge: string,
    passkey: Passkey | null,
  ): Promise<Signature | undefined> {
    const { userHandle: _, ...signed } = response;
    const party = relyingPartyOf(env.VIGIE_PUBLIC_URL);
    const publicKey = new Uint8Array(passkey?.publicKey ?? this.decoyKey);
    // Loaded by the first passkey: the readers of certificates are as large as a third of the service.
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...answer, response: signed, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        // The library compares the counter before the signature. `count` does so after it, in one statement.
        credential: { id: answer.id, publicKey, counter: 0 },
      });
      if (!verified) return undefined;
      return { counter: authenticationInfo.newCounter, isSynced: authenticationInfo.credentialBackedUp };
    } catch {
      return undefined;
    }
  }

  /** Notes a use, unless the counter did not grow: a copy of the passkey may then be in use elsewhere. */
  private async count({ id }: Passkey, { counter, isSynced }: Signature): Promise<boolean> {
    const [, countedRows]: [unknown, number] = await this.database.query(
      `update passkeys set counter = $2::bigint, is_synced = $3, last_used_at = now()
       where id = $1 and (counter < $2::bigint or (counter = 0 and $2::bigint = 0))`,
      [id, counter, isSynced],
    );
    return countedRows === 1;
  }

  private reportCounter({ id, name, user, counter: known }: Passkey, { counter }: Signature): Promise<void> {
    const entry = { actorId: null, actorName: user.email, action: 'passkey_counter', targetId: id };
    const details = { name, counter, known: Number(known) };
    return this.database.transaction(async (manager) => {
      await writeAudit(manager, { ...entry, result: 'refused', details });
      await this.mails.queue(manager, user, passkeyRefused(name));
    });
  }
}

/** A login takes the user from the passkey, which must name the same one. */
function isOwnedBy({ response }: PasskeyAssertion, { userId }: Passkey, { purpose }: AssertionUse): boolean {
  const { userHandle } = response;
  if (userHandle === undefined || userHandle === null) return purpose === 'second_factor';
  return userHandle === userHandleOf(userId);
}

const expired = () => new AppError('unauthorized', 'Cette demande a expiré ou a déjà servi. Recommencez.');
const refused = () => new AppError('unauthorized', 'Cette clé d’accès n’a pas été acceptée.');
