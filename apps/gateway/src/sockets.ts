import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests } from './overload';

/** The last word of a connection has so long to leave. */
const goodbyeMs = 5_000;
/** Browsers and proxies wait for an answer before they ask again on the same connection. */
const maxUnanswered = 8;
/** Nothing comes and nothing leaves: longer than any answer takes, that to a stored file of many gigabytes too. */
const defaultIdleMs = 180_000;

/** Ends a connection whatever its other end does: one that stays half open would keep its descriptor for ever. */
export function endSocket(socket: Socket, lastWord?: string): void {
  socket.setTimeout(goodbyeMs, () => socket.destroy());
  if (lastWord !== undefined) socket.write(lastWord);
  socket.destroySoon();
}

/** Gives back what a request holds once it is over, and at once where nobody waits for it any more. */
export function untilOver({ raw }: FastifyReply, leave: () => void): void {
  if (raw.destroyed) leave();
  else raw.once('close', leave);
}

/** What one connection may hold up: a client that asks on and on and never reads must not have the places of others. */
export function boundSockets(
  http: FastifyInstance,
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
  idleMs = defaultIdleMs,
): void {
  const stop = watchStop(http);
  http.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Between requests Node has another patience, and forgets this one. A websocket has one of its own.
    socket.setTimeout(idleMs);
    const waiting = countUnanswered(socket, reply.raw);
    // Otherwise it would stay open for what may come next, and who stops would wait for that.
    reply.raw.once('close', () => {
      if (stop.hasBegun && unanswered.get(socket)?.size === 0) endSocket(socket);
    });
    if (waiting <= maxUnanswered) return done();
    // What comes behind it was sent without waiting for anything, and can be sent again.
    return fail(tooManyRequests(1), request, reply.header('connection', 'close'));
  });
}

/** Browsers open connections before they need them, and Node takes one that asked nothing yet for one that asks. */
function watchStop(http: FastifyInstance): { readonly hasBegun: boolean } {
  const stop = { hasBegun: false };
  const sockets = new Set<Socket>();
  http.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  http.addHook('preClose', (done) => {
    stop.hasBegun = true;
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  return stop;
}

const unanswered = new WeakMap<Socket, Set<ServerResponse>>();

/** How many requests of a connection wait for their answers, with this one. */
function countUnanswered(socket: Socket, response: ServerResponse): number {
  const waiting = unanswered.get(socket) ?? follow(socket);
  waiting.add(response);
  response.once('close', () => waiting.delete(response));
  return waiting.size;
}

function follow(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>();
  unanswered.set(socket, waiting);
  socket.once('close', () => {
    for (const response of waiting) {
      // Node tells the one whose turn it was; those behind it would never be over, and keep what they hold.
      if (response.socket) continue;
      response.destroy();
      response.emit('close');
    }
  });
  return waiting;
}
