import { setTimeout as wait } from 'node:timers/promises';
import { dnsModes, type DnsPermission } from '@vigie/contracts/dns-config';
import { BaseAccounts } from 'cloudflare/resources/accounts/accounts';
import { BaseTokens as BaseAccountTokens } from 'cloudflare/resources/accounts/tokens/tokens';
import { BaseRecords } from 'cloudflare/resources/dns/records';
import { BaseTokens } from 'cloudflare/resources/user/tokens/tokens';
import { BaseZones } from 'cloudflare/resources/zones/zones';
import { createClient } from 'cloudflare/tree-shakable';
import { env } from '../env';
import { isSameRecord } from '../records/canonical';
import { boundFetch } from './bounded-fetch';
import { toFailure } from './cloudflare-failures';
import {
  pageOf,
  itemsOf,
  requireId,
  toAccount,
  toBody,
  toBatchResult,
  toProviderRecord,
  toProviderZone,
  toOwnedZone,
  toToken,
} from './cloudflare-shapes';
import { ProviderFailure } from './failures';
import type { Account, DnsProvider, ProviderRecord, ProviderZone, Login, Write, WrittenRecord } from './provider';

export type Credentials = { mode: (typeof dnsModes)[number]; email: string | null; key: string };

type Hooks = {
  /** Called before each request; throws when none is allowed now. */
  spend: () => Promise<void>;
  pause: (seconds: number) => Promise<void>;
};

const timeoutMs = 6_000;
const retryDelaysMs = [250, 1_000];
/** Retries of a read stop after this time. */
const maxReadMs = 4_000;
/** Longer pauses are reported instead of waited for. */
const maxPauseSeconds = 2;
const zonesPerPage = 50;
const recordsPerPage = 5_000;
/** A longer list is unusable, or repeats itself. */
const maxPages = 40;
/** Larger than the largest page of records. */
const maxBytes = 32 * 1_048_576;
/** An id that no record has: deleting it tells whether the token may delete, without effect. */
const noRecord = '0'.repeat(32);

type Page<T> = { items: T[]; total: number | undefined };

export const openCloudflare = (credentials: Credentials, hooks: Hooks): DnsProvider =>
  new CloudflareProvider(credentials, hooks);

class CloudflareProvider implements DnsProvider {
  private readonly client: Client;

  constructor(
    private readonly credentials: Credentials,
    private readonly hooks: Hooks,
  ) {
    this.client = open(credentials);
  }

  async logIn(): Promise<Login> {
    const [zone] = await this.probeZones();
    const accounts = await this.accounts();
    const { mode, email } = this.credentials;
    if (mode === 'global_key') return { email, accounts, permissions: allPermissions(), expires_at: null };
    const read =
      zone &&
      (await this.isAllowed(async (client) =>
        itemsOf(await client.dns.records.list({ zone_id: zone.id, per_page: 5 })),
      ));
    const edit = zone && (await this.isAllowed((client) => client.dns.records.delete(noRecord, { zone_id: zone.id })));
    return {
      email: null,
      accounts,
      permissions: [
        { permission: 'zone_read', state: zone === null ? 'missing' : 'granted' },
        { permission: 'dns_read', state: toState(read) },
        { permission: 'dns_edit', state: toState(edit) },
        { permission: 'zone_create', state: zone?.permissions?.includes('#zone:edit') ? 'granted' : 'unknown' },
      ],
      expires_at: await this.expiry(accounts),
    };
  }

  async zones(): Promise<ProviderZone[]> {
    return this.readAllPages(zonesPerPage, async (page) => {
      return this.read(async (client) => {
        const query = { per_page: zonesPerPage, page, order: 'name', direction: 'asc' } as const;
        return pageOf(await client.zones.list(query), toProviderZone);
      });
    });
  }

  async zone(id: string): Promise<ProviderZone> {
    try {
      return await this.read(async (client) => toProviderZone(await client.zones.get({ zone_id: id })));
    } catch (error) {
      // Another account’s zone counts as missing.
      if (error instanceof ProviderFailure && error.kind === 'permission') throw new ProviderFailure('missing', noZone);
      throw error;
    }
  }

  async findZone(name: string): Promise<ProviderZone | undefined> {
    const zones = await this.read(async (client) => itemsOf(await client.zones.list({ name, per_page: 5 })));
    return zones.map(toProviderZone).find((zone) => zone.name === name);
  }

  async createZone(name: string): Promise<ProviderZone> {
    const [account] = await this.accounts();
    const body = { name, type: 'full', account: account ? { id: account.id } : {} } as const;
    return this.send(async (client) => toProviderZone(await client.zones.create(body)));
  }

