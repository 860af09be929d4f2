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
/** One that could not be looked up for long is still tried so often. */
const maxSeconds = 3_600;

/** Looks up what was left unfinished, from the start on: whoever asked may never come back. */
@Injectable()
export class IntentRounds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new RepeatingTask(this.log, 'changes wait to be looked up', () => this.pass());

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
        this.log.info({ err: error, zone: intent.zoneName }, 'a change could not be looked up'),
      );
    }
    await this.endOld();
  }

  /** Those that were tried until now, or that nobody may try. */
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
   * At one replica, and less and less often: what cannot be looked up keeps nobody from the others. Those of credentials
   * that are refused wait until somebody puts that right.
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

  /** Whoever is still at it has its turn. */
  private async settle({ id, configId, zoneId, zoneName }: Intent): Promise<void> {
    const { manager } = this.database;
    const config = await manager.findOneBy(DnsConfig, { id: configId });
    if (!config) return;
    await this.turns.ifFree(zoneId ?? turnOf(configId, zoneName), async () => {
      // Another of the same zone may have been settled with it.
      if (!(await manager.existsBy(Intent, { id }))) return;
      if (zoneId === null) await this.newZones.settle(config, zoneName);
      else await this.lost.lookUp(config, { id: zoneId, name: zoneName });
    });
  }
}
