import type { BackupInput } from '@vigie/contracts/backups';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import {
  archiveFacts,
  type BackupPlace,
  dropSent,
  listArchives,
  readArchive,
  removeArchive,
  storageOf,
} from '@vigie/wordpress/backups';
import { readContent } from '@vigie/wordpress/content';
import { searchSite } from '@vigie/wordpress/diagnose';
import type { Host } from '@vigie/wordpress/host';
import { findPhp } from '@vigie/wordpress/php';
import { downloadFrom } from '@vigie/ssh/transfer';
import type { JobContext } from '../jobs/job-handler';
import type { Operations, StartState } from '../operations/operations';
import { hostOf } from '../sites/site-host';
import { changedOnHost } from './backup-failures';

/** Does something on a host, as often as it takes. */
export type RunOnHost = <T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal) => Promise<T>;
type FolderWork<T> = (host: Host, place: BackupPlace, connection: Connection) => Promise<T>;

/**
 * Whatever is done by it may be done again, so that nobody has to know whether it was; but what it is done for may have
 * begun before.
 */
export const runOnHostWith =
  (
    operations: Operations,
    { job, report }: Pick<JobContext, 'job' | 'report'>,
    known: () => Omit<StartState, 'isOperation'>,
  ): RunOnHost =>
  (work, signal) =>
    operations.withConnection({ job, report, signal, ...known() }, (connection) =>
      work(connection).catch((error: unknown) => {
        throw error instanceof SshFailure && error.wasStarted === 'unknown' ? new SshFailure(error.reason) : error;
      }),
    );

type BackupSite = Pick<BackupInput, 'site' | 'content'>;

/** Where a site has its archives, by whichever connection there is. */
export class BackupFolder {
  constructor(
    private readonly onHost: RunOnHost,
    private readonly site: BackupSite,
    readonly signal: AbortSignal,
    /** Shared by all that are made of it, so that its host is asked once. */
    private readonly cache: { place?: BackupPlace } = {},
  ) {}

  /** The same, for work that ends otherwise. */
  withSignal(signal: AbortSignal): BackupFolder {
    return new BackupFolder(this.onHost, this.site, signal, this.cache);
  }

  use<T>(work: FolderWork<T>): Promise<T> {
    const { signal } = this;
    return this.onHost(async (connection) => {
      const host = hostOf(connection);
      return work(host, await this.resolveLocation(host), connection);
    }, signal);
  }

  locate(): Promise<BackupPlace> {
    return this.cache.place ? Promise.resolve(this.cache.place) : this.use(async (_, place) => place);
  }

  async storage(): Promise<string> {
    return storageOf(await this.locate());
  }

  list() {
    return this.use((host, place) => listArchives(host, place, this));
  }

  stat(name: string, isHashed = false) {
    return this.use((host, place) => archiveFacts(host, place, { name, isHashed }, this));
  }

  remove(name: string) {
    return this.use((host, place) => removeArchive(host, place, name, this));
  }

  removePart(operation: string) {
    return this.use((host, place) => dropSent(host, place, operation, this));
  }

  /** Some bytes of an archive. */
  read(name: string, offset: number, length: number): Promise<Buffer> {
    return this.use(async (_, place, connection) => {
      const parts: Buffer[] = [];
      let received = 0;
      const { script, args } = readArchive(place, name, offset, length);
      const take = (bytes: Buffer) => {
        received += bytes.length;
        // Whoever runs that host may send without end.
        if (received > length) throw changedOnHost(name);
        parts.push(bytes);
      };
      await downloadFrom(connection, script, take, { args, signal: this.signal }).catch((error: unknown) => {
        // It says something of the archive, and nothing of what was begun.
        throw error instanceof SshFailure && error.kind === 'changed-file' ? changedOnHost(name) : error;
      });
      const all = Buffer.concat(parts);
      if (all.length !== length) throw changedOnHost(name);
      return all;
    });
  }

  private async resolveLocation(host: Host): Promise<BackupPlace> {
    if (this.cache.place) return this.cache.place;
    const { signal } = this;
    const { site, content: known } = this.site;
    const { binary: php } = await findPhp(host, site.php, signal);
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const content = known ?? (await readContent(host, { path, url: site.url }, { php, signal }));
    this.cache.place = { php, path, content };
    return this.cache.place;
  }
}
