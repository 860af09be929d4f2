import type { SshTarget } from '@vigie/ssh/target';

/** The target of a local host, with its key, or with any password when it has none. */
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
