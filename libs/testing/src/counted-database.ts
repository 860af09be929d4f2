import { RawServer } from './hostile-ssh';
import { pipeBothWays } from './relay';

/** A relay to a PostgreSQL server that counts statements. */
export class CountedDatabase {
  statements = 0;
  private readonly timerStatements = new Set<string>();
  private isIdle = false;

  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  /** Records the statements of timers during an idle time, to exclude them from the count. */
  async whileIdle(work: () => Promise<unknown>): Promise<void> {
    this.isIdle = true;
    await work().finally(() => (this.isIdle = false));
  }

  private count(statement: string): void {
    if (this.isIdle) this.timerStatements.add(statement);
    else if (!this.timerStatements.has(statement)) this.statements += 1;
  }

  static async to(url: string): Promise<CountedDatabase> {
    const { hostname, port } = new URL(url);
    const server = await RawServer.start((client) => {
      const read = readStatements();
      client.on('data', (bytes: Buffer) => {
        for (const statement of read(bytes)) counted.count(statement);
      });
      pipeBothWays(client, hostname, Number(port));
    });
    const own = new URL(url);
    own.port = String(server.port);
    const counted = new CountedDatabase(own.toString(), () => server.close());
    return counted;
  }
}

/** Splits the stream into messages of a type and a length; a connection's first message has no type. */
function readStatements(): (bytes: Buffer) => string[] {
  let rest = Buffer.alloc(0);
  let letters = 0;
  const prepared = new Map<string, string>();
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const statementsFound: string[] = [];
    while (rest.length >= letters + 4) {
      const length = letters + rest.readUInt32BE(letters);
      if (rest.length < length) break;
      const [type, fields] = [String.fromCodePoint(rest[0] ?? 0), rest.toString('utf8', 5, length).split('\0', 2)];
      if (letters === 1) statementsFound.push(...statementsIn(type, fields, prepared));
      rest = rest.subarray(length);
      letters = 1;
    }
    return statementsFound;
  };
}

/** A message that parses a statement only names its text; each message that binds values to the name runs it. */
function statementsIn(type: string, [first = '', second = '']: string[], prepared: Map<string, string>): string[] {
  if (type === 'P') prepared.set(first, second);
  if (type === 'B') return [prepared.get(second) ?? second];
  return type === 'Q' ? [first] : [];
}
