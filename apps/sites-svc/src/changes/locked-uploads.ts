import type { ChangeInput, Package } from '@vigie/contracts/changes';
import { currentUser } from '@vigie/service-kit/context';
import { type EntityManager, type FindOptionsWhere, In } from 'typeorm';
import { ownerFilter, owns } from '../owners/owner-filter';
import { Upload } from '../uploads/upload.entity';

/** Locks uploads until the transaction ends, so that nobody deletes their objects before the installs exist. */
export const lockUploadRows = (
  manager: EntityManager,
  where: FindOptionsWhere<Upload> | FindOptionsWhere<Upload>[],
): Promise<Upload[]> => manager.find(Upload, { where, order: { id: 'asc' }, lock: { mode: 'pessimistic_read' } });

export const toPackage = ({ objectKey: key, sha256, size, filename, unpacked, id }: Upload): Package => ({
  key,
  sha256,
  size,
  filename,
  unpacked,
  upload_id: id,
});

export const preferOwner = (uploads: readonly Upload[], ownerId: string): Upload | undefined =>
  uploads.find((upload) => upload.ownerId === ownerId) ?? uploads[0];

/** Finds the current uploads for retried installs, by upload id or else by file name. Keys are job ids. */
export async function findReplacementUploads(
  manager: EntityManager,
  changes: readonly { id: string; owner_id: string; input: ChangeInput }[],
): Promise<Map<string, Upload>> {
  const { sub } = currentUser();
  const seesAll = ownerFilter().ownerId === undefined;
  const installs = changes.flatMap(({ id, owner_id: ownerId, input: { item, package: archive } }) =>
    archive ? [{ id, ownerId, item, archive }] : [],
  );
  if (installs.length === 0) return new Map();
  const uploads = await lockUploadRows(manager, [
    { id: In(installs.flatMap(({ archive }) => archive.upload_id ?? [])) },
    {
      filename: In(installs.map(({ archive }) => archive.filename)),
      ownerId: In([sub, ...installs.map(({ ownerId }) => ownerId).filter((ownerId) => owns({ ownerId }))]),
    },
  ]);
  const matches = installs.map(({ id, ownerId, item, archive }) => {
    const sameItem = uploads.filter(({ type: kind, slug }) => kind === item.kind && slug === item.slug);
    const ownUploads = sameItem.filter(
      (upload) => upload.ownerId === sub || (upload.ownerId === ownerId && owns({ ownerId })),
    );
    const chosen = (seesAll ? sameItem : ownUploads).find((upload) => upload.id === archive.upload_id);
    const sameName = ownUploads.filter(({ filename }) => filename === archive.filename);
    return [id, chosen ?? preferOwner(sameName, ownerId)] as const;
  });
  return new Map(matches.flatMap(([id, upload]) => (upload ? [[id, upload]] : [])));
}
