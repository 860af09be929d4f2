import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Load, Measured } from './loads';

const load: Load = JSON.parse(process.env['VIGIE_BENCH_LOAD'] ?? '{}');
const headers = { authorization: `Bearer ${load.token}` };
const times: number[] = [];
const failures: Record<string, number> = {};

function count(status: string, milliseconds: number): void {
  if (status === '200') times.push(milliseconds);
  else fail(status);
}

function fail(reason: string, by = 1): void {
  if (by > 0) failures[reason] = (failures[reason] ?? 0) + by;
}

/** As fast as it answers, or a number a second in salvoes. Times are of each answer, not autocannon's histogram. */
async function shoot({ url, connections, seconds, pace }: Load): Promise<number> {
  const overallRate = pace === 'full' ? undefined : pace.rate;
  const shots = autocannon({ url, headers, connections, duration: seconds, overallRate });
  let first: number | undefined;
  let last = 0;
  void shots.on('response', (_client: unknown, status: string | number, _bytes: number, milliseconds: number) => {
    last = performance.now();
    first ??= last;
    count(`${status}`, milliseconds);
  });
  const { errors, timeouts } = await shots;
  fail('errors', errors);
  fail('timeouts', timeouts);
  return (last - (first ?? last)) / 1000;
}

/** One after the other at even intervals, answered or not; each is timed from the moment it was due. */
async function drip({ url, connections, seconds }: Load, rate: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Promise<void>[] = [];
  const start = performance.now();
  for (let sent = 0; sent < rate * seconds; sent++) {
    const due = start + (sent * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await sleep(Math.ceil(early));
    answers.push(ask(url, agent, due));
  }
  await Promise.all(answers);
  agent.destroy();
  return (performance.now() - start) / 1000;
}

function ask(url: string, agent: Agent, due: number): Promise<void> {
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
const seconds = pace === 'full' || pace.isSalvo ? await shoot(load) : await drip(load, pace.rate);
const sorted = times.toSorted((a, b) => a - b);
const quantile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
const measured: Measured = { perSecond: sorted.length / seconds, p50: quantile(0.5), p99: quantile(0.99), failures };
process.send?.(measured, () => process.exit(0));
