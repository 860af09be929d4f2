import type { PasskeyRequestOptions } from '@vigie/contracts/passkeys';
import type { LoginResult } from '@vigie/contracts/sessions';
import type { Me } from '@vigie/contracts/users';
import { type ApiError, isApiError, serverMessage } from '../../kit/query/api-error';
import { sentenceOf } from '../../kit/query/failures';

/** The second factors that an account has, beside its recovery codes. */
export type CodeStep = {
  name: 'code';
  message: string | undefined;
  hasApp: boolean;
  passkeyOptions: PasskeyRequestOptions | undefined;
  receivedAt: number;
};

/** The steps of a login. */
export type Step =
  | { name: 'credentials' }
  | CodeStep
  | { name: 'grace'; message: string | undefined; remaining: number };

export const firstStep: Step = { name: 'credentials' };

export function stepAfter(answer: LoginResult, receivedAt = Date.now()): Step | undefined {
  const message = answer.message?.trim() || undefined;
  if (answer.requires_2fa) {
    return {
      name: 'code',
      message,
      hasApp: answer.accepts_totp ?? true,
      passkeyOptions: answer.passkey_options,
      receivedAt,
    };
  }
  if (answer.grace_period) return { name: 'grace', message, remaining: answer.grace_remaining ?? 0 };
  return undefined;
}

export function userOf({ user, requires_2fa_setup: mustSetUp }: LoginResult): Me | undefined {
  return user && (mustSetUp ? { ...user, requires_2fa_setup: true } : user);
}

/** People type codes as they read them: in groups, with spaces, in lower case. */
export const cleanTotp = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 6);
export const cleanBackup = (text: string): string => text.replaceAll(/[\s-]/gu, '').toUpperCase().slice(0, 6);

/**
 * `retryAfter` is in seconds. `isRejected`: the server refused the credentials, and would refuse them again. `isHarmless`:
 * nothing went wrong, and nothing changed.
 */
export type Failure = {
  sentence: string;
  retryAfter: number | undefined;
  isRejected?: boolean;
  isHarmless?: boolean;
};

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
