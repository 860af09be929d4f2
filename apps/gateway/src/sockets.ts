import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests } from './admission';

/** How long the last message of a connection may take to leave. */
const lingerMs = 5_000;
/** Pipelined requests of one connection. Browsers and proxies wait for each answer instead. */
const maxUnanswered = 8;
/** Longer than any answer is silent, even that to an upload of many gigabytes. */
const defaultIdleMs = 180_000;

/** Ends a connection whatever its client does: one left half open would keep its descriptor for ever. */
export function endSocket(socket: Socket, lastMessage?: string): void {
  socket.setTimeout(lingerMs, () => socket.destroy());
  if (lastMessage !== undefined) socket.write(lastMessage);
  socket.destroySoon();
}

/** Releases what a request holds when its connection closes, or at once if it is closed already. */
export function releaseOnClose({ raw }: FastifyReply, release: () => void): void {
  if (raw.destroyed) release();
  else raw.once('close', release);
}

/** Limits one connection, so that a client that sends requests and never reads cannot take the slots of others. */
export function limitSockets(
  http: FastifyInstance,
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
  idleMs = defaultIdleMs,
): void {
  const stop = watchStop(http);
  http.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // Node replaces this time-out between requests, and a WebSocket sets its own.
    socket.setTimeout(idleMs);
    const waiting = countUnanswered(socket, reply.raw);
    // Otherwise the connection would stay open for a next request, and delay the shutdown.
    reply.raw.once('close', () => {
      if (stop.hasStarted && unanswered.get(socket)?.size === 0) endSocket(socket);
    });
    if (waiting <= maxUnanswered) return done();
    // Later requests on this connection were sent without waiting, and can be sent again.
    return fail(tooManyRequests(1), request, reply.header('connection', 'close'));
  });
}

/** On shutdown closes connections without a request, which browsers open in advance and Node takes for busy ones. */
function watchStop(http: FastifyInstance): { readonly hasStarted: boolean } {
  const stop = { hasStarted: false };
  const sockets = new Set<Socket>();
  http.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  http.addHook('preClose', (done) => {
    stop.hasStarted = true;
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  return stop;
}

const unanswered = new WeakMap<Socket, Set<ServerResponse>>();

/** Counts the unanswered requests of a connection, with this one. */
function countUnanswered(socket: Socket, response: ServerResponse): number {
  const waiting = unanswered.get(socket) ?? trackSocket(socket);
  waiting.add(response);
  response.once('close', () => waiting.delete(response));
  return waiting.size;
}

function trackSocket(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>();
  unanswered.set(socket, waiting);
  socket.once('close', () => {
    for (const response of waiting) {
      // Node closes the response that it was writing; those behind it would never close, and keep what they hold.
      if (response.socket) continue;
      response.destroy();
      response.emit('close');
    }
  });
  return waiting;
}
