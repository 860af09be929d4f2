import { AppError } from '@vigie/contracts/errors';
import { checkedKey, FileStore, isKey, isLeftover, type Leftovers, type Named, type Stored } from './file-store';
import { type Bucket, openBucket, storeAway } from './s3-client';
import { S3Incoming } from './s3-incoming';
import { S3Reader } from './s3-reader';
import { S3Upload } from './s3-upload';

type Seen = { key: string; uploadId?: string; at: Date | undefined };

/** A slow writer takes hours to fill a part, so an upload counts as abandoned only after a day. */
const uploadMs = 24 * 3_600_000;

/** Stores files in a bucket that agents and gateways reach from anywhere. */
export class S3Store extends FileStore {
  readonly place: string;
  private readonly folder: string;

  private constructor(
    private readonly bucket: Bucket,
    prefix: string,
  ) {
    super();
    this.folder = `${prefix === '' ? '' : `${prefix}/`}objects/`;
    this.place = `s3://${bucket.name}/${this.folder.slice(0, -1)}`;
  }

  static async open(bucket: string, prefix: string): Promise<S3Store> {
    return new S3Store(await openBucket(bucket), prefix);
  }

  /** A bucket has no limit that could be queried. */
  async requireRoom(): Promise<void> {}

  async write(key: string, content: AsyncIterable<Uint8Array>, max: number): Promise<Stored> {
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

  async resume(key: string): Promise<S3Incoming> {
    return new S3Incoming(() => this.upload(key), await this.reader(key));
  }

  async reader(key: string): Promise<S3Reader | undefined> {
    return S3Reader.open(this.bucket, this.object(key));
  }

  async delete(key: string): Promise<void> {
    const { sdk, client, name: Bucket } = this.bucket;
    await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: this.object(key) })).catch(refuseAway);
  }

  async purgeIncoming(leftovers: Leftovers, named: Named): Promise<number> {
    const age = { ...leftovers, olderThanMs: Math.max(leftovers.olderThanMs, uploadMs) };
    const { sdk, client, name: Bucket } = this.bucket;
    return this.purge(this.uploads(), age, named, ({ key, uploadId: UploadId }) =>
      client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key: this.object(key), UploadId })),
    );
  }

  async purgeObjects(leftovers: Leftovers, named: Named): Promise<number> {
    return this.purge(this.objects(), leftovers, named, ({ key }) => this.delete(key));
  }

  private async purge(
    pages: AsyncIterable<Seen[]>,
    leftovers: Leftovers,
    named: Named,
    remove: (seen: Seen) => Promise<unknown>,
  ): Promise<number> {
    let removed = 0;
    for await (const page of pages) {
      const old = page.filter(({ key, at }) => isKey(key) && at !== undefined && isLeftover(at.getTime(), leftovers));
      const known = old.length > 0 ? await named(old.map(({ key }) => key)) : new Set<string>();
      for (const seen of old.filter(({ key }) => !known.has(key))) {
        await remove(seen).catch(refuseAway);
        removed += 1;
      }
    }
    return removed;
  }

  private async *objects(): AsyncGenerator<Seen[]> {
    const { sdk, client, name: Bucket } = this.bucket;
    let ContinuationToken: string | undefined;
    do {
      const asked = { Bucket, Prefix: this.folder, ContinuationToken };
      const page = await client.send(new sdk.ListObjectsV2Command(asked)).catch(refuseAway);
      yield (page.Contents ?? []).map(({ Key, LastModified }) => ({ key: this.keyOf(Key), at: LastModified }));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  private async *uploads(): AsyncGenerator<Seen[]> {
    const { sdk, client, name: Bucket } = this.bucket;
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (let isMore = true; isMore; ) {
      const asked = { Bucket, Prefix: this.folder, ...from };
      const page = await client.send(new sdk.ListMultipartUploadsCommand(asked)).catch(refuseAway);
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
    return `${this.folder}${checkedKey(key)}`;
  }

  private keyOf(name = ''): string {
    return name.slice(this.folder.length);
  }
}

function refuseAway(error: unknown): never {
  throw storeAway(error);
}
