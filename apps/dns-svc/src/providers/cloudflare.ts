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
  partOf,
  refuseNonsense,
  toAccount,
  toBody,
  toChanged,
  toHeldRecord,
  toHeldZone,
  toOwnedZone,
  toToken,
} from './cloudflare-shapes';
import { ProviderFailure } from './failures';
import type { Account, DnsProvider, HeldRecord, HeldZone, Login, Write, Written } from './provider';

export type Credentials = { mode: (typeof dnsModes)[number]; email: string | null; key: string };

type Hooks = {
  /** Before each question; throws where there may be none now. */
  spend: () => Promise<void>;
  /** Cloudflare wants to be left alone for so long. */
  pause: (seconds: number) => Promise<void>;
};

const timeoutMs = 6_000;
const readAgainAfterMs = [250, 1_000];
/** Whoever waited so long for nothing is told so. */
const longestReadMs = 4_000;
/** Longer than this nobody waits. */
const longestPauseSeconds = 2;
const zonesPerPage = 50;
const recordsPerPage = 5_000;
/** A list that goes on is none that anybody can work with, or it repeats itself. */
const maxPages = 40;
/** Of the longest page of records, with room. */
const maxBytes = 32 * 1_048_576;
/** An id that nothing has: whoever may delete hears that it is not there, and whoever may not, that. */
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
    if (mode === 'global_key') return { email, accounts, permissions: everything(), expires_at: null };
    const read =
      zone &&
      (await this.mayDo(async (client) => partOf(await client.dns.records.list({ zone_id: zone.id, per_page: 5 }))));
    const edit = zone && (await this.mayDo((client) => client.dns.records.delete(noRecord, { zone_id: zone.id })));
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

  async zones(): Promise<HeldZone[]> {
    return this.walk(zonesPerPage, async (page) => {
      return this.read(async (client) => {
        const query = { per_page: zonesPerPage, page, order: 'name', direction: 'asc' } as const;
        return pageOf(await client.zones.list(query), toHeldZone);
      });
    });
  }

  async zone(id: string): Promise<HeldZone> {
    try {
      return await this.read(async (client) => toHeldZone(await client.zones.get({ zone_id: id })));
    } catch (error) {
      // A zone of somebody else is none.
      if (error instanceof ProviderFailure && error.kind === 'permission') throw new ProviderFailure('missing', noZone);
      throw error;
    }
  }

  async findZone(name: string): Promise<HeldZone | undefined> {
    const found = await this.read(async (client) => partOf(await client.zones.list({ name, per_page: 5 })));
    return found.map(toHeldZone).find((zone) => zone.name === name);
  }

  async createZone(name: string): Promise<HeldZone> {
    const [account] = await this.accounts();
    const body = { name, type: 'full', account: account ? { id: account.id } : {} } as const;
    return this.send(async (client) => toHeldZone(await client.zones.create(body)));
  }

  async records(zoneId: string): Promise<HeldRecord[]> {
    return this.walk(recordsPerPage, async (page) => {
      const query = { zone_id: zoneId, per_page: recordsPerPage, page };
      return this.read(async (client) => pageOf(await client.dns.records.list(query), toHeldRecord));
    });
  }

  async write(zoneId: string, writes: readonly Write[]): Promise<Written[]> {
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
    const { deleted, made, changed } = await this.send(async (client) =>
      toChanged(await client.dns.records.batch(body)),
    );
    const edited = new Map(changed.map((record) => [record.id, record]));
    return writes.map((write) => {
      if (write.action === 'delete') return deleted.has(write.id) ? null : taken(undefined);
      return write.action === 'edit' ? taken(edited.get(write.id)) : takeMade(made, write);
    });
  }

  private async writeOne(zoneId: string, write: Write): Promise<Written> {
    const zone = { zone_id: zoneId };
    if (write.action === 'delete') {
      await this.send(async (client) => refuseNonsense(await client.dns.records.delete(write.id, zone)));
      return null;
    }
    const body = { ...zone, ...toBody(write.record, write.action === 'create') };
    return this.send(async ({ dns: { records } }) =>
      toHeldRecord(await (write.action === 'create' ? records.create(body) : records.edit(write.id, body))),
    );
  }

  /** The first zone; none where there is none to see, null where the token may not look. */
  private async probeZones() {
    try {
      return await this.read(async (client) =>
        partOf(await client.zones.list({ per_page: 5, page: 1 })).map(toOwnedZone),
      );
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === 'permission') return [null];
      throw error;
    }
  }

  /** A token that may not list them shows one by its zones. */
  private async accounts(): Promise<Account[]> {
    try {
      const accounts = await this.read(async (client) =>
        partOf(await client.accounts.list({ per_page: 50 })).map(toAccount),
      );
      if (accounts.length > 0) return accounts;
    } catch (error) {
      // Cloudflare lists no accounts for a token that belongs to one of them: it says that it is not well asked.
      if (!(error instanceof ProviderFailure) || !['permission', 'refused'].includes(error.kind)) throw error;
    }
    const [zone] = await this.probeZones();
    const { id, name } = zone?.account ?? {};
    return id ? [{ id, name: name ?? id }] : [];
  }

  private async mayDo(work: (client: Client) => Promise<unknown>): Promise<boolean> {
    try {
      await this.read(work);
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.kind === 'permission') return false;
      // Whoever hears that it is not there, or not well said, was let in.
      if (error.kind === 'missing' || error.kind === 'refused') return true;
      throw error;
    }
  }

  /** Whose token it is it does not say: a person's is known by one way, an account's by another. */
  private async expiry([account]: readonly Account[]): Promise<string | null> {
    const ways: ((client: Client) => PromiseLike<unknown>)[] = [
      (client) => client.user.tokens.verify(),
      ...(account ? [(client: Client) => client.accounts.tokens.verify({ account_id: account.id })] : []),
    ];
    for (const way of ways) {
      const token = await this.read(async (client) => toToken(await way(client))).catch(() => undefined);
      if (token) return token.expires_on;
    }
    return null;
  }

  /** Each once: what moves to another page meanwhile is seen twice. A page may be shorter than was asked, and not the last. */
  private async walk<T extends { id: string }>(perPage: number, readPage: (page: number) => Promise<Page<T>>) {
    const all = new Map<string, T>();
    for (let page = 1; page <= maxPages; page += 1) {
      const { items, total } = await readPage(page);
      for (const each of items) all.set(each.id, each);
      const isLast = total === undefined ? items.length < perPage : all.size >= total;
      if (isLast || items.length === 0) return [...all.values()];
    }
    throw new ProviderFailure('refused', tooLong);
  }

  /** Once more where it failed for a moment: reading twice does nothing twice. */
  private async read<T>(work: (client: Client) => PromiseLike<T>): Promise<T> {
    const until = performance.now() + longestReadMs;
    for (const delay of [...readAgainAfterMs, undefined]) {
      try {
        return await this.ask(work);
      } catch (error) {
        if (!(error instanceof ProviderFailure) || !isPassing(error)) throw error;
        // Nothing was to happen, so nothing is uncertain.
        const failure = error.kind === 'uncertain' ? new ProviderFailure('away', error.message) : error;
        if (delay === undefined || performance.now() > until) throw failure;
        await wait(error.kind === 'busy' ? Number(error.retryAfter) * 1_000 : delay);
      }
    }
    throw new Error('the last attempt returns or throws');
  }

  /** Sent once; and again only where Cloudflare said that it did nothing, and wants but a moment. */
  private async send<T>(work: (client: Client) => PromiseLike<T>): Promise<T> {
    try {
      return await this.ask(work);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== 'busy' || !isPassing(error)) throw error;
      await wait(Number(error.retryAfter) * 1_000);
      return this.ask(work);
    }
  }

  private async ask<T>(work: (client: Client) => PromiseLike<T>): Promise<T> {
    await this.hooks.spend();
    try {
      return await work(this.client);
    } catch (error) {
      const { mode } = this.credentials;
      const failure = toFailure(error, mode);
      if (failure.kind === 'busy' && !isPassing(failure)) await this.hooks.pause(failure.retryAfter ?? 0);
      if (failure.kind === 'permission' && !(await this.isAlive())) throw toFailure(401, mode);
      throw failure;
    }
  }

  /** Cloudflare says the same of a token that is no more, and of one that may not do this. */
  private async isAlive(): Promise<boolean> {
    if (this.credentials.mode === 'global_key') return true;
    try {
      await this.hooks.spend();
      return toToken(await this.client.user.tokens.verify()).status === 'active';
    } catch (error) {
      return toFailure(error, 'global_key').kind !== 'credentials' || this.seesZones();
    }
  }

  /** A token of an account is nobody's, and unknown where those of people are: it lives as long as it is let in. */
  private async seesZones(): Promise<boolean> {
    try {
      await this.hooks.spend();
      partOf(await this.client.zones.list({ per_page: 5, page: 1 }));
      return true;
    } catch (error) {
      return !['credentials', 'permission'].includes(toFailure(error, 'api_token').kind);
    }
  }
}

