import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/** The code of the error that listening there gives, undefined when it can be. */
export function listenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Below the ports that systems hand to outgoing connections, so that a restarted server finds its own still free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await listenError(port, '127.0.0.1')) === undefined) return port;
  }
}

/** Sends lines to a server and reads until the answer matches; false when it closes, refuses or stays silent first. */
export function answers(address: { host: string; port: number }, lines: string, expected: RegExp): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    let answer = '';
    const end = (isExpected: boolean) => {
      socket.destroy();
      resolve(isExpected);
    };
    socket.setTimeout(2_000, () => end(false));
    socket.on('error', () => end(false)).on('close', () => end(false));
    socket.on('connect', () => (expected.test('') ? end(true) : socket.write(lines)));
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      if (expected.test(answer)) end(true);
    });
  });
}
