import type { ChangeInput, Package } from '@vigie/contracts/changes';
import { currentUser } from '@vigie/service-kit/context';
import { type EntityManager, type FindOptionsWhere, In } from 'typeorm';
import type { Job } from '../jobs/job.entity';
import { ownerFilter } from '../owners/owner-filter';
import { Upload } from '../uploads/upload.entity';

/** With their objects they stay until the end of the transaction that asks for their installs. */
export const heldUploads = (
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

/** The one of the site's owner, before the caller's own. */
export const firstOf = (uploads: readonly Upload[], ownerId: string): Upload | undefined =>
  uploads.find((upload) => upload.ownerId === ownerId) ?? uploads[0];

/** By the ids of installs what is there now of the archives they were asked with: under that id, else under that name. */
export async function findAgain(manager: EntityManager, jobs: readonly Job[]): Promise<Map<string, Upload>> {
  const { sub } = currentUser();
  const seesAll = ownerFilter().ownerId === undefined;
  const asked = jobs.flatMap(({ id, ownerId, input }) => {
    const { item, package: archive } = input as ChangeInput;
    return archive ? [{ id, ownerId, item, archive }] : [];
  });
  if (asked.length === 0) return new Map();
  const held = await heldUploads(manager, [
    { id: In(asked.flatMap(({ archive }) => archive.upload_id ?? [])) },
    {
      filename: In(asked.map(({ archive }) => archive.filename)),
      ownerId: In([sub, ...asked.map(({ ownerId }) => ownerId)]),
    },
  ]);
  const found = asked.map(({ id, ownerId, item, archive }) => {
    const same = held.filter(({ type, slug }) => type === item.kind && slug === item.slug);
    const near = same.filter((upload) => upload.ownerId === ownerId || upload.ownerId === sub);
    const chosen = (seesAll ? same : near).find((upload) => upload.id === archive.upload_id);
    const named = near.filter(({ filename }) => filename === archive.filename);
    return [id, chosen ?? firstOf(named, ownerId)] as const;
  });
  return new Map(found.flatMap(([id, upload]) => (upload ? [[id, upload]] : [])));
}
