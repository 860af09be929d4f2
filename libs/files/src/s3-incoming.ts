import { createHash } from 'node:crypto';
import type { Incoming } from './incoming';
import type { S3Reader } from './s3-reader';
import { S3Upload } from './s3-upload';

/** An upload to S3 belongs to its writer: after a writer’s death the next one starts again. */
export class S3Incoming implements Incoming {
  private upload: S3Upload;

  constructor(
    private readonly begin: () => S3Upload,
    /** The object that exists already. */
    private readonly whole: S3Reader | undefined,
  ) {
    this.upload = begin();
  }

  get size(): number {
    return this.whole?.size ?? this.upload.size;
  }

  get isWhole(): boolean {
    return this.whole !== undefined;
  }

  add(bytes: Uint8Array): Promise<void> | undefined {
    if (this.whole) throw new Error('this object is whole');
    return this.upload.add(bytes);
  }

  flush(): Promise<void> {
    return this.upload.settle();
  }

  async hash(): Promise<string> {
    if (!this.whole) return this.upload.sha256;
    const hash = createHash('sha256');
    for await (const chunk of this.whole.chunks(0, this.whole.size)) hash.update(chunk);
    return hash.digest('hex');
  }

  async restart(): Promise<void> {
    await this.upload.abort();
    this.upload = this.begin();
  }

  async finish(): Promise<void> {
    if (!this.whole) await this.upload.finish();
  }

  leave(): Promise<void> {
    return this.upload.abort();
  }

  drop(): Promise<void> {
    return this.upload.abort();
  }
}
