import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { bold, fr } from '../terminal';
import type { Settings } from './env';

const Login = z.object({ email: z.string(), password: z.string() });

/** What the console says of the first administrator: its login once, then only where it is while it is still that. */
export function describeAdmin({ home, given }: Settings): string[] {
  const first = readFirst(home);
  if (first) {
    const { file, email, password } = first;
    if (wasSaid(home, password)) return [fr`Premier administrateur : ${email}, mot de passe dans ${file}`];
    return [
      fr`Identifiant : ${bold(email)}`,
      fr`Mot de passe : ${bold(password)} (montré cette fois seulement, gardé dans ${file})`,
    ];
  }
  const email = given['VIGIE_ADMIN_EMAIL'];
  return email && !wasSaid(home, email)
    ? [fr`Identifiant : ${bold(email)} (mot de passe : celui de VIGIE_ADMIN_PASSWORD)`]
    : [];
}

/** The file shows a password that is no longer one. */
export function forgetFirstPassword(home: string, recovered: string): void {
  const first = readFirst(home);
  if (first?.email === recovered) rmSync(first.file);
}

function readFirst(home: string) {
  const file = join(home, 'first-admin.json');
  return existsSync(file) ? { file, ...Login.parse(JSON.parse(readFileSync(file, 'utf8'))) } : undefined;
}

/** Remembers what was said by its hash; a new database has a new password, which is said again. */
function wasSaid(home: string, secret: string): boolean {
  const file = join(home, 'first-admin.said');
  const hash = createHash('sha256').update(secret).digest('hex');
  if (existsSync(file) && readFileSync(file, 'utf8') === hash) return true;
  writeFileSync(file, hash, { mode: 0o600 });
  return false;
}
