import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FileStore } from '@vigie/files/file-store';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource, In } from 'typeorm';
import { env } from '../env';
import { Upload } from './upload.entity';

const everyMs = 5 * 60_000;
const incomingMs = 5 * 60_000;
const unnamedMs = 24 * 3_600_000;
const perQuestion = 1_000;

/** What was being written when a gateway died, and objects that no row names. */
@Injectable()
export class Leftovers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly store: FileStore,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.pass(), everyMs);
    void this.pass();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async pass(): Promise<void> {
    try {
      const now = Date.now();
      await this.store.purgeIncoming({ olderThanMs: incomingMs, now });
      await this.store.purgeObjects({ olderThanMs: unnamedMs, now }, (keys) => this.named(keys));
    } catch (error) {
      this.log.warn({ err: error }, 'leftovers of the store could not be removed');
    }
  }

  private async named(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const named = new Set<string>();
    for (let at = 0; at < keys.length; at += perQuestion) {
      const some = keys.slice(at, at + perQuestion);
      const uploads = await this.database.manager.find(Upload, {
        where: { objectKey: In(some) },
        select: { id: true, objectKey: true },
      });
      for (const { objectKey } of uploads) named.add(objectKey);
    }
    return named;
  }
}
