import { AppError, type ErrorCode } from '@vigie/contracts/errors';
import type { SshRefusal } from '@vigie/contracts/servers';

/** Offered again by itself, such a credential would get the address of this machine banned. */
const credentialRefusals = ['authentication', 'expired-password', 'banned', 'invalid-key'];

export const isCredentialRefusal = ({ kind }: SshRefusal) => credentialRefusals.includes(kind);

const codes: Readonly<Record<string, ErrorCode>> = {
  'host-key-changed': 'conflict',
  'timed-out': 'remote_too_slow',
  forbidden: 'invalid',
};

/** One host, two keys, as two of us saw it. */
export const otherKey = (expected: string, actual: string): SshRefusal => ({
  kind: 'host-key-changed',
  message: `La clé du serveur a changé\u00a0: ${expected} était attendue, ${actual} est présentée.`,
  remedy:
    'Comparez ces empreintes à celle du serveur avant de recommencer\u00a0: quelqu’un se fait peut-être passer pour lui.',
  expected,
  actual,
});

/** What a host refused, with what is known besides. */
export function toAppError({ kind, ...refusal }: SshRefusal, known: Record<string, unknown> = {}): AppError {
  return new AppError(codes[kind] ?? 'remote_failed', { ...known, ...refusal, code: kind.replaceAll('-', '_') });
}
