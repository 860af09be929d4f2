import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  beginUpload,
  createUpload,
  deleteUpload,
  listUploads,
  maxUploadBytes,
  type UploadType,
  type Upload as UploadView,
} from '@vigie/contracts/uploads';
import { FileStore } from '@vigie/files/file-store';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { hasWords, patternsOf, plainSql } from '@vigie/service-kit/search';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordDoing } from '../activity/doings';
import { packagesInUse } from '../changes/open-changes';
import { ownerFilter } from '../owners/owner-filter';
import { holdOwner } from '../owners/owners';
import { inspect, type Inspected } from './inspect';
import { toUpload, Upload } from './upload.entity';
import { lockUploads, requireUploadRoom } from './upload-room';

type Creation = Input<typeof createUpload>;

const searchedText = plainSql("concat_ws(' ', u.filename, u.name, u.slug, u.type)");

@Controller()
export class UploadsController {
  constructor(
    private readonly database: DataSource,
    private readonly creations: IdempotencyKeys,
    private readonly store: FileStore,
  ) {}

  @Handles(listUploads)
  async list({ q, type, slug, offset, limit }: Input<typeof listUploads>) {
    const query = this.database.manager
      .createQueryBuilder(Upload, 'u')
      .where({ ...ownerFilter(), ...(type !== undefined && { type }), ...(slug !== undefined && { slug }) });
    const [words] = patternsOf(q) ?? [];
    if (words) query.andWhere(hasWords(searchedText, ':words'), { words });
    query.orderBy('u.createdAt', 'DESC').addOrderBy('u.id', 'DESC').offset(offset).limit(limit);
    const [uploads, total] = await query.getManyAndCount();
    return { items: uploads.map(toUpload), total };
  }

  @Handles(beginUpload)
  async begin({ type, filename, replace, announced }: Input<typeof beginUpload>) {
    const { manager } = this.database;
    const ownerId = currentUser().sub;
    const isThere = replace === '0' && (await manager.existsBy(Upload, { ownerId, type, filename }));
    // Asked again because the answer was lost, it is there already, and is not a second one.
    const isKnown = await this.creations.isKnown(manager, createUpload);
    if (isThere && !isKnown) throw isThereAlready(filename);
    const max = Math.min(maxUploadBytes, announced);
    // What surely does not fit need not be sent; whether it does is decided once it is kept.
    if (!isKnown) await requireUploadRoom(manager, { ownerId, type, filename, size: max });
    await this.store.requireRoom(max);
    return { key: FileStore.newKey(), most: max };
  }

  @Handles(createUpload)
  async create(input: Creation): Promise<UploadView> {
    try {
      const { id, spare } = await this.keep(input, await this.look(input));
      if (spare !== undefined) await this.store.delete(spare);
      return toUpload(await this.find({ id }));
    } catch (error) {
      // Whether another failure came before or after the commit is not known here: what no row names goes a day later.
      if (error instanceof AppError) await this.store.delete(input.key);
      throw error;
    }
  }

  @Handles(deleteUpload)
  async delete(input: Input<typeof deleteUpload>) {
    const key = await this.database.transaction(async (manager) => {
      const upload = await this.choose(manager, input);
      await manager.delete(Upload, { id: upload.id });
      await record(manager, 'upload_delete', upload);
      return spareOf(manager, upload);
    });
    if (key !== undefined) await this.store.delete(key);
    return {};
  }

  private async look({ type, key, size }: Creation): Promise<Inspected> {
    const reader = await this.store.reader(key);
    if (reader?.size !== size) {
      await reader?.close();
      throw new Error(`the object ${key} is not in this store: the gateway and sites-svc must share one`);
    }
    try {
      return await inspect(reader, type);
    } finally {
      await reader.close();
    }
  }

