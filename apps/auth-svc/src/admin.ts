import { randomBytes } from 'node:crypto';
import { Signup } from '@vigie/contracts/sessions';
import { writeAudit } from '@vigie/service-kit/audit';
import { dataSourceOptions } from '@vigie/service-kit/database';
import { databaseEnv, loadEnv } from '@vigie/service-kit/env';
import { writeOutboxEvent } from '@vigie/service-kit/outbox';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import { database } from './db/database';
import { Passwords } from './passwords/passwords';
import { revokeResetLinks, replacePassword } from './passwords/replace-password';
import { Session } from './sessions/session.entity';
import { endTokens } from './tokens/end-tokens';
import { Passkey } from './passkeys/passkey.entity';
import { removeSecondFactor } from './two-factor/remove-second-factor';
import { lockFirstUser } from './users/lock-user';
import { User } from './users/user.entity';

/**
 * Gives an installation its administrator back when nobody can log in any more. Runs with the database rights of the
 * migrate step and without a session, and prints the result, with the new password, as one line of JSON.
 */
const env = loadEnv(
  z.object({
    ...databaseEnv,
    VIGIE_RECOVERED_EMAIL: Signup.shape.email,
    VIGIE_RECOVERED_WITHOUT_2FA: z.enum(['0', '1']).default('0'),
  }),
);

const source = new DataSource(dataSourceOptions(env.DATABASE_URL, database));
await source.initialize();
try {
  const password = randomBytes(15).toString('base64url');
  const passwordHash = await new Passwords().hash(password);
  const recovery = await source.transaction((manager) => recover(manager, env.VIGIE_RECOVERED_EMAIL, passwordHash));
  process.stdout.write(`${JSON.stringify({ ...recovery, email: env.VIGIE_RECOVERED_EMAIL, password })}\n`);
} finally {
  await source.destroy();
}

async function recover(manager: EntityManager, email: string, passwordHash: string) {
  await lockFirstUser(manager);
  const user = await manager.findOne(User, { where: { email }, lock: { mode: 'pessimistic_write' } });
  if (!user) return createAdmin(manager, email, passwordHash);
  const isPromoted = user.role !== 'admin';
  await replacePassword(manager, user, passwordHash);
  await manager.update(User, { id: user.id }, { role: 'admin' });
  if (isPromoted) await writeOutboxEvent(manager, { kind: 'user_role_changed', user_id: user.id, role: 'admin' });
  // Somebody else may have added passkeys, which no password closes: none survives the last resort.
  const passkeys = await manager.countBy(Passkey, { userId: user.id });
  const keepsApp = env.VIGIE_RECOVERED_WITHOUT_2FA === '0' && user.totpSecret !== null;
  const isFreed = user.twoFactorAt !== null && !keepsApp;
  if (keepsApp) await manager.delete(Passkey, { userId: user.id });
  else await removeSecondFactor(manager, user.id);
  await manager.delete(Session, { userId: user.id });
  await endTokens(manager, { userId: user.id });
  await audit(manager, user, { promoted: isPromoted, without_2fa: isFreed, passkeys });
  return { is_new: false, is_promoted: isPromoted, is_freed: isFreed, has_2fa: keepsApp, passkeys };
}

async function createAdmin(manager: EntityManager, email: string, passwordHash: string) {
  const user = { id: uuid(), email, passwordHash, role: 'admin', firstName: null, lastName: null } as const;
  await manager.insert(User, user);
  await revokeResetLinks(manager, email);
  await audit(manager, user, { created: true });
  return { is_new: true, is_promoted: false, is_freed: false, has_2fa: false, passkeys: 0 };
}

/** The audit line names no person: only the machine knows who typed the command. */
function audit(manager: EntityManager, { id, email }: Pick<User, 'id' | 'email'>, details: Record<string, unknown>) {
  return writeAudit(manager, {
    actorId: null,
    actorName: 'npm run admin',
    action: 'admin_recover',
    target: email,
    targetId: id,
    result: 'done',
    details,
  });
}
