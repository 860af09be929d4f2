import { type ApiError, isApiError, serverMessage } from '../../kit/query/api-error';
import { sentenceOf } from '../../kit/query/failures';

/** `retryAfter` is in seconds. `isRejected`: the server refused the credentials, and would refuse them again. */
export type Failure = { sentence: string; retryAfter: number | undefined; isRejected?: boolean };

/** The failure of a call whose endpoint says why it failed. */
export function failureOf(error: unknown): Failure | undefined {
  const sentence = sentenceOf(error);
  return sentence === undefined
    ? undefined
    : { sentence, retryAfter: isApiError(error) ? error.retryAfter : undefined };
}

const networkFailure = { first: 'Erreur de connexion.', second: 'Erreur de connexion' } as const;

/** Prefers the server's sentence; the others are literal strings of the specification. */
export function loginSentence(error: ApiError, step: keyof typeof networkFailure): string {
  if (error.kind === 'network') return networkFailure[step];
  // An answer that is no object also lacks the token; its error has an empty path.
  const isTokenMissing = error.fields?.some((field) => field === 'access_token' || field === '') === true;
  if (error.kind === 'shape' && isTokenMissing) return 'Token manquant';
  return serverMessage(error) ?? 'Login failed';
}
