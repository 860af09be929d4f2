import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a PostgreSQL server that counts the statements which pass. */
export class CountedDatabase {
  statements = 0;

  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async to(url: string): Promise<CountedDatabase> {
    const { hostname, port } = new URL(url);
    const sockets = new Set<Socket>();
    const server = createServer({ noDelay: true }, (near) => {
      const far = connect({ host: hostname, port: Number(port), noDelay: true });
      const count = countStatements();
      near.on('data', (bytes: Buffer) => (counted.statements += count(bytes)));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
        one.pipe(other);
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const own = new URL(url);
    own.port = String(typeof address === 'object' && address ? address.port : 0);
    const counted = new CountedDatabase(own.toString(), async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return counted;
  }
}

const executions = new Set(Buffer.from('QE'));

/** Messages have a letter and a length; the first one of a connection has its length alone. */
function countStatements(): (bytes: Buffer) => number {
  let rest = Buffer.alloc(0);
  let letters = 0;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let found = 0;
    while (rest.length >= letters + 4) {
      const length = letters + rest.readUInt32BE(letters);
      if (rest.length < length) break;
      if (letters === 1 && executions.has(rest[0] ?? 0)) found += 1;
      rest = rest.subarray(length);
      letters = 1;
    }
    return found;
  };
}
