import type { LookupAddress } from 'node:dns';
import { type ClientRequest, get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import type { Certificate } from '@vigie/contracts/site-checks';
import { forbiddenAddress, type HttpStatus } from '@vigie/contracts/sites';
import { inSpan } from '@vigie/service-kit/traces';
import { nameResolver, NotResolved } from '@vigie/ssh/name-resolver';
import { onCertificate } from './site-certificate';

const defaultMs = 10_000;
const maxRedirects = 5;
/** How much of a page is read by default: enough to see that one comes. */
const defaultMaxBytes = 65_536;
/** How much of the beginning and of the end of a page is kept. */
const keptBytes = 65_536;
export const userAgent = 'Vigie/1.4.31';
const headers = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'identity' };
/** Node would make a context for each connection, which costs a fifth of a visit; the verification is the same. */
const secureContext = createSecureContext();

export type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;
export type OutboundRule = (address: string) => boolean;
type VisitOptions = { ms?: number; resolve?: Resolve; followsRedirects?: boolean };

/** The result of a visit, with the first and last bytes of the page and their number. */
export type PageVisit = HttpStatus & {
  /** There was no answer for a reason outside the site: its name, the network or a certificate. */
  isUnreachable: boolean;
  /** The name was not even looked up, so nothing is known of the site. */
  wasSkipped: boolean;
  isLate: boolean;
  /** The certificate that the site itself presented first, valid or not; null without HTTPS. */
  certificate: Certificate | null;
  page: { type: string; encoding: string; head: Buffer; tail: Buffer; bytes: number; isAll: boolean } | null;
};
type Page = NonNullable<PageVisit['page']>;

/** Why there is no answer, as a sentence for the user. */
class NoAnswer extends Error {}

const resolveName: Resolve = callbackify((name: string) => nameResolver.resolve(name));

/** Visits a page, and returns its status alone. */
export async function visit(url: string, mayConnect: OutboundRule, options: VisitOptions = {}): Promise<HttpStatus> {
  return statusOf(await visitPage(url, mayConnect, options));
}

/** The part of a visit that is stored. */
export function statusOf(visited: PageVisit): HttpStatus {
  const { isUnreachable: _, wasSkipped: __, isLate: ___, certificate: ____, page: _____, ...status } = visited;
  return status;
}

/** Every address is checked in the connection's own look-up, at each redirect, so that DNS cannot change meanwhile. */
export function visitPage(...request: Parameters<typeof visitInTime>): Promise<PageVisit> {
  return inSpan({ name: 'visit', kind: 'client' }, async (note) => {
    const visited = await visitInTime(...request);
    note({ 'http.response.status_code': visited.code });
    return visited;
  });
}

async function visitInTime(
  url: string,
  mayConnect: OutboundRule,
  options: VisitOptions & { maxBytes?: number } = {},
): Promise<PageVisit> {
  const { ms = defaultMs, resolve = resolveName, followsRedirects = true, maxBytes: max = defaultMaxBytes } = options;
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(ms);
  const current: CurrentVisit = { url, certificate: null };
  const toVisit = (end: Pick<PageVisit, 'code' | 'error' | 'isUnreachable' | 'wasSkipped' | 'page'>): PageVisit => ({
    ...end,
    isLate: end.page === null && signal.aborted,
    method: 'GET',
    url: current.url,
    certificate: current.certificate,
    ms: Math.round(performance.now() - startedAt),
    checked_at: new Date().toISOString(),
  });
  try {
    const loading = follow(current, { mayConnect, resolve, signal, followsRedirects }).then(async (response) => ({
      code: response.statusCode ?? 0,
      page: await readPage(response, { maxBytes: max, signal }),
    }));
    const loaded = await Promise.race([loading, rejectOnAbort(signal)]);
    return toVisit({ ...loaded, error: null, isUnreachable: false, wasSkipped: false });
  } catch (error) {
    const timeoutError = `Le site n’a pas répondu en ${(ms / 1_000).toLocaleString('fr-FR')}\u00a0s.`;
    return toVisit({
      code: 0,
      error: signal.aborted ? timeoutError : reasonOf(error),
      isUnreachable: !signal.aborted && isNetworkError(error),
      wasSkipped: error instanceof NotResolved,
      page: null,
    });
  }
}

type CurrentVisit = { url: string; certificate: Certificate | null };
type FollowOptions = Omit<GetOptions, 'onCertificate'> & { followsRedirects: boolean };

