import type { Passkey } from '@vigie/contracts/passkeys';

/** Whether another passkey still opens the account; those of a former address do not. */
export const opensWithout = ({ id }: Pick<Passkey, 'id'>, passkeys: readonly Passkey[]): boolean =>
  passkeys.some((other) => other.id !== id && other.former_host === null);
