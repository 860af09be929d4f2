import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { type Count, Counters } from '@vigie/service-kit/counters';
import { network, wideNetwork } from '@vigie/service-kit/network';

const perAccountAndAddress = { max: 5, seconds: 15 * 60 };
const perAddress = { max: 20, seconds: 60 };
const perAccount = { max: 50, seconds: 15 * 60 };
/** Counted over all addresses, since an attempt with a code already had the right password. */
const codesPerAccount = { max: 20, seconds: 60 * 60 };
/** Factor by which a /48 may exceed one of its 65,536 /64 networks. */
const wideNetworkFactor = 5;
const accountDelayMs = 2_000;
/** Over all accounts; each pair of account and network holds at most one. */
const maxWaiting = 128;
/** A login page asks for one when it opens, and hundreds of people may share an address. */
const challengesPerAddress = { max: 120, seconds: 60 };
const signupsPerAddress = { max: 10, seconds: 60 * 60 };
const resetsPerAddress = { max: 60, seconds: 60 * 60 };
const resetsPerMailbox = { max: 3, seconds: 60 * 60 };
/** Enough to share a fleet by hand, too few to try out a list of addresses. */
const lookupsPerUser = { max: 60, seconds: 60 * 60 };
const testMailsPerUser = { max: 5, seconds: 60 * 60 };

/**
 * Counts failed attempts, of passwords and codes alike: per account and address, per address, and per account over all
 * addresses. The last one only slows down, because an account can be attacked from anywhere and its owner must still
 * get in. A check that names its session counts per session instead of per account and address, so that a stolen
 * session locks nobody out. No answer depends on whether the account exists. Wrong codes have a limit per account over
 * all addresses, which a stranger without the password cannot reach.
 */
@Injectable()
export class AttemptLimits {
  private readonly waiting = new Set<string>();

  constructor(private readonly counters: Counters) {}

  async admit(email: string, address: string, sid?: string): Promise<void> {
    await this.refuseFull(email, address, sid);
    const { count } = await this.counters.read(accountKey(email));
    if (count >= perAccount.max) await this.slowDown(`${accountKey(email)}:${wideNetwork(address)}`);
  }

  async refuseFull(email: string, address: string, sid?: string): Promise<void> {
    const limits = limitsOf(email, address, sid);
    const counts = await Promise.all(limits.map(({ key }) => this.counters.read(key)));
    const refusal = findRefusal(limits, counts, 0);
    if (refusal) throw refusal;
  }

  /** Counts a failure and returns the error: parallel attempts pass `admit` together, but are counted one by one. */
  async countFailure(email: string, address: string, refusal: AppError, sid?: string): Promise<AppError> {
    return (await this.count(email, address, sid)) ?? refusal;
  }

  /**
   * Counts an attempt with a code before the code is compared; `release` takes it back when the code is right. Codes
   * are short: even in parallel, or when a request fails, no more of them than the limit are ever compared.
   */
  async reserve(email: string, address: string): Promise<void> {
    const refusal = await this.count(email, address);
    if (refusal) throw refusal;
    // Counted after the limits per address, so that one address cannot use up the attempts of all others.
    const { count, secondsLeft } = await this.counters.add(codesKey(email), codesPerAccount.seconds);
    if (count > codesPerAccount.max) throw tooMany(secondsLeft);
  }

  async release(email: string, address: string): Promise<void> {
    const keys = [...limitsOf(email, address).map(({ key }) => key), accountKey(email), codesKey(email)];
    await Promise.all(keys.map((key) => this.counters.takeBack(key)));
  }

  private async count(email: string, address: string, sid?: string): Promise<AppError | undefined> {
    const limits = limitsOf(email, address, sid);
    const [counts] = await Promise.all([
      Promise.all(limits.map(({ key, seconds }) => this.counters.add(key, seconds))),
      this.counters.add(accountKey(email), perAccount.seconds),
    ]);
    return findRefusal(limits, counts, 1);
  }

