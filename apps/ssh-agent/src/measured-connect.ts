import { sshCommands, sshHandshakes } from '@vigie/service-kit/measures';
import { beginSpan } from '@vigie/service-kit/traces';
import { type CommandEnd, connect, type Connection, type ConnectOptions } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import type { SshTarget } from '@vigie/ssh/target';

/** Connects as `connect` does, and measures the login and the programs that run on the connection. */
export async function connectMeasured(target: SshTarget, options: ConnectOptions = {}): Promise<Connection> {
  const end = sshHandshakes.startTimer();
  try {
    const connection = await connect(target, options);
    end({ outcome: 'ok' });
    connection.onCommand = (payload) => measureCommand(payload, target.id);
    return connection;
  } catch (error) {
    end({ outcome: error instanceof SshFailure ? error.kind : 'internal' });
    throw error;
  }
}

/** Measures a program on a host under the name of its file. Neither its input nor its output is recorded. */
export function measureCommand(payload: string, target: string | undefined): (end: CommandEnd) => void {
  const end = sshCommands.startTimer({ payload });
  const attributes = target === undefined ? {} : { 'vigie.target.id': target };
  const span = beginSpan({ name: payload, kind: 'client', attributes });
  return ({ code, failure }) => {
    end({ outcome: code === null ? 'unknown' : code === 0 ? 'succeeded' : 'failed' });
    if (code !== null) span?.addAttributes({ 'process.exit.code': code });
    if (code !== 0) span?.fail(failure);
    span?.end();
  };
}
