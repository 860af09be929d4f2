import { createHash } from 'node:crypto';
import type { CompletedPart } from '@aws-sdk/client-s3';
import { type Bucket, storeUnavailable } from './s3-client';
import type { StoredFile } from './file-store';

/** S3 accepts 10,000 parts of at least 5 MiB. */
const partBytes = 16 * 1_048_576;

/** Uploads an object: a small one in one request, a larger one in parts of equal size. */
export class S3Upload {
  private readonly hash = createHash('sha256');
  private readonly parts: CompletedPart[] = [];
  private buffer: Uint8Array[] = [];
  private bufferedBytes = 0;
  private uploadId: string | undefined;
  private sending: Promise<void> = Promise.resolve();
  size = 0;

  constructor(
    private readonly bucket: Bucket,
    private readonly key: string,
  ) {}

  get sha256(): string {
    return this.hash.copy().digest('hex');
  }

  /** The caller awaits the returned promise before it adds more: one part is sent while the next one is collected. */
  add(bytes: Uint8Array): Promise<void> | undefined {
    this.hash.update(bytes);
    this.size += bytes.length;
    this.buffer.push(bytes);
    this.bufferedBytes += bytes.length;
    return this.bufferedBytes < partBytes ? undefined : this.sendNextPart();
  }

  /** Waits until sent parts have arrived; less than a part is still buffered here. */
  async waitForParts(): Promise<void> {
    await this.sending;
  }

  async finish(): Promise<StoredFile> {
    try {
      await this.sending;
      await (this.uploadId === undefined ? this.putWhole() : this.complete(this.uploadId));
    } catch (error) {
      await this.abort();
      throw storeUnavailable(error);
    }
    return { size: this.size, sha256: this.sha256 };
  }

  /** Aborts the upload; what cannot be aborted now is purged later. */
  async abort(): Promise<void> {
    await this.sending.catch(() => undefined);
    const { sdk, client, name } = this.bucket;
    const UploadId = this.uploadId;
    this.uploadId = undefined;
    if (UploadId === undefined) return;
    const abortCommand = new sdk.AbortMultipartUploadCommand({ Bucket: name, Key: this.key, UploadId });
    await client.send(abortCommand).catch(() => undefined);
  }

  private sendNextPart(): Promise<void> {
    const all = Buffer.concat(this.buffer);
    const before = this.sending;
    const [part, rest] = [all.subarray(0, partBytes), all.subarray(partBytes)];
    [this.buffer, this.bufferedBytes] = [rest.length > 0 ? [rest] : [], rest.length];
    this.sending = before.then(() => this.sendPart(part));
    // The next `add` reports the failure.
    this.sending.catch(() => undefined);
    return before;
  }

  private async sendPart(bytes: Uint8Array): Promise<void> {
    const { sdk, client, name: Bucket } = this.bucket;
    const Key = this.key;
    try {
      if (this.uploadId === undefined) {
        const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }));
        if (UploadId === undefined) throw new Error('the store began no upload');
        this.uploadId = UploadId;
      }
      const PartNumber = this.parts.length + 1;
      const request = { Bucket, Key, UploadId: this.uploadId, PartNumber, Body: bytes };
      const { ETag } = await client.send(new sdk.UploadPartCommand(request));
      this.parts.push({ PartNumber, ETag });
    } catch (error) {
      throw storeUnavailable(error);
    }
  }

  private async putWhole(): Promise<void> {
    const { sdk, client, name: Bucket } = this.bucket;
    await client.send(new sdk.PutObjectCommand({ Bucket, Key: this.key, Body: Buffer.concat(this.buffer) }));
  }

  private async complete(UploadId: string): Promise<void> {
    const { sdk, client, name: Bucket } = this.bucket;
    while (this.bufferedBytes > 0) {
      void this.sendNextPart();
      await this.sending;
    }
    const MultipartUpload = { Parts: this.parts };
    await client.send(new sdk.CompleteMultipartUploadCommand({ Bucket, Key: this.key, UploadId, MultipartUpload }));
    this.uploadId = undefined;
  }
}
