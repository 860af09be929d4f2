import { randomInt } from 'node:crypto';
import type { KeyRing } from '@vigie/service-kit/key-ring';
import type { EntityManager } from 'typeorm';

/** Crockford’s base32, without letters that look like another. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 6;
const codeCount = 10;

export function makeRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < codeCount) {
    codes.add(Array.from({ length: codeLength }, () => alphabet.charAt(randomInt(alphabet.length))).join(''));
  }
  return [...codes];
}

export const hashRecoveryCode = (keyRing: KeyRing, userId: string, code: string) =>
  keyRing.hash(`${userId}|${code}`, 'recovery-code');

export const hashRecoveryCodes = (keyRing: KeyRing, userId: string, codes: readonly string[]) =>
  codes.map((code) => hashRecoveryCode(keyRing, userId, code));

export async function replaceRecoveryCodes(manager: EntityManager, userId: string, hashes: string[]): Promise<void> {
  await manager.query('delete from recovery_codes where user_id = $1', [userId]);
  await manager.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::text[])', [userId, hashes]);
}