  /** `spare`: the object that nothing names any more. */
  private async keep(input: Creation, inspected: Inspected): Promise<{ id: string; spare: string | undefined }> {
    const { key, ...asked } = input;
    return this.database.transaction(async (manager) => {
      const ownerId = await holdOwner(manager);
      await lockUploads(manager, ownerId);
      const before = await manager.findOne(Upload, {
        where: { ownerId, type: input.type, filename: input.filename },
        lock: { mode: 'pessimistic_write' },
      });
      const madeId = before?.id ?? uuid();
      const known = await this.creations.claim(manager, createUpload, asked, madeId);
      if (known !== undefined) return { id: known, spare: key };
      if (before && input.replace === '0') throw isThereAlready(input.filename);
      await requireUploadRoom(manager, { ownerId, ...input });
      const row = { ...columnsOf(input, inspected), id: madeId, ownerId };
      if (before) await manager.update(Upload, { id: madeId }, row);
      else await insertNew(manager, row);
      await record(manager, before ? 'upload_edit' : 'upload_create', row, before?.version);
      return { id: madeId, spare: before ? await spareOf(manager, before) : undefined };
    });
  }

  private async find({ id }: { id: string }): Promise<Upload> {
    const upload = await this.database.manager.findOneBy(Upload, { id });
    if (!upload) throw unknownUpload();
    return upload;
  }

  /** One's own, before those that an administrator sees. */
  private async choose(manager: EntityManager, { type, filename, id }: Input<typeof deleteUpload>): Promise<Upload> {
    const seen = await manager.find(Upload, {
      where: { type, filename, ...ownerFilter(), ...(id !== undefined && { id }) },
      take: 2,
      order: { id: 'asc' },
      lock: { mode: 'pessimistic_write' },
    });
    const [upload] = seen.length > 1 ? await ownOf(manager, type, filename) : seen;
    if (upload) return upload;
    if (seen.length === 0) throw unknownUpload();
    throw new AppError('conflict', 'Plusieurs personnes ont un fichier de ce nom\u00a0: précisez lequel par son id.');
  }
}

/**
 * Its object, if no install waits for it: what was accepted is done with what was chosen. Whoever asks for an install holds
 * the row as we do, so that none comes later; `Leftovers` takes the object away behind the last of them.
 */
async function spareOf(manager: EntityManager, { objectKey: key }: Upload): Promise<string | undefined> {
  const used = await packagesInUse(manager, [key]);
  return used.length > 0 ? undefined : key;
}

const ownOf = (manager: EntityManager, type: UploadType, filename: string) =>
  manager.findBy(Upload, { type, filename, ownerId: currentUser().sub });

const unknownUpload = () => new AppError('not_found', 'Cette archive n’existe pas ou n’existe plus.');

const isThereAlready = (filename: string) =>
  new AppError('conflict', {
    message: `${filename} est déjà présent. Remplacez-le, ou renommez votre fichier.`,
    code: 'upload_exists',
  });

const columnsOf = (
  { key, type, filename, size, sha256 }: Creation,
  { slug, name, version, requires, unpacked }: Inspected,
) => ({
  type,
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

/** Somebody else of the same person's tabs may have been faster. */
async function insertNew(manager: EntityManager, row: Upload): Promise<void> {
  const { raw } = await manager
    .createQueryBuilder()
    .insert()
    .into(Upload)
    .values(row)
    .orIgnore()
    .returning('id')
    .execute();
  if (Object(raw).length === 0) throw isThereAlready(row.filename);
}

type Told = Pick<Upload, 'id' | 'ownerId' | 'type' | 'filename' | 'slug' | 'version'>;

function record(
  manager: EntityManager,
  type: 'upload_create' | 'upload_edit' | 'upload_delete',
  upload: Told,
  from?: string | null,
): Promise<void> {
  const { id, ownerId, filename, slug, version } = upload;
  const details = { kind: upload.type, name: filename, slug, to: version, ...(from !== undefined && { from }) };
  return recordDoing(manager, { type, upload: { id, ownerId, name: filename }, details });
}