  async records(zoneId: string): Promise<ProviderRecord[]> {
    return this.readAllPages(recordsPerPage, async (page) => {
      const query = { zone_id: zoneId, per_page: recordsPerPage, page };
      return this.read(async (client) => pageOf(await client.dns.records.list(query), toProviderRecord));
    });
  }

  async write(zoneId: string, writes: readonly Write[]): Promise<WrittenRecord[]> {
    const [only] = writes;
    if (only && writes.length === 1) return [await this.writeOne(zoneId, only)];
    const body = {
      zone_id: zoneId,
      deletes: writes.flatMap((write) => (write.action === 'delete' ? [{ id: write.id }] : [])),
      patches: writes.flatMap((write) =>
        write.action === 'edit' ? [{ id: write.id, ...toBody(write.record, false) }] : [],
      ),
      posts: writes.flatMap((write) => (write.action === 'create' ? [toBody(write.record, true)] : [])),
    };
    const { deleted, created, changed } = await this.send(async (client) =>
      toBatchResult(await client.dns.records.batch(body)),
    );
    const edited = new Map(changed.map((record) => [record.id, record]));
    return writes.map((write) => {
      if (write.action === 'delete') return deleted.has(write.id) ? null : requireRecord(undefined);
      return write.action === 'edit' ? requireRecord(edited.get(write.id)) : takeCreated(created, write);
    });
  }

  private async writeOne(zoneId: string, write: Write): Promise<WrittenRecord> {
    const zone = { zone_id: zoneId };
    if (write.action === 'delete') {
      await this.send(async (client) => requireId(await client.dns.records.delete(write.id, zone)));
      return null;
    }
    const body = { ...zone, ...toBody(write.record, write.action === 'create') };
    return this.send(async ({ dns: { records } }) =>
      toProviderRecord(await (write.action === 'create' ? records.create(body) : records.edit(write.id, body))),
    );
  }

  /** Returns the first zones; an empty list when the token sees none, `[null]` when it may not list them. */
  private async probeZones() {
    try {
      return await this.read(async (client) =>
        itemsOf(await client.zones.list({ per_page: 5, page: 1 })).map(toOwnedZone),
      );
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === 'permission') return [null];
      throw error;
    }
  }

  /** Falls back to the account of a zone when the token may not list accounts. */
  private async accounts(): Promise<Account[]> {
    try {
      const accounts = await this.read(async (client) =>
        itemsOf(await client.accounts.list({ per_page: 50 })).map(toAccount),
      );
      if (accounts.length > 0) return accounts;
    } catch (error) {
      // Cloudflare answers “bad request” when an account’s own token lists accounts.
      if (!(error instanceof ProviderFailure) || !['permission', 'refused'].includes(error.kind)) throw error;
    }
    const [zone] = await this.probeZones();
    const { id, name } = zone?.account ?? {};
    return id ? [{ id, name: name ?? id }] : [];
  }

  private async isAllowed(work: (client: Client) => Promise<unknown>): Promise<boolean> {
    try {
      await this.read(work);
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.kind === 'permission') return false;
      // The token passed the permission check when the answer is “not found” or “invalid”.
      if (error.kind === 'missing' || error.kind === 'refused') return true;
      throw error;
    }
  }

  /** Cloudflare does not tell whether a token belongs to a person or an account, so both are tried. */
  private async expiry([account]: readonly Account[]): Promise<string | null> {
    const verifiers: ((client: Client) => PromiseLike<unknown>)[] = [
      (client) => client.user.tokens.verify(),
      ...(account ? [(client: Client) => client.accounts.tokens.verify({ account_id: account.id })] : []),
    ];
    for (const verify of verifiers) {
      const token = await this.read(async (client) => toToken(await verify(client))).catch(() => undefined);
      if (token) return token.expires_on;
    }
    return null;
  }

  /**
   * Returns each item once: an item that moves between pages is read twice. A page may be short without being the last.
   */
  private async readAllPages<T extends { id: string }>(perPage: number, readPage: (page: number) => Promise<Page<T>>) {
    const all = new Map<string, T>();
    for (let page = 1; page <= maxPages; page += 1) {
      const { items, total } = await readPage(page);
      for (const each of items) all.set(each.id, each);
      const isLast = total === undefined ? items.length < perPage : all.size >= total;
      if (isLast || items.length === 0) return [...all.values()];
    }
    throw new ProviderFailure('refused', tooLong);
  }

  /** Retries transient failures, because a read has no effect. */
  private async read<T>(work: (client: Client) => PromiseLike<T>): Promise<T> {
    const until = performance.now() + maxReadMs;
    for (const delay of [...retryDelaysMs, undefined]) {
      try {
        return await this.call(work);
      } catch (error) {
        if (!(error instanceof ProviderFailure) || !isTransient(error)) throw error;
        // A failed read has no uncertain effect.
        const failure = error.kind === 'uncertain' ? new ProviderFailure('away', error.message) : error;
        if (delay === undefined || performance.now() > until) throw failure;
        await wait(error.kind === 'busy' ? Number(error.retryAfter) * 1_000 : delay);
      }
    }
    throw new Error('the last attempt returns or throws');
  }

  /** Sends a write once, and again only when Cloudflare refused it for a short pause. */
  private async send<T>(work: (client: Client) => PromiseLike<T>): Promise<T> {
    try {
      return await this.call(work);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== 'busy' || !isTransient(error)) throw error;
      await wait(Number(error.retryAfter) * 1_000);
      return this.call(work);
    }
  }

  private async call<T>(work: (client: Client) => PromiseLike<T>): Promise<T> {
    await this.hooks.spend();
    try {
      return await work(this.client);
    } catch (error) {
      const { mode } = this.credentials;
      const failure = toFailure(error, mode);
      if (failure.kind === 'busy' && !isTransient(failure)) await this.hooks.pause(failure.retryAfter ?? 0);
      if (failure.kind === 'permission' && !(await this.isTokenActive())) throw toFailure(401, mode);
      throw failure;
    }
  }

  /** Cloudflare answers the same for a revoked token and for a missing right. */
  private async isTokenActive(): Promise<boolean> {
    if (this.credentials.mode === 'global_key') return true;
    try {
      await this.hooks.spend();
      return toToken(await this.client.user.tokens.verify()).status === 'active';
    } catch (error) {
      return toFailure(error, 'global_key').kind !== 'credentials' || this.canListZones();
    }
  }

  /** The token of an account is unknown to the users’ endpoint: it is active as long as it may list zones. */
  private async canListZones(): Promise<boolean> {
    try {
      await this.hooks.spend();
      itemsOf(await this.client.zones.list({ per_page: 5, page: 1 }));
      return true;
    } catch (error) {
      return !['credentials', 'permission'].includes(toFailure(error, 'api_token').kind);
    }
  }
}

