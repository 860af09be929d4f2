import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash as digest,
  type KeyObject,
  randomUUID,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import type { Caller } from '@vigie/contracts/contract';
import { Role } from '@vigie/contracts/users';
import { z } from 'zod';
import type { Context } from './context';
import { type KeyFile, processes } from './keys';
import { PairKeys, type Purpose } from './pair-keys';

const lifetimeSeconds = 20;
const maxLifetimeSeconds = 30;
const clockSkewSeconds = 5;
const maxSignedLength = 8_192;
/** Identities that a process may have while a new one replaces the old. */
const maxIdentities = 4;

const User = z.object({
  sub: z.string(),
  role: Role,
  adminMode: z.boolean(),
  sid: z.string(),
  email: z.string().max(254).optional(),
  name: z.string().max(300).optional(),
  isRestricted: z.boolean().optional(),
  token: z.string().max(300).optional(),
  groupIds: z.array(z.uuid()).readonly().optional(),
});

const SentClaims = z.object({
  /** Makes each envelope unique, so that a repeated one is recognised as a replay. */
  id: z.uuid(),
  subject: z.string(),
  /** SHA-256 of the body as it is sent. */
  body: z.string(),
  by: z.enum(processes),
  exp: z.number(),
  rid: z.string().max(128),
  user: User.optional(),
  /** The user of a token that is narrowed to groups: the release before, which cannot narrow, sees nobody. */
  narrowed: User.optional(),
  address: z.string().max(64).optional(),
  key: z.string().max(128).optional(),
});
const Claims = SentClaims.transform(({ narrowed, ...claims }) => ({ ...claims, user: claims.user ?? narrowed }));
export type Claims = z.output<typeof Claims>;

/** The envelope waited too long, or two clocks differ; it is no forgery. */
export class ExpiredEnvelope extends Error {}

/** The caller proved who it is and what it calls, but may not call that. */
export class UnallowedCaller extends Error {
  constructor(
    readonly caller: Caller,
    subject: string,
  ) {
    super(`${caller} may not call ${subject}`);
  }
}

/**
 * Signs what a process sends, and verifies what it receives: access to the bus alone gives no identity. Calls and answers
 * carry codes of the key that only their two processes share, which costs a fiftieth of a signature; events, which all
 * may read, carry signatures.
 */
export class Envelopes {
  private readonly identity: KeyObject;
  private readonly publishers: ReadonlyMap<Caller, readonly KeyObject[]>;
  private readonly pairs: PairKeys;
  private readonly replayGuard = new ReplayGuard();

  constructor(private readonly keys: Pick<KeyFile, 'process' | 'identity' | 'callers' | 'instance'>) {
    this.identity = createPrivateKey({ key: keys.identity, format: 'jwk' });
    this.publishers = new Map(
      processes.map((process) => [
        process,
        keys.callers[process].map((key) => createPublicKey({ key, format: 'jwk' })),
      ]),
    );
    this.pairs = new PairKeys(keys);
  }

  /** The envelope of a call, which only `owner` can verify. */
  sign(owner: Caller, subject: string, body: Uint8Array, context: Context): string {
    const claims = this.claim(subject, body, context);
    return [claims, ...this.codes('call', { caller: this.keys.process, owner }, claims)].join('.');
  }

  /** Throws unless one of `callers` signed the call just now, for this subject and body, and it was never accepted here. */
  verifyOnce(envelope: string, subject: string, body: Uint8Array, callers: readonly Caller[]): Claims {
    const [text = '', ...codes] = splitSigned(envelope);
    const claims = readClaims(text);
    const pair = { caller: claims.by, owner: this.keys.process };
    if (!this.isCoded('call', pair, text, codes)) throw new Error('bad signature');
    checkClaims(claims, subject, body);
    if (!callers.includes(claims.by)) throw new UnallowedCaller(claims.by, subject);
    if (!this.replayGuard.isNew(claims.id)) throw new Error('said before');
    return claims;
  }

  /** The envelope of an event, which every process can verify. */
  signEvent(subject: string, body: Uint8Array, context: Context): string {
    const claims = this.claim(subject, body, context);
    return `${claims}.${sign(null, Buffer.from(claims), this.identity).toString('base64url')}`;
  }

