import type { IncomingMessage } from 'node:http';
import type { Certificate } from '@vigie/contracts/site-checks';
import type { HttpStatus } from '@vigie/contracts/sites';
import { inSpan } from '@vigie/service-kit/traces';
import { NotResolved } from '@vigie/ssh/name-resolver';
import {
  locationOf,
  type OutboundRule,
  rejectOnAbort,
  type Resolve,
  resolveName,
  sendGuarded,
} from './guarded-request';
import { failureSentence, isNetworkError, NoAnswer, type OtherSide } from './request-failures';
import { reportAddresses, type SiteAddresses } from './site-addresses';
import { onCertificate } from './site-certificate';

const defaultMs = 10_000;
const maxRedirects = 5;
/** How much of a page is read by default: enough to see that one comes. */
export const defaultMaxBytes = 65_536;
/** How much of the beginning and of the end of a page is kept, unless a visit asks for more of the beginning. */
const keptBytes = 65_536;
export const userAgent = 'Vigie/1.4.31';
const headers = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'identity' };
const site: OtherSide = { name: 'le site', of: 'du site' };

type VisitOptions = { ms?: number; resolve?: Resolve; followsRedirects?: boolean };
/** Once `enoughBytes` have come, the site has answered, in the time until then, whatever becomes of the rest of the page. */
type PageOptions = { maxBytes?: number; headBytes?: number; enoughBytes?: number };

/** The result of a visit, with the first and last bytes of the page and their number. */
export type PageVisit = HttpStatus & {
  /** There was no answer for a reason outside the site: its name, the network or a certificate. */
  isUnreachable: boolean;
  /** The name was not even looked up, so nothing is known of the site. */
  wasSkipped: boolean;
  isLate: boolean;
  /** The certificate that the site itself presented first, valid or not; null without HTTPS. */
  certificate: Certificate | null;
  /** What the site's own name was found to lead to. */
  addresses: SiteAddresses;
  page: { type: string; encoding: string; head: Buffer; tail: Buffer; bytes: number; isAll: boolean } | null;
};
type Page = NonNullable<PageVisit['page']>;

/** Visits a page, and returns its status alone. */
export async function visit(url: string, mayConnect: OutboundRule, options: VisitOptions = {}): Promise<HttpStatus> {
  return statusOf(await visitPage(url, mayConnect, options));
}

/** The part of a visit that is stored. */
export function statusOf(visited: PageVisit): HttpStatus {
  const {
    isUnreachable: _,
    wasSkipped: __,
    isLate: ___,
    certificate: ____,
    addresses: _____,
    page: ______,
    ...status
  } = visited;
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
  options: VisitOptions & PageOptions = {},
): Promise<PageVisit> {
  const { ms = defaultMs, resolve = resolveName, followsRedirects = true } = options;
  const { maxBytes = defaultMaxBytes, headBytes = keptBytes, enoughBytes = maxBytes } = options;
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(ms);
  const current: CurrentVisit = { url, certificate: null, addresses: null };
  const toVisit = (end: Pick<PageVisit, 'code' | 'error' | 'isUnreachable' | 'wasSkipped' | 'page'>): PageVisit => ({
    ...end,
    isLate: end.page === null && signal.aborted,
    method: 'GET',
    url: current.url,
    certificate: current.certificate,
    addresses: current.addresses,
    ms: Math.round((current.readAt ?? performance.now()) - startedAt),
    checked_at: new Date().toISOString(),
  });
  try {
    const report = (found: SiteAddresses) => (current.addresses = found);
    const watched = reportAddresses(new URL(url).hostname, { resolve, mayConnect, report });
    const answer = follow(current, { mayConnect, resolve: watched, signal, followsRedirects });
    const response = await Promise.race([answer, rejectOnAbort(signal)]);
    const onEnough = () => (current.readAt ??= performance.now());
    const page = await readPage(response, { maxBytes, headBytes, enoughBytes, signal, onEnough });
    const code = response.statusCode ?? 0;
    return toVisit({ code, page, error: null, isUnreachable: false, wasSkipped: false });
  } catch (error) {
    const timeoutError = `Le site n’a pas répondu en ${(ms / 1_000).toLocaleString('fr-FR')}\u00a0s.`;
    return toVisit({
      code: 0,
      error: signal.aborted ? timeoutError : failureSentence(error, site),
      isUnreachable: !signal.aborted && isNetworkError(error),
      wasSkipped: error instanceof NotResolved,
      page: null,
    });
  }
}

/** With the time by which enough of the page was read. */
type CurrentVisit = { url: string; certificate: Certificate | null; addresses: SiteAddresses; readAt?: number };
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

type GetOptions = {
  mayConnect: OutboundRule;
  resolve: Resolve;
  signal: AbortSignal;
  onCertificate: (certificate: Certificate) => void;
};

const get = (url: URL, { onCertificate: report, ...options }: GetOptions): Promise<IncomingMessage> =>
  sendGuarded(url, {
    ...options,
    method: 'GET',
    headers,
    otherSide: site,
    onRequest: (request) => onCertificate(request, report),
  });

/** The target of a redirect; undefined if the answer is none. */
function redirectOf(response: IncomingMessage, from: string): string | undefined {
  const location = locationOf(response);
  if (!location) return undefined;
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

type ReadOptions = Required<PageOptions> & { signal: AbortSignal; onEnough: () => void };

async function readPage(response: IncomingMessage, options: ReadOptions): Promise<Page> {
  const { maxBytes: max, headBytes, enoughBytes, signal, onEnough } = options;
  const head: Buffer[] = [];
  let tail = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      if (bytes < headBytes) head.push(part.subarray(0, headBytes - bytes));
      tail = Buffer.concat([tail, part]).subarray(-keptBytes);
      bytes += part.length;
      if (bytes >= enoughBytes) onEnough();
      if (bytes >= max) break;
    }
    signal.throwIfAborted();
  } catch (error) {
    if (bytes < enoughBytes) throw error;
  }
  onEnough();
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = response.headers;
  return { type, encoding, head: Buffer.concat(head), tail, bytes, isAll: bytes < max && response.complete };
}
