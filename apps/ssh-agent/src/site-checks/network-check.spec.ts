import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { NetworkCheck } from './network-check';

const servers: { close: () => unknown }[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) server.close();
});

const failed = [{ seen: { code: 200 } }, { seen: { code: 0 } }];
const answered = [{ seen: { code: 500 } }];
/** Nothing listens there. */
const dead = 'http://127.0.0.1:1/';

/** A well-known address, which counts its requests. */
async function aCanary(code = 301) {
  const canary = { url: '', requests: 0 };
  const server = createServer((_, response) => {
    canary.requests += 1;
    response.writeHead(code, { location: dead }).end();
  }).listen(0, '127.0.0.1');
  servers.push({ close: () => (server.closeAllConnections(), server.close()) });
  await once(server, 'listening');
  canary.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return canary;
}

it('asks every five minutes while every site answers, and never when there is nobody to ask', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const canary = await aCanary();
  const network = new NetworkCheck([canary.url]);
  const states = [await network.stateFor(answered)];
  for (const ms of [299_000, 2_000, 1_000]) {
    vi.advanceTimersByTime(ms);
    states.push(await network.stateFor(answered));
  }
  expect([states, canary.requests]).toEqual([['up', null, 'up', null], 2]);
  expect(await new NetworkCheck([]).stateFor(failed)).toBeNull();
});

it.each([200, 301, 403, 500])('is up when one address answers, be it with %i', async (code) => {
  const { url } = await aCanary(code);
  expect(await new NetworkCheck([dead, url]).stateFor(failed)).toBe('up');
});

it('is down when no address answers', async () => {
  expect(await new NetworkCheck([dead, 'http://nulle-part.invalid/']).stateFor(failed)).toBe('down');
});

it('asks once for all reports of ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const canary = await aCanary();
  const network = new NetworkCheck([canary.url]);
  expect(await Promise.all([network.stateFor(failed), network.stateFor(failed)])).toEqual(['up', 'up']);
  vi.advanceTimersByTime(9_900);
  expect([await network.stateFor(failed), canary.requests]).toEqual(['up', 1]);
  vi.advanceTimersByTime(200);
  expect([await network.stateFor(failed), canary.requests]).toEqual(['up', 2]);
});

it('asks again after it was down, even when every site answers', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const network = new NetworkCheck([dead]);
  expect(await network.stateFor(failed)).toBe('down');
  vi.advanceTimersByTime(20_000);
  expect(await network.stateFor(answered)).toBe('down');
});
