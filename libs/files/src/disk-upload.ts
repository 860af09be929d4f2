import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { ignoreMissing, isDiskFull, diskFull, syncFolder, writeAll } from './disk';
import type { PendingUpload } from './pending-upload';

type Paths = { incoming: string; object: string; objects: string };

const batchBytes = 1_048_576;
/**
 * After this many bytes the free space is checked again, because others write too, and the disk begins to store what was
 * written: otherwise all of it would be left for the end.
 */
const checkEvery = 32 * 1_048_576;

/** An upload on disk outlives its writer, until it is finished or dropped. */
export class DiskUpload implements PendingUpload {
  private batch: Uint8Array[] = [];
  private batchedBytes = 0;
  private written: number;
  private checkedAt = 0;
  private writing: Promise<void> = Promise.resolve();
  private flushing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly paths: Paths,
    private readonly file: FileHandle,
    public size: number,
    readonly isWhole: boolean,
    private readonly requireRoom: () => Promise<void>,
  ) {
    this.written = size;
  }

  static async open(paths: Paths, requireRoom: () => Promise<void>): Promise<DiskUpload> {
    const finished = await open(paths.object, 'r').catch(ignoreMissing);
    const file = finished ?? (await open(paths.incoming, constants.O_RDWR | constants.O_CREAT, 0o600));
    return new DiskUpload(paths, file, (await file.stat()).size, finished !== undefined, requireRoom);
  }

  add(bytes: Uint8Array): Promise<void> | undefined {
    this.batch.push(bytes);
    this.batchedBytes += bytes.length;
    this.size += bytes.length;
    return this.batchedBytes < batchBytes ? undefined : this.writeBatch();
  }

  async flush(): Promise<void> {
    await this.writeBatch();
    await this.writing;
  }

  async hash(): Promise<string> {
    await this.flush();
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(batchBytes);
    for (let at = 0; at < this.written; ) {
      const { bytesRead } = await this.file.read(block, 0, block.length, at);
      if (bytesRead === 0) throw new Error('the object is shorter than it was');
      hash.update(block.subarray(0, bytesRead));
      at += bytesRead;
    }
    return hash.digest('hex');
  }

  async restart(): Promise<void> {
    await this.flush();
    await this.file.truncate(0);
    this.written = 0;
    this.checkedAt = 0;
    this.size = 0;
  }

  async finish(): Promise<void> {
    await this.flush();
    if (!this.isWhole) {
      await this.flushing;
      await this.file.sync().catch(explain);
      await rename(this.paths.incoming, this.paths.object);
      await syncFolder(this.paths.objects);
    }
    await this.file.close();
  }

  async suspend(): Promise<void> {
    await this.flush().catch(() => undefined);
    // What the disk failed to store may be lost later, and the next writer would not hear of it.
    await this.flushing.catch(() => this.file.truncate(0));
    await this.file.close();
  }

  async discard(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.file.close();
    await rm(this.paths.incoming, { force: true });
  }

  /** Writes one batch while the next one is collected. */
  private writeBatch(): Promise<void> {
    const batch = this.batch.length === 1 ? this.batch[0] : Buffer.concat(this.batch);
    const before = this.writing;
    this.batch = [];
    this.batchedBytes = 0;
    if (!batch || batch.length === 0) return before;
    this.writing = before.then(() => this.write(batch));
    // The next `add` reports the failure.
    this.writing.catch(() => undefined);
    return before;
  }

  /** Waits for the flush before, whose failure the kernel reports only once. */
  private async startFlush(): Promise<void> {
    await this.flushing;
    this.flushing = this.file.datasync().catch(explain);
    // The next wait reports the failure.
    this.flushing.catch(() => undefined);
  }

  private async write(batch: Uint8Array): Promise<void> {
    try {
      await writeAll(this.file, batch, this.written);
      this.written += batch.length;
      if (this.written - this.checkedAt < checkEvery) return;
      this.checkedAt = this.written;
      await this.startFlush();
      await this.requireRoom();
    } catch (error) {
      explain(error);
    }
  }
}

function explain(error: unknown): never {
  throw isDiskFull(error) ? diskFull(error) : error;
}
