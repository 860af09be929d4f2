import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { Counters } from '@vigie/service-kit/counters';

const pair = { most: 5, seconds: 15 * 60 };
const fromAddress = { most: 20, seconds: 60 };
const onAccount = { most: 50, seconds: 15 * 60 };
const accountDelayMs = 2_000;
const mostSlowed = 16;
const signups = { most: 10, seconds: 60 * 60 };

/**
 * Counts failed attempts: per account and address, per address, and per account over all addresses. The last one only
 * slows down: an account can be attacked from anywhere, and its owner must still get in. Nothing here depends on whether
 * the account exists.
 */
@Injectable()
export class LoginLimits {
  private slowed = 0;

  constructor(private readonly counters: Counters) {}

  /** Refuses an attempt whose counters are full, before anything is hashed. */
  async admit(email: string, address: string): Promise<void> {
    const keys = keysOf(email, address);
    const [pairs, addresses, accounts] = await Promise.all([
      this.counters.read(keys.pair),
      this.counters.read(keys.address),
      this.counters.read(keys.account),
    ]);
    if (pairs.count >= pair.most) throw tooMany(pairs.secondsLeft);
    if (addresses.count >= fromAddress.most) throw tooMany(addresses.secondsLeft);
    if (accounts.count >= onAccount.most) await this.slowDown();
  }

  /** Counts a failure and says what to answer: attempts in parallel pass `admit` together, but are counted one by one. */
  async countFailure(email: string, address: string): Promise<AppError> {
    const keys = keysOf(email, address);
    const [pairs, addresses] = await Promise.all([
      this.counters.add(keys.pair, pair.seconds),
      this.counters.add(keys.address, fromAddress.seconds),
      this.counters.add(keys.account, onAccount.seconds),
    ]);
    if (pairs.count > pair.most) return tooMany(pairs.secondsLeft);
    if (addresses.count > fromAddress.most) return tooMany(addresses.secondsLeft);
    return new AppError('unauthorized', 'Email ou mot de passe incorrect.');
  }

  /** Waiting attempts hold places in this service, so only a few may wait. */
  private async slowDown(): Promise<void> {
    if (this.slowed >= mostSlowed) throw tooMany(accountDelayMs / 1000);
    this.slowed += 1;
    await wait(accountDelayMs).finally(() => {
      this.slowed -= 1;
    });
  }

  async countSignup(address: string): Promise<void> {
    const { count, secondsLeft } = await this.counters.add(`signup:${network(address)}`, signups.seconds);
    if (count > signups.most) throw tooMany(secondsLeft);
  }
}

const tooMany = (retryAfter: number) =>
  new AppError('too_many', 'Trop de tentatives. Patientez avant de réessayer.', { retryAfter });

function keysOf(email: string, address: string) {
  // Hashed: an address book of attempted accounts has no place in Redis.
  const account = createHash('sha256').update(email).digest('base64url').slice(0, 22);
  return {
    pair: `login:${account}:${network(address)}`,
    address: `login:${network(address)}`,
    account: `login-account:${account}`,
  };
}

/** One household has a whole /64 of IPv6 addresses; a mapped IPv4 address is that IPv4 address. */
export function network(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head.split(':').filter(Boolean), tail.split(':').filter(Boolean)];
  const zeros = address.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : [];
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
