import { createCipheriv, createDecipheriv, createHash, scrypt } from 'node:crypto';
import { firstLine, type Header, tagBytes } from './format';

/** Proves that each frame is the one that was written at its position. */
export type FrameAuthenticator = {
  seal: (head: Buffer, bytes: Buffer) => { body: Buffer; tag: Buffer };
  /** Returns undefined for a frame that is not the sealed one. */
  open: (head: Buffer, body: Buffer, tag: Buffer) => Buffer | undefined;
};

/** OWASP's first recommendation for scrypt: each guess needs 128 MiB. */
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1_048_576 };

export const headerText = (header: Header) => `${firstLine}${JSON.stringify(header)}\n`;

export async function createAuthenticator(header: Header, passphrase: string | undefined): Promise<FrameAuthenticator> {
  const start = createHash('sha256').update(headerText(header)).digest();
  if (header.salt === null || passphrase === undefined) return hashChain(start);
  return frameCipher(start, await cachedKey(passphrase, header.salt));
}

const keys = new Map<string, Promise<Buffer>>();

/** Keeps derived keys, because an archive is opened once to verify it and once to read it. */
function cachedKey(passphrase: string, salt: string): Promise<Buffer> {
  const text = passphrase.normalize('NFC');
  const key = keys.get(`${salt} ${text}`) ?? deriveKey(text, Buffer.from(salt, 'hex'));
  keys.set(`${salt} ${text}`, key);
  return key;
}

const deriveKey = (text: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(text, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key))),
  );

/** Each tag hashes all frames before it. This detects damage, but not an attacker, who can compute the same hashes. */
function hashChain(start: Buffer): FrameAuthenticator {
  let previousHash = start;
  const advance = (head: Buffer, bytes: Buffer) => {
    previousHash = createHash('sha256').update(previousHash).update(head).update(bytes).digest();
    return previousHash.subarray(0, tagBytes);
  };
  return {
    seal: (head, bytes) => ({ body: bytes, tag: advance(head, bytes) }),
    open: (head, body, tag) => (advance(head, body).equals(tag) ? body : undefined),
  };
}

/** Each archive has its own key, so the number of a frame is a nonce that is never used twice. */
function frameCipher(start: Buffer, key: Buffer): FrameAuthenticator {
  let frames = 0n;
  const nextNonce = () => {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(frames++, 4);
    return nonce;
  };
  return {
    seal: (head, bytes) => {
      const cipher = createCipheriv('aes-256-gcm', key, nextNonce(), { authTagLength: tagBytes });
      cipher.setAAD(Buffer.concat([start, head]));
      return { body: Buffer.concat([cipher.update(bytes), cipher.final()]), tag: cipher.getAuthTag() };
    },
    open: (head, body, tag) => {
      const decipher = createDecipheriv('aes-256-gcm', key, nextNonce(), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.concat([start, head])).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
