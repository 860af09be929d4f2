import type { ImportCredential, SshAccess, SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { KeyRing } from '@vigie/service-kit/key-ring';
import { z } from 'zod';

/** The secret that is sealed for a row. A server with a password has a key too, which its owner can switch to. */
export const Credential = z.object({ password: z.string().optional(), privateKey: z.string(), publicKey: z.string() });
export type Credential = z.infer<typeof Credential>;

type Row = SshAccess['row'];

/** The login was not tried, which says nothing of what an earlier one started. */
export class CredentialUnreadable extends AppError {
  constructor(cause: unknown) {
    super('conflict', 'Les identifiants enregistrés sont illisibles pour ce serveur\u00a0: saisissez-les de nouveau.', {
      cause,
    });
  }
}

/** Binds a credential to its row and its address, so that it opens for no other. */
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

/** The credential for a login. Of one that was sealed for another row only the key is used, never the password. */
export async function openAccess(keyRing: KeyRing, access: SshAccess): Promise<Credential> {
  const { sealed_for: lender, credential } = access;
  if (!lender) return openCredential(keyRing, access);
  const { privateKey, publicKey } = await openCredential(keyRing, { ...lender.address, row: lender.row, credential });
  return { privateKey, publicKey };
}

const addressFields = ['host', 'port', 'user'] as const;
const defaults: Readonly<Partial<SshAddress>> = { port: 22, user: 'root' };

/**
 * A secret may only go to an address that its owner meant: the address given with it, or else that of the credential it
 * replaces, which has to open there. What a site leaves out comes from its server, whose credential has to open too, or
 * from the defaults.
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
      'Donnez l’hôte, le port et l’utilisateur avec ces identifiants\u00a0: les anciens sont illisibles.';
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
