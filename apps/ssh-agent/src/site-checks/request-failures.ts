/** Who did not answer, as in "le site" and "le nom du site". */
export type OtherSide = { name: string; of: string };

/** Why there is no answer, as a sentence for the user. */
export class NoAnswer extends Error {}

export const startSentence = (text: string) => `${text.charAt(0).toLocaleUpperCase('fr')}${text.slice(1)}`;

const unknownAuthority = () => 'il est signé par une autorité inconnue';

const certificates: Readonly<Record<string, (otherSide: OtherSide) => string>> = {
  CERT_HAS_EXPIRED: () => 'il a expiré',
  CERT_NOT_YET_VALID: () => 'il n’est pas encore valable',
  ERR_TLS_CERT_ALTNAME_INVALID: () => 'il est celui d’un autre nom',
  DEPTH_ZERO_SELF_SIGNED_CERT: ({ name }) => `il est signé par ${name} lui-même`,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => 'il manque un certificat intermédiaire',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
};
const networks: Readonly<Record<string, (otherSide: OtherSide) => string>> = {
  ENOTFOUND: ({ of }) => `Le nom ${of} n’a pas d’adresse connue.`,
  EAI_AGAIN: ({ of }) => `Le nom ${of} n’a pas pu être résolu.`,
  EUNASKED: ({ of }) =>
    `Le nom ${of} n’a pas pu être cherché\u00a0: trop d’autres attendent une réponse. Réessayez dans un instant.`,
  ECONNREFUSED: ({ of }) => `Le serveur ${of} refuse la connexion.`,
  ECONNRESET: ({ of }) => `Le serveur ${of} a coupé la connexion.`,
  EHOSTUNREACH: ({ of }) => `Aucun chemin ne mène au serveur ${of}.`,
  ENETUNREACH: ({ of }) => `Aucun chemin ne mène au serveur ${of}.`,
  ETIMEDOUT: ({ of }) => `Le serveur ${of} ne répond pas.`,
  HPE_HEADER_OVERFLOW: ({ of }) => `La réponse ${of} a des en-têtes trop longs.`,
};

/** After several addresses were tried, the error of the first one. */
const firstError = (error: unknown): unknown =>
  error instanceof AggregateError && error.errors.length > 0 ? firstError(error.errors[0]) : error;

export const failureCode = (error: unknown): string => (firstError(error) as NodeJS.ErrnoException).code ?? '';

export const isCertificateError = (error: unknown): boolean => Object.hasOwn(certificates, failureCode(error));

/** The failure lies between us and the other side, whatever its code does. */
export const isNetworkError = (error: unknown): boolean =>
  isCertificateError(error) ||
  ['ENOTFOUND', 'EAI_AGAIN', 'EUNASKED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(failureCode(error));

/** Says why there is no answer. */
export function failureSentence(error: unknown, otherSide: OtherSide): string {
  const first = firstError(error);
  if (first instanceof NoAnswer) return first.message;
  const code = failureCode(first);
  const certificate = certificates[code]?.(otherSide);
  if (certificate) return `Le certificat ${otherSide.of} n’est pas valable\u00a0: ${certificate}.`;
  const network = networks[code]?.(otherSide);
  if (network) return network;
  if (code.startsWith('HPE_')) return 'Ce qui répond à cette adresse ne parle pas HTTP.';
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return `La connexion chiffrée avec ${otherSide.name} a échoué.`;
  }
  return `${startSentence(otherSide.name)} ne répond pas.`;
}
