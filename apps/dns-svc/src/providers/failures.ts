import { AppError } from '@vigie/contracts/errors';

/**
 * `credentials`: refused; `permission`: the token lacks a right; `missing`: no such zone or record; `refused`: invalid
 * request; `busy`: rate limit, nothing was done; `away`: unreachable, nothing was done; `uncertain`: no answer, and the
 * request may have been carried out.
 */
export type FailureKind = 'credentials' | 'permission' | 'missing' | 'refused' | 'busy' | 'away' | 'uncertain';

type FailureOptions = { code?: number | undefined; retryAfter?: number | undefined };

/** Why a provider refused, in a sentence. The library’s error must not become the cause: it holds the key. */
export class ProviderFailure extends Error {
  readonly code: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly kind: FailureKind,
    sentence: string,
    { code, retryAfter }: FailureOptions = {},
  ) {
    super(sentence);
    this.name = 'ProviderFailure';
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export const wrongCredentials = 'Credentials Cloudflare invalides';

const codes = {
  credentials: 'conflict',
  permission: 'conflict',
  missing: 'not_found',
  refused: 'invalid',
  busy: 'too_many',
  away: 'unavailable',
  uncertain: 'remote_too_slow',
} as const;

const duplicates = new Set([81053, 81054, 81056, 81057, 81058, 81062]);
export const isDuplicate = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.code !== undefined && duplicates.has(error.code);

const zoneExistsCode = 1061;
export const zoneExists = 'Cette zone existe déjà chez Cloudflare.';

/** Turns a failure into an answer. A provider’s 401 must not become ours, which would end the session. */
export function toAppError(failure: ProviderFailure, fallback: string): AppError {
  const { kind, retryAfter } = failure;
  const message = failure.message || fallback;
  if (kind === 'credentials') return new AppError('conflict', { message, code: 'credentials_refused' });
  if (kind === 'permission') return new AppError('conflict', { message, code: 'permission_missing' });
  const code = isDuplicate(failure) || failure.code === zoneExistsCode ? 'conflict' : codes[kind];
  return new AppError(code, message, retryAfter === undefined ? {} : { retryAfter });
}