/** Follows redirects, and keeps the current address and the first certificate of the site's own name. */
async function follow(
  current: CurrentVisit,
  { followsRedirects, ...options }: FollowOptions,
): Promise<IncomingMessage> {
  const ownName = nameIn(current.url);
  let isOwn = true;
  for (let left = maxRedirects; ; left -= 1) {
    isOwn &&= nameIn(current.url) === ownName;
    const keepFirst = (certificate: Certificate) => {
      if (isOwn) current.certificate ??= certificate;
    };
    const response = await get(new URL(current.url), { ...options, onCertificate: keepFirst });
    if (!followsRedirects) return response;
    const next = redirectOf(response, current.url);
    if (next === undefined) return response;
    response.destroy();
    if (left === 0) throw new NoAnswer(`Le site redirige plus de ${maxRedirects} fois.`);
    current.url = next;
  }
}

/** A site with and without `www.` is the same one. */
const nameIn = (url: string) => new URL(url).hostname.replace(/^www\./, '');

/** Rejects when the time is up, whatever the site does to the connection. */
const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

type GetOptions = {
  mayConnect: OutboundRule;
  resolve: Resolve;
  signal: AbortSignal;
  onCertificate: (certificate: Certificate) => void;
};

function get(url: URL, { mayConnect, resolve, signal, onCertificate: report }: GetOptions): Promise<IncomingMessage> {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !mayConnect(literal)) throw new NoAnswer(forbiddenAddress);
  const lookup: LookupFunction = (name, { all }, done) => {
    resolve(name, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (!first) return done(error ?? new NoAnswer(forbiddenAddress), '', 0);
      return all ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
  const options = { lookup, signal, headers, secureContext, agent: false as const, maxHeaderSize: 65_536 };
  return new Promise((resolved, reject) => {
    const request: ClientRequest = (url.protocol === 'https:' ? getSecure : getPlain)(url, options, resolved);
    onCertificate(request, report);
    request.on('error', reject);
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new NoAnswer('Le site répond par un autre protocole que HTTP.'));
    });
    request.on('close', () => reject(new NoAnswer('Le site ne répond pas.')));
  });
}

/** The target of a redirect; undefined if the answer is none. */
function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !location) return undefined;
  if (!URL.canParse(location, from)) throw new NoAnswer('Le site redirige vers une adresse qui n’en est pas une.');
  const next = new URL(location, from);
  if (next.protocol !== 'http:' && next.protocol !== 'https:') {
    throw new NoAnswer('Le site redirige vers une adresse qui n’est ni http ni https.');
  }
  next.username = '';
  next.password = '';
  next.hash = '';
  return next.href.slice(0, 2_048);
}

async function readPage(
  response: IncomingMessage,
  { maxBytes: max, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Page> {
  const head: Buffer[] = [];
  let tail = Buffer.alloc(0);
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    if (bytes < keptBytes) head.push(part.subarray(0, keptBytes - bytes));
    tail = Buffer.concat([tail, part]).subarray(-keptBytes);
    bytes += part.length;
    if (bytes >= max) break;
  }
  signal.throwIfAborted();
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = response.headers;
  return { type, encoding, head: Buffer.concat(head), tail, bytes, isAll: bytes < max };
}

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'il a expiré',
  CERT_NOT_YET_VALID: 'il n’est pas encore valable',
  ERR_TLS_CERT_ALTNAME_INVALID: 'il est celui d’un autre nom',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'il est signé par le site lui-même',
  SELF_SIGNED_CERT_IN_CHAIN: 'il est signé par une autorité inconnue',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'il manque un certificat intermédiaire',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'il est signé par une autorité inconnue',
};
const networks: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Le nom du site n’a pas d’adresse connue.',
  EAI_AGAIN: 'Le nom du site n’a pas pu être résolu.',
  EUNASKED:
    'Le nom du site n’a pas pu être cherché\u00a0: trop d’autres attendent une réponse. Réessayez dans un instant.',
  ECONNREFUSED: 'Le serveur du site refuse la connexion.',
  ECONNRESET: 'Le serveur du site a coupé la connexion.',
  EHOSTUNREACH: 'Aucun chemin ne mène au serveur du site.',
  ENETUNREACH: 'Aucun chemin ne mène au serveur du site.',
  ETIMEDOUT: 'Le serveur du site ne répond pas.',
  HPE_HEADER_OVERFLOW: 'La réponse du site a des en-têtes trop longs.',
};

/** The failure lies between us and the site, whatever its code does. */
function isNetworkError(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) return isNetworkError(error.errors[0]);
  const { code = '' } = error as NodeJS.ErrnoException;
  return code in certificates || ['ENOTFOUND', 'EAI_AGAIN', 'EUNASKED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code);
}

/** After several addresses were tried, the error of the first one. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof NoAnswer) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  const certificate = certificates[code];
  if (certificate) return `Le certificat du site n’est pas valable\u00a0: ${certificate}.`;
  if (networks[code]) return networks[code];
  if (code.startsWith('HPE_')) return 'Ce qui répond à cette adresse ne parle pas HTTP.';
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return 'La connexion chiffrée avec le site a échoué.';
  return 'Le site ne répond pas.';
}
