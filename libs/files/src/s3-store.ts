import { AppError } from '@vigie/contracts/errors';
import {
  requireKey,
  FileStore,
  isKey,
  isAbandoned,
  type PurgeOptions,
  type FindUsed,
  type StoredFile,
} from './file-store';
import { type Bucket, openBucket, storeUnavailable } from './s3-client';
import { S3PendingUpload } from './s3-pending-upload';
import { S3Reader } from './s3-reader';
import { S3Upload } from './s3-upload';

type ListedObject = { key: string; uploadId?: string; at: Date | undefined };

/** A slow writer takes hours to fill a part, so an upload counts as abandoned only after a day. */
const uploadMs = 24 * 3_600_000;

/** Stores files in a bucket that agents and gateways reach from anywhere. */
export class S3Store extends FileStore {
  readonly location: string;
  private readonly folder: string;

  private constructor(
    private readonly bucket: Bucket,
    prefix: string,
  ) {
    super();
    this.folder = `${prefix === '' ? '' : `${prefix}/`}objects/`;
    this.location = `s3://${bucket.name}/${this.folder.slice(0, -1)}`;
  }

  static async open(bucket: string, prefix: string): Promise<S3Store> {
    return new S3Store(await openBucket(bucket), prefix);
  }

  /** A bucket has no limit that could be queried. */
  async requireRoom(): Promise<void> {}

  async write(key: string, content: AsyncIterable<Uint8Array>, max: number): Promise<StoredFile> {
    const upload = this.upload(key);
    try {
      for await (const chunk of content) {
        if (upload.size + chunk.length > max) throw new AppError('too_large', 'Le fichier est plus gros que prévu.');
        await upload.add(chunk);
      }
      return await upload.finish();
    } catch (error) {
      await upload.abort();
      throw error;
    }
  }

  async resume(key: string): Promise<S3PendingUpload> {
    return new S3PendingUpload(() => this.upload(key), await this.reader(key));
  }

  async reader(key: string): Promise<S3Reader | undefined> {
    return S3Reader.open(this.bucket, this.object(key));
  }

  async delete(key: string): Promise<void> {
    const { sdk, client, name: Bucket } = this.bucket;
    await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: this.object(key) })).catch(throwUnavailable);
  }

  async purgeIncoming(options: PurgeOptions, findUsed: FindUsed): Promise<number> {
    const age = { ...options, olderThanMs: Math.max(options.olderThanMs, uploadMs) };
    const { sdk, client, name: Bucket } = this.bucket;
    return this.purge(this.uploads(), age, findUsed, ({ key, uploadId: UploadId }) =>
      client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key: this.object(key), UploadId })),
    );
  }

  async purgeObjects(options: PurgeOptions, findUsed: FindUsed): Promise<number> {
    return this.purge(this.objects(), options, findUsed, ({ key }) => this.delete(key));
  }

  private async purge(
    pages: AsyncIterable<ListedObject[]>,
    options: PurgeOptions,
    findUsed: FindUsed,
    remove: (listed: ListedObject) => Promise<unknown>,
  ): Promise<number> {
    let removed = 0;
    for await (const page of pages) {
      const old = page.filter(({ key, at }) => isKey(key) && at !== undefined && isAbandoned(at.getTime(), options));
      const used = old.length > 0 ? await findUsed(old.map(({ key }) => key)) : new Set<string>();
      for (const listed of old.filter(({ key }) => !used.has(key))) {
        await remove(listed).catch(throwUnavailable);
        removed += 1;
      }
    }
    return removed;
  }

  private async *objects(): AsyncGenerator<ListedObject[]> {
    const { sdk, client, name: Bucket } = this.bucket;
    let ContinuationToken: string | undefined;
    do {
      const request = { Bucket, Prefix: this.folder, ContinuationToken };
      const page = await client.send(new sdk.ListObjectsV2Command(request)).catch(throwUnavailable);
      yield (page.Contents ?? []).map(({ Key, LastModified }) => ({ key: this.keyOf(Key), at: LastModified }));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  private async *uploads(): AsyncGenerator<ListedObject[]> {
    const { sdk, client, name: Bucket } = this.bucket;
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (let isMore = true; isMore; ) {
      const request = { Bucket, Prefix: this.folder, ...from };
      const page = await client.send(new sdk.ListMultipartUploadsCommand(request)).catch(throwUnavailable);
      yield (page.Uploads ?? []).map(({ Key, UploadId = '', Initiated }) => ({
        key: this.keyOf(Key),
        uploadId: UploadId,
        at: Initiated,
      }));
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      isMore = page.IsTruncated === true;
    }
  }

  private upload(key: string): S3Upload {
    return new S3Upload(this.bucket, this.object(key));
  }

  private object(key: string): string {
    return `${this.folder}${requireKey(key)}`;
  }

  private keyOf(name = ''): string {
    return name.slice(this.folder.length);
  }
}

function throwUnavailable(error: unknown): never {
  throw storeUnavailable(error);
}
