import { ConsoleClient } from '@vigie/testing/consoles';
import { until } from '@vigie/testing/until';
import { createAccess, openEcho } from './echo';
import { NumberedLines } from './lines';

export type ConsoleLoadOptions = {
  gateways: string[];
  serverId: string;
  token: string;
  /** Consoles with a typing user and consoles with a printing program. */
  typing: number;
  printing: number;
};

export type ConsoleLoadResult = {
  /** Milliseconds from the due time of each key to its echo, since the last report. */
  times: number[];
  /** Consoles that closed unexpectedly. */
  dropped: number;
  /** Keys without an echo, counted at the end. */
  lost: number;
  /** Number of missing or repeated lines. */
  gaps: number;
  lines: number;
};

const { gateways, serverId, token, typing, printing }: ConsoleLoadOptions = JSON.parse(
  process.env['VIGIE_BENCH_CONSOLES'] ?? '{}',
);
const everyMs = 250;
/** The echo of a key may be late during overload, but it must arrive. */
const timeoutMs = 15_000;
const printer = 'stty -echo; i=0; while :; do i=$((i+1)); echo "ligne $i d’un journal qui défile"; sleep 0.1; done';

const access = createAccess(gateways);
const consoleOptions = (index: number) => ({ token, at: index % gateways.length });
let dropped = 0;
let isOver = false;

function countDrop(client: ConsoleClient): ConsoleClient {
  void client.closed.then(() => {
    if (!isOver) dropped += 1;
  });
  return client;
}

/** Types at a constant pace, independent of the echoes. Each time starts when the key was due. */
class Typist {
  times: number[] = [];
  private readonly due: number[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: ConsoleClient) {
    client.onOutput = (bytes) => {
      const now = performance.now();
      for (const due of this.due.splice(0, bytes.length)) this.times.push(now - due);
    };
  }

  start(index: number): void {
    const first = performance.now() + (everyMs * index) / typing;
    const type = (nth: number) => {
      const due = first + nth * everyMs;
      this.timer = setTimeout(
        () => {
          this.due.push(due);
          this.client.type('x');
          type(nth + 1);
        },
        Math.max(0, due - performance.now()),
      );
    };
    type(0);
  }

  /** Returns the number of keys without an echo. */
  async stop(): Promise<number> {
    clearTimeout(this.timer);
    const giveUpAt = performance.now() + timeoutMs;
    await until(() => this.due.length === 0 || performance.now() > giveUpAt);
    return this.due.length;
  }
}

const clients: ConsoleClient[] = [];
const typists: Typist[] = [];
for (let index = 0; index < typing; index++) {
  const client = countDrop(await openEcho(access, serverId, consoleOptions(index)));
  clients.push(client);
  typists.push(new Typist(client));
}
const printedLines: NumberedLines[] = [];
for (let index = 0; index < printing; index++) {
  const client = countDrop(await ConsoleClient.open(access, serverId, consoleOptions(index)));
  await client.frame('attached');
  const numberedLines = new NumberedLines();
  client.isOutputKept = false;
  client.onOutput = (bytes) => numberedLines.add(bytes);
  client.type(`${printer}\r`);
  clients.push(client);
  printedLines.push(numberedLines);
}
await until(() => printedLines.every(({ count }) => count > 0));
for (const [index, typist] of typists.entries()) typist.start(index);

async function report(isEnd: boolean): Promise<ConsoleLoadResult> {
  const lost = isEnd ? await Promise.all(typists.map((typist) => typist.stop())) : [];
  const times = typists.flatMap((typist) => typist.times.splice(0));
  isOver = isEnd;
  if (isEnd) for (const client of clients) client.sendFrame({ type: 'close' });
  return {
    times,
    dropped,
    lost: lost.reduce((sum, count) => sum + count, 0),
    gaps: printedLines.reduce((sum, { gaps }) => sum + gaps, 0),
    lines: printedLines.reduce((sum, { count }) => sum + count, 0),
  };
}

process.on('message', (request: 'since' | 'end') => {
  void report(request === 'end').then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
