import { createCipheriv, createDecipheriv, createHash, scrypt } from 'node:crypto';
import { firstLine, type Header, tagBytes } from './format';

/** What tells of each frame that it is the one that was written at its place. */
export interface Guard {
  seal(head: Buffer, bytes: Buffer): { body: Buffer; tag: Buffer };
  /** Undefined where it is not what was sealed. */
  open(head: Buffer, body: Buffer, tag: Buffer): Buffer | undefined;
}

/** OWASP's first recommendation: 128 MiB for each guess. */
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1_048_576 };

export const headerText = (header: Header) => `${firstLine}${JSON.stringify(header)}\n`;

export async function guardOf(header: Header, passphrase: string | undefined): Promise<Guard> {
  const start = createHash('sha256').update(headerText(header)).digest();
  if (header.salt === null || passphrase === undefined) return new Chain(start);
  return new Cipher(start, await keyOf(passphrase, header.salt));
}

const keys = new Map<string, Promise<Buffer>>();

/** Whoever verifies an archive opens it again. */
function keyOf(passphrase: string, salt: string): Promise<Buffer> {
  const text = passphrase.normalize('NFC');
  const key = keys.get(`${salt} ${text}`) ?? makeKey(text, Buffer.from(salt, 'hex'));
  keys.set(`${salt} ${text}`, key);
  return key;
}

const makeKey = (text: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(text, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key))),
  );

/** Each tag covers all frames before it: finds what was damaged, not who changed it. */
class Chain implements Guard {
  constructor(private last: Buffer) {}

  seal(head: Buffer, bytes: Buffer) {
    return { body: bytes, tag: this.next(head, bytes) };
  }

  open(head: Buffer, body: Buffer, tag: Buffer) {
    return this.next(head, body).equals(tag) ? body : undefined;
  }

  private next(head: Buffer, bytes: Buffer): Buffer {
    this.last = createHash('sha256').update(this.last).update(head).update(bytes).digest();
    return this.last.subarray(0, tagBytes);
  }
}

/** The key is this archive's alone, so the number of a frame is a nonce that comes once. */
class Cipher implements Guard {
  private frames = 0n;

  constructor(
    private readonly start: Buffer,
    private readonly key: Buffer,
  ) {}

  seal(head: Buffer, bytes: Buffer) {
    const cipher = createCipheriv('aes-256-gcm', this.key, this.nonce(), { authTagLength: tagBytes });
    cipher.setAAD(Buffer.concat([this.start, head]));
    const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return { body, tag: cipher.getAuthTag() };
  }

  open(head: Buffer, body: Buffer, tag: Buffer) {
    const decipher = createDecipheriv('aes-256-gcm', this.key, this.nonce(), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.concat([this.start, head])).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(body), decipher.final()]);
    } catch {
      return undefined;
    }
  }

  private nonce(): Buffer {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(this.frames++, 4);
    return nonce;
  }
}
