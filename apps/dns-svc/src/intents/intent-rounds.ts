import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { Rounds } from '@vigie/service-kit/rounds';
import { DataSource } from 'typeorm';
import { DnsConfig } from '../config/config.entity';
import { env } from '../env';
import { LostChanges } from '../records/lost-changes';
import { NewZones, turnOf } from '../zones/new-zones';
import { ZoneTurns } from '../zones/zone-turns';
import { DnsZone } from '../zones/zone.entity';
import { Intent } from './intent.entity';
import { Intents } from './intents';

const everyMs = 5_000;
const perPass = 20;

/** Looks up what was left unfinished, from the start on: whoever asked may never come back. */
@Injectable()
export class IntentRounds implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('dns-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new Rounds(this.log, 'changes wait to be looked up', () => this.pass());

  constructor(
    private readonly database: DataSource,
    private readonly intents: Intents,
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
    for (const intent of await this.oldest()) {
      await this.settle(intent).catch((error: unknown) =>
        this.log.info({ err: error, zone: intent.zoneName }, 'a change could not be looked up'),
      );
    }
  }

  /** One of each zone; those of credentials that are refused wait until somebody puts that right. */
  private async oldest(): Promise<Intent[]> {
    const due: { id: string }[] = await this.database.query(
      `select distinct on (i.config_id, i.zone_id, i.zone_name) i.id from intents i
       join configs c on c.id = i.config_id where c.problem is null
       order by i.config_id, i.zone_id, i.zone_name, i.id limit $1`,
      [perPass],
    );
    if (due.length === 0) return [];
    return this.database.manager.find(Intent, { where: due });
  }

  /** Whoever is still at it has its turn. */
  private async settle({ id, configId, zoneId, zoneName }: Intent): Promise<void> {
    const { manager } = this.database;
    const config = await manager.findOneBy(DnsConfig, { id: configId });
    if (!config) return;
    if (zoneId === null) {
      await this.turns.ifFree(turnOf(configId, zoneName), () => this.newZones.settle(config, zoneName, true));
      return;
    }
    const zone = await manager.findOneBy(DnsZone, { configId, id: zoneId });
    // The zone itself is no more: nothing is left to be looked up.
    if (!zone) return this.intents.drop(id);
    await this.turns.ifFree(zoneId, () => this.lost.settle({ config, zone }, true));
  }
}
