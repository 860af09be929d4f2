import type { dnsModes } from '@vigie/contracts/dns-config';
import { makeLog } from '@vigie/service-kit/log';
import { CloudflareError } from 'cloudflare/core/error';
import { z } from 'zod';
import { env } from '../env';
import { ProviderFailure, wrongCredentials, zoneExists } from './failures';

type Mode = (typeof dnsModes)[number];

const ErrorItem = z.looseObject({ code: z.number().optional(), message: z.string().optional() });
/** The fields read from the library’s error. Its other fields hold the request, and so the key. */
const LibraryError = z.looseObject({
  status: z.number().optional(),
  errors: z.array(ErrorItem.extend({ error_chain: z.array(ErrorItem).optional() })).optional(),
  headers: z.unknown().optional(),
});

const log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);

/** Codes of unknown, malformed or revoked keys and tokens. */
const credentialCodes = new Set([1000, 6003, 6111, 6103, 9103, 9106]);
/** The request never reached Cloudflare. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const sentences: Readonly<Record<number, string>> = {
  1049: 'Ce domaine n’est pas enregistré\u00a0: achetez-le d’abord chez un registraire.',
  1061: zoneExists,
  1097: 'Cloudflare n’accepte pas ce domaine.',
  1099: 'Cloudflare n’accepte pas ce domaine.',
  1105: 'Cloudflare a reçu trop de demandes pour ce domaine. Réessayez dans quelques heures.',
  7003: 'Cette zone n’existe pas, ou ces identifiants n’y ont pas accès.',
  9021: 'Ce TTL n’est pas accepté\u00a0: choisissez «\u00a0automatique\u00a0», ou de 60 à 86400\u00a0secondes.',
  81044: 'Cet enregistrement n’existe pas ou n’existe plus.',
  81045: 'Le nombre maximal d’enregistrements de cette zone est atteint chez Cloudflare.',
  81053: 'Ce nom a déjà une adresse ou un CNAME\u00a0: il ne peut pas recevoir un CNAME.',
  81054: 'Ce nom est déjà un CNAME\u00a0: il ne peut pas recevoir d’adresse.',
  81057: 'Un enregistrement identique existe déjà.',
  81058: 'Un enregistrement identique existe déjà.',
};

/** Turns an error of the library, or a bare status, into a failure with its meaning. */
export function toFailure(error: unknown, mode: Mode): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (!isCloudflareError(error)) {
    // The answer was cut or did not come from Cloudflare: the request may have been carried out.
    log.warn({ err: error }, 'an answer of Cloudflare could not be read');
    return noAnswer(error);
  }
  const { status, errors = [], headers } = readError(error);
  if (status === undefined) return noAnswer(error);
  if (status === 429) return new ProviderFailure('busy', tooMany, { retryAfter: readRetryAfter(headers) });
  const { code, message = '' } = firstErrorOf(errors);
  if (status >= 500) return new ProviderFailure('uncertain', notAnswering, { code });
  if (isCredentialFailure(status, code, mode)) return new ProviderFailure('credentials', wrongCredentials);
  if (status === 403) return new ProviderFailure('permission', notAllowed, { code });
  const isMissing = status === 404 || code === 7003 || code === 81044;
  return new ProviderFailure(isMissing ? 'missing' : 'refused', sentenceOf(code, message), { code });
}

const isCloudflareError = (error: unknown) => typeof error === 'number' || error instanceof CloudflareError;

/** The real reason is nested inside "DNS Validation Error". */
function firstErrorOf([first]: NonNullable<z.infer<typeof LibraryError>['errors']>): z.infer<typeof ErrorItem> {
  return first?.error_chain?.[0] ?? first ?? {};
}

const notAnswering = 'Cloudflare ne répond pas pour le moment.';
const tooMany = 'Cloudflare demande d’attendre\u00a0: trop de demandes en peu de temps.';
const notAllowed =
  'Ces identifiants n’ont pas le droit de faire cela chez Cloudflare\u00a0: vérifiez les permissions du jeton.';

/** Code 10000 with a token may also mean a missing right. */
const isCredentialFailure = (status: number, code: number | undefined, mode: Mode) =>
  status === 401 ||
  (code !== undefined && credentialCodes.has(code)) ||
  (status === 403 && code === 10_000 && mode === 'global_key');

function readError(error: unknown): z.infer<typeof LibraryError> {
  if (typeof error === 'number') return { status: error };
  return LibraryError.safeParse(error).data ?? {};
}

/** Falls back to Cloudflare’s own words, cleaned and cut to one line. */
function sentenceOf(code: number | undefined, message: string): string {
  const sentence = code === undefined ? undefined : sentences[code];
  const text = message
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 300);
  return sentence ?? (text === '' ? '' : `Cloudflare refuse\u00a0: ${text}`);
}

function noAnswer(error: unknown): ProviderFailure {
  return new ProviderFailure(unreachableCodes.has(codeOf(error) ?? '') ? 'away' : 'uncertain', notAnswering);
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

const defaultPauseSeconds = 60;
const maxPauseSeconds = 600;

function readRetryAfter(headers: unknown): number {
  const text = headers instanceof Headers ? headers.get('retry-after') : Object(headers)['retry-after'];
  const seconds = Number(text ?? Number.NaN);
  return seconds >= 0 ? Math.min(Math.ceil(seconds), maxPauseSeconds) : defaultPauseSeconds;
}
