import type { SshTarget } from '@vigie/ssh/target';

/** How to log in to a host of this machine: by its key, or by some password where it has none. */
export const targetOf = (
  { port, privateKey }: { port: number; privateKey?: string },
  rest: Partial<SshTarget> = {},
): SshTarget => ({
  host: '127.0.0.1',
  port,
  user: 'sh',
  auth: privateKey === undefined ? { password: 'secret-canary' } : { privateKey },
  hostKey: null,
  mayConnect: () => true,
  ...rest,
});
