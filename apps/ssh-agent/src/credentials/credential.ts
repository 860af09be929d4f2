import type { ImportCredential, SshAccess, SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { KeyRing } from '@vigie/service-kit/key-ring';
import { z } from 'zod';

/** What is sealed for a row. A server with a password has a key too, so that its owner can change over to it. */
export const Credential = z.object({ password: z.string().optional(), privateKey: z.string(), publicKey: z.string() });
export type Credential = z.infer<typeof Credential>;

type Row = SshAccess['row'];

/** A login that was not tried, and says nothing of what an earlier one began. */
export class CredentialUnreadable extends AppError {
  constructor(cause: unknown) {
    super(
      'conflict',
      'Les identifiants enregistrés ne s’ouvrent pas pour ce serveur\u00a0: saisissez-les de nouveau.',
      { cause },
    );
  }
}

/** A credential opens for the row it was sealed for and for the host it was meant for, and for no other. */
const sealContextOf = ({ table, id }: Row, { host, port, user }: SshAddress) =>
  JSON.stringify([table, id, 'credential', host, port, user]);

export const sealCredential = (keyRing: KeyRing, credential: Credential, row: Row, address: SshAddress) =>
  keyRing.seal(JSON.stringify(credential), sealContextOf(row, address));

export async function openCredential(
  keyRing: KeyRing,
  { row, credential, ...address }: Pick<SshAccess, 'row' | 'credential' | 'host' | 'port' | 'user'>,
): Promise<Credential> {
  const text = await keyRing.unseal(credential, sealContextOf(row, address)).catch((cause: unknown) => {
    throw new CredentialUnreadable(cause);
  });
  return Credential.parse(JSON.parse(text));
}

/** What a login takes: of a credential that was sealed for another place its key alone. */
export async function openAccess(keyRing: KeyRing, access: SshAccess): Promise<Credential> {
  const { sealed_for: lender, credential } = access;
  if (!lender) return openCredential(keyRing, access);
  const { privateKey, publicKey } = await openCredential(keyRing, { ...lender.address, row: lender.row, credential });
  return { privateKey, publicKey };
}

const addressFields = ['host', 'port', 'user'] as const;
const defaults: Readonly<Partial<SshAddress>> = { port: 22, user: 'root' };

/**
 * A secret goes nowhere but where its owner sent it: to what was named with it, else to where the credential is that it
 * replaces, which has to open there. What a site leaves open is its server's, which has to open too, or the default.
 */
export function refuseRedirection(input: ImportCredential, hasCurrent: boolean): void {
  const { auth, id, row, target, current, server } = input;
  const allowedAddresses: Partial<SshAddress>[] = [];
  if (current && hasCurrent) allowedAddresses.push(current.address);
  if (server && server.id === input.server_id) allowedAddresses.push(server.address);
  const isIncomplete = addressFields.some((field) => (input[field] ?? null) === null);
  if (row.table === 'sites' && (allowedAddresses.length > 0 || (input.host ?? null) !== null))
    allowedAddresses.push(defaults);
  if (auth && isIncomplete && allowedAddresses.length === 0) {
    const sentence =
      'Donnez l’hôte, le port et l’utilisateur avec ces identifiants\u00a0: ceux d’avant ne s’ouvrent plus.';
    throw new AppError('invalid', sentence);
  }
  const isAllowed = (field: keyof SshAddress) => {
    const value = input[field] ?? null;
    if (value !== null) return value === target[field];
    return !auth || allowedAddresses.some((address) => address[field] === target[field]);
  };
  if ((id ?? row.id) !== row.id || !addressFields.every(isAllowed)) {
    throw new AppError('invalid', 'Ces identifiants ont été donnés pour un autre serveur.');
  }
}
