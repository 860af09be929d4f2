import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  beginUpload,
  createUpload,
  deleteUpload,
  listUploads,
  maxUploadBytes,
  type PackageKind,
  type Upload as UploadView,
} from '@vigie/contracts/uploads';
import { FileStore } from '@vigie/files/file-store';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { hasWords, patternsOf, foldTextSql } from '@vigie/service-kit/search';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordAuditEvent } from '../activity/audit-events';
import { ownerFilter } from '../owners/owner-filter';
import { lockOwner } from '../owners/owners';
import { inspect, type Inspected } from './inspect';
import { toUpload, Upload } from './upload.entity';
import { lockUploadQuota, requireUploadRoom } from './upload-room';
import { packagesInUse } from './packages-in-use';

type Creation = Input<typeof createUpload>;

const searchedText = foldTextSql("concat_ws(' ', u.filename, u.name, u.slug, u.type)");

@Controller()
export class UploadsController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly store: FileStore,
  ) {}

  @Handles(listUploads)
  async list({ q, type: kind, slug, offset, limit }: Input<typeof listUploads>) {
    const query = this.database.manager
      .createQueryBuilder(Upload, 'u')
      .where({ ...ownerFilter(), ...(kind !== undefined && { type: kind }), ...(slug !== undefined && { slug }) });
    const [words] = patternsOf(q) ?? [];
    if (words) query.andWhere(hasWords(searchedText, ':words'), { words });
    query.orderBy('u.createdAt', 'DESC').addOrderBy('u.id', 'DESC').offset(offset).limit(limit);
    const [uploads, total] = await query.getManyAndCount();
    return { items: uploads.map(toUpload), total };
  }

  @Handles(beginUpload)
  async begin({ type: kind, filename, replace, announced }: Input<typeof beginUpload>) {
    const { manager } = this.database;
    const ownerId = currentUser().sub;
    const exists = replace === '0' && (await manager.existsBy(Upload, { ownerId, type: kind, filename }));
    // A repeated request, whose first answer was lost, finds its own upload.
    const isKnown = await this.idempotencyKeys.isUsed(manager, createUpload);
    if (exists && !isKnown) throw alreadyExists(filename);
    const max = Math.min(maxUploadBytes, announced);
    // Refuses early what cannot fit; the quota is checked again when the upload is saved.
    if (!isKnown) await requireUploadRoom(manager, { ownerId, type: kind, filename, size: max });
    await this.store.requireRoom(max);
    return { key: FileStore.newKey(), most: max };
  }

  @Handles(createUpload)
  async create(input: Creation): Promise<UploadView> {
    try {
      const { id, unusedKey } = await this.save(input, await this.inspectObject(input));
      if (unusedKey !== undefined) await this.store.delete(unusedKey);
      return toUpload(await this.find({ id }));
    } catch (error) {
      // After any other failure the commit may have happened: `Leftovers` deletes the object if no row names it.
      if (error instanceof AppError) await this.store.delete(input.key);
      throw error;
    }
  }

  @Handles(deleteUpload)
  async delete(input: Input<typeof deleteUpload>) {
    const key = await this.database.transaction(async (manager) => {
      const upload = await this.chooseUpload(manager, input);
      await manager.delete(Upload, { id: upload.id });
      await recordUpload(manager, 'upload_delete', upload);
      return unusedKeyOf(manager, upload);
    });
    if (key !== undefined) await this.store.delete(key);
    return {};
  }

  private async inspectObject({ type: kind, key, size }: Creation): Promise<Inspected> {
    const reader = await this.store.reader(key);
    if (reader?.size !== size) {
      await reader?.close();
      throw new Error(`the object ${key} is not in this store: the gateway and sites-svc must share one`);
    }
    try {
      return await inspect(reader, kind);
    } finally {
      await reader.close();
    }
  }

  /** `unusedKey` is the object that no row names any more. */
  private async save(input: Creation, inspected: Inspected): Promise<{ id: string; unusedKey: string | undefined }> {
    const { key, ...request } = input;
    return this.database.transaction(async (manager) => {
      const ownerId = await lockOwner(manager);
      await lockUploadQuota(manager, ownerId);
      const before = await manager.findOne(Upload, {
        where: { ownerId, type: input.type, filename: input.filename },
        lock: { mode: 'pessimistic_write' },
      });
      const newId = before?.id ?? uuid();
      const existingId = await this.idempotencyKeys.claim(manager, createUpload, request, newId);
      if (existingId !== undefined) return { id: existingId, unusedKey: key };
      if (before && input.replace === '0') throw alreadyExists(input.filename);
      await requireUploadRoom(manager, { ownerId, ...input });
      const row = { ...columnsOf(input, inspected), id: newId, ownerId };
      if (before) await manager.update(Upload, { id: newId }, row);
      else await insertNew(manager, row);
      await recordUpload(manager, before ? 'upload_edit' : 'upload_create', row, before?.version);
      return { id: newId, unusedKey: before ? await unusedKeyOf(manager, before) : undefined };
    });
  }

  private async find({ id }: { id: string }): Promise<Upload> {
    const upload = await this.database.manager.findOneBy(Upload, { id });
    if (!upload) throw unknownUpload();
    return upload;
  }

  /** Prefers the caller's own upload to those that the admin mode shows. */
  private async chooseUpload(
    manager: EntityManager,
    { type: kind, filename, id }: Input<typeof deleteUpload>,
  ): Promise<Upload> {
    const matches = await manager.find(Upload, {
      where: { type: kind, filename, ...ownerFilter(), ...(id !== undefined && { id }) },
      take: 2,
      order: { id: 'asc' },
      lock: { mode: 'pessimistic_write' },
    });
    const [upload] = matches.length > 1 ? await findOwn(manager, kind, filename) : matches;
    if (upload) return upload;
    if (matches.length === 0) throw unknownUpload();
    throw new AppError('conflict', 'Plusieurs personnes ont un fichier de ce nom\u00a0: précisez lequel par son id.');
  }
}

