import type { SshAccess } from '@vigie/contracts/credentials';
import { connect, type Connection } from '@vigie/ssh/connection';
import { SshPool } from '@vigie/ssh/pool';
import type { SshTarget } from '@vigie/ssh/target';

export type Connections = {
  use: <T>(
    access: SshAccess,
    options: { signal: AbortSignal; work: (connection: Connection) => Promise<T> },
  ) => Promise<T>;
  open: (access: SshAccess, signal: AbortSignal) => Promise<Connection>;
};

/** Connections with an agent's interface, which all lead to one host. */
export function connectionsTo(target: SshTarget): Connections & { close: () => Promise<void> } {
  const pool = new SshPool();
  return {
    use: (_, { signal, work }) => pool.use('host', target, work, { signal }),
    open: (_, signal) => connect(target, { signal }),
    close: () => pool.close(),
  };
}
