import { errors } from '@nats-io/transport-node';
import { AppError } from '@vigie/contracts/errors';
import { ExpiredEnvelope } from './envelope';
import type { Log } from './log';

const connectionLostCodes = new Set([
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
  // A statement timeout, which the client notices a moment before or after the server.
  '57014',
  // A conflict with another transaction, which a retry avoids.
  '40001',
  '40P01',
]);
// The last two occur when a transaction loses its connection between two statements, or before its end.
const connectionLostMessages =
  /cached plan must not change|Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|query runner was already released|Query runner already released/;

export const unavailable = (cause?: unknown) =>
  new AppError('unavailable', 'Ce service est momentanément indisponible. Réessayez dans quelques secondes.', {
    cause,
    retryAfter: 2,
  });

/** Why a call is refused before it runs. An expired one is retryable: it may reach another replica in time. */
export const callRefusal = (cause: unknown) =>
  cause instanceof ExpiredEnvelope
    ? unavailable(cause)
    : new AppError('forbidden', 'Cet appel n’est pas autorisé.', { cause });

/**
 * The one place where an unknown error becomes an answer. An unreachable server is a 503; anything else is a bug, which
 * is logged once with its stack, and the person reads the log reference.
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

/** Whether a call that was not answered may have had its effect: nobody refused it, and somebody was there to get it. */
export function mayHaveArrived({ cause }: AppError): boolean {
  if (cause === undefined || cause instanceof errors.NoRespondersError) return false;
  return !(cause instanceof errors.RequestError && cause.isNoResponders());
}

/** Tells whether a retry may succeed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && connectionLostCodes.has(error.code)) return true;
  return connectionLostMessages.test(error.message) || isConnectionLost(error.cause);
}
