import { Agent, type IncomingMessage, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Answer, LoadResult, LoadBatch } from './load-judge';
import type { PlannedRequest } from './load-plan';
import { sendAt } from './open-loop';

const leadMs = 100;
/** Longer than any deadline of the product. */
const timeoutMs = 60_000;
/**
 * Shorter than the keep-alive timeout of the gateway, so that the two sides do not close a connection at the same
 * moment.
 */
const keepAliveMs = 30_000;
// The number of connections is unlimited. A limit would create a queue in the client.
const agent = new Agent({ keepAlive: true, timeout: keepAliveMs });
const resolutionMs = 5;
const loop = monitorEventLoopDelay({ resolution: resolutionMs });

type ScheduledRequest = { request: PlannedRequest; url: string; headers: Record<string, string>; due: number };

/** Finds the job id of an accepted order. */
const readJobId = (text: string) => /"job_id":"([^"]+)"/.exec(text)?.[1] ?? /^\{"id":"([^"]+)"/.exec(text)?.[1];

const readDetail = (text: string) => /^\{"detail":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];

type Outcome = Pick<Answer, 'status' | 'hasRetryAfter' | 'id' | 'message'>;

function toAnswer({ statusCode: status = 0, headers }: IncomingMessage, text: string): Outcome {
  const isRefused = status >= 400;
  return {
    status,
    hasRetryAfter: Number(headers['retry-after']) > 0,
    id: isRefused ? undefined : readJobId(text),
    message: isRefused ? readDetail(text) : undefined,
  };
}

function send({ request: { kind, method, due: dueMs }, url, headers, due }: ScheduledRequest): Promise<Answer> {
  const late = performance.now() - due;
  const isOrder = method === 'POST';
  const allHeaders = isOrder
    ? { ...headers, 'content-type': 'application/json', prefer: 'respond-async', 'content-length': '2' }
    : headers;
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => resolve({ kind, due: dueMs, late, ms: performance.now() - due, ...outcome });
    const fail = (message: string) => end({ status: 0, hasRetryAfter: false, id: undefined, message });
    const outgoing = request(url, { agent, method, headers: allHeaders, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      const isBodyNeeded = isOrder || (response.statusCode ?? 0) >= 400;
      response.on('data', (chunk: Buffer) => isBodyNeeded && chunks.push(chunk));
      response.on('end', () => end(toAnswer(response, Buffer.concat(chunks).toString())));
      // These calls have no effect after the end of the response.
      response.on('error', ({ message }) => fail(message)).on('close', () => fail('cut'));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', ({ message }) => fail(message));
    outgoing.end(isOrder ? '{}' : undefined);
  });
}

async function sendAll({ requests, gateways, people }: LoadBatch): Promise<LoadResult> {
  const answers: Answer[] = [];
  loop.enable();
  loop.reset();
  const start = performance.now() + leadMs;
  const dues = requests.map(({ due }) => start + due);
  await sendAt(dues, async (due, index) => {
    const planned = requests[index];
    if (!planned) return;
    const url = `${gateways[planned.gateway] ?? ''}${planned.path}`;
    answers.push(await send({ request: planned, url, headers: people[planned.reader] ?? {}, due }));
  });
  loop.disable();
  return {
    answers,
    startedAt: performance.timeOrigin + start,
    loopMs: Math.max(0, loop.percentile(99) / 1e6 - resolutionMs),
  };
}

process.on('message', (batch: LoadBatch) => {
  void sendAll(batch).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
