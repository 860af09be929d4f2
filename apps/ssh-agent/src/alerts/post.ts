import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { inSpan } from '@vigie/service-kit/traces';
import {
  type OutboundRule,
  rejectOnAbort,
  type Resolve,
  resolveName,
  sendGuarded,
} from '../site-checks/guarded-request';
import type { OtherSide } from '../site-checks/request-failures';
import { userAgent } from '../site-checks/visit';
import type { AlertRequest } from './templates/template';

const defaultMs = 10_000;
const maxBytes = 16_384;

/** Of an answer that is long, slow or cut only the beginning is read. */
export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; body: string; isWhole: boolean };

/** Why there is no answer, not even its status. */
export class PostFailure extends Error {
  constructor(
    cause: unknown,
    /** How long it was waited for, if the time was up. */
    readonly lateAfterMs: number | null,
  ) {
    super('no answer', { cause });
  }
}

type PostOptions = { mayConnect: OutboundRule; otherSide: OtherSide; ms?: number; resolve?: Resolve };

/**
 * Sends a message, and follows no redirect. The time is that of the connection, the headers and the body together. Once
 * there is a status, the other side has decided about the message, whatever becomes of the body.
 */
export const post = (request: AlertRequest, options: PostOptions): Promise<HttpAnswer> =>
  exchangeInSpan(
    {
      ...request,
      method: 'POST',
      headers: { ...request.headers, 'content-length': String(Buffer.byteLength(request.body)) },
    },
    options,
  );

/** Calls an address as `post` does, without a body. */
export const callAddress = (url: string, options: PostOptions): Promise<HttpAnswer> =>
  exchangeInSpan({ url, method: 'GET', headers: {} }, options);

type Request = Pick<AlertRequest, 'url' | 'headers'> & { method: 'GET' | 'POST'; body?: string };

const exchangeInSpan = (request: Request, options: PostOptions): Promise<HttpAnswer> =>
  inSpan({ name: 'alert', kind: 'client' }, async (note) => {
    const answer = await exchangeInTime(request, options);
    note({ 'http.response.status_code': answer.status });
    return answer;
  });

async function exchangeInTime(request: Request, options: PostOptions): Promise<HttpAnswer> {
  const { ms = defaultMs, ...rest } = options;
  const signal = AbortSignal.timeout(ms);
  try {
    const response = await Promise.race([exchange(request, rest, signal), rejectOnAbort(signal)]);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, ...(await readBeginning(response, signal)) };
  } catch (cause) {
    throw new PostFailure(cause, signal.aborted ? ms : null);
  }
}

async function exchange(
  { url, headers, ...request }: Request,
  { resolve = resolveName, ...options }: Omit<PostOptions, 'ms'>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return sendGuarded(new URL(url), {
    ...options,
    ...request,
    headers: { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' },
    resolve,
    signal,
  });
}

async function readBeginning(
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<Pick<HttpAnswer, 'body' | 'isWhole'>> {
  const parts: Buffer[] = [];
  const isWhole = await Promise.race([readInto(parts, response), rejectOnAbort(signal)]).catch(() => false);
  return { body: Buffer.concat(parts).toString('utf8'), isWhole };
}

/** Says whether that was all. Leaving the loop closes the connection, however much is still to come. */
async function readInto(parts: Buffer[], response: IncomingMessage): Promise<boolean> {
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, maxBytes - bytes));
    bytes += part.length;
    if (bytes >= maxBytes) return false;
  }
  return true;
}
