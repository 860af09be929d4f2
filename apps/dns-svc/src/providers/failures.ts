import { AppError } from '@vigie/contracts/errors';

/**
 * `credentials`: refused; `permission`: this token may not do this; `missing`: no such zone or record; `refused`: what
 * was asked is not accepted; `busy`: asked too often, and nothing was done; `away`: nothing was done; `uncertain`: no
 * answer came, and it may have been done.
 */
export type FailureKind = 'credentials' | 'permission' | 'missing' | 'refused' | 'busy' | 'away' | 'uncertain';

type Known = { code?: number | undefined; retryAfter?: number | undefined };

/** Why a provider did not do what it was asked, in a sentence. The library's error stays out: it holds the key. */
export class ProviderFailure extends Error {
  readonly code: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly kind: FailureKind,
    sentence: string,
    { code, retryAfter }: Known = {},
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

/** Cloudflare's number for a record that is there already. */
const duplicates = new Set([81053, 81054, 81056, 81057, 81058, 81062]);
export const isDuplicate = (error: unknown): boolean =>
  error instanceof ProviderFailure && error.code !== undefined && duplicates.has(error.code);

/** The same for a zone. */
const zoneIsThere = 1061;
export const zoneExists = 'Cette zone existe déjà chez Cloudflare.';

/** What a person reads; `fallback` where nothing is known. The 401 of a provider is none of ours: it would end the session. */
export function toAppError(failure: ProviderFailure, fallback: string): AppError {
  const { kind, retryAfter } = failure;
  const message = failure.message || fallback;
  if (kind === 'credentials') return new AppError('conflict', { message, code: 'credentials_refused' });
  if (kind === 'permission') return new AppError('conflict', { message, code: 'permission_missing' });
  const code = isDuplicate(failure) || failure.code === zoneIsThere ? 'conflict' : codes[kind];
  return new AppError(code, message, retryAfter === undefined ? {} : { retryAfter });
}
