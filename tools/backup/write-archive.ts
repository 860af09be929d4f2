import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, writeAll } from '@vigie/files/disk';
import { Refusal, fr } from '../terminal';
import { type Letter, Manifest, maxFrameBytes, maxManifestBytes, type Part, headBytes } from './format';
import { type Guard, guardOf, headerText } from './guard';
import { partOf, sweepParts } from './parts';

/** Small pieces make one frame. */
const gatherBytes = 256 * 1024;

/** Takes parts one after the other, in constant memory. */
export class ArchiveWriter {
  readonly parts: Part[] = [];

  private constructor(
    private readonly file: FileHandle,
    private readonly guard: Guard,
  ) {}

  static async begin(file: FileHandle, passphrase: string | undefined): Promise<ArchiveWriter> {
    const header = { salt: passphrase === undefined ? null : randomBytes(16).toString('hex') };
    await writeAll(file, Buffer.from(headerText(header)));
    return new ArchiveWriter(file, await guardOf(header, passphrase));
  }

  async part(name: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    await this.frame('P', Buffer.from(name));
    const hash = createHash('sha256');
    let size = 0;
    for await (const bytes of gathered(content)) {
      hash.update(bytes);
      size += bytes.length;
      await this.frame('D', bytes);
    }
    this.parts.push({ name, size, sha256: hash.digest('hex') });
  }

  async end(manifest: Omit<Manifest, 'parts'>): Promise<void> {
    const text = Buffer.from(JSON.stringify(Manifest.parse({ ...manifest, parts: this.parts })));
    // Nobody could read it back.
    if (text.length > maxManifestBytes)
      throw new Refusal(
        fr`Cette Vigie a trop de fichiers (${this.parts.length}) pour une sauvegarde d’un seul tenant.`,
      );
    for (let at = 0; at < text.length; at += maxFrameBytes) {
      await this.frame('M', text.subarray(at, at + maxFrameBytes));
    }
    await this.frame('Z', Buffer.alloc(0));
  }

  private async frame(letter: Letter, bytes: Buffer): Promise<void> {
    const head = Buffer.alloc(headBytes);
    head.write(letter, 0, 'latin1');
    head.writeUInt32BE(bytes.length, 1);
    const { body, tag } = this.guard.seal(head, bytes);
    await writeAll(this.file, Buffer.concat([head, body, tag]));
  }
}

async function* gathered(content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    held.push(chunk);
    size += chunk.length;
    if (size < gatherBytes) continue;
    yield* cut(Buffer.concat(held));
    [held, size] = [[], 0];
  }
  if (size > 0) yield* cut(Buffer.concat(held));
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += maxFrameBytes) yield bytes.subarray(at, at + maxFrameBytes);
}

/** Whole under its name, readable by its owner alone, or not there at all. */
export async function writeNewFile(path: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw new Refusal(fr`${path} existe déjà : donnez un autre nom.`);
  await sweepParts(dirname(path));
  const part = partOf(path);
  const file = await open(part, 'wx', 0o600);
  try {
    await work(file);
    await file.sync();
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
    await file.close();
  }
  await syncFolder(dirname(path));
}
