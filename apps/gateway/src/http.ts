import { isIP, type Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppError } from '@vigie/contracts/errors';
import { type Context, runInContext } from '@vigie/service-kit/context';
import type { Log } from '@vigie/service-kit/log';
import { httpRequests } from '@vigie/service-kit/measures';
import { network } from '@vigie/service-kit/network';
import { beginTrace, traceHeader } from '@vigie/service-kit/traces';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuid } from 'uuid';
import { knowMethods } from './allowed-methods';
import { routeUpgrades } from './consoles/upgrades';
import { env } from './env';
import { sendError } from './errors.filter';
import { parseJson } from './json-body';
import type { Overload } from './overload';
import type { RequestBudget } from './request-budget';
import { securityHeaders } from './security-headers';
import { boundSockets, endSocket, untilOver } from './sockets';
import { lingerAfter } from './uploads/paced-body';
import { serveWeb, type WebFiles } from './web-files';

const bodyLimit = 256 * 1024;
/** Two logos do not fit in the usual limit, nor what is ticked in a large plan, nor a zone. */
const largerBodies: Record<string, number> = {
  '/api/settings/app': 512 * 1024,
  '/api/updates': 512 * 1024,
  '/api/cloudflare/zones/:zone_id/dns/bulk': 512 * 1024,
  '/api/cloudflare/zones/:zone_id/dns/preview': 512 * 1024,
  '/api/cloudflare/zones/:zone_id/dns/import': 512 * 1024,
  '/api/cloudflare/zones/:zone_id/dns/import/preview': 512 * 1024,
};
const bodyMs = 15_000;
/** Asked for every few seconds, never refused, and by anybody. */
const probe = '/api/health/live';
/** As proxies log it. */
const clientWentAway = 499;
/** Nothing is written by whoever becomes a websocket. */
const switchingProtocols = 101;

declare module 'fastify' {
  interface FastifyRequest {
    context: Context;
    /** Goes on with the trace that it names, once it is known to be of somebody. */
    joinTrace?: () => void;
  }
  interface FastifyContextConfig {
    /** It reads its body by itself. */
    takesFile?: boolean;
  }
}

/** The door: what every request meets before it reaches a route. */
export function openHttp(log: Log) {
  const headers = securityHeaders(env.VIGIE_PUBLIC_URL);
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(error, request, reply.headers({ ...headers, 'x-request-id': request.id }), log);
  const adapter = new FastifyAdapter({
    bodyLimit,
    // Node counts from the first byte to the last, whatever the route: see `limitBodies`.
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    trustProxy: (_address: string, hop: number) => hop < env.VIGIE_TRUSTED_HOPS,
    genReqId: () => uuid(),
    http: {
      headersTimeout: 10_000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: 1_000,
      // It would be refused without a word: see `refuseHostless`.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: fail,
    clientErrorHandler: refuseUnreadable,
  });
  const http: FastifyInstance = adapter.getInstance();
  acceptJsonAndFiles(http);
  routeUpgrades(http, refuseUnreadable);
  const refuseWrongMethod = knowMethods(http);
  // What else than going on is expected of us nobody has to promise.
  http.server.on('checkExpectation', (request, response) => http.routing(request, response));
  http.addHook('onRoute', (route) => {
    const limit = largerBodies[route.url];
    if (limit !== undefined) route.bodyLimit = limit;
  });
  return {
    adapter,
    addHooks: (budget: RequestBudget, overload: Overload, web: WebFiles) => {
      limitBodies(http);
      hearOut(http);
      addContext(http, headers);
      addOutcome(http, log);
      boundSockets(http, fail);
      // Before the limits: a page from memory costs less than its refusal, and a flood must not blank the screen.
      http.addHook('onRequest', (request, reply, done) => {
        if (!serveWeb(web, request, reply)) done();
      });
      addLimits(http, { budget, overload, refuseWrongMethod, fail });
    },
  };
}

function acceptJsonAndFiles(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJson(String(body)));
    } catch (error) {
      done(error as Error);
    }
  });
  // Whoever may not send a file is refused before it is read.
  http.addContentTypeParser('multipart/form-data', (request, _body, done) => {
    if (request.routeOptions.config.takesFile) return done(null);
    done(new AppError('unsupported_type', 'Ce type de contenu n’est pas accepté\u00a0: envoyez du JSON.'));
  });
}

/** Read by its route, and at its own pace. */
const isFile = ({ routeOptions, raw }: FastifyRequest) =>
  routeOptions.config.takesFile === true && /^multipart\/form-data\b/i.test(raw.headers['content-type'] ?? '');

/** A body that drips in is cut here; a file has a pace of its own. */
function limitBodies(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (isFile(request)) lingerAfter(reply.raw, raw);
    else if (raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0) {
      const timer = setTimeout(() => cutLate(raw.socket, reply.raw.headersSent), bodyMs);
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}

/** Cut in the middle of what they send, they would be told that the connection is gone, and not why they are refused. */
function hearOut(http: FastifyInstance): void {
  http.addHook('onSend', (request, reply, _body, done) => {
    if (reply.statusCode === 413 && !request.raw.complete) {
      reply.removeHeader('connection');
      reply.raw.shouldKeepAlive = true;
      lingerAfter(reply.raw, request.raw);
    }
    done();
  });
}

function cutLate(socket: Socket, isAnswered: boolean): void {
  if (isAnswered) socket.destroy();
  else refuseUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
}

function addContext(http: FastifyInstance, headers: Record<string, string>): void {
  http.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    request.context = { requestId: request.id, address: addressOf(request), idempotencyKey: idempotencyKeyOf(request) };
    runInContext(request.context, done);
  });
  // A body is parsed on the socket's own asynchronous context, so it is entered again.
  http.addHook('preValidation', (request, _reply, done) => runInContext(request.context, done));
}

