import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from 'cloudflare/resources/accounts/accounts';
import type { TokenVerifyResponse } from 'cloudflare/resources/user/tokens/tokens';
import type { Zone } from 'cloudflare/resources/zones/zones';
import { z } from 'zod';
import { type FakeRequest, CloudflareRefusal, pageOf, readBody, send } from './cloudflare/answers';
import { type FakeRecord, FakeRecords } from './cloudflare/records';
import { FakeParty } from './fake-party';

const root = '/client/v4';
/** Cloudflare's own page limits. */
const maxZonesPerPage = 50;
const maxRecordsPerPage = 5_000_000;

/** Rights of a token; a global key has all of them. */
export type TokenRight = 'zone_read' | 'zone_edit' | 'dns_read' | 'dns_edit';
const everyRight: readonly TokenRight[] = ['zone_read', 'zone_edit', 'dns_read', 'dns_edit'];

/** A fault that happens once. */
type Failure = {
  /** Pattern of the method and path, like `POST /zones/…/dns_records`. */
  of: RegExp;
  /** Pattern of the body, when only some requests should fail. */
  about?: RegExp;
  status: number;
  /** The request is executed all the same. */
  takesPlace?: boolean;
  /** Value of `retry-after`, in seconds. */
  retryAfter?: number;
  /** Sends no answer. */
  isSilent?: boolean;
  /** Body sent instead, as by a proxy. */
  message?: string;
  /** Cuts the answer in its middle. */
  isCut?: boolean;
  /** Faults that are added after this one. */
  next?: readonly Failure[];
};

/** A received request; `by` names its credentials. */
export type LedgerLine = { method: string; path: string; body: unknown; status: number; by: string };

type Login = {
  name: string;
  accountId: string;
  rights: readonly TokenRight[];
  token: TokenVerifyResponse | undefined;
  /** The token belongs to the account and not to a user. */
  isOfAccount?: boolean;
};

/** A fake Cloudflare with accounts, keys, tokens, zones, records and its refusals. */
export class FakeCloudflare extends FakeParty {
  readonly ledger: LedgerLine[] = [];
  /** The next faults, in order. */
  readonly failures: Failure[] = [];
  /** Unregistered domains, which cannot become zones. */
  readonly unregistered = new Set<string>();
  private readonly logins = new Map<string, Login>();
  private readonly accounts: Account[] = [];
  private readonly zones: Zone[] = [];
  private readonly records = new Map<string, FakeRecords>();

  static start(port?: number): Promise<FakeCloudflare> {
    return new FakeCloudflare().listen(port);
  }

  override get url(): string {
    return `${super.url}${root}`;
  }

  addAccount(email: string, key: string): string {
    const id = newId();
    this.accounts.push({ id, name: `${email}'s Account`, type: 'standard' });
    this.addKey(id, email, key);
    return id;
  }

  /** Adds a user with all rights in an account. */
  addKey(accountId: string, email: string, key: string): void {
    this.logins.set(`${email} ${key}`, { name: email, accountId, rights: everyRight, token: undefined });
  }

  addToken(accountId: string, token: string, rights: readonly TokenRight[] = everyRight): void {
    const verified: TokenVerifyResponse = { id: newId(), status: 'active' };
    this.logins.set(token, { name: `token ${verified.id}`, accountId, rights, token: verified });
  }

  /** Adds an account-owned token, which the endpoint for user tokens does not verify. */
  addAccountToken(accountId: string, token: string, rights: readonly TokenRight[] = everyRight, endsAt?: string): void {
    const verified: TokenVerifyResponse = { id: newId(), status: 'active', ...(endsAt && { expires_on: endsAt }) };
    this.logins.set(token, { name: `token ${verified.id}`, accountId, rights, token: verified, isOfAccount: true });
  }

  revoke(credentials: string): void {
    this.logins.delete(credentials);
  }

  addZone(accountId: string, name: string, records: readonly object[] = [], status: Zone['status'] = 'active'): Zone {
    const zone = newZone(this.accountOf(accountId), name, status);
    const fakeRecords = new FakeRecords(name);
    for (const record of records) fakeRecords.create(record);
    this.zones.push(zone);
    this.records.set(zone.id, fakeRecords);
    return zone;
  }

  removeZone(id: string): void {
    this.zones.splice(0, Infinity, ...this.zones.filter((zone) => zone.id !== id));
  }

