import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import {
  createDnsConfig,
  deleteDnsConfig,
  type DnsAccount,
  type DnsConfig as DnsConfigView,
  dnsPermissionNames,
  type DnsValidation,
  editDnsConfig,
  missingLogin,
  missingToken,
  readDnsAccount,
  readDnsConfig,
  validateDnsConfig,
} from '@vigie/contracts/dns-config';
import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { auditAction } from '../audit-events';
import { refuseDeletedUser } from '../deletions';
import { DnsSnapshot } from '../history/snapshot.entity';
import type { Credentials } from '../providers/cloudflare';
import { abandonWrites, pendingWritesOf } from '../pending-writes/abandoned-writes';
import { ProviderFailure, toAppError, wrongCredentials } from '../providers/failures';
import type { Login } from '../providers/provider';
import { Providers } from '../providers/providers';
import { DnsZone } from '../zones/zone.entity';
import { DnsConfig, noConfig, apiKeySealContext, toConfigView } from './config.entity';
import { configMissing, findOwnConfig } from './find-config';

@Controller()
export class ConfigController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly transactions: AuditedTransactions,
    private readonly keyRing: KeyRing,
    private readonly providers: Providers,
  ) {}

  @Handles(readDnsConfig)
  async read(): Promise<DnsConfigView> {
    const { manager } = this.database;
    return (await findOwnConfig(manager)) ? view(manager) : noConfig;
  }

  @Handles(createDnsConfig)
  async create(input: Input<typeof createDnsConfig>): Promise<DnsConfigView> {
    const { mode, notes = null, api_key: key } = input;
    const email = mode === 'api_token' ? null : (input.email ?? null);
    const existing = await findOwnConfig(this.database.manager);
    if (existing && !(await this.idempotencyKeys.isUsed(this.database.manager, createDnsConfig)))
      throw alreadyConfigured();
    if (!existing) await this.requireWorking({ mode, email, key });
    const newId = uuid();
    const apiKey = await this.keyRing.seal(key, apiKeySealContext(newId));
    return this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      const ownerId = currentUser().sub;
      await refuseDeletedUser(manager, ownerId);
      const createdId = await this.idempotencyKeys.claim(manager, createDnsConfig, input, newId);
      if (createdId === undefined) {
        if (await findOwnConfig(manager)) throw alreadyConfigured();
        const row = { id: newId, ownerId, mode, email, apiKey, notes, updatedAt: new Date() };
        await manager.insert(DnsConfig, row);
        await auditAction(transaction, { action: 'dns_config_create', ...targetOf(row) });
      }
      return view(manager);
    });
  }

  @Handles(editDnsConfig)
  async edit(input: Input<typeof editDnsConfig>): Promise<DnsConfigView> {
    const before = await findOwnConfig(this.database.manager);
    if (!before) throw configMissing();
    const credentials = await this.merge(before, input);
    const { mode, email, key } = credentials;
    const isNew = Boolean(input.api_key) || mode !== before.mode || email !== before.email;
    if (isNew) await this.requireWorking(credentials);
    const apiKey = await this.keyRing.seal(key, apiKeySealContext(before.id));
    return this.transactions.write(async (transaction) => {
      const { manager } = transaction;
      const changes = {
        ...(isNew && { mode, email, apiKey, problem: null, zonesReadAt: null }),
        ...(input.notes !== undefined && { notes: input.notes }),
        updatedAt: new Date(),
      };
      await manager.update(DnsConfig, { id: before.id }, changes);
      const details = { mode, ...(input.api_key && { api_key: 'changed' }) };
      await auditAction(transaction, { action: 'dns_config_edit', ...targetOf({ id: before.id, email }), details });
      return view(manager);
    });
  }

  @Handles(deleteDnsConfig)
  async delete() {
    await this.transactions.write(async (transaction) => {
      const config = await findOwnConfig(transaction.manager);
      if (!config) throw configMissing();
      await abandonWrites(transaction, transaction.manager, await pendingWritesOf(transaction.manager, config.id));
      await transaction.manager.delete(DnsConfig, { id: config.id });
      await auditAction(transaction, { action: 'dns_config_delete', ...targetOf(config) });
    });
    return {};
  }

  @Handles(validateDnsConfig)
  async validate(input: Input<typeof validateDnsConfig>): Promise<DnsValidation> {
    const credentials = await this.merge(await findOwnConfig(this.database.manager), input);
    try {
      const { permissions } = await this.providers.open(credentials).logIn();
      const missing = missingPermissions(permissions);
      return { valid: missing === undefined, message: missing ?? null, permissions };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.kind !== 'credentials') throw toAppError(error, wrongCredentials);
      return { valid: false, message: error.message, permissions: [] };
    }
  }

  @Handles(readDnsAccount)
  async account(): Promise<DnsAccount> {
    const config = await findOwnConfig(this.database.manager);
    if (!config) throw configMissing();
    const login = await this.providers.use(config, { fallback: wrongCredentials }, (provider) => provider.logIn());
    return { ...login, account: login.accounts[0] ?? null };
  }

  private async merge(config: DnsConfig | null, input: Input<typeof validateDnsConfig>): Promise<Credentials> {
    const mode = input.mode ?? config?.mode ?? 'global_key';
    // A key of one mode does not work in the other.
    const saved = config?.mode === mode ? config : null;
    const key = input.api_key || (saved && (await this.keyRing.unseal(saved.apiKey, apiKeySealContext(saved.id))));
    if (mode === 'api_token') {
      if (!key) throw new AppError('invalid', missingToken);
      return { mode, email: null, key };
    }
    const email = input.email || saved?.email;
    if (!key || !email) throw new AppError('invalid', missingLogin);
    return { mode, email, key };
  }

  private async requireWorking(credentials: Credentials): Promise<void> {
    try {
      const missing = missingPermissions((await this.providers.open(credentials).logIn()).permissions);
      if (missing !== undefined) throw new AppError('invalid', missing);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.kind === 'credentials') throw new AppError('invalid', error.message);
      throw toAppError(error, wrongCredentials);
    }
  }
}

const view = async (manager: EntityManager): Promise<DnsConfigView> => {
  const config = await findOwnConfig(manager);
  if (!config) throw configMissing();
  const where = { configId: config.id };
  const [zones, snapshots] = [await manager.countBy(DnsZone, where), await manager.countBy(DnsSnapshot, where)];
  return toConfigView(config, { zones_count: zones, snapshots_count: snapshots });
};

const alreadyConfigured = () =>
  new AppError('conflict', 'Cloudflare est déjà configuré\u00a0: modifiez la configuration existante.');

const targetOf = ({ id, email }: Pick<DnsConfig, 'id' | 'email'>) => ({ target: email ?? 'jeton d’API', targetId: id });

/** Names the missing rights of a token. The right to create zones is optional. */
function missingPermissions(permissions: Login['permissions']): string | undefined {
  const missing = permissions.filter(({ permission, state }) => state === 'missing' && permission !== 'zone_create');
  if (missing.length === 0) return undefined;
  const names = missing.map(({ permission }) => `«\u00a0${dnsPermissionNames[permission]}\u00a0»`).join(', ');
  return `Il manque à ce jeton le droit ${names}\u00a0: ajoutez-le chez Cloudflare, puis recommencez.`;
}
