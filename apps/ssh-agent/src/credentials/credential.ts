import type { ImportCredential, SshAccess, SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { KeyRing } from '@vigie/service-kit/key-ring';
import { z } from 'zod';

/** What is sealed for a row. A server with a password has a key too, so that its owner can change over to it. */
export const Credential = z.object({ password: z.string().optional(), privateKey: z.string(), publicKey: z.string() });
export type Credential = z.infer<typeof Credential>;

type Row = SshAccess['row'];

/** A credential opens for the row it was sealed for and for the host it was meant for, and for no other. */
const placeOf = ({ table, id }: Row, { host, port, user }: SshAddress) =>
  JSON.stringify([table, id, 'credential', host, port, user]);

export const sealCredential = (keyRing: KeyRing, credential: Credential, row: Row, address: SshAddress) =>
  keyRing.seal(JSON.stringify(credential), placeOf(row, address));

export async function openCredential(
  keyRing: KeyRing,
  { row, credential, ...address }: Pick<SshAccess, 'row' | 'credential' | 'host' | 'port' | 'user'>,
): Promise<Credential> {
  const text = await keyRing.unseal(credential, placeOf(row, address)).catch((cause: unknown) => {
    throw new AppError(
      'conflict',
      'Les identifiants enregistrés ne s’ouvrent pas pour ce serveur\u00a0: saisissez-les de nouveau.',
      {
        cause,
      },
    );
  });
  return Credential.parse(JSON.parse(text));
}

/**
 * A secret goes nowhere but where its owner sent it: to what was named with it, else to where the credential is that it
 * replaces, which has to open there.
 */
export function refuseRedirection(input: ImportCredential, known: Credential | undefined): void {
  const { auth, id, row, target, current } = input;
  const parts = ['host', 'port', 'user'] as const;
  const isUnnamed = parts.some((part) => (input[part] ?? null) === null);
  if (auth && isUnnamed && !known) {
    const sentence =
      'Donnez l’hôte, le port et l’utilisateur avec ces identifiants\u00a0: ceux d’avant ne s’ouvrent plus.';
    throw new AppError('invalid', sentence);
  }
  const due = (part: keyof SshAddress) => input[part] ?? (auth ? current?.address[part] : target[part]);
  if ((id ?? row.id) !== row.id || parts.some((part) => due(part) !== target[part])) {
    throw new AppError('invalid', 'Ces identifiants ont été donnés pour un autre serveur.');
  }
}
