import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { consoleProtocol } from '@vigie/contracts/console-frames';
import { type WebSocket, WebSocketServer, WebSocket as Client } from 'ws';
import { until } from '@vigie/testing/until';
import { ConsoleSocket } from './console-socket';

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type PairOptions = { autoPong?: boolean; isBrowser?: boolean };
const patient = { checkMs: 1_000, pingMs: 60_000, idleMs: 60_000 };

async function openPair(
  { isBrowser = false, ...options }: PairOptions,
  silence = { checkMs: 20, pingMs: 50, idleMs: 1_000 },
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  servers.push(server);
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const address = server.address();
  const url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const client = new Client(url, isBrowser ? [consoleProtocol] : [], options);
  const [[ws]] = await Promise.all([accepted, once(client, 'open')]);
  const sent: unknown[] = [];
  const socket = new ConsoleSocket(ws, 'x', () => undefined, silence);
  socket.connect({
    send: (frame) => sent.push(frame),
    write: (bytes) => sent.push(String(bytes)),
    close: () => undefined,
  });
  const closed = once(client, 'close').then(([code]) => Number(code));
  return { client, socket, sent, closed };
}

it('closes a connection that does not answer pings, and none that does', async () => {
  // The quiet client sends nothing either, and answers pings.
  const quiet = await openPair({});
  const dead = await openPair({ autoPong: false });
  let isQuietClosed = false;
  void quiet.closed.then(() => (isQuietClosed = true));
  expect(await dead.closed).toBe(4408);
  expect(dead.sent).toEqual([{ type: 'close' }]);
  expect(isQuietClosed).toBe(false);
  quiet.client.terminate();
});

it('sends whole characters to a plain client', async () => {
  const { client, socket } = await openPair({}, patient);
  const texts: string[] = [];
  client.on('message', (data: Buffer) => texts.push(data.toString()));
  const bytes = Buffer.from('phare 🗼 é');
  for (const byte of bytes) socket.onBytes(Buffer.of(byte));
  socket.onFrame({ type: 'exit', code: 0, signal: null });
  expect(await once(client, 'close').then(([code]) => Number(code))).toBe(1000);
  expect(texts.join('')).toBe('phare 🗼 é');
  expect(texts).not.toContain('');
  expect(texts.join('')).not.toContain('\ufffd');
});

it('keeps input that is typed before the shell is open, and sends it then', async () => {
  const { client, socket, sent } = await openPair({}, patient);
  client.send('ls');
  client.send('\r');
  client.ping();
  await once(client, 'pong');
  expect(sent).toEqual([]);
  socket.onFrame({ type: 'attached', from: 0, lost: 0, input: 0, is_new: true, is_others: false });
  expect(sent).toEqual(['ls', '\r']);
  client.terminate();
});

it('ends a shell that is closed before it is open', async () => {
  const { client, socket, sent, closed } = await openPair({ isBrowser: true }, patient);
  expect(socket.mustEnd(true)).toBe(false);
  client.send('{"type":"close"}');
  expect(await closed).toBe(1000);
  expect(sent).toEqual([{ type: 'close' }]);
  expect(socket.mustEnd(false)).toBe(true);
});

it('does not end a shell that the page knows of', async () => {
  for (const isKnown of [true, false]) {
    const { client, socket, sent } = await openPair({ isBrowser: true }, patient);
    if (isKnown) socket.onFrame({ type: 'attached', from: 0, lost: 0, input: 0, is_new: true, is_others: false });
    client.terminate();
    await until(() => socket.isClosed);
    expect(sent).toEqual([{ type: 'detach' }]);
    expect([socket.mustEnd(true), socket.mustEnd(false)]).toEqual([!isKnown, false]);
  }
});

it('closes the connection when the host takes no input', async () => {
  const { client, socket, closed } = await openPair({ isBrowser: true });
  socket.onFrame({ type: 'attached', from: 0, lost: 0, input: 0, is_new: true, is_others: false });
  for (let sent = 0; sent < 5; sent += 1) client.send(Buffer.alloc(60_000));
  expect(await closed).toBe(4503);
});
