import type { JobError } from '@vigie/contracts/jobs';

/** Offered again by itself, such a credential would get the address of this machine banned. */
const credentialRefusals = ['authentication', 'expired_password', 'invalid_key'];

export const isCredentialRefusal = (code: string | undefined) =>
  code !== undefined && credentialRefusals.includes(code);

/** One host, two keys, as two of us saw it. */
export const otherKey = (expected: string, actual: string): JobError => ({
  code: 'host_key_changed',
  message: `La clé du serveur a changé\u00a0: ${expected} était attendue, ${actual} est présentée.`,
  remedy:
    'Comparez ces empreintes à celle du serveur avant de recommencer\u00a0: quelqu’un se fait peut-être passer pour lui.',
  expected,
  actual,
});
