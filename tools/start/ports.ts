import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** Resolves to the error code of listening on a port, or undefined if it works. */
export function listenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Picks a port below the range of outgoing connections, so that a restarted server finds it free again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await listenError(port, '127.0.0.1')) === undefined) return port;
  }
}

/** Sends lines to a server and waits for a matching answer; false if it closes, refuses or stays silent. */
export function answers(address: { host: string; port: number }, lines: string, expected: RegExp): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    let answer = '';
    const finish = (isExpected: boolean) => {
      socket.destroy();
      resolve(isExpected);
    };
    socket.setTimeout(2_000, () => finish(false));
    socket.on('error', () => finish(false)).on('close', () => finish(false));
    socket.on('connect', () => (expected.test('') ? finish(true) : socket.write(lines)));
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      if (expected.test(answer)) finish(true);
    });
  });
}
