import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Caller, owners } from '@vigie/contracts/contract';
import { z } from 'zod';
import { refuseToStart } from './env';

export const processes = ['gateway', ...Object.values(owners)] as const satisfies readonly Caller[];

const Okp = z.object({ kty: z.literal('OKP'), crv: z.string(), x: z.string() });
const PrivateOkp = Okp.extend({ d: z.string() });
const Opener = PrivateOkp.extend({ kid: z.string() });
const Sealer = Okp.extend({ kid: z.string() });

/**
 * What one process may know: its own private keys and everybody's public ones. Being able to read the bus, or the file
 * of another process, is not being that process. Rings are newest first, so that a rotation can add before it removes.
 */
export const KeyFile = z.object({
  /** Names this installation on servers it may share with others: the prefix of its subjects and Redis keys. */
  instance: z.string().regex(/^[0-9a-f]{16}$/),
  process: z.enum(processes),
  /** Ed25519: signs the calls of this process. */
  identity: PrivateOkp,
  /** The public identities of every process. */
  callers: z.record(z.enum(processes), z.array(Okp).min(1)),
  /** X25519: what this process can open. */
  opens: z.array(Opener).min(1),
  /** X25519: to whom this process can seal. */
  readers: z.record(z.enum(processes), z.array(Sealer).min(1)),
  /** Of the process's own PostgreSQL role; the migrate step sets it, the process logs in with it. */
  database_password: z.string().min(32),
  /** Goes into what is kept as a keyed hash; whoever has only the database cannot guess its way back. */
  pepper: z.string().min(32),
});
export type KeyFile = z.infer<typeof KeyFile>;

/** A fresh set of key files, one a process. */
export function generateKeys(): Record<Caller, KeyFile> {
  const instance = randomBytes(8).toString('hex');
  const made = processes.map((process) => ({
    process,
    identity: okp('ed25519'),
    opener: generateOpener(),
  }));
  const callers = Object.fromEntries(made.map((m) => [m.process, [publicOnly(m.identity)]]));
  const readers = Object.fromEntries(made.map((m) => [m.process, [sealerOf(m.opener)]]));
  const files = made.map((m) => [
    m.process,
    KeyFile.parse({
      instance,
      process: m.process,
      identity: m.identity,
      callers,
      opens: [m.opener],
      readers,
      database_password: randomBytes(32).toString('base64url'),
      pepper: generatePepper(),
    }),
  ]);
  return Object.fromEntries(files);
}

export const generatePepper = () => randomBytes(32).toString('base64url');

export const generateOpener = () => ({ kid: randomBytes(8).toString('hex'), ...okp('x25519') });

/** What others may know of it. */
export const sealerOf = (opener: z.infer<typeof Opener>) => ({ kid: opener.kid, ...publicOnly(opener) });

/** A process without its keys, or with somebody else's, does not start. */
export function loadKeys(path: string, process: Caller): KeyFile {
  try {
    return readKeys(path, process);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuseToStart([`VIGIE_KEYS_FILE: no usable keys for ${process} (${reason}). \`npm run keys\` makes them.`]);
  }
}

/** Throws a sentence that quotes nothing of the file. */
export function readKeys(path: string, process: Caller): KeyFile {
  const { data } = KeyFile.safeParse(fromJson(readFileSync(path, 'utf8')));
  if (!data) throw new Error(`${path} is not a key file of this release`);
  if (data.process === process) return data;
  throw new Error(`${path} holds the keys of ${data.process}, not of ${process}`);
}

/** Without what JSON.parse has to say, which quotes the text: undefined when it is none. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Made as text, which becomes a key of its own: one that is exported while Node 20 collects what made it waits for itself,
 * and the process with it.
 */
function okp(curve: 'ed25519' | 'x25519') {
  const { privateKey } = generateKeyPairSync(curve as 'ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return PrivateOkp.parse(createPrivateKey(privateKey).export({ format: 'jwk' }));
}

const publicOnly = ({ kty, crv, x }: z.infer<typeof Okp>) => ({ kty, crv, x });
