import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { Caller } from '@vigie/contracts/contract';
import type { KeyFile } from './keys';

export type Purpose = 'call' | 'answer';

/**
 * The secrets that only two processes share: one for the calls from the first to the second, and another for the answers.
 * Both compute them from their own private identity and the public one of the other, so that all replicas have the same,
 * a new identity has new ones, and nobody else on the bus, not even a third process, can speak for either of them.
 */
export class PairKeys {
  private readonly own: KeyObject;
  private readonly cache = new Map<string, readonly KeyObject[]>();

  constructor(private readonly keys: Pick<KeyFile, 'process' | 'identity' | 'callers' | 'instance'>) {
    this.own = agreementKey(keys.identity);
  }

  /** One key for each identity of the peer, of which there are two only while a new one replaces the old. */
  find(purpose: Purpose, caller: Caller, owner: Caller): readonly KeyObject[] {
    const label = `vigie|${purpose}|${caller}|${owner}`;
    const cached = this.cache.get(label);
    if (cached) return cached;
    const peer = caller === this.keys.process ? owner : caller;
    const derived = (this.keys.callers[peer] ?? []).map(({ x }) => this.derive(x, label));
    this.cache.set(label, derived);
    return derived;
  }

  private derive(publicIdentity: string, label: string): KeyObject {
    const secret = diffieHellman({ privateKey: this.own, publicKey: agreementPublicKey(publicIdentity) });
    return createSecretKey(Buffer.from(hkdfSync('sha256', secret, this.keys.instance, label, 32)));
  }
}

const fieldPrime = 2n ** 255n - 19n;

/** An Ed25519 key only signs. Hashed as RFC 8032 (5.1.5) says, the same secret is an X25519 key. */
function agreementKey({ d, x }: KeyFile['identity']): KeyObject {
  const hashed = createHash('sha512').update(Buffer.from(d, 'base64url')).digest();
  const secret = hashed.subarray(0, 32).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', d: secret, x: montgomery(x) }, format: 'jwk' });
}

const agreementPublicKey = (identity: string) =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: montgomery(identity) }, format: 'jwk' });

/** Maps a point of the Edwards curve to the Montgomery curve: u = (1 + y) / (1 − y), RFC 7748 (4.1). */
function montgomery(edwardsPoint: string): string {
  const y = BigInt(`0x${reverse(Buffer.from(edwardsPoint, 'base64url')).toString('hex')}`) % 2n ** 255n;
  const u = ((1n + y) * inverse(1n - y)) % fieldPrime;
  return reverse(Buffer.from(u.toString(16).padStart(64, '0'), 'hex')).toString('base64url');
}

/** Numbers of both curves are written with their lowest byte first. */
const reverse = (bytes: Buffer) => Buffer.from(bytes.toReversed());

/** The inverse modulo the prime p is the power p − 2. */
function inverse(value: bigint): bigint {
  let [result, base] = [1n, ((value % fieldPrime) + fieldPrime) % fieldPrime];
  for (let exponent = fieldPrime - 2n; exponent > 0n; exponent /= 2n) {
    if (exponent % 2n === 1n) result = (result * base) % fieldPrime;
    base = (base * base) % fieldPrime;
  }
  return result;
}
