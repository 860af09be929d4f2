import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { bold, fr } from '../terminal';
import type { Settings } from './env';

const Login = z.object({ email: z.string(), password: z.string() });

/** Describes the first administrator: the login once, then only where the password is, while it is still valid. */
export function describeAdmin({ home, env }: Settings): string[] {
  const first = readFirstAdmin(home);
  if (first) {
    const { file, email, password } = first;
    if (wasShown(home, password)) return [fr`Premier administrateur : ${email}, mot de passe dans ${file}`];
    return [
      fr`Identifiant : ${bold(email)}`,
      fr`Mot de passe : ${bold(password)} (montré cette fois seulement, gardé dans ${file})`,
    ];
  }
  const email = env['VIGIE_ADMIN_EMAIL'];
  return email && !wasShown(home, email)
    ? [fr`Identifiant : ${bold(email)} (mot de passe : celui de VIGIE_ADMIN_PASSWORD)`]
    : [];
}

/** Removes the file of a first password that is no longer valid. */
export function forgetFirstPassword(home: string, recovered: string): void {
  const first = readFirstAdmin(home);
  if (first?.email === recovered) rmSync(first.file);
}

function readFirstAdmin(home: string) {
  const file = join(home, 'first-admin.json');
  return existsSync(file) ? { file, ...Login.parse(JSON.parse(readFileSync(file, 'utf8'))) } : undefined;
}

/** Remembers the hash of what was shown, so that the password of a new database is shown again. */
function wasShown(home: string, secret: string): boolean {
  const file = join(home, 'first-admin.said');
  const hash = createHash('sha256').update(secret).digest('hex');
  if (existsSync(file) && readFileSync(file, 'utf8') === hash) return true;
  writeFileSync(file, hash, { mode: 0o600 });
  return false;
}
