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
 * What one process may know: its own private keys and everybody’s public ones. Who reads the bus, or another process’s
 * file, cannot speak as this process, except to the owner of that file. Rings are newest first, so that a rotation can
 * add a key before it removes one.
 */
export const KeyFile = z.object({
  /** Separates installations that share servers: the prefix of subjects and Redis keys. */
  instance: z.string().regex(/^[0-9a-f]{16}$/),
  process: z.enum(processes),
  /** Ed25519: signs the calls of this process. */
  identity: PrivateOkp,
  callers: z.record(z.enum(processes), z.array(Okp).min(1)),
  /** X25519: private keys to unseal with. */
  opens: z.array(Opener).min(1),
  /** X25519: public keys of each process, to seal for it. */
  readers: z.record(z.enum(processes), z.array(Sealer).min(1)),
  /** Password of the process’s own PostgreSQL role. The migrate step sets it, the process logs in with it. */
  database_password: z.string().min(32),
  /** Key of keyed hashes: the database alone does not allow guessing their texts. */
  pepper: z.string().min(32),
});
export type KeyFile = z.infer<typeof KeyFile>;

/** Generates a new set of key files, one per process. */
export function generateKeys(): Record<Caller, KeyFile> {
  const instance = randomBytes(8).toString('hex');
  const generated = processes.map((process) => ({ process, identity: okp('ed25519'), opener: generateOpener() }));
  const callers = Object.fromEntries(
    generated.map((keysOfProcess) => [keysOfProcess.process, [publicOnly(keysOfProcess.identity)]]),
  );
  const readers = Object.fromEntries(
    generated.map((keysOfProcess) => [keysOfProcess.process, [sealerOf(keysOfProcess.opener)]]),
  );
  const files = generated.map((keysOfProcess) => [
    keysOfProcess.process,
    KeyFile.parse({
      instance,
      process: keysOfProcess.process,
      identity: keysOfProcess.identity,
      callers,
      opens: [keysOfProcess.opener],
      readers,
      database_password: randomBytes(32).toString('base64url'),
      pepper: generatePepper(),
    }),
  ]);
  return Object.fromEntries(files);
}

export const generatePepper = () => randomBytes(32).toString('base64url');

export const generateOpener = () => ({ kid: randomBytes(8).toString('hex'), ...okp('x25519') });

export const sealerOf = (opener: z.infer<typeof Opener>) => ({ kid: opener.kid, ...publicOnly(opener) });

/** A process without its own keys does not start. */
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

/** Returns undefined for invalid JSON, because the message of `JSON.parse` would quote the text. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Exports the key from text: on Node 20 the process hangs when the key pair is collected while it is exported directly.
 */
function okp(curve: 'ed25519' | 'x25519') {
  const { privateKey } = generateKeyPairSync(curve as 'ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return PrivateOkp.parse(createPrivateKey(privateKey).export({ format: 'jwk' }));
}

const publicOnly = ({ kty, crv, x }: z.infer<typeof Okp>) => ({ kty, crv, x });
