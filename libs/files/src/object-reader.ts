import type { FileHandle } from 'node:fs/promises';

const chunkBytes = 256 * 1024;

/** One stored object, read where somebody wants to read it. It stays readable when it is deleted meanwhile. */
export class ObjectReader {
  constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  /** Exactly these bytes, or an error where the object ends before them. The caller bounds `length`. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset < 0 || length < 0 || offset + length > this.size) throw new RangeError('beyond the end of the object');
    const buffer = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await this.file.read(buffer, at, length - at, offset + at);
      if (bytesRead === 0) throw new RangeError('the object is shorter than it was');
      at += bytesRead;
    }
    return buffer;
  }

  /** From `start` up to `end`, in parts. */
  async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += chunkBytes) yield await this.read(at, Math.min(chunkBytes, end - at));
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
