import type { JobError } from '@vigie/contracts/jobs';

/** Hosts ban the address of a machine that keeps presenting a refused credential. */
const credentialRefusals = ['authentication', 'expired_password', 'invalid_key'];

export const isCredentialRefusal = (code: string | undefined) =>
  code !== undefined && credentialRefusals.includes(code);

export const hostKeyChanged = (expected: string, actual: string): JobError => ({
  code: 'host_key_changed',
  message: `La clé du serveur a changé\u00a0: ${expected} était attendue, ${actual} est présentée.`,
  remedy:
    'Comparez ces empreintes à celle du serveur avant de recommencer\u00a0: quelqu’un se fait peut-être passer pour lui.',
  expected,
  actual,
});
