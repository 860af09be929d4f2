import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import type { Caller } from '@vigie/contracts/contract';
import { Role } from '@vigie/contracts/users';
import { z } from 'zod';
import type { Context } from './context';
import { type KeyFile, processes } from './keys';

const lifetimeSeconds = 20;
const maxLifetimeSeconds = 30;
const clockSkewSeconds = 5;

const Claims = z.object({
  /** Makes each envelope unique, so that a repeated one is recognised as a replay. */
  id: z.uuid(),
  subject: z.string(),
  /** SHA-256 of the body as it is sent. */
  body: z.string(),
  by: z.enum(processes),
  exp: z.number(),
  rid: z.string().max(128),
  user: z
    .object({
      sub: z.string(),
      role: Role,
      adminMode: z.boolean(),
      sid: z.string(),
      email: z.string().max(254).optional(),
      name: z.string().max(300).optional(),
      isRestricted: z.boolean().optional(),
    })
    .optional(),
  address: z.string().max(64).optional(),
  key: z.string().max(128).optional(),
});
type Claims = z.infer<typeof Claims>;

/** The envelope waited too long, or two clocks differ; it is no forgery. */
export class ExpiredEnvelope extends Error {}

/** Signs what a process sends, and verifies what it receives: access to the bus alone gives no identity. */
export class Envelopes {
  private readonly identity: KeyObject;
  private readonly callers: ReadonlyMap<Caller, readonly KeyObject[]>;
  private readonly replayGuard = new ReplayGuard();

  constructor(private readonly keys: Pick<KeyFile, 'process' | 'identity' | 'callers'>) {
    this.identity = createPrivateKey({ key: keys.identity, format: 'jwk' });
    this.callers = new Map(
      processes.map((process) => [
        process,
        keys.callers[process].map((key) => createPublicKey({ key, format: 'jwk' })),
      ]),
    );
  }

  sign(subject: string, body: Uint8Array, context: Context): string {
    const claims: Claims = {
      id: randomUUID(),
      subject,
      body: hash(body),
      by: this.keys.process,
      exp: now() + lifetimeSeconds,
      rid: context.requestId,
      // Only the gateway may assert a user.
      user: this.keys.process === 'gateway' ? context.user : undefined,
      address: context.address,
      key: context.idempotencyKey,
    };
    const text = Buffer.from(JSON.stringify(claims));
    return `${text.toString('base64url')}.${sign(null, text, this.identity).toString('base64url')}`;
  }

  /** Throws unless one of `callers` signed the message just now, for this subject and body. */
  verify(envelope: string, subject: string, body: Uint8Array, callers: readonly Caller[]): Claims {
    const [text = '', signature = ''] = envelope.split('.');
    const bytes = Buffer.from(text, 'base64url');
    const claims = Claims.parse(JSON.parse(bytes.toString('utf8')));
    if (!callers.includes(claims.by)) throw new Error(`${claims.by} may not call ${subject}`);
    if (!this.isSignedBy(claims.by, bytes, Buffer.from(signature, 'base64url'))) throw new Error('bad signature');
    if (claims.subject !== subject) throw new Error('signed for another subject');
    if (claims.body !== hash(body)) throw new Error('signed for another body');
    if (claims.exp < now() - clockSkewSeconds || claims.exp > now() + maxLifetimeSeconds)
      throw new ExpiredEnvelope('expired');
    if (claims.user && claims.by !== 'gateway') throw new Error('only the gateway may assert a user');
    return claims;
  }

  /** Like `verify`, and refuses an envelope that this process has accepted before. */
  verifyOnce(envelope: string, subject: string, body: Uint8Array, callers: readonly Caller[]): Claims {
    const claims = this.verify(envelope, subject, body, callers);
    if (!this.replayGuard.isNew(claims.id)) throw new Error('said before');
    return claims;
  }

  /** Signs an answer, bound to the envelope of its call; `code` is that of a refusal. */
  signAnswer(envelope: string, code: string, body: Uint8Array): string {
    return sign(null, answerText(envelope, code, body), this.identity).toString('base64url');
  }

  /** Throws unless `answerer` itself gave this answer to this call. */
  verifyAnswer(signature: string, envelope: string, code: string, body: Uint8Array, answerer: Caller): void {
    const isAuthentic = this.isSignedBy(
      answerer,
      answerText(envelope, code, body),
      Buffer.from(signature, 'base64url'),
    );
    if (!isAuthentic) throw new Error(`this answer is not of ${answerer}`);
  }

  private isSignedBy(caller: Caller, bytes: Buffer, signature: Buffer): boolean {
    return (this.callers.get(caller) ?? []).some((key) => verify(null, bytes, key, signature));
  }
}

const now = () => Math.floor(Date.now() / 1000);

const hash = (body: Uint8Array) => createHash('sha256').update(body).digest('base64url');

const answerText = (envelope: string, code: string, body: Uint8Array) =>
  Buffer.from(['answer', envelope, code, hash(body)].join('\n'));

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
