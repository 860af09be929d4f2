import type { LookupAddress } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import { forbiddenAddress } from '@vigie/contracts/sites';
import { nameResolver } from '@vigie/ssh/name-resolver';
import { NoAnswer, type OtherSide, startSentence } from './request-failures';

/** Node would make a context for each connection, which costs a fifth of a visit; the verification is the same. */
const secureContext = createSecureContext();

export type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;
export type OutboundRule = (address: string) => boolean;

export const resolveName: Resolve = callbackify((name: string) => nameResolver.resolve(name));

/** Where a redirect leads, as the other side wrote it; undefined if the answer is none. */
export const locationOf = ({ statusCode = 0, headers: { location } }: IncomingMessage): string | undefined =>
  [301, 302, 303, 307, 308].includes(statusCode) ? location : undefined;

/** Rejects when the time is up, whatever the other side does to the connection. */
export const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

type RequestOptions = {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  mayConnect: OutboundRule;
  resolve: Resolve;
  signal: AbortSignal;
  otherSide: OtherSide;
  onRequest?: (request: ClientRequest) => void;
};

/**
 * Sends one request on a connection of its own, and follows no redirect. Every address is checked in the connection's
 * own look-up, so that DNS cannot change between the check and the connection.
 */
export function sendGuarded(url: URL, request: RequestOptions): Promise<IncomingMessage> {
  const { method, headers, body, mayConnect, resolve, signal, otherSide, onRequest } = request;
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !mayConnect(literal)) throw new NoAnswer(forbiddenAddress);
  const lookup = guardedLookup(mayConnect, resolve);
  const options = { method, lookup, signal, headers, secureContext, agent: false as const, maxHeaderSize: 65_536 };
  return new Promise((resolved, reject) => {
    const sent: ClientRequest = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options, resolved);
    onRequest?.(sent);
    sent.on('error', reject);
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new NoAnswer(`${startSentence(otherSide.name)} répond par un autre protocole que HTTP.`));
    });
    sent.on('close', () => reject(new NoAnswer(`${startSentence(otherSide.name)} ne répond pas.`)));
    sent.end(body);
  });
}

const guardedLookup =
  (mayConnect: OutboundRule, resolve: Resolve): LookupFunction =>
  (name, { all }, done) => {
    resolve(name, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (!first) return done(error ?? new NoAnswer(forbiddenAddress), '', 0);
      return all ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
