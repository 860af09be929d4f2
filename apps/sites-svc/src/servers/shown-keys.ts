import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { HostKeyChanged } from '@vigie/contracts/servers';
import type { EntityManager } from 'typeorm';

type AskedRow = Pick<SshAccess['row'], 'table' | 'id'> & { version: number };

/** The key that a host showed instead of the pinned one, where that is why it was refused. */
export const shownKeyOf = (failure: object | null): string | null =>
  HostKeyChanged.safeParse(failure).data?.actual ?? null;

/** A key says nothing of a row that was given another address or another pin since the host was asked. */
export async function keepShownKey(manager: EntityManager, row: AskedRow, failure: object | null): Promise<void> {
  const key = shownKeyOf(failure);
  if (key === null) return;
  await manager.query(`update ${row.table} set shown_key = $3 where id = $1 and version = $2`, [
    row.id,
    row.version,
    key,
  ]);
}

/** Whoever could have any key pinned could put a machine of his own in the place of the host. */
export function refuseUnshownKey(shownKey: string | null, fingerprint: string): void {
  if (shownKey === fingerprint) return;
  throw new AppError('conflict', {
    code: 'host_key_not_shown',
    message:
      'Le serveur n’a pas présenté cette clé à la dernière connexion\u00a0: testez la connexion, puis acceptez la clé qu’il présente.',
  });
}