  /** The records of a zone, to change them as on Cloudflare's own pages. */
  recordsOf(zoneId: string): FakeRecords {
    const records = this.records.get(zoneId);
    if (!records) throw new Error(`no zone ${zoneId}`);
    return records;
  }

  count(of: RegExp): number {
    return this.ledger.filter(({ method, path }) => of.test(`${method} ${path}`)).length;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.slice(root.length);
    const line: LedgerLine = { method, path, body: undefined, status: 0, by: 'nobody' };
    this.ledger.push(line);
    try {
      line.body = await readBody(request);
      const login = this.admit(request);
      line.by = login.name;
      const failure = this.failureOf(`${method} ${path}`, JSON.stringify(line.body ?? null));
      const work = () => this.route({ method, path, query: searchParams, body: line.body }, login);
      if (failure) return this.fail(response, line, failure, work);
      line.status = 200;
      send(response, 200, { success: true, errors: [], messages: [], ...work() });
    } catch (error) {
      if (!(error instanceof CloudflareRefusal)) throw error;
      line.status = error.status;
      send(response, error.status, { success: false, errors: error.errors, messages: [], result: null }, error.headers);
    }
  }

  private failureOf(request: string, body: string): Failure | undefined {
    const index = this.failures.findIndex(({ of, about }) => of.test(request) && (about?.test(body) ?? true));
    const [failure] = index < 0 ? [] : this.failures.splice(index, 1);
    this.failures.push(...(failure?.next ?? []));
    return failure;
  }

