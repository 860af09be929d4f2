import { Agent, get } from 'node:http';
import autocannon from 'autocannon';
import { sendAt } from './open-loop';
import { percentiles } from './statistics';
import type { Load, Sent } from './url-loads';

const load: Load = JSON.parse(process.env['VIGIE_BENCH_LOAD'] ?? '{}');
const { payload } = load;
const isPosting = 'bodies' in payload;
const headers: Record<string, string> = isPosting
  ? { 'content-type': 'application/json' }
  : { authorization: `Bearer ${payload.token}` };
const times: number[] = [];
const failures: Record<string, number> = {};

function count(status: string, milliseconds: number): void {
  if (status === '200') times.push(milliseconds);
  else fail(status);
}

function fail(reason: string, increase = 1): void {
  if (increase > 0) failures[reason] = (failures[reason] ?? 0) + increase;
}

/** Sends at full speed or in bursts. Each answer is measured exactly, without the histogram of autocannon. */
async function runAutocannon({ url, connections, seconds, pace }: Load): Promise<number> {
  const overallRate = pace === 'full' ? undefined : pace.rate;
  const method = isPosting ? 'POST' : 'GET';
  const run = autocannon({ url, method, headers, setupClient, connections, duration: seconds, overallRate });
  let first: number | undefined;
  let last = 0;
  void run.on('response', (_client: unknown, status: string | number, _bytes: number, milliseconds: number) => {
    last = performance.now();
    first ??= last;
    count(`${status}`, milliseconds);
  });
  const { errors, timeouts } = await run;
  fail('errors', errors);
  fail('timeouts', timeouts);
  return (last - (first ?? last)) / 1000;
}

let clients = 0;
function setupClient(client: { setBody: (body: string) => void }): void {
  if (!isPosting) return;
  client.setBody(payload.bodies[clients % payload.bodies.length] ?? '');
  clients += 1;
}

/** Sends at constant intervals. Each time starts when the request was due. */
async function sendEvenly({ url, connections, seconds }: Load, rate: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const start = performance.now();
  const dues = Array.from({ length: rate * seconds }, (_, index) => start + (index * 1000) / rate);
  await sendAt(dues, (due) => request(url, agent, due));
  agent.destroy();
  return (performance.now() - start) / 1000;
}

function request(url: string, agent: Agent, due: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (status: string) => {
      count(status, performance.now() - due);
      resolve();
    };
    get(url, { agent, headers }, (response) => {
      response.resume().on('end', () => end(`${response.statusCode}`));
    }).on('error', ({ message }) => end(message));
  });
}

const { pace } = load;
const seconds = pace === 'full' || pace.isSalvo ? await runAutocannon(load) : await sendEvenly(load, pace.rate);
const sent: Sent = { perSecond: times.length / seconds, ...percentiles(times), failures };
process.send?.(sent, () => process.exit(0));