/**
 * Undefined while an accepted install still needs the object: `Leftovers` deletes it later. No new install can begin,
 * because it would lock the same row.
 */
async function unusedKeyOf(manager: EntityManager, { objectKey: key }: Upload): Promise<string | undefined> {
  const jobKeys = await packagesInUse(manager, [key]);
  return jobKeys.length > 0 ? undefined : key;
}

const findOwn = (manager: EntityManager, kind: PackageKind, filename: string) =>
  manager.findBy(Upload, { type: kind, filename, ownerId: currentUser().sub });

const unknownUpload = () => new AppError('not_found', 'Cette archive n’existe pas ou n’existe plus.');

const alreadyExists = (filename: string) =>
  new AppError('conflict', {
    message: `${filename} est déjà présent. Remplacez-le, ou renommez votre fichier.`,
    code: 'upload_exists',
  });

const columnsOf = (
  { key, type: kind, filename, size, sha256 }: Creation,
  { slug, name, version, requires, unpacked }: Inspected,
) => ({
  type: kind,
  filename,
  slug,
  name,
  version,
  requiresWp: requires.wp,
  requiresPhp: requires.php,
  size,
  unpacked,
  sha256,
  objectKey: key,
  createdAt: new Date(),
});

/** Another tab of the same person may have inserted the same name first. */
async function insertNew(manager: EntityManager, row: Upload): Promise<void> {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(Upload)
    .values(row)
    .orIgnore()
    .returning('id')
    .execute();
  if (Object(raw).length === 0) throw alreadyExists(row.filename);
}

type RecordedUpload = Pick<Upload, 'id' | 'ownerId' | 'type' | 'filename' | 'slug' | 'version'>;

function recordUpload(
  manager: EntityManager,
  type: 'upload_create' | 'upload_edit' | 'upload_delete',
  upload: RecordedUpload,
  from?: string | null,
): Promise<void> {
  const { id, ownerId, filename, slug, version } = upload;
  const details = { kind: upload.type, name: filename, slug, to: version, ...(from !== undefined && { from }) };
  return recordAuditEvent(manager, { type, upload: { id, ownerId, name: filename }, details });
}
