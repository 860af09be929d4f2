import type { FileHandle } from 'node:fs/promises';
import { type ObjectReader, requireWithin } from './object-reader';

const chunkBytes = 256 * 1024;

/** An open file stays readable when it is deleted meanwhile. */
export class DiskReader implements ObjectReader {
  constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  async read(offset: number, length: number): Promise<Buffer> {
    requireWithin(this, offset, length);
    const buffer = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await this.file.read(buffer, at, length - at, offset + at);
      if (bytesRead === 0) throw new RangeError('the object is shorter than it was');
      at += bytesRead;
    }
    return buffer;
  }

  async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += chunkBytes) yield await this.read(at, Math.min(chunkBytes, end - at));
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
