import { Injectable } from '@nestjs/common';
import { createDnsZone } from '@vigie/contracts/dns-zones';
import { AppError } from '@vigie/contracts/errors';
import { type Claim, IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { type AuditedTransaction, AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { DataSource, IsNull } from 'typeorm';
import type { DnsConfig } from '../config/config.entity';
import { type Actor, auditDoing, currentActor, recordDoing } from '../doings';
import { Intent, isYoung } from '../intents/intent.entity';
import { Intents } from '../intents/intents';
import { ProviderFailure, zoneExists } from '../providers/failures';
import { fromUuid, toUuid } from '../providers/ids';
import type { DnsProvider, HeldZone } from '../providers/provider';
import { Providers } from '../providers/providers';
import { keepZones } from './keep-zones';
import { ZoneTurns } from './zone-turns';

type Asked = { intent: string; actor: Actor; at: Date; claim: Claim | null };

/** Creates zones, each once even when the process dies in between. */
@Injectable()
export class NewZones {
  constructor(
    private readonly database: DataSource,
    private readonly creations: IdempotencyKeys,
    private readonly history: AuditedTransactions,
    private readonly intents: Intents,
    private readonly providers: Providers,
    private readonly turns: ZoneTurns,
  ) {}

  /** Returns the id of the new zone, or of the one that this idempotency key created before. */
  make(config: DnsConfig, domain: string): Promise<string> {
    return this.turns.during(turnOf(config.id, domain), async () => {
      // A zone that existed before is refused, as Cloudflare would.
      const found = await this.find(config, domain);
      await this.settleBy(config, domain, found);
      const known = await this.creations.find(this.database.manager, createDnsZone, { domain });
      if (known !== undefined) return fromUuid(known);
      if (found) throw new AppError('conflict', zoneExists);
      const claim = this.creations.claimOf(createDnsZone, { domain }) ?? null;
      const intent = await this.intents.open({ configId: config.id, zoneId: null, zoneName: domain, claim });
      const made = await this.providers.use(config, { fallback: 'Failed to create zone' }, (provider) =>
        makeZone(provider, domain, () => this.intents.drop(intent)),
      );
      await this.note(config, made, { intent, claim, actor: currentActor(), at: new Date() });
      return made.id;
    });
  }

  /** Settles interrupted creations of this zone in the background. The caller holds the lock of its name. */
  async settle(config: DnsConfig, domain: string): Promise<void> {
    await this.settleBy(config, domain, await this.find(config, domain, true));
  }

  private find(config: DnsConfig, domain: string, isUnasked = false): Promise<HeldZone | undefined> {
    const use = { fallback: 'Failed to load zones', isUnasked };
    return this.providers.use(config, use, (provider) => provider.findZone(domain));
  }

  /** The zone did not exist before, so its oldest pending creation made it, unless another one recorded it. */
  private async settleBy(config: DnsConfig, domain: string, found: HeldZone | undefined): Promise<void> {
    const where = { configId: config.id, zoneId: IsNull(), zoneName: domain };
    const lost = await this.database.manager.find(Intent, { where, order: { id: 'asc' } });
    for (const { id: intent, actor, at, claim } of lost) {
      const isTold = found && (await this.intents.knownTo(intent)).includes(found.id);
      if (found && !isTold) await this.note(config, found, { intent, actor, at, claim });
      // An unanswered creation may still be applied for a while, unless somebody else created the zone.
      else if (found || !isYoung({ at })) await this.noteUndone(domain, { intent, actor });
    }
  }

  private async note(config: DnsConfig, made: HeldZone, { intent, actor, at, claim }: Asked): Promise<void> {
    await this.history.write(async (chapter: AuditedTransaction) => {
      const { manager } = chapter;
      if (!(await this.intents.close(manager, intent))) return;
      if (claim) await this.creations.keep(manager, claim, toUuid(made.id));
      await this.intents.tellMade(manager, { zoneId: null, zoneName: made.name }, [made.id]);
      await keepZones(manager, config.id, [made]);
      const told = { target: made.name, targetId: made.id, ownerId: config.ownerId, actor, at };
      await recordDoing(chapter, { type: 'zone_create', ...told });
    });
  }

  private async noteUndone(domain: string, { intent, actor }: Pick<Asked, 'intent' | 'actor'>): Promise<void> {
    await this.history.write(async (chapter) => {
      if (!(await this.intents.close(chapter.manager, intent))) return;
      const told = { target: domain, targetId: domain, actor };
      await auditDoing(chapter, { action: 'zone_create', result: 'refused', ...told });
    });
  }
}

/** Names the lock under which one zone of a name is created at a time. */
export const turnOf = (configId: string, domain: string) => `${configId} ${domain}`;

/** An unanswered creation may have succeeded, so the zone is looked up before it is created again. */
async function makeZone(provider: DnsProvider, name: string, refused: () => Promise<void>): Promise<HeldZone> {
  try {
    return await provider.createZone(name);
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'uncertain') {
      return (await provider.findZone(name)) ?? provider.createZone(name);
    }
    await refused();
    throw error;
  }
}
