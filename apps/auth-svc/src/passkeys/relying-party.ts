import { isIP } from 'node:net';
import { AppError } from '@vigie/contracts/errors';

export type RelyingParty = { id: string; origin: string };

/** Why browsers make no passkeys for an address, as a sentence; undefined where they do. */
export function unavailableReason(publicUrl: string): string | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) {
    return 'Les clés d’accès demandent un nom de domaine, et Vigie s’ouvre ici par une adresse IP\u00a0: donnez-lui un nom, puis indiquez-le dans VIGIE_PUBLIC_URL.';
  }
  if (protocol === 'https:' || hostname === 'localhost') return undefined;
  return 'Les clés d’accès demandent HTTPS\u00a0: ouvrez Vigie en HTTPS, puis indiquez cette adresse dans VIGIE_PUBLIC_URL.';
}

/** The only address at which browsers make and use passkeys; null where they do not. */
export const passkeyOrigin = (publicUrl: string): string | null =>
  unavailableReason(publicUrl) === undefined ? new URL(publicUrl).origin : null;

/** The party to which passkeys are bound. Only the settings name it: a request could say anything. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const reason = unavailableReason(publicUrl);
  if (reason !== undefined) throw new AppError('conflict', reason);
  const { hostname: id, origin } = new URL(publicUrl);
  return { id, origin };
}
