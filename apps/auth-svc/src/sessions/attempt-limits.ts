import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { Counters } from '@vigie/service-kit/counters';
import { network } from '@vigie/service-kit/network';

const pair = { most: 5, seconds: 15 * 60 };
const fromAddress = { most: 20, seconds: 60 };
const onAccount = { most: 50, seconds: 15 * 60 };
const accountDelayMs = 2_000;
/** Over all accounts; an account and address that waits has one of them. */
const mostWaiting = 128;
const signups = { most: 10, seconds: 60 * 60 };
const forgotten = { most: 60, seconds: 60 * 60 };
const perMailbox = { most: 3, seconds: 60 * 60 };
const testMails = { most: 5, seconds: 60 * 60 };

/**
 * Counts failed attempts, of passwords and codes alike: per account and address, per address, and per account over all addresses. The last one only
 * slows down: an account can be attacked from anywhere, and its owner must still get in. Nothing here depends on whether
 * the account exists.
 */
@Injectable()
export class AttemptLimits {
  private readonly waiting = new Set<string>();

  constructor(private readonly counters: Counters) {}

  /** Refuses an attempt whose counters are full, before anything is hashed. */
  async admit(email: string, address: string): Promise<void> {
    await this.refuseFull(email, address);
    const keys = keysOf(email, address);
    const { count } = await this.counters.read(keys.account);
    if (count >= onAccount.most) await this.slowDown(keys.pair);
  }

  async refuseFull(email: string, address: string): Promise<void> {
    const keys = keysOf(email, address);
    const [pairs, addresses] = await Promise.all([this.counters.read(keys.pair), this.counters.read(keys.address)]);
    if (pairs.count >= pair.most) throw tooMany(pairs.secondsLeft);
    if (addresses.count >= fromAddress.most) throw tooMany(addresses.secondsLeft);
  }

  /** Counts a failure and says what to answer: attempts in parallel pass `admit` together, but are counted one by one. */
  async countFailure(email: string, address: string, refusal: AppError): Promise<AppError> {
    return (await this.count(email, address)) ?? refusal;
  }

  /**
   * For codes, which are short: counted before they are looked at and taken back when they are right, so that whatever
   * happens in between, and however many are tried at once, no more than the limit is ever compared.
   */
  async reserve(email: string, address: string): Promise<void> {
    const refusal = await this.count(email, address);
    if (refusal) throw refusal;
  }

  async release(email: string, address: string): Promise<void> {
    await Promise.all(Object.values(keysOf(email, address)).map((key) => this.counters.takeBack(key)));
  }

  /** What to answer when this attempt is one too many. */
  private async count(email: string, address: string): Promise<AppError | undefined> {
    const keys = keysOf(email, address);
    const [pairs, addresses] = await Promise.all([
      this.counters.add(keys.pair, pair.seconds),
      this.counters.add(keys.address, fromAddress.seconds),
      this.counters.add(keys.account, onAccount.seconds),
    ]);
    if (pairs.count > pair.most) return tooMany(pairs.secondsLeft);
    if (addresses.count > fromAddress.most) return tooMany(addresses.secondsLeft);
    return undefined;
  }

  /** Whoever waits holds a place in this service: one for each address, so that attackers do not take the owner's. */
  private async slowDown(pairKey: string): Promise<void> {
    if (this.waiting.has(pairKey) || this.waiting.size >= mostWaiting) throw tooMany(accountDelayMs / 1000);
    this.waiting.add(pairKey);
    await wait(accountDelayMs).finally(() => this.waiting.delete(pairKey));
  }

  async countSignup(address: string): Promise<void> {
    const { count, secondsLeft } = await this.counters.add(`signup:${network(address)}`, signups.seconds);
    if (count > signups.most) throw tooMany(secondsLeft);
  }

  /** False when this mailbox has had its mails: whoever asks is not told. */
  async admitForgotten(email: string, address: string): Promise<boolean> {
    const { count, secondsLeft } = await this.counters.add(`forgot:${network(address)}`, forgotten.seconds);
    if (count > forgotten.most) throw tooMany(secondsLeft);
    const mailbox = await this.counters.add(`forgot-mailbox:${accountOf(email)}`, perMailbox.seconds);
    return mailbox.count <= perMailbox.most;
  }

  async countTestMail(userId: string): Promise<void> {
    const { count, secondsLeft } = await this.counters.add(`test-mail:${userId}`, testMails.seconds);
    if (count > testMails.most) throw tooMany(secondsLeft);
  }
}

const tooMany = (retryAfter: number) =>
  new AppError('too_many', 'Trop de tentatives. Patientez avant de réessayer.', { retryAfter });

/** Hashed: an address book of attempted accounts has no place in Redis. */
const accountOf = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22);

function keysOf(email: string, address: string) {
  const account = accountOf(email);
  return {
    pair: `login:${account}:${network(address)}`,
    address: `login:${network(address)}`,
    account: `login-account:${account}`,
  };
}