type Limits = {
  budget: RequestBudget;
  overload: Overload;
  refuseWrongMethod: ReturnType<typeof knowMethods>;
  fail: FailWith;
};

function addLimits(http: FastifyInstance, { budget, overload, refuseWrongMethod, fail }: Limits): void {
  http.server.on('connection', (socket) => overload.meet(socket));
  const isProbe = (request: FastifyRequest) => request.url === probe;
  http.addHook('onRequest', (request, reply, done) => {
    try {
      if (!isProbe(request)) budget.spend(`address:${network(addressOf(request))}`);
      refuseHostless(request, reply);
      refuseEncoded(request);
      refuseBadKey(request);
      refuseWrongMethod(request, reply);
      done();
    } catch (error) {
      fail(error, request, reply);
    }
  });
  // Counted once the body is there: a body that drips in must not take the place of a request that can be answered. Files,
  // whose body comes later, are counted by whoever takes them.
  http.addHook('preValidation', (request, reply, done) => {
    try {
      if (!isProbe(request) && !isFile(request)) {
        // Not until onResponse: Fastify never calls it for a client that went away.
        untilOver(reply, overload.enter(addressOf(request), request.raw.socket));
      }
      done();
    } catch (error) {
      fail(error, request, reply);
    }
  });
}

/** A proxy may forward anything as an address; what is none is not believed. The zone of one is of another machine. */
function addressOf({ ip, socket }: FastifyRequest): string {
  const address = isIP(ip) ? ip : (socket.remoteAddress ?? 'unknown');
  return address.split('%')[0] ?? address;
}

const idempotencyKeyOf = ({ headers }: FastifyRequest) =>
  typeof headers['idempotency-key'] === 'string' ? headers['idempotency-key'] : undefined;

/** Ignored, it would let through twice what was meant once. */
function refuseBadKey(request: FastifyRequest): void {
  const key = idempotencyKeyOf(request);
  if (key === undefined || /^[\x21-\x7e]{1,128}$/.test(key)) return;
  throw new AppError('invalid', 'La clé d’idempotence compte de 1 à 128 caractères ASCII visibles.');
}

function refuseHostless({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return;
  // Who writes such a request has lost its place: what comes next on that connection is not to be trusted either.
  reply.header('connection', 'close');
  throw new AppError('invalid', 'La requête ne dit pas à quel hôte elle s’adresse.');
}

function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw new AppError('unsupported_type', 'Les requêtes compressées ne sont pas acceptées.');
}

type FailWith = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

function addOutcome(http: FastifyInstance, log: Log): void {
  http.addHook('onRequest', (request, reply, done) => {
    const endTrace = traceRequest(request);
    reply.raw.once('close', () => endTrace(writeOutcome(request, reply, log)));
    done();
  });
}

/** Of a page, a picture or a probe nothing is told. */
function traceRequest(request: FastifyRequest): (status: number) => void {
  const { context, headers, method, routeOptions } = request;
  const route = routeOptions.url;
  if (route === undefined || route === probe) return () => undefined;
  const attributes = { 'http.request.method': method, 'http.route': route, 'vigie.request.id': context.requestId };
  const span = beginTrace({ name: `${method} ${route}`, kind: 'server', attributes }, undefined);
  context.traceparent = span?.traceparent;
  const given = headers[traceHeader];
  // A stranger must neither hide from the traces nor write into one of theirs.
  request.joinTrace = () => {
    if (!span || typeof given !== 'string') return;
    context.traceparent = span.join(given) ? span.traceparent : undefined;
  };
  return (status) => {
    span?.note({ 'http.response.status_code': status });
    if (status >= 500) span?.fail();
    span?.end();
  };
}

function writeOutcome(request: FastifyRequest, reply: FastifyReply, log: Log): number {
  // The route's pattern, never the address as it was typed: that may hold a ticket or a token.
  const route = request.routeOptions.url ?? 'web';
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const isAnswered = reply.raw.writableFinished || reply.raw.statusCode === switchingProtocols;
  const status = isAnswered ? reply.statusCode : clientWentAway;
  httpRequests.observe({ method: request.method, route, status }, ms / 1000);
  const { requestId, user } = request.context;
  const line = { requestId, method: request.method, route, status, ms, user: user?.sub };
  if (route === 'web' || route === probe) log.debug(line, route);
  else log.info(line, 'request');
  return status;
}

/** What is not HTTP at all, or never ends: answered by hand, since there is no request yet. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = tooLarge ? '431 Request Header Fields Too Large' : slow ? '408 Request Timeout' : '400 Bad Request';
  const body = JSON.stringify({
    detail: slow ? 'La requête est arrivée trop lentement.' : 'La requête est illisible.',
  });
  endSocket(
    socket,
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
