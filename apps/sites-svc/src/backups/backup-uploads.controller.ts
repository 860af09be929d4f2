import { Controller } from '@nestjs/common';
import { beginBackupUpload, createBackupUpload, type LocalBackup as LocalBackupView } from '@vigie/contracts/backups';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { FileStore } from '@vigie/files/file-store';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { Archive } from '@vigie/wpress/read-archive';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordDoing } from '../activity/doings';
import { findSite, holdSite } from '../sites/find-site';
import { LocalBackup, toLocalBackup, unknownLocal } from './local-backup.entity';
import { noteLastBackup } from './remote-backups';

/** Less than whoever sent it waits for. */
const walkMs = 75_000;

type Creation = Input<typeof createBackupUpload>;

/** Archives that somebody sends. */
@Controller()
export class BackupUploadsController {
  constructor(
    private readonly database: DataSource,
    private readonly creations: IdempotencyKeys,
    private readonly store: FileStore,
  ) {}

  @Handles(beginBackupUpload)
  async begin({ id, filename, announced }: Input<typeof beginBackupUpload>) {
    const { manager } = this.database;
    const { ownerId } = await findSite(manager, id);
    const isThere = await manager.existsBy(LocalBackup, { ownerId, filename });
    // Asked again because the answer was lost, it is there already, and is not a second one.
    if (isThere && !(await this.creations.isKnown(manager, createBackupUpload))) throw isThereAlready(filename);
    await this.store.requireRoom(announced);
    return { key: FileStore.newKey(), most: announced };
  }

  @Handles(createBackupUpload)
  async create(input: Creation): Promise<LocalBackupView> {
    try {
      const madeAt = await this.walk(input);
      const { id, isSpare } = await this.keep(input, madeAt);
      if (isSpare) await this.store.delete(input.key);
      const backup = await this.database.manager.findOneBy(LocalBackup, { id });
      if (!backup) throw unknownLocal();
      return toLocalBackup(backup);
    } catch (error) {
      // Whether another failure came before or after the commit is not known here: what no row names goes a day later.
      if (error instanceof AppError) await this.store.delete(input.key);
      throw error;
    }
  }

  /** From its first header to its end; what its files hold is read when it is verified. Gives when it was made. */
  private async walk({ key, size }: Creation): Promise<Date> {
    const reader = await this.store.reader(key);
    if (reader?.size !== size) {
      await reader?.close();
      throw new Error(`the object ${key} is not in this store: the gateway and sites-svc must share one`);
    }
    const signal = AbortSignal.timeout(walkMs);
    try {
      const archive = await Archive.open(reader);
      for await (const _ of archive.entries({ signal }));
      return new Date(Math.min(archive.first.mtime * 1000, Date.now()));
    } catch (error) {
      throw signal.aborted ? tooManyFiles(error) : error;
    } finally {
      await reader.close();
    }
  }

  private async keep(input: Creation, madeAt: Date): Promise<{ id: string; isSpare: boolean }> {
    const { id: siteId, filename, key, size, sha256 } = input;
    return this.database.transaction(async (manager) => {
      const site = await holdSite(manager, siteId);
      const id = uuid();
      const known = await this.creations.claim(manager, createBackupUpload, { id: siteId, filename, size, sha256 }, id);
      if (known !== undefined) return { id: known, isSpare: true };
      const { ownerId, name: siteName } = site;
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(LocalBackup)
        .values({ id, ownerId, siteId, siteName, filename, size, sha256, objectKey: key, madeAt, keptAt: new Date() })
        .orIgnore()
        .returning('id')
        .execute();
      if (Object(raw).length === 0) throw isThereAlready(filename);
      await noteLastBackup(manager, siteId);
      await recordDoing(manager, { type: 'backup_upload', site, details: { filename, size, state: 'succeeded' } });
      return { id, isSpare: false };
    });
  }
}

const isThereAlready = (filename: string) =>
  new AppError('conflict', {
    message: `${filename} est déjà présent parmi les sauvegardes locales. Supprimez-le, ou renommez votre fichier.`,
    code: 'exists',
  });

const tooManyFiles = (cause: unknown) =>
  new AppError('invalid', 'Cette archive contient trop de fichiers pour être examinée à temps.', { cause });