  private fail(response: ServerResponse, line: LedgerLine, failure: Failure, work: () => object): void {
    const { status, takesPlace = false, retryAfter, isSilent = false, message, isCut = false } = failure;
    if (takesPlace) work();
    line.status = status;
    if (isSilent) return;
    if (isCut) return cut(response, status);
    if (message !== undefined) return answerInstead(response, status, message);
    const errors = [{ code: status === 429 ? 10_013 : 10_001, message: 'as the test asked' }];
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` };
    send(response, status, { success: false, errors, messages: [], result: null }, headers);
  }

  private admit({ headers }: IncomingMessage): Login {
    const { authorization, 'x-auth-email': email, 'x-auth-key': key } = headers;
    if (authorization === undefined && (email === undefined || key === undefined)) {
      throw new CloudflareRefusal(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers');
    }
    if (authorization !== undefined && !/^Bearer [\x21-\x7e]+$/.test(authorization)) {
      throw new CloudflareRefusal(400, 6003, 'Invalid request headers');
    }
    const login = this.logins.get(authorization?.replace('Bearer ', '') ?? `${String(email)} ${String(key)}`);
    if (login) return login;
    if (authorization === undefined) throw new CloudflareRefusal(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email');
    // A missing right gets the same answer; only `verify` tells the two apart.
    throw new CloudflareRefusal(403, 10_000, 'Authentication error');
  }

  private route(request: FakeRequest, login: Login): object {
    const { method, path, query } = request;
    if (`${method} ${path}` === 'GET /user/tokens/verify') return { result: verify(login, false) };
    if (`${method} ${path}` === `GET /accounts/${login.accountId}/tokens/verify`)
      return { result: verify(login, true) };
    if (`${method} ${path}` === 'GET /accounts') return this.listAccounts(login, query);
    if (`${method} ${path}` === 'GET /zones') return this.listZones(login, query);
    if (`${method} ${path}` === 'POST /zones') return { result: this.createZone(login, request.body) };
    const [, zoneId, rest] = /^\/zones\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    if (zoneId === undefined) throw new CloudflareRefusal(404, 7000, 'No route for that URI');
    const zone = this.zoneOf(login, zoneId);
    if (rest === undefined && method === 'GET') {
      requireRight(login, 'zone_read');
      return { result: zoneFor(zone, login) };
    }
    return routeRecords(this.recordsOf(zone.id), request, rest ?? '', login);
  }

  private listAccounts({ accountId, token, isOfAccount }: Login, query: URLSearchParams): object {
    if (isOfAccount) {
      throw new CloudflareRefusal(400, 1001, 'List accounts endpoint does not support account owned tokens.');
    }
    return pageOf(token ? [] : [this.accountOf(accountId)], query, 50);
  }

  private listZones(login: Login, query: URLSearchParams): object {
    requireRight(login, 'zone_read');
    const name = query.get('name');
    const zones = this.zones
      .filter((zone) => zone.account.id === login.accountId && (name === null || zone.name === name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return pageOf(
      zones.map((zone) => zoneFor(zone, login)),
      query,
      maxZonesPerPage,
    );
  }

  private createZone(login: Login, body: unknown): object {
    requireRight(login, 'zone_edit');
    const parsed = NewZone.safeParse(body);
    if (!parsed.success) throw new CloudflareRefusal(400, 1002, z.prettifyError(parsed.error));
    const { name, account } = parsed.data;
    if (account.id !== login.accountId) throw new CloudflareRefusal(403, 10_000, 'Authentication error');
    if (this.unregistered.has(name)) throw new CloudflareRefusal(400, 1049, `${name} is not a registered domain`);
    if (this.zones.some((zone) => zone.name === name)) {
      throw new CloudflareRefusal(400, 1061, `${name} already exists`);
    }
    return zoneFor(this.addZone(login.accountId, name, [], 'pending'), login);
  }

  private zoneOf({ accountId }: Login, id: string): Zone {
    if (!/^[0-9a-f]{32}$/.test(id)) {
      throw new CloudflareRefusal(
        404,
        7003,
        `Could not route to /zones/${id}, perhaps your object identifier is invalid?`,
      );
    }
    const zone = this.zones.find((each) => each.id === id);
    if (zone?.account.id !== accountId) {
      throw new CloudflareRefusal(403, 9109, 'Unauthorized to access requested resource');
    }
    return zone;
  }

  private accountOf(id: string): Account {
    const account = this.accounts.find((each) => each.id === id);
    if (!account) throw new Error(`no account ${id}`);
    return account;
  }
}

function answerInstead(response: ServerResponse, status: number, message: string): void {
  const type = message.startsWith('{') ? 'application/json' : 'text/html';
  response.writeHead(status, { 'content-type': type }).end(message);
}

function cut(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"success":true,"result":', () => response.destroy());
}

const NewZone = z.strictObject({
  name: z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]+$/),
  type: z.enum(['full', 'partial', 'secondary']).optional(),
  account: z.strictObject({ id: z.string() }),
});

const newId = () => randomBytes(16).toString('hex');

function newZone(account: Account, name: string, status: Zone['status']): Zone {
  const now = new Date().toISOString();
  return {
    id: newId(),
    name,
    status: status ?? 'pending',
    paused: false,
    type: 'full',
    account: { id: account.id, name: account.name },
    name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    original_name_servers: ['ns1.registraire.example', 'ns2.registraire.example'],
    original_dnshost: null,
    original_registrar: null,
    activated_on: status === 'active' ? now : null,
    created_on: now,
    modified_on: now,
    development_mode: 0,
    meta: {},
    owner: {},
    plan: { name: 'Free Website' },
  };
}

function zoneFor(zone: Zone, { token, rights }: Login): Zone {
  const named = {
    zone_read: '#zone:read',
    zone_edit: '#zone:edit',
    dns_read: '#dns_records:read',
    dns_edit: '#dns_records:edit',
  };
  return { ...zone, ...(!token && { permissions: rights.map((right) => named[right]) }) };
}

function verify({ token, isOfAccount = false }: Login, forAccount: boolean): TokenVerifyResponse {
  if (!token || isOfAccount !== forAccount) throw new CloudflareRefusal(401, 1000, 'Invalid API Token');
  return token;
}

function requireRight({ rights }: Login, right: TokenRight): void {
  if (!rights.includes(right)) throw new CloudflareRefusal(403, 10_000, 'Authentication error');
}

function routeRecords(records: FakeRecords, { method, query, body }: FakeRequest, rest: string, login: Login): object {
  const [collection, id = ''] = rest.split('/');
  if (collection !== 'dns_records') throw new CloudflareRefusal(404, 7000, 'No route for that URI');
  requireRight(login, method === 'GET' ? 'dns_read' : 'dns_edit');
  if (id === '' && method === 'GET') return pageOf<FakeRecord>(records.records, query, maxRecordsPerPage);
  if (id === 'batch' && method === 'POST') return { result: records.batch(body) };
  const handlers: Record<string, () => unknown> =
    id === ''
      ? { POST: () => records.create(body) }
      : {
          GET: () => records.find(id),
          PATCH: () => records.patch(id, Object(body)),
          PUT: () => records.put(id, body),
          DELETE: () => records.delete(id),
        };
  const work = handlers[method];
  if (!work) throw new CloudflareRefusal(405, 10_405, 'Method not allowed');
  return { result: work() };
}
