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
import { collectMethods } from './allowed-methods';
import { routeUpgrades } from './consoles/upgrades';
import { env } from './env';
import { sendError } from './errors.filter';
import { parseJson } from './json-body';
import type { Admission } from './admission';
import type { RequestBudget } from './request-budget';
import { securityHeaders } from './security-headers';
import { limitSockets, endSocket, releaseOnClose } from './sockets';
import { lingerAfter } from './uploads/paced-body';
import { serveWeb, type WebFiles } from './web-files';

const bodyLimit = 256 * 1024;
const bodyMs = 15_000;
/** The liveness probe, which comes every few seconds and is never refused. */
const livenessPath = '/api/health/live';
/** The status that proxies log for a client that closed the connection. */
const clientClosedRequest = 499;
/** The status of a WebSocket, whose response is never written. */
const switchingProtocols = 101;

declare module 'fastify' {
  interface FastifyRequest {
    context: Context;
    /** Continues the trace of the request's `traceparent` header, once the request is authenticated. */
    joinTrace?: () => void;
  }
  interface FastifyContextConfig {
    /** The route streams its body itself. */
    takesFile?: boolean;
    bodyLimit?: number | undefined;
  }
}

const options = {
  bodyLimit,
  // Node would limit the whole request, on every route: see `limitBodies`.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  trustProxy: (_address: string, hop: number) => hop < env.VIGIE_TRUSTED_HOPS,
  genReqId: () => uuid(),
  http: {
    headersTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
    connectionsCheckingInterval: 1_000,
    // Node would refuse without a body: see `refuseHostless`.
    requireHostHeader: false,
  },
  routerOptions: { maxParamLength: 512 },
  clientErrorHandler: refuseUnreadable,
};

