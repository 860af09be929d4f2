import { AppError } from '@vigie/contracts/errors';
import type { PackageKind } from '@vigie/contracts/uploads';
import type { EntityManager } from 'typeorm';
import { env } from '../env';

type NewUpload = { ownerId: string; type: PackageKind; filename: string; size: number };

/** Two archives that arrive at once could each fit the quota alone, and exceed it together. */
export const lockUploadQuota = (manager: EntityManager, ownerId: string): Promise<unknown> =>
  manager.query("select pg_advisory_xact_lock(hashtextextended('uploads|' || $1, 0))", [ownerId]);

/** The archive that this one replaces does not count. */
export async function requireUploadRoom(manager: EntityManager, { ownerId, type: kind, filename, size }: NewUpload) {
  const [others]: { bytes: string }[] = await manager.query(
    `select coalesce(sum(size), 0) as bytes from uploads
     where owner_id = $1 and (type, filename) is distinct from ($2, $3)`,
    [ownerId, kind, filename],
  );
  const megabytes = env.VIGIE_UPLOADS_MEGABYTES;
  if (Number(others?.bytes ?? 0) + size <= megabytes * 1_048_576) return;
  throw new AppError('conflict', {
    code: 'upload_quota',
    message: `Vos archives dépasseraient les ${megabytes}\u00a0Mo permis à chacun\u00a0: supprimez-en, puis recommencez.`,
  });
}

/** The room of a person who is given uploads of somebody else. */
export async function requireRoomFor(
  manager: EntityManager,
  user: { id: string; name: string },
  uploadIds: readonly string[],
): Promise<void> {
  const [all]: { bytes: string }[] = await manager.query(
    'select coalesce(sum(size), 0) as bytes from uploads where owner_id = $1 or id = any($2::uuid[])',
    [user.id, uploadIds],
  );
  const megabytes = env.VIGIE_UPLOADS_MEGABYTES;
  if (Number(all?.bytes ?? 0) <= megabytes * 1_048_576) return;
  throw new AppError('conflict', {
    code: 'upload_quota',
    message: `Les archives de ${user.name} dépasseraient les ${megabytes}\u00a0Mo permis à chacun\u00a0: confiez sans elles.`,
  });
}
