import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const keepAliveMs = 30_000;

export type Upgrade = { socket: Duplex; head: Buffer; response: ServerResponse };

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** What a request needs to become a websocket; undefined where it does not ask to. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

/** A request that asks for another protocol meets the same door as any other, and is refused in the same words. */
export function routeUpgrades(http: FastifyInstance): void {
  http.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Whoever vanished is noticed although nothing is said.
    (socket as Socket).setKeepAlive(true, keepAliveMs);
    // Its body would never come.
    if (request.method !== 'GET') return socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket as Socket);
    } catch {
      // A request before it on the same connection has no answer yet.
      return socket.destroy();
    }
    response.on('finish', () => socket.end());
    upgrades.set(request, { socket, head, response });
    http.routing(request, response);
    return undefined;
  });
}
