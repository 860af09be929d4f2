import type { Backup, LocalBackup as LocalBackupView, Verification } from '@vigie/contracts/backups';
import { AppError } from '@vigie/contracts/errors';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { owns } from '../owners/owner-filter';
import type { Site } from '../sites/site.entity';

@Entity('local_backups')
export class LocalBackup {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  /** Null after the site was deleted. */
  @Column('uuid', { name: 'site_id', nullable: true })
  siteId!: string | null;

  @Column('text', { name: 'site_name' })
  siteName!: string;

  @Column('text')
  filename!: string;

  /** The driver returns a bigint as text; sizes stay below 2⁵³. */
  @Column('bigint', { transformer: { from: Number, to: (size: number) => size } })
  size!: number;

  @Column('text')
  sha256!: string;

  @Column('text', { name: 'object_key' })
  objectKey!: string;

  /** When the archive was made, before it came into the store. */
  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;

  @Column('timestamptz', { name: 'kept_at' })
  storedAt!: Date;

  @Column('timestamptz', { name: 'goes_at', nullable: true })
  expiresAt!: Date | null;

  @Column('jsonb', { nullable: true })
  verified!: Verification | null;
}

const commonFields = ({ filename, size, madeAt, verified }: LocalBackup) => ({
  filename,
  size,
  createdAt: madeAt.toISOString(),
  created: madeAt.toISOString(),
  location: 'Local' as const,
  verified,
});

export const toLocalBackup = (backup: LocalBackup): LocalBackupView => ({
  ...commonFields(backup),
  site_id: backup.siteId,
  site_name: backup.siteName,
  goes_at: backup.expiresAt?.toISOString() ?? null,
  sha256: backup.sha256,
});

export const toBackup = (backup: LocalBackup, storage: string): Backup => ({
  ...commonFields(backup),
  storage,
  is_usable: true,
});

export const unknownLocalBackup = () =>
  new AppError('not_found', 'Cette sauvegarde locale n’existe pas ou n’existe plus. Rechargez la liste.');

type BackupName = { site: Pick<Site, 'id' | 'ownerId'>; filename: string };

/** The store is the owner's. A grant opens only what is of its site. */
export const backupsOf = ({ id: siteId, ownerId }: BackupName['site']): { ownerId: string; siteId?: string } =>
  owns({ ownerId }) ? { ownerId } : { ownerId, siteId };

export async function findLocalBackup(manager: EntityManager, { site, filename }: BackupName): Promise<LocalBackup> {
  const backup = await manager.findOneBy(LocalBackup, { ...backupsOf(site), filename });
  if (!backup) throw unknownLocalBackup();
  return backup;
}

export async function lockLocalBackup(manager: EntityManager, { site, filename }: BackupName): Promise<LocalBackup> {
  const where = { ...backupsOf(site), filename };
  const backup = await manager.findOne(LocalBackup, { where, lock: { mode: 'pessimistic_write' } });
  if (!backup) throw unknownLocalBackup();
  return backup;
}

export const renameArchive = (filename: string, suffix: string) =>
  `${filename.replace(/\.wpress$/, '').slice(0, 192 - suffix.length - 1)}-${suffix}.wpress`;
