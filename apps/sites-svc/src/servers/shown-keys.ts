import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { HostKeyChanged } from '@vigie/contracts/servers';
import type { EntityManager } from 'typeorm';

type ContactedRow = Pick<SshAccess['row'], 'table' | 'id'> & { version: number };

/** The key that a host showed instead of the pinned one; null for other failures. */
export const shownKeyOf = (failure: object | null): string | null =>
  HostKeyChanged.safeParse(failure).data?.actual ?? null;

/** Ignores a row whose address or pin changed since the connection. */
export async function saveShownKey(manager: EntityManager, row: ContactedRow, failure: object | null): Promise<void> {
  const key = shownKeyOf(failure);
  if (key === null) return;
  await manager.query(`update ${row.table} set shown_key = $3 where id = $1 and version = $2`, [
    row.id,
    row.version,
    key,
  ]);
}

/** Somebody who could pin any key could put a machine of his own in the place of the host. */
export function refuseUnshownKey(shownKey: string | null, fingerprint: string): void {
  if (shownKey === fingerprint) return;
  throw new AppError('conflict', {
    code: 'host_key_not_shown',
    message:
      'Le serveur n’a pas présenté cette clé à la dernière connexion\u00a0: testez la connexion, puis acceptez la clé qu’il présente.',
  });
}
