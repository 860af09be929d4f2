import type { Readable } from 'node:stream';
import { AppError } from '@vigie/contracts/errors';
import { ObjectFault } from './file-store';
import { type ObjectReader, requireWithin } from './object-reader';
import { type Bucket, isChanged, isMissing, storeUnavailable } from './s3-client';

type ObjectInfo = { key: string; size: number; etag: string | undefined };

/** A cut download resumes at its offset, at most this many times without progress. */
const maxCuts = 5;

export class S3Reader implements ObjectReader {
  private constructor(
    private readonly bucket: Bucket,
    private readonly object: ObjectInfo,
  ) {}

  static async open(bucket: Bucket, key: string): Promise<S3Reader | undefined> {
    const { sdk, client, name } = bucket;
    try {
      const { ContentLength, ETag } = await client.send(new sdk.HeadObjectCommand({ Bucket: name, Key: key }));
      return new S3Reader(bucket, { key, size: ContentLength ?? 0, etag: ETag });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storeUnavailable(error);
    }
  }

  get size(): number {
    return this.object.size;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    requireWithin(this, offset, length);
    const parts: Buffer[] = [];
    for await (const part of this.chunks(offset, offset + length)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let [at, cuts] = [start, 0]; at < end; ) {
      const before = at;
      try {
        for await (const chunk of this.readSpan(at, end)) {
          at += chunk.length;
          yield chunk;
        }
      } catch (error) {
        if (error instanceof ObjectFault || error instanceof AppError) throw error;
        cuts = at > before ? 1 : cuts + 1;
        if (cuts >= maxCuts) throw storeUnavailable(error);
      }
    }
  }

  async close(): Promise<void> {
    // No connection is kept between two reads.
  }

  private async *readSpan(from: number, end: number): AsyncGenerator<Buffer> {
    const body = await this.get(from, end);
    let remaining = end - from;
    try {
      for await (const chunk of body) {
        remaining -= chunk.length;
        // A server without range support answers with the whole object.
        if (remaining < 0) throw new ObjectFault(`more of ${this.object.key} came than was asked for`);
        yield chunk;
      }
    } finally {
      body.destroy();
    }
    if (remaining > 0) throw new Error('the answer of the store was cut');
  }

  private async get(from: number, end: number): Promise<Readable> {
    const { sdk, client, name: Bucket } = this.bucket;
    const { key: Key, etag: IfMatch } = this.object;
    const request = { Bucket, Key, Range: `bytes=${from}-${end - 1}`, IfMatch };
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(request));
      return Body as Readable;
    } catch (error) {
      if (isMissing(error) || isChanged(error)) throw new ObjectFault(`the object ${Key} is gone`);
      throw storeUnavailable(error);
    }
  }
}