  /** A network delays at most one attempt per account, so that attackers leave a place to the owner. */
  private async slowDown(key: string): Promise<void> {
    if (this.waiting.has(key) || this.waiting.size >= maxWaiting) throw tooMany(accountDelayMs / 1000);
    this.waiting.add(key);
    await wait(accountDelayMs).finally(() => this.waiting.delete(key));
  }

  /** For a login without a name: its passkey cannot be guessed, so that only addresses are counted, with the passwords. */
  async admitAddress(address: string): Promise<void> {
    const limits = addressLimits('login', address, perAddress);
    const refusal = findRefusal(limits, await Promise.all(limits.map(({ key }) => this.counters.read(key))), 0);
    if (refusal) throw refusal;
  }

  /** As `countFailure`, after `admitAddress`. */
  async countAddressFailure(address: string, refusal: AppError): Promise<AppError> {
    return (await this.addTo(addressLimits('login', address, perAddress))) ?? refusal;
  }

  async countChallenge(address: string): Promise<void> {
    await this.countFrom('passkey', address, challengesPerAddress);
  }

  async countSignup(address: string): Promise<void> {
    await this.countFrom('signup', address, signupsPerAddress);
  }

  /** Returns false when this mailbox already got its mails; the caller must not reveal it. */
  async admitReset(email: string, address: string): Promise<boolean> {
    await this.countFrom('forgot', address, resetsPerAddress);
    const mailbox = await this.counters.add(`forgot-mailbox:${hashAccount(email)}`, resetsPerMailbox.seconds);
    return mailbox.count <= resetsPerMailbox.max;
  }

  countTestMail(userId: string): Promise<void> {
    return this.countOne(`test-mail:${userId}`, testMailsPerUser);
  }

  countLookup(userId: string): Promise<void> {
    return this.countOne(`lookup:${userId}`, lookupsPerUser);
  }

  private async countOne(key: string, { max, seconds }: Rate): Promise<void> {
    const { count, secondsLeft } = await this.counters.add(key, seconds);
    if (count > max) throw tooMany(secondsLeft);
  }

  private async countFrom(prefix: string, address: string, rate: Rate): Promise<void> {
    const refusal = await this.addTo(addressLimits(prefix, address, rate));
    if (refusal) throw refusal;
  }

  private async addTo(limits: readonly Limit[]): Promise<AppError | undefined> {
    const counts = await Promise.all(limits.map(({ key, seconds }) => this.counters.add(key, seconds)));
    return findRefusal(limits, counts, 1);
  }
}

type Rate = { max: number; seconds: number };
type Limit = Rate & { key: string };

/** Limits both the /64 of an address and its /48, since the holder of a /48 has any number of addresses. */
function addressLimits(prefix: string, address: string, rate: Rate): Limit[] {
  const [narrow, wide] = [network(address), wideNetwork(address)];
  const limit = { ...rate, key: `${prefix}:${narrow}` };
  return wide === narrow ? [limit] : [limit, { ...rate, max: rate.max * wideNetworkFactor, key: `${prefix}:${wide}` }];
}

const limitsOf = (email: string, address: string, sid?: string): Limit[] => [
  ...(sid === undefined
    ? addressLimits(`login:${hashAccount(email)}`, address, perAccountAndAddress)
    : [{ ...perAccountAndAddress, key: `session:${sid}` }]),
  ...addressLimits('login', address, perAddress),
];

/** Returns the refusal of the first limit that is reached; `ownCount` is 1 when the counts include this attempt. */
function findRefusal(limits: readonly Limit[], counts: readonly Count[], ownCount: 0 | 1): AppError | undefined {
  const at = limits.findIndex(({ max }, index) => (counts[index]?.count ?? 0) >= max + ownCount);
  return at < 0 ? undefined : tooMany(counts[at]?.secondsLeft ?? 1);
}

const tooMany = (retryAfter: number) =>
  new AppError('too_many', 'Trop de tentatives. Patientez avant de réessayer.', { retryAfter });

/** Hashed, so that Redis holds no list of the accounts that were attacked. */
const hashAccount = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22);

const accountKey = (email: string) => `login-account:${hashAccount(email)}`;
const codesKey = (email: string) => `codes:${hashAccount(email)}`;
