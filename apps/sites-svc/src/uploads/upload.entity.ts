import type { Upload as UploadView, PackageKind } from '@vigie/contracts/uploads';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The driver returns a bigint as text; sizes stay below 2⁵³. */
const byteCount = {
  from: (size: string | null) => (size === null ? null : Number(size)),
  to: (size: number | null) => size,
};

@Entity('uploads')
export class Upload {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  type!: PackageKind;

  /** Never a path. */
  @Column('text')
  filename!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  version!: string | null;

  @Column('text', { name: 'requires_wp', nullable: true })
  requiresWp!: string | null;

  @Column('text', { name: 'requires_php', nullable: true })
  requiresPhp!: string | null;

  @Column('bigint', { transformer: byteCount })
  size!: number;

  /** Bytes of the unpacked files; null for uploads older than this column. */
  @Column('bigint', { nullable: true, transformer: byteCount })
  unpacked!: number | null;

  @Column('text')
  sha256!: string;

  @Column('text', { name: 'object_key' })
  objectKey!: string;

  /** A replaced upload gets a new time. */
  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

export const toUpload = (upload: Upload): UploadView => ({
  id: upload.id,
  filename: upload.filename,
  type: upload.type,
  size: upload.size,
  slug: upload.slug,
  version: upload.version,
  name: upload.name,
  requires: { wp: upload.requiresWp, php: upload.requiresPhp },
  createdAt: upload.createdAt.toISOString(),
  sha256: upload.sha256,
});
