import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { endSocket } from '../sockets';

const keepAliveMs = 30_000;

export type Upgrade = { socket: Duplex; head: Buffer; response: ServerResponse };

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** What a request needs to become a WebSocket; undefined if it does not ask for an upgrade. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Checks the headers before the library does, which refuses only once the ticket is used up and the shell requested, and
 * without our sentences.
 */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  const protocols = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  return (
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '') &&
    protocols.every((name) => token.test(name)) &&
    new Set(protocols).size === protocols.length
  );
}

/** Routes an upgrade request like any other, so that it meets the same checks and gets the same refusals. */
export function routeUpgrades(http: FastifyInstance, refuse: (error: Error, socket: Socket) => void): void {
  http.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Detects a client that has vanished although neither side sends anything.
    (socket as Socket).setKeepAlive(true, keepAliveMs);
    // Node would never deliver its body.
    if (request.method !== 'GET') return refuse(new Error('an upgrade request must be a GET'), socket as Socket);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket as Socket);
    } catch {
      // An earlier request on the same connection has not been answered yet.
      return socket.destroy();
    }
    response.on('finish', () => endSocket(socket as Socket));
    upgrades.set(request, { socket, head, response });
    http.routing(request, response);
    return undefined;
  });
}
