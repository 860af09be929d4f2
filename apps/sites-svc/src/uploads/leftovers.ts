import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FileStore } from '@vigie/files/file-store';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource, In } from 'typeorm';
import { LocalBackup } from '../backups/local-backup.entity';
import { keysInUse } from '../backups/open-backups';
import { packagesInUse } from '../changes/open-changes';
import { env } from '../env';
import { Upload } from './upload.entity';

const everyMs = 5 * 60_000;
const incomingMs = 5 * 60_000;
const unnamedMs = 24 * 3_600_000;
/** After a restore: what rows that are gone had named may be asked for yet, or the wrong backup was taken. */
const spareDays = 30;
const perQuestion = 1_000;

/** What was being written when a gateway died, and objects that no row names. */
@Injectable()
export class Leftovers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly rounds = new RepeatingTask(this.log, 'leftovers of the store could not be removed', () =>
    this.pass(),
  );
  private isTold = false;

  constructor(
    private readonly database: DataSource,
    private readonly store: FileStore,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start(everyMs);
    void this.rounds.go();
  }

  onApplicationShutdown(): void {
    this.rounds.stop();
  }

  private async pass(): Promise<void> {
    const now = Date.now();
    const inUse = async (keys: string[]) => new Set(await keysInUse(this.database.manager, keys));
    await this.store.purgeIncoming({ olderThanMs: incomingMs, now }, inUse);
    const since = await this.restoredAt();
    await this.store.purgeObjects({ olderThanMs: unnamedMs, now, since }, (keys) => this.named(keys));
  }

  private async restoredAt(): Promise<number | undefined> {
    const [last]: { at: Date }[] = await this.database.query(
      'select at from restorations where at > now() - make_interval(days => $1) order by at desc limit 1',
      [spareDays],
    );
    if (last && !this.isTold)
      this.log.info(
        { restored: last.at, days: spareDays },
        'files of before the restore stay, also those that nothing names',
      );
    this.isTold ||= last !== undefined;
    return last?.at.getTime();
  }

  private async named(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const named = new Set<string>();
    for (let at = 0; at < keys.length; at += perQuestion) {
      const some = keys.slice(at, at + perQuestion);
      const { manager } = this.database;
      // Work first: what it ends with is a row then.
      const used = [...(await keysInUse(manager, some)), ...(await packagesInUse(manager, some))];
      const which = { where: { objectKey: In(some) }, select: { id: true, objectKey: true } } as const;
      const rows = [...(await manager.find(Upload, which)), ...(await manager.find(LocalBackup, which))];
      for (const key of [...used, ...rows.map(({ objectKey }) => objectKey)]) named.add(key);
    }
    return named;
  }
}
