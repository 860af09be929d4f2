import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { DnsConfig } from '../config/config.entity';
import { env } from '../env';
import { LostChanges } from '../records/lost-changes';
import { NewZones, turnOf } from '../zones/new-zones';
import { ZoneTurns } from '../zones/zone-turns';
import { Intent } from './intent.entity';
import { endUnverified, keptDays } from './unverified';

const everyMs = 5_000;
const perPass = 20;
/** The retry delay of a pending write grows up to this. */
const maxSeconds = 3_600;

/** Settles pending writes in the background, from the start on: their request may never be repeated. */
@Injectable()
export class IntentRounds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new RepeatingTask(this.log, 'pending writes wait to be verified', () => this.pass());

  constructor(
    private readonly database: DataSource,
    private readonly history: AuditedTransactions,
    private readonly lost: LostChanges,
    private readonly newZones: NewZones,
    private readonly turns: ZoneTurns,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start(everyMs);
    void this.rounds.go();
  }

  onApplicationShutdown(): void {
    this.rounds.stop();
  }

  private async pass(): Promise<void> {
    for (const intent of await this.takeDue()) {
      await this.settle(intent).catch((error: unknown) =>
        this.log.info({ err: error, zone: intent.zoneName }, 'a pending write could not be verified'),
      );
    }
    await this.endOld();
  }

  /** Abandons pending writes that could not be verified for a week. */
  private async endOld(): Promise<void> {
    const { manager } = this.database;
    const old: { id: string }[] = await manager.query(
      `select i.id from intents i join configs c on c.id = i.config_id
       where i.at < now() - make_interval(days => $1) and (i.try_at > now() or c.problem is not null)
       order by i.at limit $2`,
      [keptDays, perPass],
    );
    if (old.length === 0) return;
    const intents = await manager.find(Intent, { where: old, order: { id: 'asc' } });
    await this.history.write((chapter) => endUnverified(chapter, chapter.manager, intents));
  }

  /**
   * Claims due writes for one replica, each less and less often, so that a failing one does not delay the others.
   * Writes whose credentials are refused wait until these are corrected.
   */
  private async takeDue(): Promise<Intent[]> {
    const [due]: [{ id: string }[], number] = await this.database.query(
      `update intents i set tries = tries + 1, try_at = now() + make_interval(secs => least($1, $2 * 2 ^ least(tries, 20)))
       from (select d.id from intents d join configs c on c.id = d.config_id
         where d.try_at <= now() and c.problem is null
         order by d.try_at limit $3 for update of d skip locked) due
       where i.id = due.id returning i.id`,
      [maxSeconds, everyMs / 1_000, perPass],
    );
    if (due.length === 0) return [];
    return this.database.manager.find(Intent, { where: due, order: { id: 'asc' } });
  }

  /** A write that is still running holds the zone’s lock. */
  private async settle({ id, configId, zoneId, zoneName }: Intent): Promise<void> {
    const { manager } = this.database;
    const config = await manager.findOneBy(DnsConfig, { id: configId });
    if (!config) return;
    await this.turns.ifFree(zoneId ?? turnOf(configId, zoneName), async () => {
      // Settling another write of this zone may have settled this one too.
      if (!(await manager.existsBy(Intent, { id }))) return;
      if (zoneId === null) await this.newZones.settle(config, zoneName);
      else await this.lost.lookUp(config, { id: zoneId, name: zoneName });
    });
  }
}
