import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@vigie/contracts/passkeys';
import { type PasskeyUse, refusalSentence } from './refusals';

/** The sentence is undefined when the question was given up. */
export type PasskeyAnswer<T> = { response: T } | { sentence: string | undefined };
type Library = typeof import('@simplewebauthn/browser');
type Question = { use: PasskeyUse; domain: string; timeoutMs: number; signal: AbortSignal };

/** Apart from the first screen, since most logins do without. */
const load = () => import('@simplewebauthn/browser');

/** Loads the code that asks, for a screen from which it may be wanted: Safari opens its dialog only right after a tap. */
export const prepareToAsk = (): void => void load().catch(() => undefined);

/** A minute is left to answer. After that, the server could refuse what its user has just agreed to. */
export const isStillGood = ({ timeout }: { timeout: number }, receivedAt: number, now = Date.now()): boolean =>
  now - receivedAt < timeout - 60_000;

/** Opens the dialog of the browser. */
async function ask<T>(question: Question, open: (library: Library) => Promise<T>): Promise<PasskeyAnswer<T>> {
  const library = await load().catch(() => undefined);
  const { signal } = question;
  if (!library) return { sentence: 'Vigie ne répond pas. Vérifiez votre connexion, puis réessayez.' };
  if (signal.aborted) return { sentence: undefined };
  const startedAt = performance.now();
  const cancel = () => library.WebAuthnAbortService.cancelCeremony();
  signal.addEventListener('abort', cancel);
  try {
    return { response: await open(library) };
  } catch (error) {
    return { sentence: refusalSentence(error, { ...question, waitedMs: performance.now() - startedAt }) };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Asks for a new passkey on one of the person's devices. */
export const askForNewPasskey = (
  options: PasskeyCreationOptions,
  signal: AbortSignal,
): Promise<PasskeyAnswer<PasskeyCreation>> =>
  ask({ use: 'creation', domain: options.rp.id, timeoutMs: options.timeout, signal }, ({ startRegistration }) =>
    startRegistration({ optionsJSON: options }),
  );

/** Asks for the proof of a passkey that exists. */
export const askForPasskey = (
  use: Exclude<PasskeyUse, 'creation'>,
  options: PasskeyRequestOptions,
  signal: AbortSignal,
): Promise<PasskeyAnswer<PasskeyAssertion>> =>
  ask({ use, domain: options.rpId, timeoutMs: options.timeout, signal }, ({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options }),
  );