  verifyEvent(envelope: string, subject: string, body: Uint8Array, publisher: Caller): void {
    const [text = '', signature = ''] = splitSigned(envelope);
    const claims = readClaims(text);
    if (claims.by !== publisher) throw new Error(`${claims.by} may not publish ${subject}`);
    const isSigned = (key: KeyObject) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
    if (!this.publishers.get(publisher)?.some(isSigned)) throw new Error('bad signature');
    checkClaims(claims, subject, body);
  }

  /** Signs an answer to this caller, bound to the envelope of its call; `code` is that of a refusal. */
  signAnswer(envelope: string, code: string, body: Uint8Array, caller: Caller): string {
    return this.codes('answer', { caller, owner: this.keys.process }, answerText(envelope, code, body)).join('.');
  }

  /** Throws unless `owner` itself gave this answer to this call. */
  verifyAnswer(signature: string, envelope: string, code: string, body: Uint8Array, owner: Caller): void {
    const pair = { caller: this.keys.process, owner };
    const isAuthentic = this.isCoded('answer', pair, answerText(envelope, code, body), splitSigned(signature));
    if (!isAuthentic) throw new Error(`this answer is not of ${owner}`);
  }

  private claim(subject: string, body: Uint8Array, context: Context): string {
    // Only the gateway may assert a user.
    const user = this.keys.process === 'gateway' ? context.user : undefined;
    const claims: z.input<typeof Claims> = {
      id: randomUUID(),
      subject,
      body: hash(body),
      by: this.keys.process,
      exp: now() + lifetimeSeconds,
      rid: context.requestId,
      [user?.groupIds ? 'narrowed' : 'user']: user,
      address: context.address,
      key: context.idempotencyKey,
    };
    return Buffer.from(JSON.stringify(claims)).toString('base64url');
  }

  /** One code for each identity of the peer, because only the peer knows which one it has. */
  private codes(purpose: Purpose, { caller, owner }: Pair, text: string): string[] {
    return this.pairs
      .find(purpose, caller, owner)
      .map((key) => createHmac('sha256', key).update(text).digest('base64url'));
  }

  private isCoded(purpose: Purpose, pair: Pair, text: string, codes: readonly string[]): boolean {
    const received = codes.map((code) => Buffer.from(code));
    return this.codes(purpose, pair, text).some((code) => {
      const expected = Buffer.from(code);
      return received.some((bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected));
    });
  }
}

type Pair = { caller: Caller; owner: Caller };

/** Its parts, of which nobody honest sends more or longer ones: they are looked at before anything is verified. */
function splitSigned(signed: string): string[] {
  if (signed.length > maxSignedLength) throw new Error('too long');
  return signed.split('.', 1 + maxIdentities);
}

const readClaims = (text: string): Claims => Claims.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));

function checkClaims(claims: Claims, subject: string, body: Uint8Array): void {
  if (claims.subject !== subject) throw new Error('signed for another subject');
  if (claims.body !== hash(body)) throw new Error('signed for another body');
  if (claims.exp < now() - clockSkewSeconds || claims.exp > now() + maxLifetimeSeconds)
    throw new ExpiredEnvelope('expired');
  if (claims.user && claims.by !== 'gateway') throw new Error('only the gateway may assert a user');
}

const now = () => Math.floor(Date.now() / 1000);

const hash = (body: Uint8Array) => digest('sha256', body, 'base64url');

const answerText = (envelope: string, code: string, body: Uint8Array) => [envelope, code, hash(body)].join('\n');

/** Remembers the ids of unexpired envelopes in two halves; the older one is dropped once all of it has expired. */
class ReplayGuard {
  private recent = new Set<string>();
  private older = new Set<string>();
  private rotatesAt = now() + maxLifetimeSeconds + clockSkewSeconds;

  isNew(id: string): boolean {
    if (now() > this.rotatesAt) {
      this.older = this.recent;
      this.recent = new Set();
      this.rotatesAt = now() + maxLifetimeSeconds + clockSkewSeconds;
    }
    if (this.recent.has(id) || this.older.has(id)) return false;
    this.recent.add(id);
    return true;
  }
}
