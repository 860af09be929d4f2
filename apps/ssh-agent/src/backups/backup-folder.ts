import type { BackupInput } from '@vigie/contracts/backups';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import {
  statArchive,
  type ArchiveLocation,
  dropUpload,
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

/** Runs work on a host, with as many retries as it takes. */
export type RunOnHost = <T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal) => Promise<T>;
type FolderWork<T> = (host: Host, location: ArchiveLocation, connection: Connection) => Promise<T>;

/**
 * For work that may be repeated: a connection lost in the middle of it is just a failure. The operation of the job may
 * have started before, which only `startState` knows.
 */
export const runOnHostWith =
  (
    operations: Operations,
    { job, report }: Pick<JobContext, 'job' | 'report'>,
    startState: () => Omit<StartState, 'isOperation'>,
  ): RunOnHost =>
  (work, signal) =>
    operations.withConnection({ job, report, signal, ...startState() }, (connection) =>
      work(connection).catch((error: unknown) => {
        throw error instanceof SshFailure && error.wasStarted === 'unknown' ? new SshFailure(error.reason) : error;
      }),
    );

type BackupSite = Pick<BackupInput, 'site' | 'content'>;

/** The folder of a site's archives on its host. */
export class BackupFolder {
  constructor(
    private readonly onHost: RunOnHost,
    private readonly site: BackupSite,
    readonly signal: AbortSignal,
    /** Shared with the folders that `withSignal` returns, so that the host is asked once. */
    private readonly cache: { location?: ArchiveLocation } = {},
  ) {}

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

  locate(): Promise<ArchiveLocation> {
    return this.cache.location ? Promise.resolve(this.cache.location) : this.use(async (_, location) => location);
  }

  async storage(): Promise<string> {
    return storageOf(await this.locate());
  }

  list() {
    return this.use((host, location) => listArchives(host, location, this));
  }

  stat(name: string, isHashed = false) {
    return this.use((host, location) => statArchive(host, location, { name, isHashed }, this));
  }

  remove(name: string) {
    return this.use((host, location) => removeArchive(host, location, name, this));
  }

  removePart(operation: string) {
    return this.use((host, location) => dropUpload(host, location, operation, this));
  }

  /** Reads `length` bytes of an archive. */
  read(name: string, offset: number, length: number): Promise<Buffer> {
    return this.use(async (_, location, connection) => {
      const parts: Buffer[] = [];
      let received = 0;
      const { script, args } = readArchive(location, name, offset, length);
      const take = (bytes: Buffer) => {
        received += bytes.length;
        // A hostile host may send without end.
        if (received > length) throw changedOnHost(name);
        parts.push(bytes);
      };
      await downloadFrom(connection, script, take, { args, signal: this.signal }).catch((error: unknown) => {
        // This failure is about the archive, and says nothing of the operation of the job.
        throw error instanceof SshFailure && error.kind === 'changed-file' ? changedOnHost(name) : error;
      });
      const all = Buffer.concat(parts);
      if (all.length !== length) throw changedOnHost(name);
      return all;
    });
  }

  private async resolveLocation(host: Host): Promise<ArchiveLocation> {
    if (this.cache.location) return this.cache.location;
    const { signal } = this;
    const { site, content: knownContent } = this.site;
    const { binary: php } = await findPhp(host, site.php, signal);
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const content = knownContent ?? (await readContent(host, { path, url: site.url }, { php, signal }));
    this.cache.location = { php, path, content };
    return this.cache.location;
  }
}