const tooLong = 'Cloudflare annonce une liste trop longue pour Vigie\u00a0: elle n’a pas été lue.';
const noZone = 'Cette zone n’existe pas, ou ces identifiants n’y ont pas accès.';

type Client = ReturnType<typeof open>;

/** Loads only the five needed parts of the library, and ignores Cloudflare’s environment variables. */
function open({ mode, email, key }: Credentials) {
  const verifiers = { apiEmail: null, apiKey: null, apiToken: null, userServiceKey: null };
  return createClient({
    resources: [BaseAccounts, BaseAccountTokens, BaseRecords, BaseTokens, BaseZones],
    ...verifiers,
    ...(mode === 'global_key' ? { apiEmail: email, apiKey: key } : { apiToken: key }),
    baseURL: env.VIGIE_CLOUDFLARE_URL,
    fetch: boundFetch({ timeoutMs, maxBytes }),
    timeout: timeoutMs,
    maxRetries: 0,
  });
}

const isTransient = ({ kind, retryAfter }: ProviderFailure) =>
  kind === 'away' || kind === 'uncertain' || (kind === 'busy' && (retryAfter ?? Infinity) <= maxPauseSeconds);

const allPermissions = (): DnsPermission[] =>
  (['zone_read', 'dns_read', 'dns_edit', 'zone_create'] as const).map((permission) => ({
    permission,
    state: 'granted',
  }));

const toState = (isAllowed: boolean | null | undefined): DnsPermission['state'] =>
  isAllowed === true ? 'granted' : isAllowed === false ? 'missing' : 'unknown';

function requireRecord(record: ProviderRecord | undefined): ProviderRecord {
  if (!record) throw new ProviderFailure('uncertain', 'La réponse de Cloudflare est incomplète.');
  return record;
}

/** Takes each created record once, in whatever order the answer lists them. */
function takeCreated(created: ProviderRecord[], write: Extract<Write, { action: 'create' }>): ProviderRecord {
  const at = created.findIndex((record) => isSameRecord(record, write.record));
  return requireRecord(created.splice(Math.max(0, at), 1)[0]);
}
