import { ConsoleClient } from '@vigie/testing/consoles';
import { until } from '@vigie/testing/until';
import { doorOf, openEcho } from './echo';
import { Lines } from './lines';
import type { ConsolesAsked, ConsolesTold } from './load-told';

const { gateways, server, token, typing, printing }: ConsolesAsked = JSON.parse(
  process.env['VIGIE_BENCH_CONSOLES'] ?? '{}',
);
const everyMs = 250;
/** What was typed in an overload may come back late; it has to come back. */
const patienceMs = 15_000;
const printer = 'stty -echo; i=0; while :; do i=$((i+1)); echo "ligne $i d’un journal qui défile"; sleep 0.1; done';

const door = doorOf(gateways);
const optionsOf = (place: number) => ({ token, at: place % gateways.length });
let dropped = 0;
let isOver = false;

/** Notes the end of one that nobody ended. */
function watch(client: ConsoleClient): ConsoleClient {
  void client.closed.then(() => {
    if (!isOver) dropped += 1;
  });
  return client;
}

/** Somebody who types at an even pace, whatever has come back; each key counts from when it was due. */
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

  start(place: number): void {
    const first = performance.now() + (everyMs * place) / typing;
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

  /** How many keys never came back. */
  async stop(): Promise<number> {
    clearTimeout(this.timer);
    const giveUpAt = performance.now() + patienceMs;
    await until(() => this.due.length === 0 || performance.now() > giveUpAt);
    return this.due.length;
  }
}

const clients: ConsoleClient[] = [];
const typists: Typist[] = [];
for (let place = 0; place < typing; place++) {
  const client = watch(await openEcho(door, server, optionsOf(place)));
  clients.push(client);
  typists.push(new Typist(client));
}
const lines: Lines[] = [];
for (let place = 0; place < printing; place++) {
  const client = watch(await ConsoleClient.open(door, server, optionsOf(place)));
  await client.frame('attached');
  const own = new Lines();
  client.keepsOutput = false;
  client.onOutput = (bytes) => own.take(bytes);
  client.type(`${printer}\r`);
  clients.push(client);
  lines.push(own);
}
await until(() => lines.every(({ count }) => count > 0));
for (const [place, typist] of typists.entries()) typist.start(place);

async function tell(isEnd: boolean): Promise<ConsolesTold> {
  const lost = isEnd ? await Promise.all(typists.map((typist) => typist.stop())) : [];
  const times = typists.flatMap((typist) => typist.times.splice(0));
  isOver = isEnd;
  if (isEnd) for (const client of clients) client.say({ type: 'close' });
  return {
    times,
    dropped,
    lost: lost.reduce((sum, count) => sum + count, 0),
    gaps: lines.reduce((sum, { gaps }) => sum + gaps, 0),
    lines: lines.reduce((sum, { count }) => sum + count, 0),
  };
}

process.on('message', (question: 'since' | 'end') => {
  void tell(question === 'end').then((told) => process.send?.(told));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
