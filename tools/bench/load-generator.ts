import { Agent, type IncomingMessage, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Answer, Fired, Volley } from './load-judge';
import type { Shot } from './load-plan';
import { fireAt } from './open-loop';

const leadMs = 100;
/** Longer than any deadline of the product, and than a browser has patience. */
const patienceMs = 60_000;
/** Sooner than the gateway gives up what rests, as browsers and proxies do: else both ends could do it at one moment. */
const restMs = 30_000;
// As many connections as there are requests under way: whoever waits here for one would be a client's queue.
const agent = new Agent({ keepAlive: true, timeout: restMs });
const beatMs = 5;
const loop = monitorEventLoopDelay({ resolution: beatMs });

type Asked = { shot: Shot; url: string; headers: Record<string, string>; due: number };

/** The work that was accepted: an answer that is nothing else, or one that says where to ask for it. */
const idIn = (text: string) => /"job_id":"([^"]+)"/.exec(text)?.[1] ?? /^\{"id":"([^"]+)"/.exec(text)?.[1];

/** What whoever was refused is told. */
const detailIn = (text: string) => /^\{"detail":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];

type Outcome = Pick<Answer, 'status' | 'hasRetryAfter' | 'id' | 'said'>;

function toAnswer({ statusCode: status = 0, headers }: IncomingMessage, text: string): Outcome {
  const isRefused = status >= 400;
  return {
    status,
    hasRetryAfter: Number(headers['retry-after']) > 0,
    id: isRefused ? undefined : idIn(text),
    said: isRefused ? detailIn(text) : undefined,
  };
}

function ask({ shot: { kind, method, due: dueMs }, url, headers, due }: Asked): Promise<Answer> {
  const late = performance.now() - due;
  const isOrder = method === 'POST';
  const sent = isOrder
    ? { ...headers, 'content-type': 'application/json', prefer: 'respond-async', 'content-length': '2' }
    : headers;
  return new Promise((resolve) => {
    const end = (rest: Outcome) => resolve({ kind, due: dueMs, late, ms: performance.now() - due, ...rest });
    const fail = (said: string) => end({ status: 0, hasRetryAfter: false, id: undefined, said });
    const outgoing = request(url, { agent, method, headers: sent, timeout: patienceMs }, (response) => {
      const parts: Buffer[] = [];
      const isOfInterest = isOrder || (response.statusCode ?? 0) >= 400;
      response.on('data', (part: Buffer) => isOfInterest && parts.push(part));
      response.on('end', () => end(toAnswer(response, Buffer.concat(parts).toString())));
      // Once it has ended this says nothing new.
      response.on('error', ({ message }) => fail(message)).on('close', () => fail('cut'));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', ({ message }) => fail(message));
    outgoing.end(isOrder ? '{}' : undefined);
  });
}

async function fire({ shots, gateways, people }: Volley): Promise<Fired> {
  const answers: Answer[] = [];
  loop.enable();
  loop.reset();
  const start = performance.now() + leadMs;
  const dues = shots.map(({ due }) => start + due);
  await fireAt(dues, async (due, place) => {
    const shot = shots[place];
    if (!shot) return;
    const url = `${gateways[shot.gateway] ?? ''}${shot.path}`;
    answers.push(await ask({ shot, url, headers: people[shot.reader] ?? {}, due }));
  });
  loop.disable();
  return {
    answers,
    startedAt: performance.timeOrigin + start,
    loopMs: Math.max(0, loop.percentile(99) / 1e6 - beatMs),
  };
}

process.on('message', (volley: Volley) => {
  void fire(volley).then((fired) => process.send?.(fired));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
