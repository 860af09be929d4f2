import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '@vigie/testing/until';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitSockets, endSocket } from './sockets';

const idleMs = 200;
let http: FastifyInstance;
let open = 0;
beforeEach(async () => {
  open = 0;
  http = Fastify({ forceCloseConnections: true });
  limitSockets(http, (_error, _request, reply) => void reply.status(429).send('refused'), idleMs);
  http.addHook('onRequest', (_request, reply, done) => {
    open += 1;
    reply.raw.once('close', () => {
      open -= 1;
    });
    done();
  });
  http.get('/never', () => new Promise(() => undefined));
  http.get('/soon', () => new Promise((resolve) => setTimeout(resolve, 20, 'said')));
  http.get('/dripping', (_request, reply) => {
    void reply.hijack();
    let left = 5;
    const timer = setInterval(() => {
      left -= 1;
      reply.raw.write('drop');
      if (left === 0) reply.raw.end(() => clearInterval(timer));
    }, idleMs / 2);
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => http.close());

const dial = (server = http) => connect((server.server.address() as AddressInfo).port, '127.0.0.1');
const countOpen = (server = http) =>
  new Promise<number>((resolve) => server.server.getConnections((_error, n) => resolve(n)));
const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

it('closes a silent connection, and never one that still sends', async () => {
  const silent = dial();
  silent.write(request('/never'));
  const dripping = dial();
  dripping.write(request('/dripping', 'connection: close\r\n'));
  const answer = text(dripping);
  await once(silent.resume(), 'close');
  expect((await answer).match(/drop/g)).toHaveLength(5);
  expect(open).toBe(0);
});

it('accepts eight requests of a connection at a time, and any number one after another', async () => {
  const eager = dial();
  eager.write(request('/soon').repeat(12));
  const answers = await text(eager);
  expect(answers.match(/said/g)).toHaveLength(8);
  expect(answers).toContain('HTTP/1.1 429');
  const patient = dial();
  for (let n = 0; n < 12; n += 1) {
    patient.write(request('/soon'));
    expect(String(await once(patient, 'data'))).toContain('said');
  }
  patient.destroy();
});

it('closes pipelined requests that were never answered', async () => {
  const client = dial();
  client.write(request('/never').repeat(3));
  await until(() => open === 3);
  client.destroy();
  await until(() => open < 3);
  // At once, and not after the time-out.
  expect(open).toBe(0);
});

it('closes after the last message, although the client stays', async () => {
  http.server.on('upgrade', (_request, socket) => endSocket(socket as Socket, 'HTTP/1.1 400 Bad Request\r\n\r\n'));
  const client = connect({ port: (http.server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  client.write(request('/never', 'connection: upgrade\r\nupgrade: x\r\n'));
  expect(String(await once(client, 'data'))).toContain('400');
  await once(client, 'end');
  await until(async () => (await countOpen()) === 0);
  client.destroy();
});

it('stops without waiting for unused connections, and waits for those with a request', async () => {
  const stopping = Fastify();
  limitSockets(stopping, () => undefined);
  let isAsked = false;
  stopping.get('/soon', () => {
    isAsked = true;
    return new Promise((resolve) => setTimeout(resolve, 200, 'said'));
  });
  await stopping.listen({ port: 0, host: '127.0.0.1' });
  const unused = dial(stopping);
  const asking = dial(stopping);
  asking.write(request('/soon'));
  const answer = text(asking);
  await until(async () => (await countOpen(stopping)) === 2 && isAsked);
  await Promise.all([stopping.close(), once(unused.resume(), 'close')]);
  expect(await answer).toContain('said');
});
