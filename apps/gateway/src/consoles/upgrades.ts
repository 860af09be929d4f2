import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { endSocket } from '../sockets';

const keepAliveMs = 30_000;

export type Upgrade = { socket: Duplex; head: Buffer; response: ServerResponse };

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** What a request needs to become a websocket; undefined where it does not ask to. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * What the library refuses by itself it refuses late, when a ticket is used up and a shell is asked for, and in words of
 * its own.
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

/** A request that asks for another protocol meets the same door as any other, and is refused in the same words. */
export function routeUpgrades(http: FastifyInstance, refuse: (error: Error, socket: Socket) => void): void {
  http.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Whoever vanished is noticed although nothing is said.
    (socket as Socket).setKeepAlive(true, keepAliveMs);
    // Its body would never come.
    if (request.method !== 'GET') return refuse(new Error('a body before another protocol'), socket as Socket);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket as Socket);
    } catch {
      // A request before it on the same connection has no answer yet.
      return socket.destroy();
    }
    response.on('finish', () => endSocket(socket as Socket));
    upgrades.set(request, { socket, head, response });
    http.routing(request, response);
    return undefined;
  });
}
