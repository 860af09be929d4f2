import type { IncomingMessage } from 'node:http';
import { parseJson, retryAfterSeconds } from '../alerts/retry-after';
import {
  locationOf,
  type OutboundRule,
  rejectOnAbort,
  type Resolve,
  resolveName,
  sendGuarded,
} from '../site-checks/guarded-request';
import { NoAnswer, type OtherSide } from '../site-checks/request-failures';
import { userAgent } from '../site-checks/visit';

const defaultMs = 10_000;
const maxRedirects = 3;
const headers = {
  'user-agent': userAgent,
  accept: 'application/rdap+json, application/json;q=0.9',
  'accept-encoding': 'identity',
};
export const registry: OtherSide = { name: 'le registre', of: 'du registre' };

export type JsonRequest = {
  mayConnect: OutboundRule;
  /** Whether plain HTTP will do, as for a registry of tests on this machine. */
  allowsHttp: boolean;
  maxBytes: number;
  ms?: number;
  resolve?: Resolve;
};
/** The body is undefined where it is not JSON. */
export type JsonAnswer = { status: number; retryAfter: number | undefined; body: unknown };

/** Gets JSON from a registry. Its redirects obey the same rules as its own address. */
export async function getJson(url: string, { ms = defaultMs, ...request }: JsonRequest): Promise<JsonAnswer> {
  const signal = AbortSignal.timeout(ms);
  try {
    return await Promise.race([load(url, request, signal), rejectOnAbort(signal)]);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new NoAnswer(`Le registre n’a pas répondu en ${(ms / 1_000).toLocaleString('fr-FR')}\u00a0s.`);
  }
}

async function load(url: string, request: Omit<JsonRequest, 'ms'>, signal: AbortSignal): Promise<JsonAnswer> {
  const { maxBytes, mayConnect, resolve = resolveName } = request;
  let current = url;
  for (let left = maxRedirects; ; left -= 1) {
    const target = targetOf(current, request.allowsHttp);
    const response = await sendGuarded(target, {
      method: 'GET',
      headers,
      mayConnect,
      resolve,
      signal,
      otherSide: registry,
    });
    const next = locationOf(response);
    if (next === undefined) return toAnswer(response, maxBytes);
    response.destroy();
    if (left === 0) throw new NoAnswer(`Le registre redirige plus de ${maxRedirects} fois.`);
    if (!URL.canParse(next, current)) throw new NoAnswer('Le registre redirige vers une adresse qui n’en est pas une.');
    current = new URL(next, current).href;
  }
}

function targetOf(address: string, allowsHttp: boolean): URL {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:')) {
    throw new NoAnswer('Le registre n’est pas joint en https.');
  }
  url.username = '';
  url.password = '';
  return url;
}

async function toAnswer(response: IncomingMessage, maxBytes: number): Promise<JsonAnswer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    // Leaving the loop closes the connection, however much is still to come.
    if (bytes > maxBytes) throw new NoAnswer('La réponse du registre est trop longue.');
    parts.push(part);
  }
  return {
    status: response.statusCode ?? 0,
    retryAfter: retryAfterSeconds(response.headers['retry-after'], Date.now()),
    body: parseJson(Buffer.concat(parts).toString('utf8')),
  };
}
