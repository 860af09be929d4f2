import { type ApiError, sentenceOf } from '../../app/api-error';

/** What is shown where something failed; `retryAfter` is in seconds, and what was refused is so a second time. */
export type Failure = { sentence: string; retryAfter: number | undefined; isRefused?: boolean };

const networkFailure = { first: 'Erreur de connexion.', second: 'Erreur de connexion' } as const;

/** Literal strings of the specification that differ by what went wrong, and the server's own sentence before them. */
export function loginSentence(error: ApiError, step: keyof typeof networkFailure): string {
  if (error.kind === 'network') return networkFailure[step];
  // An answer that is not an object at all has no token either; its fault has no path.
  const isTokenMissing = error.fields?.some((field) => field === 'access_token' || field === '') === true;
  if (error.kind === 'shape' && isTokenMissing) return 'Token manquant';
  return sentenceOf(error) ?? 'Login failed';
}