/** The HTTP server, with the checks and limits before any route. */
export function openHttp(log: Log) {
  const headersOf = securityHeaders(env.VIGIE_PUBLIC_URL);
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(error, request, reply.headers({ ...headersOf(request.url), 'x-request-id': request.id }), log);
  const adapter = new FastifyAdapter({ ...options, frameworkErrors: fail });
  const http: FastifyInstance = adapter.getInstance();
  acceptJsonAndFiles(http);
  routeUpgrades(http, refuseUnreadable);
  const refuseWrongMethod = collectMethods(http);
  // An expectation other than 100-continue is ignored.
  http.server.on('checkExpectation', (request, response) => http.routing(request, response));
  http.addHook('onRoute', (route) => {
    const limit = route.config?.bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  return {
    adapter,
    addHooks: (budget: RequestBudget, admission: Admission, web: WebFiles) => {
      limitBodies(http);
      lingerOnTooLarge(http);
      addContext(http, headersOf);
      addOutcome(http, log);
      limitSockets(http, fail);
      // Served before the limits: a page from memory costs less than a refusal, and a flood must not blank the screen.
      http.addHook('onRequest', (request, reply, done) => {
        if (!serveWeb(web, request, reply)) done();
      });
      addLimits(http, { budget, admission, refuseWrongMethod, fail });
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
  // A route that takes no file refuses it before it is read.
  http.addContentTypeParser('multipart/form-data', (request, _body, done) => {
    if (request.routeOptions.config.takesFile) return done(null);
    done(new AppError('unsupported_type', 'Ce type de contenu n’est pas accepté\u00a0: envoyez du JSON.'));
  });
}

/** An upload, whose route streams it at its own pace. */
const isFileUpload = ({ routeOptions, raw }: FastifyRequest) =>
  routeOptions.config.takesFile === true && /^multipart\/form-data\b/i.test(raw.headers['content-type'] ?? '');

/** Limits the time for a body. A file has a limit on its pace instead. */
function limitBodies(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (isFileUpload(request)) lingerAfter(reply.raw, raw);
    else if (raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0) {
      const timer = setTimeout(() => refuseLate(raw.socket, reply.raw.headersSent), bodyMs);
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}

/** Reads on after a 413: a client cut in the middle of its body would see a reset instead of the reason. */
function lingerOnTooLarge(http: FastifyInstance): void {
  http.addHook('onSend', (request, reply, _body, done) => {
    if (reply.statusCode === 413 && !request.raw.complete) {
      reply.removeHeader('connection');
      reply.raw.shouldKeepAlive = true;
      lingerAfter(reply.raw, request.raw);
    }
    done();
  });
}

function refuseLate(socket: Socket, isAnswered: boolean): void {
  if (isAnswered) socket.destroy();
  else refuseUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
}

function addContext(http: FastifyInstance, headersOf: ReturnType<typeof securityHeaders>): void {
  http.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersOf(request.url)).header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    request.context = { requestId: request.id, address: addressOf(request), idempotencyKey: idempotencyKeyOf(request) };
    runInContext(request.context, done);
  });
  // A body is parsed in the asynchronous context of its socket, so the request's context is entered again.
  http.addHook('preValidation', (request, _reply, done) => runInContext(request.context, done));
}

type Limits = {
  budget: RequestBudget;
  admission: Admission;
  refuseWrongMethod: ReturnType<typeof collectMethods>;
  fail: Fail;
};

function addLimits(http: FastifyInstance, { budget, admission, refuseWrongMethod, fail }: Limits): void {
  http.server.on('connection', (socket) => admission.noteConnection(socket));
  const isProbe = (request: FastifyRequest) => request.url === livenessPath;
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
  // A slot is taken once the body has arrived, so that a slow body does not take that of a request that can be answered.
  // Uploads are counted by `FileReceiver`.
  http.addHook('preValidation', (request, reply, done) => {
    try {
      if (!isProbe(request) && !isFileUpload(request)) {
        // Not in onResponse, which Fastify never calls for a client that closed the connection.
        releaseOnClose(reply, admission.admit(addressOf(request), request.raw.socket));
      }
      done();
    } catch (error) {
      fail(error, request, reply);
    }
  });
}

/** The address of the client. A proxy may forward anything: an invalid address is ignored, and its zone is dropped. */
function addressOf({ ip, socket }: FastifyRequest): string {
  const address = isIP(ip) ? ip : (socket.remoteAddress ?? 'unknown');
  return address.split('%')[0] ?? address;
}

const idempotencyKeyOf = ({ headers }: FastifyRequest) =>
  typeof headers['idempotency-key'] === 'string' ? headers['idempotency-key'] : undefined;

/** An invalid key must not be ignored: the request could then run twice. */
function refuseBadKey(request: FastifyRequest): void {
  const key = idempotencyKeyOf(request);
  if (key === undefined || /^[\x21-\x7e]{1,128}$/.test(key)) return;
  throw new AppError('invalid', 'La clé d’idempotence compte de 1 à 128 caractères ASCII visibles.');
}

function refuseHostless({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return;
  // Such a client may have lost its position in the stream, so its next bytes are not read either.
  reply.header('connection', 'close');
  throw new AppError('invalid', 'La requête ne dit pas à quel hôte elle s’adresse.');
}

function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw new AppError('unsupported_type', 'Les requêtes compressées ne sont pas acceptées.');
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

function addOutcome(http: FastifyInstance, log: Log): void {
  http.addHook('onRequest', (request, reply, done) => {
    const endTrace = traceRequest(request);
    reply.raw.once('close', () => endTrace(writeOutcome(request, reply, log)));
    done();
  });
}

/** Pages, assets and probes are not traced. */
function traceRequest(request: FastifyRequest): (status: number) => void {
  const { context, headers, method, routeOptions } = request;
  const route = routeOptions.url;
  if (route === undefined || route === livenessPath) return () => undefined;
  const attributes = { 'http.request.method': method, 'http.route': route, 'vigie.request.id': context.requestId };
  const span = beginTrace({ name: `${method} ${route}`, kind: 'server', attributes }, undefined);
  context.traceparent = span?.traceparent;
  const traceparent = headers[traceHeader];
  // Only an authenticated request may join a trace: a stranger must neither hide from traces nor write into them.
  request.joinTrace = () => {
    if (!span || typeof traceparent !== 'string') return;
    context.traceparent = span.join(traceparent) ? span.traceparent : undefined;
  };
  return (status) => {
    span?.addAttributes({ 'http.response.status_code': status });
    if (status >= 500) span?.fail();
    span?.end();
  };
}

function writeOutcome(request: FastifyRequest, reply: FastifyReply, log: Log): number {
  // The pattern of the route, never the full address, which may hold a ticket or a token.
  const route = request.routeOptions.url ?? 'web';
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const isAnswered = reply.raw.writableFinished || reply.raw.statusCode === switchingProtocols;
  const status = isAnswered ? reply.statusCode : clientClosedRequest;
  httpRequests.observe({ method: request.method, route, status }, ms / 1000);
  const { requestId, user } = request.context;
  const line = { requestId, method: request.method, route, status, ms, user: user?.sub };
  if (route === 'web' || route === livenessPath) log.debug(line, route);
  else log.info(line, 'request');
  return status;
}

/** Answers bytes that are no HTTP request, or a request that never ends, for which Fastify has no request object. */
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
