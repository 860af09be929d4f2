import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { DnsConfig } from '../config/config.entity';
import { env } from '../env';
import { DnsZone } from '../zones/zone.entity';
import { ZoneStates } from './zone-states';

const everyMs = 10_000;
const perPass = 5;
/** Delay before a zone is checked again after a failure. */
const retrySeconds = 3_600;

/** Checks each zone once a day, so that changes made outside Vigie are recorded. */
@Injectable()
export class DailyChecks implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'zones wait to be checked', () => this.pass());

  constructor(
    private readonly database: DataSource,
    private readonly states: ZoneStates,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(Math.min(everyMs, env.VIGIE_DNS_LOOK_SECONDS * 1_000 || everyMs));
  }

  onApplicationShutdown(): void {
    this.task.stop();
  }

  private async pass(): Promise<void> {
    if (env.VIGIE_DNS_LOOK_SECONDS === 0) return;
    for (const zone of await this.claimDue()) await this.check(zone);
  }

  /** Zones whose credentials are refused wait until these are corrected. */
  private async claimDue(): Promise<DnsZone[]> {
    const [due]: [{ config_id: string; id: string }[], number] = await this.database.query(
      `update zones z set next_look_at = now() + make_interval(secs => $1)
       from (select d.config_id, d.id from zones d join configs c on c.id = d.config_id
         where d.next_look_at <= now() and c.problem is null
         order by d.next_look_at limit $2 for update of d skip locked) due
       where z.config_id = due.config_id and z.id = due.id returning z.config_id, z.id`,
      [env.VIGIE_DNS_LOOK_SECONDS, perPass],
    );
    if (due.length === 0) return [];
    return this.database.manager.find(DnsZone, {
      where: due.map(({ config_id: configId, id }) => ({ configId, id })),
    });
  }

  private async check(zone: DnsZone): Promise<void> {
    try {
      const config = await this.database.manager.findOneBy(DnsConfig, { id: zone.configId });
      if (config) await this.states.readRecords({ config, zone }, true);
    } catch (error) {
      this.log.info({ err: error, zone: zone.name }, 'a zone could not be checked');
      await this.database.query(
        'update zones set next_look_at = now() + make_interval(secs => $3) where config_id = $1 and id = $2',
        [zone.configId, zone.id, Math.min(retrySeconds, env.VIGIE_DNS_LOOK_SECONDS)],
      );
    }
  }
}
