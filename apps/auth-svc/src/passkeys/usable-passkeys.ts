import { type EntityManager, type FindOptionsWhere, In } from 'typeorm';
import { env } from '../env';
import { Passkey } from './passkey.entity';
import { unavailableReason } from './relying-party';

/** Selects the passkeys that open the account of a user. Those of a former address of Vigie open nothing. */
export function usablePasskeys(userId: string): FindOptionsWhere<Passkey> {
  const isAvailable = unavailableReason(env.VIGIE_PUBLIC_URL) === undefined;
  return { userId, rpId: In(isAvailable ? [new URL(env.VIGIE_PUBLIC_URL).hostname] : []) };
}

/** The answer to a new password, which leaves the passkeys of its user: somebody else may have added one. */
export async function describeNewPassword(manager: EntityManager, userId: string, message: string) {
  const count = await manager.countBy(Passkey, usablePasskeys(userId));
  const sentence =
    count === 1
      ? '1\u00a0clé d’accès ouvre encore votre compte\u00a0: vérifiez-la.'
      : `${count}\u00a0clés d’accès ouvrent encore votre compte\u00a0: vérifiez-les.`;
  return { message: count === 0 ? message : `${message} ${sentence}`, passkey_count: count };
}
