import { AppError } from '@vigie/contracts/errors';
import { ExpiredEnvelope } from './envelope';
import type { Log } from './log';

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // It took longer than anybody waits, which its client says of itself a moment before, or after.
  '57014',
  // Another transaction was in the way; the next time it is not.
  '40001',
  '40P01',
]);
// The last two are what a transaction meets whose connection was lost between two of its statements, or before its end.
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|query runner was already released|Query runner already released/;

export const unavailable = (cause?: unknown) =>
  new AppError('unavailable', 'Ce service est momentanément indisponible. Réessayez dans quelques secondes.', {
    cause,
    retryAfter: 2,
  });

/** Why a call is not even looked at. One that came too late was not begun: asked again it finds another replica. */
export const notAdmitted = (cause: unknown) =>
  cause instanceof ExpiredEnvelope
    ? unavailable(cause)
    : new AppError('forbidden', 'Cet appel n’est pas autorisé.', { cause });

/**
 * The one place where an unknown error becomes an answer. A server that is away is a 503; anything else is a bug: it is
 * logged once with its stack, and the person reads under which reference.
 */
export function toAnswer(error: unknown, log: Log, requestId: string): AppError {
  if (error instanceof AppError) return error;
  if (isConnectionLost(error)) {
    log.warn({ err: error, requestId }, 'a server this process needs is away');
    return unavailable(error);
  }
  log.error({ err: error, requestId }, 'unexpected error');
  return new AppError(
    'internal',
    `Une erreur inattendue est survenue. Elle est consignée sous la référence ${requestId}.`,
    { cause: error },
  );
}

/** Asked again, it may be there. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && awayCodes.has(error.code)) return true;
  return awayMessages.test(error.message) || isConnectionLost(error.cause);
}
