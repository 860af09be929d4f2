import { createHash } from 'node:crypto';
import type { PendingUpload } from './pending-upload';
import type { S3Reader } from './s3-reader';
import { S3Upload } from './s3-upload';

/** An upload to S3 belongs to its writer: after a writer’s death the next one starts again. */
export class S3PendingUpload implements PendingUpload {
  private upload: S3Upload;

  constructor(
    private readonly createUpload: () => S3Upload,
    private readonly existing: S3Reader | undefined,
  ) {
    this.upload = createUpload();
  }

  get size(): number {
    return this.existing?.size ?? this.upload.size;
  }

  get isWhole(): boolean {
    return this.existing !== undefined;
  }

  add(bytes: Uint8Array): Promise<void> | undefined {
    if (this.existing) throw new Error('this object is whole');
    return this.upload.add(bytes);
  }

  flush(): Promise<void> {
    return this.upload.waitForParts();
  }

  async hash(): Promise<string> {
    if (!this.existing) return this.upload.sha256;
    const hash = createHash('sha256');
    for await (const chunk of this.existing.chunks(0, this.existing.size)) hash.update(chunk);
    return hash.digest('hex');
  }

  async restart(): Promise<void> {
    await this.upload.abort();
    this.upload = this.createUpload();
  }

  async finish(): Promise<void> {
    if (!this.existing) await this.upload.finish();
  }

  suspend(): Promise<void> {
    return this.upload.abort();
  }

  discard(): Promise<void> {
    return this.upload.abort();
  }
}
