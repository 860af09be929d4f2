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
import { recordAuditEvent } from '../activity/audit-events';
import { findSite, lockSite } from '../sites/find-site';
import { LocalBackup, toLocalBackup, unknownLocalBackup } from './local-backup.entity';
import { updateLastBackup } from './remote-backups';

/** Shorter than the time that the sender waits for an answer. */
const readMs = 75_000;

type Creation = Input<typeof createBackupUpload>;

/** Receives archives that a person uploads. */
@Controller()
export class BackupUploadsController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly store: FileStore,
  ) {}

  @Handles(beginBackupUpload)
  async begin({ id: siteId, filename, announced }: Input<typeof beginBackupUpload>) {
    const { manager } = this.database;
    const { ownerId } = await findSite(manager, siteId);
    const exists = await manager.existsBy(LocalBackup, { ownerId, filename });
    // A repeated request, whose first answer was lost, finds its own upload.
    if (exists && !(await this.idempotencyKeys.isUsed(manager, createBackupUpload))) throw alreadyExists(filename);
    await this.store.requireRoom(announced);
    return { key: FileStore.newKey(), most: announced };
  }

  @Handles(createBackupUpload)
  async create(input: Creation): Promise<LocalBackupView> {
    try {
      const madeAt = await this.readThrough(input);
      const { id, isDuplicate } = await this.save(input, madeAt);
      if (isDuplicate) await this.store.delete(input.key);
      const backup = await this.database.manager.findOneBy(LocalBackup, { id });
      if (!backup) throw unknownLocalBackup();
      return toLocalBackup(backup);
    } catch (error) {
      // After any other failure the commit may have happened: `Leftovers` deletes the object if no row names it.
      if (error instanceof AppError) await this.store.delete(input.key);
      throw error;
    }
  }

  /** Checks all headers, not the contents: a verification reads those. Returns when the archive was made. */
  private async readThrough({ key, size }: Creation): Promise<Date> {
    const reader = await this.store.reader(key);
    if (reader?.size !== size) {
      await reader?.close();
      throw new Error(`the object ${key} is not in this store: the gateway and sites-svc must share one`);
    }
    const signal = AbortSignal.timeout(readMs);
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

  private async save(input: Creation, madeAt: Date): Promise<{ id: string; isDuplicate: boolean }> {
    const { id: siteId, filename, key, size, sha256 } = input;
    return this.database.transaction(async (manager) => {
      const site = await lockSite(manager, siteId);
      const id = uuid();
      const existingId = await this.idempotencyKeys.claim(
        manager,
        createBackupUpload,
        { id: siteId, filename, size, sha256 },
        id,
      );
      if (existingId !== undefined) return { id: existingId, isDuplicate: true };
      const { ownerId, name: siteName } = site;
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(LocalBackup)
        .values({ id, ownerId, siteId, siteName, filename, size, sha256, objectKey: key, madeAt, storedAt: new Date() })
        .orIgnore()
        .returning('id')
        .execute();
      if (Object(raw).length === 0) throw alreadyExists(filename);
      await updateLastBackup(manager, siteId);
      await recordAuditEvent(manager, { type: 'backup_upload', site, details: { filename, size, state: 'succeeded' } });
      return { id, isDuplicate: false };
    });
  }
}

const alreadyExists = (filename: string) =>
  new AppError('conflict', {
    message: `${filename} est déjà présent parmi les sauvegardes locales. Supprimez-le, ou renommez votre fichier.`,
    code: 'exists',
  });

const tooManyFiles = (cause: unknown) =>
  new AppError('invalid', 'Cette archive contient trop de fichiers pour être examinée à temps.', { cause });
