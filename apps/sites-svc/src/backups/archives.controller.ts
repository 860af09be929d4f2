import { Controller } from '@nestjs/common';
import { compareArchives, listArchive, locateInArchive } from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { fitInMessage } from '@vigie/service-kit/messages';
import { DataSource } from 'typeorm';
import { findSite } from '../sites/find-site';
import { listFolder, search, toAbout } from './archive-listing';
import { compare, type Comparison } from './compare-archives';
import { findLocalBackup, type LocalBackup } from './local-backup.entity';
import { OpenArchives } from './open-archives';

const maxComparisons = 4;

/** Lists, locates and compares the contents of stored archives without unpacking them. */
@Controller()
export class ArchivesController {
  /** Caches the last comparisons by object key: objects never change. */
  private readonly comparisons = new Map<string, Promise<Comparison>>();

  constructor(
    private readonly database: DataSource,
    private readonly archives: OpenArchives,
  ) {}

  @Handles(listArchive)
  async list({ id: siteId, filename, path, q, offset, limit }: Input<typeof listArchive>) {
    const listing = await this.archives.listingOf(await this.findBackup(siteId, filename));
    const words = q.trim();
    const items = words === '' ? listFolder(listing, path) : search(listing, path, words);
    if (!items) throw new AppError('not_found', 'Cette archive ne contient pas ce dossier.');
    return { about: toAbout(listing), items: fitInMessage(items.slice(offset, offset + limit)), total: items.length };
  }

  @Handles(locateInArchive)
  async locate({ id: siteId, filename, path, kind }: Input<typeof locateInArchive>) {
    return this.archives.locate(await this.findBackup(siteId, filename), { path, kind });
  }

  @Handles(compareArchives)
  async compare({ id: siteId, filename, other, offset, limit }: Input<typeof compareArchives>) {
    const [one, second] = [await this.findBackup(siteId, filename), await this.findBackup(siteId, other)];
    const { items, counts } = await this.comparisonOf(one, second);
    return { items: fitInMessage(items.slice(offset, offset + limit)), total: items.length, counts };
  }

  private async findBackup(siteId: string, filename: string): Promise<LocalBackup> {
    const { manager } = this.database;
    return findLocalBackup(manager, { site: await findSite(manager, siteId), filename });
  }

  private async comparisonOf(one: LocalBackup, other: LocalBackup): Promise<Comparison> {
    const key = `${one.objectKey} ${other.objectKey}`;
    const comparison = this.comparisons.get(key) ?? this.startComparison(one, other);
    this.comparisons.delete(key);
    this.comparisons.set(key, comparison);
    for (const old of [...this.comparisons.keys()].slice(0, -maxComparisons)) this.comparisons.delete(old);
    try {
      return await comparison;
    } catch (error) {
      this.comparisons.delete(key);
      throw error;
    }
  }

  private async startComparison(one: LocalBackup, other: LocalBackup): Promise<Comparison> {
    const listings = [await this.archives.listingOf(one), await this.archives.listingOf(other)] as const;
    return this.archives.withReader(one.objectKey, (reader) =>
      this.archives.withReader(other.objectKey, (second) =>
        compare({ listing: listings[0], reader }, { listing: listings[1], reader: second }),
      ),
    );
  }
}
