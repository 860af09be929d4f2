import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FileStore } from '@vigie/files/file-store';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource, In } from 'typeorm';
import { LocalBackup } from '../backups/local-backup.entity';
import { keysInUse } from '../backups/open-backups';
import { env } from '../env';
import { packagesInUse } from './packages-in-use';
import { Upload } from './upload.entity';

const everyMs = 5 * 60_000;
const incomingMaxAgeMs = 5 * 60_000;
const unusedMaxAgeMs = 24 * 3_600_000;
/** After a restore of Vigie, files of newer rows stay this long, in case the wrong backup was restored. */
const restoreGraceDays = 30;
const chunkSize = 1_000;

/** Deletes uploads that a dead gateway left half written, and objects that no row names. */
@Injectable()
export class Leftovers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'leftovers of the store could not be removed', () =>
    this.cleanUp(),
  );
  private isLogged = false;

  constructor(
    private readonly database: DataSource,
    private readonly store: FileStore,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
    void this.task.runNow();
  }

  onApplicationShutdown(): void {
    this.task.stop();
  }

  private async cleanUp(): Promise<void> {
    const now = Date.now();
    const inUse = async (keys: string[]) => new Set(await keysInUse(this.database.manager, keys));
    await this.store.purgeIncoming({ olderThanMs: incomingMaxAgeMs, now }, inUse);
    const since = await this.restoredAt();
    await this.store.purgeObjects({ olderThanMs: unusedMaxAgeMs, now, since }, (keys) => this.findUsedKeys(keys));
  }

  private async restoredAt(): Promise<number | undefined> {
    const [last]: { at: Date }[] = await this.database.query(
      'select at from restorations where at > now() - make_interval(days => $1) order by at desc limit 1',
      [restoreGraceDays],
    );
    if (last && !this.isLogged)
      this.log.info(
        { restored: last.at, days: restoreGraceDays },
        'files from before the restore are kept, including those that no row names',
      );
    this.isLogged ||= last !== undefined;
    return last?.at.getTime();
  }

  private async findUsedKeys(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const usedKeys = new Set<string>();
    for (let at = 0; at < keys.length; at += chunkSize) {
      const chunk = keys.slice(at, at + chunkSize);
      const { manager } = this.database;
      // Jobs before rows: a job that ends in between leaves a row.
      const keysOfJobs = [...(await keysInUse(manager, chunk)), ...(await packagesInUse(manager, chunk))];
      const filter = { where: { objectKey: In(chunk) }, select: { id: true, objectKey: true } } as const;
      const rows = [...(await manager.find(Upload, filter)), ...(await manager.find(LocalBackup, filter))];
      for (const key of [...keysOfJobs, ...rows.map(({ objectKey }) => objectKey)]) usedKeys.add(key);
    }
    return usedKeys;
  }
}
