import type { dnsModes } from '@vigie/contracts/dns-config';
import { makeLog } from '@vigie/service-kit/log';
import { CloudflareError } from 'cloudflare/core/error';
import { z } from 'zod';
import { env } from '../env';
import { ProviderFailure, wrongCredentials, zoneExists } from './failures';

type Mode = (typeof dnsModes)[number];

const Said = z.looseObject({ code: z.number().optional(), message: z.string().optional() });
/** The fields read from the library’s error. Its other fields hold the request, and so the key. */
const Thrown = z.looseObject({
  status: z.number().optional(),
  errors: z.array(Said.extend({ error_chain: z.array(Said).optional() })).optional(),
  headers: z.unknown().optional(),
});

const log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);

/** Codes of unknown, malformed or revoked keys and tokens. */
const ofCredentials = new Set([1000, 6003, 6111, 6103, 9103, 9106]);
/** The request never reached Cloudflare. */
const unheard = new Set([
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
  9021: 'Ce TTL n’est pas accepté\u00a0: automatique, ou de 60 à 86400\u00a0secondes.',
  81044: 'Cet enregistrement n’existe pas ou n’existe plus.',
  81045: 'Le nombre maximal d’enregistrements de cette zone est atteint chez Cloudflare.',
  81053: 'Ce nom a déjà une adresse ou un CNAME\u00a0: un CNAME ne va pas à côté.',
  81054: 'Ce nom est déjà un CNAME\u00a0: une adresse ne va pas à côté.',
  81057: 'Un enregistrement identique existe déjà.',
  81058: 'Un enregistrement identique existe déjà.',
};

/** Turns an error of the library, or a bare status, into a failure with its meaning. */
export function toFailure(error: unknown, mode: Mode): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (!isOfCloudflare(error)) {
    // The answer was cut or did not come from Cloudflare: the request may have been carried out.
    log.warn({ err: error }, 'an answer of Cloudflare could not be read');
    return lost(error);
  }
  const { status, errors = [], headers } = readThrown(error);
  if (status === undefined) return lost(error);
  if (status === 429) return new ProviderFailure('busy', tooMany, { retryAfter: readRetryAfter(headers) });
  const { code, message = '' } = saidOf(errors);
  if (status >= 500) return new ProviderFailure('uncertain', silent, { code });
  if (isOfCredentials(status, code, mode)) return new ProviderFailure('credentials', wrongCredentials);
  if (status === 403) return new ProviderFailure('permission', notAllowed, { code });
  const isMissing = status === 404 || code === 7003 || code === 81044;
  return new ProviderFailure(isMissing ? 'missing' : 'refused', sentenceOf(code, message), { code });
}

const isOfCloudflare = (error: unknown) => typeof error === 'number' || error instanceof CloudflareError;

/** The real reason is nested inside "DNS Validation Error". */
function saidOf([first]: NonNullable<z.infer<typeof Thrown>['errors']>): z.infer<typeof Said> {
  return first?.error_chain?.[0] ?? first ?? {};
}

const silent = 'Cloudflare ne répond pas pour le moment.';
const tooMany = 'Cloudflare demande d’attendre\u00a0: trop de demandes en peu de temps.';
const notAllowed =
  'Ces identifiants n’ont pas le droit de faire cela chez Cloudflare\u00a0: vérifiez les permissions du jeton.';

/** Code 10000 with a token may also mean a missing right. */
const isOfCredentials = (status: number, code: number | undefined, mode: Mode) =>
  status === 401 ||
  (code !== undefined && ofCredentials.has(code)) ||
  (status === 403 && code === 10_000 && mode === 'global_key');

function readThrown(error: unknown): z.infer<typeof Thrown> {
  if (typeof error === 'number') return { status: error };
  return Thrown.safeParse(error).data ?? {};
}

/** Falls back to Cloudflare’s own words, cleaned and cut to one line. */
function sentenceOf(code: number | undefined, message: string): string {
  const known = code === undefined ? undefined : sentences[code];
  const said = message
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 300);
  return known ?? (said === '' ? '' : `Cloudflare refuse\u00a0: ${said}`);
}

function lost(error: unknown): ProviderFailure {
  return new ProviderFailure(unheard.has(codeOf(error) ?? '') ? 'away' : 'uncertain', silent);
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

const defaultPauseSeconds = 60;
/** Longer pauses are cut to this. */
const longestPauseSeconds = 600;

function readRetryAfter(headers: unknown): number {
  const text = headers instanceof Headers ? headers.get('retry-after') : Object(headers)['retry-after'];
  const seconds = Number(text ?? Number.NaN);
  return seconds >= 0 ? Math.min(Math.ceil(seconds), longestPauseSeconds) : defaultPauseSeconds;
}
