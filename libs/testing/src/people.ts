import { createHmac, randomBytes } from 'node:crypto';
import type { TestProduct } from './product';

export type Person = { email: string; password: string };

/** Creates a user and logs it in. `adminToken` belongs to an administrator. */
export async function addUser(product: TestProduct, adminToken: string, role: 'client' | 'admin' = 'client') {
  const person = { email: `${randomBytes(6).toString('hex')}@localhost`, password: 'vigie-au-large' };
  const answer = await product.requestPatiently('POST', '/api/admin/users', {
    token: adminToken,
    body: { ...person, role, first_name: 'Anne', last_name: 'Le Goff' },
  });
  if (answer.status !== 201) throw new Error(`no user: ${answer.text}`);
  return { credentials: person, id: String(answer.body['id']), token: await product.login(person) };
}

const openSessions = new WeakMap<TestProduct, Map<string, string>>();

/** Reuses the person's session while it is valid, because password hashing makes a login slow on purpose. */
export async function sessionOf(product: TestProduct, person: Person): Promise<string> {
  const tokens = openSessions.get(product) ?? new Map<string, string>();
  openSessions.set(product, tokens);
  const knownToken = tokens.get(person.email);
  if (knownToken !== undefined && (await product.request('GET', '/api/auth/me', { token: knownToken })).status === 200)
    return knownToken;
  const token = await product.login(person);
  tokens.set(person.email, token);
  return token;
}

/** Creates an API token of the session's user, for a day. */
export async function addToken(product: TestProduct, token: string, ...scopes: string[]): Promise<string> {
  const expires = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
  const wish = { name: 'essai', scopes: scopes.length > 0 ? scopes : ['read'], expires_at: expires };
  const { text, body } = await product.requestPatiently('POST', '/api/tokens', { token, body: wish });
  if (typeof body['token'] !== 'string') throw new Error(text);
  return body['token'];
}

/** Sets up the second factor of a session's user. */
export async function enableTwoFactor(
  product: TestProduct,
  token: string,
  /** Needed beside a passkey. */
  password?: string,
): Promise<{ secret: string; codes: string[] }> {
  const { body } = await product.requestPatiently('POST', '/api/auth/2fa/setup', {
    token,
    body: { ...(password !== undefined && { password }) },
  });
  const { secret, backup_codes } = body as { secret: string; backup_codes: string[] };
  const code = totpOf(secret);
  const verified = await product.requestPatiently('POST', '/api/auth/2fa/verify', {
    token,
    body: { secret, code, backup_codes },
  });
  if (verified.status !== 200) throw new Error(`not enrolled: ${verified.text}`);
  return { secret, codes: backup_codes };
}

/** The code of an authenticator, `steps` of 30 s from now. RFC 6238, independent of the product's library. */
export function totpOf(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  );
}
