import type { LoginResult } from '@vigie/contracts/sessions';
import type { Me } from '@vigie/contracts/users';

/** The steps of a login. */
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

export function userOf({ user, requires_2fa_setup: mustSetUp }: LoginResult): Me | undefined {
  return user && (mustSetUp ? { ...user, requires_2fa_setup: true } : user);
}

/** People type codes as they read them: in groups, with spaces, in lower case. */
export const cleanTotp = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 6);
export const cleanBackup = (text: string): string => text.replaceAll(/[\s-]/gu, '').toUpperCase().slice(0, 6);
