import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { requestTicket } from '@vigie/testing/consoles';
import type { Random } from '../chaos/random';
import type { HostileRequest } from './send';

type ConsoleTarget = { gateway: string; serverId: string; token: string };

const routeKey = 'GET /api/servers/{id}/ws';
const key = () => randomBytes(16).toString('base64');

function upgrade(
  { gateway, serverId }: ConsoleTarget,
  ticket: string,
  more: Record<string, string> = {},
  query = '',
): string {
  const defaults: Record<string, string> = {
    host: new URL(gateway).host,
    origin: gateway,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key(),
    'sec-websocket-protocol': 'vigie.console.v1',
  };
  const lines = Object.entries({ ...defaults, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET /api/servers/${serverId}/ws?ticket=${ticket}${query} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Creates handshakes that must not open a console. */
export async function handshakeCases(
  target: ConsoleTarget,
  createTicket: () => Promise<string>,
): Promise<HostileRequest[]> {
  const { gateway } = target;
  const createHandshake = async (
    description: string,
    more: Record<string, string> = {},
    query = '',
    ticket?: string,
  ) => ({
    kind: `console : ${description}`,
    wire: upgrade(target, ticket ?? (await createTicket()), more, query),
  });
  const handshakes = await Promise.all([
    ...['', 'x', 'A'.repeat(43), '%00', 'a'.repeat(5_000)].map((ticket) => createHandshake('ticket', {}, '', ticket)),
    createHandshake('ticket', {}, '&ticket=x'),
    ...[
      'null',
      'https://mal.example',
      `${gateway}.mal.example`,
      `${gateway}@mal.example`,
      gateway.replace('http', 'https'),
      '',
    ].map((origin) => createHandshake('origine', { origin })),
    ...[
      '&cols=0',
      '&cols=1e9',
      '&rows=NaN',
      '&from=-1',
      '&from=1e999',
      '&console=x',
      '&client=%00',
      '&cols=1&cols=2',
    ].map((query) => createHandshake('mesures', {}, query)),
    createHandshake('poignée de main', { 'sec-websocket-version': '99' }),
    createHandshake('poignée de main', { 'sec-websocket-key': 'x' }),
    createHandshake('poignée de main', { upgrade: 'h2c' }),
  ]);
  return handshakes.map((handshake) => ({
    ...handshake,
    routeKey,
    sender: 'personne',
    mayPass: false,
    method: 'GET',
    path: '',
    headers: {},
  }));
}

/** Encodes a websocket frame with this first byte. */
function frame(first: number, payload: Buffer, { isMasked = true, length = payload.length } = {}): Buffer {
  const bit = isMasked ? 0x80 : 0;
  const head = length < 126 ? Buffer.from([first, bit | length]) : Buffer.alloc(10);
  if (length >= 126) {
    head[0] = first;
    head[1] = bit | 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  // A mask of zeros leaves the payload unchanged.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

const text = (words: string) => frame(0x81, Buffer.from(words));
const repeat = (handshake: Buffer, count: number) => Buffer.concat(Array<Buffer>(count).fill(handshake));

export const hostileFrames: Record<string, () => Buffer> = {
  'trame trop grande': () => frame(0x82, Buffer.alloc(70_000)),
  'longueur fausse': () => frame(0x82, Buffer.alloc(10), { length: 2 ** 40 }),
  'sans masque': () => frame(0x81, Buffer.from('{}'), { isMasked: false }),
  'bits réservés': () => frame(0xf1, Buffer.from('{}')),
  'code inconnu': () => Buffer.concat([3, 4, 5, 6, 7, 11, 12, 15].map((code) => frame(0x80 | code, Buffer.from('x')))),
  'suite sans début': () => frame(0x80, Buffer.from('x')),
  'morceaux sans fin': () => Buffer.concat([frame(0x02, Buffer.from('a')), repeat(frame(0x00, Buffer.from('a')), 500)]),
  'contrôle en morceaux': () => frame(0x09, Buffer.from('x')),
  'contrôle trop long': () => frame(0x89, Buffer.alloc(200)),
  'fermeture fausse': () => frame(0x88, Buffer.from([0x03])),
  'fermeture inconnue': () => frame(0x88, Buffer.from([0xff, 0xff, 0x41])),
  'texte qui n’en est pas': () => frame(0x81, Buffer.from([0xff, 0xfe, 0xc0, 0x80])),
  'mots faux': () => text('{"type":"resize","cols":1e999,"rows":-1}'),
  'JSON profond': () => text(`{"type":"ack","offset":${'['.repeat(30_000)}`),
  prototype: () => text('{"type":"ping","__proto__":{"type":"close"}}'),
  'accusé de demain': () => text('{"type":"ack","offset":9007199254740991}'),
  'nombre de mesures': () => repeat(text('{"type":"resize","cols":80,"rows":24}'), 400),
  'signes de vie': () => repeat(frame(0x89, Buffer.from('x')), 20_000),
  inondation: () => repeat(frame(0x82, Buffer.alloc(60_000, ' ')), 200),
  octets: () => randomBytes(5_000),
};

const listenMs = 500;
/** Against hanging: how long it takes is no finding. */
const openMs = 60_000;

/** Opens a console as its owner, sends these bytes and disconnects; returns the faults. */
export async function sendFrames(
  product: Parameters<typeof requestTicket>[0],
  { serverId, token, random }: { serverId: string; token: string; random: Random },
  words: Buffer,
): Promise<string[]> {
  const gateway = product.gateways[0] ?? '';
  const ticket = await requestTicket(product, token, serverId);
  const { hostname, port } = new URL(gateway);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const received = collect(socket);
  socket.write(upgrade({ gateway, serverId, token }, ticket));
  if (!(await received.waitForText(/^HTTP\/1\.1 101 /, openMs))) {
    socket.destroy();
    return [`console : pas ouverte (${received.text.slice(0, 40)})`];
  }
  // Sends the bytes before or after the shell is attached.
  if (random.next() < 0.5) await received.waitForText(/attached/, openMs);
  socket.write(words);
  await received.waitForText(/$^/, listenMs);
  socket.destroy();
  return [];
}

function collect(socket: Socket) {
  const received = { text: '', isClosed: false, waitForText };
  socket.on('data', (bytes: Buffer) => {
    received.text = `${received.text}${bytes.toString('latin1')}`.slice(-100_000);
  });
  socket.on('close', () => {
    received.isClosed = true;
  });
  async function waitForText(words: RegExp, withinMs: number): Promise<boolean> {
    for (const deadline = performance.now() + withinMs; performance.now() < deadline && !received.isClosed; ) {
      if (words.test(received.text)) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return words.test(received.text);
  }
  return received;
}
