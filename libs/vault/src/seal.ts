import { base64url, decodeProtectedHeader, FlattenedEncrypt, flattenedDecrypt, type JWK } from 'jose';
import { z } from 'zod';

/** A sealed value as it is stored and sent: a flattened JWE whose additional data only the opener knows. */
export const Sealed = z.object({ protected: z.string(), iv: z.string(), ciphertext: z.string(), tag: z.string() });
export type Sealed = z.infer<typeof Sealed>;

type PublicKey = JWK & { kid: string };
type PrivateKey = JWK & { kid: string };

const algorithms = { keyManagementAlgorithms: ['ECDH-ES'], contentEncryptionAlgorithms: ['A256GCM'] };

/**
 * Seals for one reader and one context. The context (table, row, field, subject…) is additional data that is not sent:
 * the opener supplies the expected one, so a swapped or moved ciphertext does not open.
 */
export async function seal(plaintext: string, reader: PublicKey, context: string): Promise<Sealed> {
  const { aad: _stripped, ...sealed } = await new FlattenedEncrypt(new TextEncoder().encode(plaintext))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: reader.kid })
    .setAdditionalAuthenticatedData(new TextEncoder().encode(context))
    .encrypt(reader);
  const { protected: header, iv, ciphertext, tag } = sealed;
  if (!header || !iv || !tag) throw new Error('jose returned an incomplete seal');
  return { protected: header, iv, ciphertext, tag };
}

/** Throws when the value was not sealed for this ring and this context. */
export async function unseal(sealed: Sealed, ring: readonly PrivateKey[], context: string): Promise<string> {
  const jwe = { ...sealed, aad: base64url.encode(context) };
  const keyOf = (header: { kid?: string } | undefined) => {
    const key = ring.find((candidate) => candidate.kid === header?.kid);
    if (!key) throw new Error('this process has no key for this seal');
    return key;
  };
  const { plaintext } = await flattenedDecrypt(jwe, keyOf, algorithms);
  return new TextDecoder().decode(plaintext);
}

/** Returns the id of the key that opens the value, or undefined for an invalid value. */
export function kidOf({ protected: header }: Pick<Sealed, 'protected'>): string | undefined {
  try {
    return decodeProtectedHeader({ protected: header }).kid;
  } catch {
    return undefined;
  }
}
