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

/** Makes zones, each once, whoever dies in between. */
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

  /** Its id; asked again under the same key, that of the one that was made. */
  make(config: DnsConfig, domain: string): Promise<string> {
    return this.turns.during(turnOf(config.id, domain), async () => {
      // One that was there before is nobody's doing, and refused as Cloudflare would.
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

  /** Looks for zones of this name whose making nobody lived to note. For whoever has its turn, and without anybody asking. */
  async settle(config: DnsConfig, domain: string): Promise<void> {
    await this.settleBy(config, domain, await this.find(config, domain, true));
  }

  private find(config: DnsConfig, domain: string, isUnasked = false): Promise<HeldZone | undefined> {
    const use = { fallback: 'Failed to load zones', isUnasked };
    return this.providers.use(config, use, (provider) => provider.findZone(domain));
  }

  /** It was not there when it was asked for: by whoever asked first, and is told of nobody else, it was made. */
  private async settleBy(config: DnsConfig, domain: string, found: HeldZone | undefined): Promise<void> {
    const where = { configId: config.id, zoneId: IsNull(), zoneName: domain };
    const lost = await this.database.manager.find(Intent, { where, order: { id: 'asc' } });
    for (const { id: intent, actor, at, claim } of lost) {
      const isTold = found && (await this.intents.knownTo(intent)).includes(found.id);
      if (found && !isTold) await this.note(config, found, { intent, actor, at, claim });
      // What got no answer may still come, unless somebody else has made it.
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

/** One of a name is made at a time. */
export const turnOf = (configId: string, domain: string) => `${configId} ${domain}`;

/** One that took its time may be there all the same: it is looked up before it is asked for again. */
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
