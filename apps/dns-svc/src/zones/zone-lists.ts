import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { DataSource } from 'typeorm';
import { DnsConfig } from '../config/config.entity';
import { Providers } from '../providers/providers';
import { replaceZones } from './save-zones';

const freshMs = 60_000;
const fallback = 'Failed to load zones';

/** Refreshes the zones of a configuration when they are older than a minute. */
@Injectable()
export class ZoneLists {
  private readonly reading = new Map<string, Promise<void>>();

  constructor(
    private readonly database: DataSource,
    private readonly providers: Providers,
  ) {}

  /** Returns why the stored zones could not be refreshed, or null when they are fresh. Throws when none are stored. */
  async refresh(config: DnsConfig, isForced: boolean): Promise<string | null> {
    const age = config.zonesReadAt === null ? Infinity : Date.now() - config.zonesReadAt.getTime();
    if (age < freshMs && !isForced) return null;
    try {
      await this.read(config);
      return null;
    } catch (error) {
      if (config.zonesReadAt === null || !(error instanceof AppError)) throw error;
      return error.message;
    }
  }

  /** Concurrent callers share one read. */
  private read(config: DnsConfig): Promise<void> {
    const running = this.reading.get(config.id);
    if (running) return running;
    const reading = this.readAll(config).finally(() => this.reading.delete(config.id));
    this.reading.set(config.id, reading);
    return reading;
  }

  private async readAll(config: DnsConfig): Promise<void> {
    const zones = await this.providers.use(config, { fallback }, (provider) => provider.zones());
    await this.database.transaction(async (manager) => {
      // The credentials may have been changed, or the configuration deleted, meanwhile.
      const current = await manager.findOne(DnsConfig, {
        where: { id: config.id },
        lock: { mode: 'pessimistic_write' },
      });
      if (current && JSON.stringify(current.apiKey) === JSON.stringify(config.apiKey)) {
        await replaceZones(manager, config.id, zones);
      }
    });
  }
}
