import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { outboundRule } from '@vigie/ssh/addresses';
import type { Resolve } from '../site-checks/guarded-request';
import { post, PostFailure } from './post';

const servers: (Server | TcpServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server | TcpServer): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const receiver = (answer: RequestListener) => listen(createServer(answer));

const anywhere = outboundRule({ allowsPrivate: true, ranges: [] });
const otherSide = { name: 'le destinataire', of: 'du destinataire' };
type Options = Partial<Parameters<typeof post>[1]>;

const postTo = (url: string, options: Options = {}) =>
  post({ url, headers: { 'content-type': 'text/plain' }, body: 'é' }, { mayConnect: anywhere, otherSide, ...options });
const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    () => undefined,
    (error: unknown) => (error instanceof PostFailure ? error : undefined),
  );

it('posts the body with its length, on a connection of its own', async () => {
  const requests: unknown[] = [];
  const url = await receiver(({ method, headers }, response) => {
    requests.push([
      method,
      headers['content-length'],
      headers['content-type'],
      headers.connection,
      headers['user-agent'],
    ]);
    response.writeHead(202, { 'x-answer': '1' }).end('pris');
  });
  expect(await postTo(url)).toMatchObject({ status: 202, body: 'pris', isWhole: true, headers: { 'x-answer': '1' } });
  expect(requests).toEqual([['POST', '2', 'text/plain', 'close', 'Vigie/1.4.31']]);
});

it('reads 16 KiB of an answer', async () => {
  const url = await receiver((_, response) => void response.end('x'.repeat(100_000)));
  const { body, isWhole } = await postTo(url);
  expect([body.length, isWhole]).toEqual([16_384, false]);
});

const dripping = (begin: (write: (text: string) => void) => void) =>
  createTcpServer((socket) => {
    begin((text) => socket.write(text));
    const timer = setInterval(() => socket.bytesWritten > 0 && socket.write('x'), 30);
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
  });

it.each<[string, (write: (text: string) => void) => void]>([
  ['nothing comes', () => undefined],
  ['headers drip', (write) => write('HTTP/1.1 200 OK\r\nX: ')],
])('ends in time when %s', async (_, begin) => {
  const failure = await failureOf(postTo(await listen(dripping(begin)), { ms: 300 }));
  expect(failure?.lateAfterMs).toBe(300);
});

it('keeps the status and what it could read when the body drips', async () => {
  const url = await listen(dripping((write) => write('HTTP/1.1 200 OK\r\n\r\n')));
  const { status, body, isWhole } = await postTo(url, { ms: 300 });
  expect({ status, isWhole }).toEqual({ status: 200, isWhole: false });
  expect(body).toMatch(/^x*$/);
});

it('keeps the status and what it could read when the body is cut', async () => {
  const url = await receiver((_, response) => {
    response.writeHead(202, { 'content-length': '1000' });
    response.write('pris', () => response.destroy());
  });
  const { status, body, isWhole } = await postTo(url);
  expect({ status, isWhole }).toEqual({ status: 202, isWhole: false });
  expect('pris').toContain(body);
});

it('checks the address in the look-up of the connection itself', async () => {
  let requests = 0;
  const url = await receiver((_, response) => {
    requests += 1;
    response.end();
  });
  const resolve: Resolve = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  const named = url.replace('127.0.0.1', 'exemple.test');
  const publicOnly = outboundRule({ allowsPrivate: false, ranges: [] });
  expect((await failureOf(postTo(named, { resolve, mayConnect: publicOnly })))?.cause).toMatchObject({
    message: 'Adresse non autorisée',
  });
  expect(requests).toBe(0);
  expect(await postTo(named, { resolve })).toMatchObject({ status: 200 });
});
