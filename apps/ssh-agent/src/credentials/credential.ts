import type { ImportCredential, SshAccess, SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { KeyRing } from '@vigie/service-kit/key-ring';
import { z } from 'zod';

/** What is sealed for a row. A server with a password has a key too, so that its owner can change over to it. */
export const Credential = z.object({ password: z.string().optional(), privateKey: z.string(), publicKey: z.string() });
export type Credential = z.infer<typeof Credential>;

type Row = SshAccess['row'];

/** A login that was not tried, and says nothing of what an earlier one began. */
export class CredentialUnopened extends AppError {
  constructor(cause: unknown) {
    super(
      'conflict',
      'Les identifiants enregistrés ne s’ouvrent pas pour ce serveur\u00a0: saisissez-les de nouveau.',
      { cause },
    );
  }
}

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
    throw new CredentialUnopened(cause);
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

const parts = ['host', 'port', 'user'] as const;
const defaults: Readonly<Partial<SshAddress>> = { port: 22, user: 'root' };

/**
 * A secret goes nowhere but where its owner sent it: to what was named with it, else to where the credential is that it
 * replaces, which has to open there. What a site leaves open is its server's, which has to open too, or the default.
 */
export function refuseRedirection(input: ImportCredential, isKnown: boolean): void {
  const { auth, id, row, target, current, server } = input;
  const places: Partial<SshAddress>[] = [];
  if (current && isKnown) places.push(current.address);
  if (server && server.id === input.server_id) places.push(server.address);
  const isUnnamed = parts.some((part) => (input[part] ?? null) === null);
  if (row.table === 'sites' && (places.length > 0 || (input.host ?? null) !== null)) places.push(defaults);
  if (auth && isUnnamed && places.length === 0) {
    const sentence =
      'Donnez l’hôte, le port et l’utilisateur avec ces identifiants\u00a0: ceux d’avant ne s’ouvrent plus.';
    throw new AppError('invalid', sentence);
  }
  const isDue = (part: keyof SshAddress) => {
    const named = input[part] ?? null;
    if (named !== null) return named === target[part];
    return !auth || places.some((place) => place[part] === target[part]);
  };
  if ((id ?? row.id) !== row.id || !parts.every(isDue)) {
    throw new AppError('invalid', 'Ces identifiants ont été donnés pour un autre serveur.');
  }
}
