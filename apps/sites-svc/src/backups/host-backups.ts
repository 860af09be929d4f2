import { Injectable } from '@nestjs/common';
import { isUsableName, listHostBackups, type RemoteBackup, removeBackup } from '@vigie/contracts/backups';
import type { Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Bus } from '@vigie/service-kit/bus';
import { DataSource } from 'typeorm';
import { isCredentialRefusal } from '../servers/refusals';
import { type Ground, placeOf } from '../sites/grounds';
import { keepLooks } from '../sites/keep-facts';
import { openWay } from './backup-places';
import { keepRemotes, turnOf } from './remote-backups';

/** The last second that PostgreSQL and a date can both hold: the clock of a host may say anything. */
const latest = 253_402_300_799;

type Found = RemoteBackup & { modified_at: string };
type Looked = Pick<Output<typeof listHostBackups>, 'folder'> & { items: Found[] };

/** What the hosts of sites have, asked of the agents. */
@Injectable()
export class HostBackups {
  private readonly running = new Map<string, Promise<Looked>>();

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  /** Newest first. Whoever asks while somebody else does shares the answer. */
  async look(ground: Ground): Promise<Looked> {
    const key = `${ground.site.id} ${ground.site.version}`;
    const running = this.running.get(key);
    if (running) return running;
    const look = this.ask(ground).finally(() => this.running.delete(key));
    this.running.set(key, look);
    return look;
  }

  async remove(ground: Ground, filename: string): Promise<void> {
    const access = await openWay(this.database.manager, ground);
    await this.contact(ground, () => this.bus.call(removeBackup, { ...placeOf(ground), access, filename }));
  }

  private async ask(ground: Ground): Promise<Looked> {
    const siteId = ground.site.id;
    const turn = await turnOf(this.database.manager, siteId);
    const access = await openWay(this.database.manager, ground);
    const told = await this.contact(ground, () => this.bus.call(listHostBackups, { ...placeOf(ground), access }));
    const items = told.items.map(checked).toSorted((a, b) => b.mtime - a.mtime || a.filename.localeCompare(b.filename));
    const usable = new Map(items.filter(({ is_usable: isUsable }) => isUsable).map((item) => [item.filename, item]));
    const seen = [...usable.values()];
    await this.database.transaction((manager) => keepRemotes(manager, { siteId, turn, seen }));
    return { folder: told.folder, items };
  }

  /** That a credential was refused is known of the site from then on. */
  private async contact<T>({ site: { id, version } }: Ground, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof AppError && typeof error.detail === 'object' && isCredentialRefusal(error.detail.code)) {
        await keepLooks(this.database.manager, [{ id, version, facts: null, failure: error.detail }]);
      }
      throw error;
    }
  }
}

/** A host says what it likes. */
function checked({ filename, size, mtime, is_usable: isUsable }: RemoteBackup): Found {
  const time = Math.min(Math.max(mtime, 0), latest);
  return {
    filename,
    size,
    mtime: time,
    is_usable: isUsable && isUsableName(filename),
    modified_at: new Date(time * 1000).toISOString(),
  };
}
