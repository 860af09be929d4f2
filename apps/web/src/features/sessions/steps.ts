import type { LoginResult } from '@vigie/contracts/sessions';
import type { Me } from '@vigie/contracts/users';

/** What is asked on the way to a token. */
export type Step =
  | { name: 'credentials' }
  | { name: 'code'; message: string | undefined }
  | { name: 'grace'; message: string | undefined; remaining: number };

export const firstStep: Step = { name: 'credentials' };

export function stepAfter(answer: LoginResult): Step | undefined {
  const message = answer.message?.trim() || undefined;
  if (answer.requires_2fa) return { name: 'code', message };
  if (answer.grace_period) return { name: 'grace', message, remaining: answer.grace_remaining ?? 0 };
  return undefined;
}

export function meOf({ user, requires_2fa_setup: mustSetUp }: LoginResult): Me | undefined {
  return user && (mustSetUp ? { ...user, requires_2fa_setup: true } : user);
}

/** A code is typed as it is read: in two groups, in small letters. */
export const cleanTotp = (typed: string): string => typed.replaceAll(/\D/g, '').slice(0, 6);
export const cleanBackup = (typed: string): string => typed.replaceAll(/[\s-]/gu, '').toUpperCase().slice(0, 6);
