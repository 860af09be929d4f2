import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { DnsConfig } from '../config/config.entity';
import { env } from '../env';
import { UnconfirmedChanges } from '../records/unconfirmed-changes';
import { NewZones, lockKeyOf } from '../zones/new-zones';
import { ZoneLock } from '../zones/zone-lock';
import { PendingWrite } from './pending-write.entity';
import { abandonWrites, retentionDays } from './abandoned-writes';

const everyMs = 5_000;
const perPass = 20;
/** The retry delay of a pending write grows up to this. */
const maxSeconds = 3_600;

/** Settles pending writes in the background, from the start on: their request may never be repeated. */
@Injectable()
export class PendingWriteRecovery implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'pending writes wait to be verified', () => this.pass());

  constructor(
    private readonly database: DataSource,
    private readonly transactions: AuditedTransactions,
    private readonly unconfirmed: UnconfirmedChanges,
    private readonly newZones: NewZones,
    private readonly zoneLock: ZoneLock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
    void this.task.runNow();
  }

  onApplicationShutdown(): void {
    this.task.stop();
  }

  private async pass(): Promise<void> {
    for (const pendingWrite of await this.claimDue()) {
      await this.settle(pendingWrite).catch((error: unknown) =>
        this.log.info({ err: error, zone: pendingWrite.zoneName }, 'a pending write could not be verified'),
      );
    }
    await this.abandonOld();
  }

  private async abandonOld(): Promise<void> {
    const { manager } = this.database;
    const expired: { id: string }[] = await manager.query(
      `select i.id from intents i join configs c on c.id = i.config_id
       where i.at < now() - make_interval(days => $1) and (i.try_at > now() or c.problem is not null)
       order by i.at limit $2`,
      [retentionDays, perPass],
    );
    if (expired.length === 0) return;
    const pendingWrites = await manager.find(PendingWrite, { where: expired, order: { id: 'asc' } });
    await this.transactions.write((transaction) => abandonWrites(transaction, transaction.manager, pendingWrites));
  }

  /**
   * Claims due writes for one replica, each less and less often, so that a failing one does not delay the others.
   * Writes whose credentials are refused wait until these are corrected.
   */
  private async claimDue(): Promise<PendingWrite[]> {
    const [due]: [{ id: string }[], number] = await this.database.query(
      `update intents i set tries = tries + 1, try_at = now() + make_interval(secs => least($1, $2 * 2 ^ least(tries, 20)))
       from (select d.id from intents d join configs c on c.id = d.config_id
         where d.try_at <= now() and c.problem is null
         order by d.try_at limit $3 for update of d skip locked) due
       where i.id = due.id returning i.id`,
      [maxSeconds, everyMs / 1_000, perPass],
    );
    if (due.length === 0) return [];
    return this.database.manager.find(PendingWrite, { where: due, order: { id: 'asc' } });
  }

  /** A write that is still running holds the zone’s lock. */
  private async settle({ id, configId, zoneId, zoneName }: PendingWrite): Promise<void> {
    const { manager } = this.database;
    const config = await manager.findOneBy(DnsConfig, { id: configId });
    if (!config) return;
    await this.zoneLock.runIfFree(zoneId ?? lockKeyOf(configId, zoneName), async () => {
      // Settling another write of this zone may have settled this one too.
      if (!(await manager.existsBy(PendingWrite, { id }))) return;
      if (zoneId === null) await this.newZones.settle(config, zoneName);
      else await this.unconfirmed.verifyZone(config, { id: zoneId, name: zoneName });
    });
  }
}
