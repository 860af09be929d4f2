import { Injectable } from '@nestjs/common';
import { createDnsZone } from '@vigie/contracts/dns-zones';
import { AppError } from '@vigie/contracts/errors';
import { type Claim, IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { type AuditedTransaction, AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { DataSource, IsNull } from 'typeorm';
import type { DnsConfig } from '../config/config.entity';
import { type Actor, auditAction, currentActor, recordAuditEvent } from '../audit-events';
import { PendingWrite, mayStillApply } from '../pending-writes/pending-write.entity';
import { PendingWrites } from '../pending-writes/pending-writes';
import { ProviderFailure, zoneExists } from '../providers/failures';
import { fromUuid, toUuid } from '../providers/ids';
import type { DnsProvider, ProviderZone } from '../providers/provider';
import { Providers } from '../providers/providers';
import { saveZones } from './save-zones';
import { ZoneLock } from './zone-lock';

type PendingZone = { pendingId: string; actor: Actor; at: Date; claim: Claim | null };

/** Creates zones, each once even when the process dies in between. */
@Injectable()
export class NewZones {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly transactions: AuditedTransactions,
    private readonly pendingWrites: PendingWrites,
    private readonly providers: Providers,
    private readonly zoneLock: ZoneLock,
  ) {}

  /** Returns the id of the new zone, or of the one that this idempotency key created before. */
  create(config: DnsConfig, domain: string): Promise<string> {
    return this.zoneLock.run(lockKeyOf(config.id, domain), async () => {
      // A zone that existed before is refused, as Cloudflare would.
      const found = await this.find(config, domain);
      await this.settleWith(config, domain, found);
      const existingId = await this.idempotencyKeys.find(this.database.manager, createDnsZone, { domain });
      if (existingId !== undefined) return fromUuid(existingId);
      if (found) throw new AppError('conflict', zoneExists);
      const claim = this.idempotencyKeys.claimOf(createDnsZone, { domain }) ?? null;
      const pendingId = await this.pendingWrites.add({ configId: config.id, zoneId: null, zoneName: domain, claim });
      const created = await this.providers.use(config, { fallback: 'Failed to create zone' }, (provider) =>
        createOnce(provider, domain, () => this.pendingWrites.discard(pendingId)),
      );
      await this.recordCreated(config, created, { pendingId, claim, actor: currentActor(), at: new Date() });
      return created.id;
    });
  }

  /** Settles interrupted creations of this zone in the background. The caller holds the lock of its name. */
  async settle(config: DnsConfig, domain: string): Promise<void> {
    await this.settleWith(config, domain, await this.find(config, domain, true));
  }

  private find(config: DnsConfig, domain: string, isBackground = false): Promise<ProviderZone | undefined> {
    const options = { fallback: 'Failed to load zones', isBackground };
    return this.providers.use(config, options, (provider) => provider.findZone(domain));
  }

  /** The zone did not exist before, so its oldest pending creation made it, unless another one recorded it. */
  private async settleWith(config: DnsConfig, domain: string, found: ProviderZone | undefined): Promise<void> {
    const where = { configId: config.id, zoneId: IsNull(), zoneName: domain };
    const pendingCreations = await this.database.manager.find(PendingWrite, { where, order: { id: 'asc' } });
    for (const { id: pendingId, actor, at, claim } of pendingCreations) {
      const isOthers = found && (await this.pendingWrites.othersCreated(pendingId)).includes(found.id);
      if (found && !isOthers) await this.recordCreated(config, found, { pendingId, actor, at, claim });
      // An unanswered creation may still be applied for a while, unless somebody else created the zone.
      else if (found || !mayStillApply({ at })) await this.recordNotCreated(domain, { pendingId, actor });
    }
  }

  private async recordCreated(
    config: DnsConfig,
    created: ProviderZone,
    { pendingId, actor, at, claim }: PendingZone,
  ): Promise<void> {
    await this.transactions.write(async (transaction: AuditedTransaction) => {
      const { manager } = transaction;
      if (!(await this.pendingWrites.close(manager, pendingId))) return;
      if (claim) await this.idempotencyKeys.save(manager, claim, toUuid(created.id));
      await this.pendingWrites.recordCreated(manager, { zoneId: null, zoneName: created.name }, [created.id]);
      await saveZones(manager, config.id, [created]);
      const event = { target: created.name, targetId: created.id, ownerId: config.ownerId, actor, at };
      await recordAuditEvent(transaction, { type: 'zone_create', ...event });
    });
  }

  private async recordNotCreated(
    domain: string,
    { pendingId, actor }: Pick<PendingZone, 'pendingId' | 'actor'>,
  ): Promise<void> {
    await this.transactions.write(async (transaction) => {
      if (!(await this.pendingWrites.close(transaction.manager, pendingId))) return;
      const event = { target: domain, targetId: domain, actor };
      await auditAction(transaction, { action: 'zone_create', result: 'refused', ...event });
    });
  }
}

/** Names the lock under which one zone of a name is created at a time. */
export const lockKeyOf = (configId: string, domain: string) => `${configId} ${domain}`;

/** An unanswered creation may have succeeded, so the zone is looked up before it is created again. */
async function createOnce(provider: DnsProvider, name: string, onRefused: () => Promise<void>): Promise<ProviderZone> {
  try {
    return await provider.createZone(name);
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'uncertain') {
      return (await provider.findZone(name)) ?? provider.createZone(name);
    }
    await onRefused();
    throw error;
  }
}
