import { Injectable } from '@nestjs/common';
import { isUsableName, listHostBackups, type RemoteBackup, removeBackup } from '@vigie/contracts/backups';
import type { Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Bus } from '@vigie/service-kit/bus';
import { DataSource } from 'typeorm';
import { isCredentialRefusal } from '../servers/refusals';
import { type SiteContext, toSiteJobInput } from '../sites/site-contexts';
import { saveSiteReports } from '../sites/save-site-reports';
import { hostAccess } from './backup-folder';
import { saveRemoteBackups, backupsVersionOf } from './remote-backups';

/** The last second that PostgreSQL and a date can both hold: a host's clock may show any time. */
const maxTimestamp = 253_402_300_799;

type HostBackup = RemoteBackup & { modified_at: string };
type HostListing = Pick<Output<typeof listHostBackups>, 'folder'> & { items: HostBackup[] };

/** Lists and removes archives on the hosts, through the agents. */
@Injectable()
export class HostBackups {
  private readonly running = new Map<string, Promise<HostListing>>();

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  /** Lists the newest first. Simultaneous requests share one call. */
  async list(context: SiteContext): Promise<HostListing> {
    const key = `${context.site.id} ${context.site.version}`;
    const running = this.running.get(key);
    if (running) return running;
    const listing = this.fetchListing(context).finally(() => this.running.delete(key));
    this.running.set(key, listing);
    return listing;
  }

  async remove(context: SiteContext, filename: string): Promise<void> {
    const access = await hostAccess(this.database.manager, context);
    await this.contact(context, () => this.bus.call(removeBackup, { ...toSiteJobInput(context), access, filename }));
  }

  private async fetchListing(context: SiteContext): Promise<HostListing> {
    const siteId = context.site.id;
    const backupsVersion = await backupsVersionOf(this.database.manager, siteId);
    const access = await hostAccess(this.database.manager, context);
    const reply = await this.contact(context, () =>
      this.bus.call(listHostBackups, { ...toSiteJobInput(context), access }),
    );
    const items = reply.items
      .map(sanitize)
      .toSorted((a, b) => b.mtime - a.mtime || a.filename.localeCompare(b.filename));
    const usable = new Map(items.filter(({ is_usable: isUsable }) => isUsable).map((item) => [item.filename, item]));
    const usableBackups = [...usable.values()];
    await this.database.transaction((manager) =>
      saveRemoteBackups(manager, { siteId, backupsVersion, backups: usableBackups }),
    );
    return { folder: reply.folder, items };
  }

  /** Stores a refusal of the credential on the site. */
  private async contact<T>({ site: { id, version } }: SiteContext, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof AppError && typeof error.detail === 'object' && isCredentialRefusal(error.detail.code)) {
        await saveSiteReports(this.database.manager, [{ id, version, facts: null, failure: error.detail }]);
      }
      throw error;
    }
  }
}

/** Hosts are not trusted: their times and names may be anything. */
function sanitize({ filename, size, mtime, is_usable: isUsable }: RemoteBackup): HostBackup {
  const time = Math.min(Math.max(mtime, 0), maxTimestamp);
  return {
    filename,
    size,
    mtime: time,
    is_usable: isUsable && isUsableName(filename),
    modified_at: new Date(time * 1000).toISOString(),
  };
}
