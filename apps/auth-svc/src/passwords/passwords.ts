import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@vigie/contracts/errors';

/** Argon2id at OWASP's first recommendation: about 19 MiB and two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const maxAtOnce = 2;
const maxWaiting = 64;

/** Hashes and checks passwords, a few at a time: unbounded hashing is how a login page takes a server down. */
@Injectable()
export class Passwords {
  /** Verified when there is no account, so that the answer takes as long as for an existing one. */
  private readonly decoyHash = hash('nobody has this password', cost);
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.runQueued(() => hash(password.normalize('NFC'), cost));
  }

  async isRight(storedHash: string | undefined, password: string): Promise<boolean> {
    const stored = storedHash ?? (await this.decoyHash);
    const isSame = await this.runQueued(() => verify(stored, password.normalize('NFC')));
    return isSame && storedHash !== undefined;
  }

  private async runQueued<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting.length >= maxWaiting) {
      throw new AppError('unavailable', 'Trop de connexions en même temps. Réessayez dans quelques secondes.', {
        retryAfter: 5,
      });
    }
    if (this.running >= maxAtOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      // Hands the slot to the next waiter, or frees it.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
