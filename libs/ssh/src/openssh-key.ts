import { createHash, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import { mpint, Reader, text, uint32 } from './wire';

const magic = Buffer.from('openssh-key-v1\0');
const label = 'OPENSSH PRIVATE KEY';

/** SSH's name of each curve, by its name in JWK. */
const curves: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' };

type Parts = { type: string; publicFields: Buffer[]; privateFields: Buffer[] };

function partsOf(key: JsonWebKey): Parts {
  const { kty, crv = '', n = '', e = '', d = '', p = '', q = '', qi = '', x = '', y = '' } = key;
  if (kty === 'RSA') {
    return {
      type: 'ssh-rsa',
      publicFields: [mpint(e), mpint(n)],
      privateFields: [n, e, d, qi, p, q].map(mpint),
    };
  }
  if (kty === 'EC') {
    const curve = curves[crv] ?? '';
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const publicPart = [text(curve), text(point)];
    return { type: `ecdsa-sha2-${curve}`, publicFields: publicPart, privateFields: [...publicPart, mpint(d)] };
  }
  const publicPart = Buffer.from(x, 'base64url');
  const whole = Buffer.concat([Buffer.from(d, 'base64url'), publicPart]);
  return { type: 'ssh-ed25519', publicFields: [text(publicPart)], privateFields: [text(publicPart), text(whole)] };
}

const blobOf = ({ type, publicFields }: Parts) => Buffer.concat([text(type), ...publicFields]);

/** The public key as at the start of a line of `authorized_keys`, and its fingerprint. */
export function publicHalf(key: KeyObject): { publicKey: string; fingerprint: string } {
  const parts = partsOf(key.export({ format: 'jwk' }));
  const blob = blobOf(parts);
  return { publicKey: `${parts.type} ${blob.toString('base64')}`, fingerprint: fingerprintOf(blob) };
}

/** The fingerprint of a public key, as `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Buffer) =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/** Writes any kind of key in the format in which Vigie stores it, without a passphrase since the vault seals it. */
export function writeOpenSsh(key: KeyObject): string {
  const parts = partsOf(key.export({ format: 'jwk' }));
  const check = randomBytes(4);
  const secret = Buffer.concat([check, check, text(parts.type), ...parts.privateFields, text('')]);
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, index) => index + 1));
  const head = [magic, text('none'), text('none'), text(''), uint32(1)];
  const whole = Buffer.concat([...head, text(blobOf(parts)), text(Buffer.concat([secret, padding]))]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

export type OpenSshHead = {
  isEncrypted: boolean;
  /** Rounds of passphrase hashing, chosen by the file's author. */
  rounds: number;
  keys: number;
  type: string;
};

/** Reads the part of the file that needs no passphrase; throws when it is not an OpenSSH key. */
export function readHead(body: Buffer): OpenSshHead {
  const reader = new Reader(body);
  if (!reader.take(magic.length).equals(magic)) throw new RangeError('not the magic of an OpenSSH key');
  const isEncrypted = reader.text().toString() !== 'none';
  const kdf = reader.text().toString();
  const options = new Reader(reader.text());
  const rounds = kdf === 'bcrypt' ? (options.text(), options.uint32()) : 0;
  const keys = reader.uint32();
  return { isEncrypted, rounds, keys, type: new Reader(reader.text()).text().toString() };
}