const tooLong = 'Cloudflare annonce une liste trop longue pour Vigie\u00a0: elle n’a pas été lue.';
const noZone = 'Cette zone n’existe pas, ou ces identifiants n’y ont pas accès.';

type Client = ReturnType<typeof open>;

/** Of the library's hundred parts, the five that are used. What the environment says of Cloudflare is for others. */
function open({ mode, email, key }: Credentials) {
  const ways = { apiEmail: null, apiKey: null, apiToken: null, userServiceKey: null };
  return createClient({
    resources: [BaseAccounts, BaseAccountTokens, BaseRecords, BaseTokens, BaseZones],
    ...ways,
    ...(mode === 'global_key' ? { apiEmail: email, apiKey: key } : { apiToken: key }),
    baseURL: env.VIGIE_CLOUDFLARE_URL,
    fetch: boundFetch({ timeoutMs, mostBytes: maxBytes }),
    timeout: timeoutMs,
    maxRetries: 0,
  });
}

const isPassing = ({ kind, retryAfter }: ProviderFailure) =>
  kind === 'away' || kind === 'uncertain' || (kind === 'busy' && (retryAfter ?? Infinity) <= longestPauseSeconds);

const everything = (): DnsPermission[] =>
  (['zone_read', 'dns_read', 'dns_edit', 'zone_create'] as const).map((permission) => ({
    permission,
    state: 'granted',
  }));

const toState = (may: boolean | null | undefined): DnsPermission['state'] =>
  may === true ? 'granted' : may === false ? 'missing' : 'unknown';

function taken(record: HeldRecord | undefined): HeldRecord {
  if (!record) throw new ProviderFailure('uncertain', 'Cloudflare n’a pas dit ce qu’il a fait.');
  return record;
}

/** Each answer is taken once, whatever order they come in. */
function takeMade(made: HeldRecord[], write: Extract<Write, { action: 'create' }>): HeldRecord {
  const at = made.findIndex((record) => isSameRecord(record, write.record));
  return taken(made.splice(Math.max(0, at), 1)[0]);
}
