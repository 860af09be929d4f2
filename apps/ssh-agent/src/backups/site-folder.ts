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
import type { Running } from '../jobs/job-handler';
import type { Operations, Start } from '../operations/operations';
import { hostOf } from '../sites/site-host';
import { changedThere } from './sentences';

/** Does something on a host, as often as it takes. */
export type OnHost = <T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal) => Promise<T>;
type OnSite<T> = (host: Host, place: BackupPlace, connection: Connection) => Promise<T>;

/**
 * Whatever is done by it may be done again, so that nobody has to know whether it was; but what it is done for may have
 * begun before.
 */
export const onHostOf =
  (
    operations: Operations,
    { job, tell }: Pick<Running, 'job' | 'tell'>,
    known: () => Omit<Start, 'isOperation'>,
  ): OnHost =>
  (work, signal) =>
    operations.look({ job, tell, signal, ...known() }, (connection) =>
      work(connection).catch((error: unknown) => {
        throw error instanceof SshFailure && error.wasStarted === 'unknown' ? new SshFailure(error.reason) : error;
      }),
    );

type Wanted = Pick<BackupInput, 'site' | 'content'>;

/** Where a site has its archives, by whichever connection there is. */
export class SiteFolder {
  constructor(
    private readonly onHost: OnHost,
    private readonly wanted: Wanted,
    readonly signal: AbortSignal,
    /** Shared by all that are made of it, so that its host is asked once. */
    private readonly found: { place?: BackupPlace } = {},
  ) {}

  /** The same, for work that ends otherwise. */
  until(signal: AbortSignal): SiteFolder {
    return new SiteFolder(this.onHost, this.wanted, signal, this.found);
  }

  use<T>(work: OnSite<T>): Promise<T> {
    const { signal } = this;
    return this.onHost(async (connection) => {
      const host = hostOf(connection);
      return work(host, await this.find(host), connection);
    }, signal);
  }

  place(): Promise<BackupPlace> {
    return this.found.place ? Promise.resolve(this.found.place) : this.use(async (_, place) => place);
  }

  async storage(): Promise<string> {
    return storageOf(await this.place());
  }

  look() {
    return this.use((host, place) => listArchives(host, place, this));
  }

  facts(name: string, isHashed = false) {
    return this.use((host, place) => archiveFacts(host, place, { name, isHashed }, this));
  }

  remove(name: string) {
    return this.use((host, place) => removeArchive(host, place, name, this));
  }

  drop(operation: string) {
    return this.use((host, place) => dropSent(host, place, operation, this));
  }

  /** Some bytes of an archive. */
  read(name: string, offset: number, length: number): Promise<Buffer> {
    return this.use(async (_, place, connection) => {
      const parts: Buffer[] = [];
      let came = 0;
      const { script, args } = readArchive(place, name, offset, length);
      const take = (bytes: Buffer) => {
        came += bytes.length;
        // Whoever runs that host may send without end.
        if (came > length) throw changedThere(name);
        parts.push(bytes);
      };
      await downloadFrom(connection, script, take, { args, signal: this.signal }).catch((error: unknown) => {
        // It says something of the archive, and nothing of what was begun.
        throw error instanceof SshFailure && error.kind === 'changed-file' ? changedThere(name) : error;
      });
      const all = Buffer.concat(parts);
      if (all.length !== length) throw changedThere(name);
      return all;
    });
  }

  private async find(host: Host): Promise<BackupPlace> {
    if (this.found.place) return this.found.place;
    const { signal } = this;
    const { site, content: known } = this.wanted;
    const { binary: php } = await findPhp(host, site.php, signal);
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const content = known ?? (await readContent(host, { path, url: site.url }, { php, signal }));
    this.found.place = { php, path, content };
    return this.found.place;
  }
}
