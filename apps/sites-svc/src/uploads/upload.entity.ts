import type { Upload as UploadView, UploadType } from '@vigie/contracts/uploads';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Below 2⁵³, while the driver gives a bigint as text. */
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
  type!: UploadType;

  /** As its owner calls it: never a path. */
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

  /** What its files weigh; null of those that came before this was noted. */
  @Column('bigint', { nullable: true, transformer: byteCount })
  unpacked!: number | null;

  @Column('text')
  sha256!: string;

  /** Where the store has it. */
  @Column('text', { name: 'object_key' })
  objectKey!: string;

  /** Of what is there now: it may have replaced another. */
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
