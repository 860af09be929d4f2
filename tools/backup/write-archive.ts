import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, writeAll } from '@vigie/files/disk';
import { Refusal, fr } from '../terminal';
import { type Letter, Manifest, maxFrameBytes, maxManifestBytes, type Part, headBytes } from './format';
import { type FrameAuthenticator, createAuthenticator, headerText } from './frame-authenticator';
import { partialFile, sweepPartialFiles } from './partial-files';

/** Small pieces are gathered into frames of this size. */
const gatherBytes = 256 * 1024;

/** Writes parts one after the other, in constant memory. */
export class ArchiveWriter {
  readonly parts: Part[] = [];

  private constructor(
    private readonly file: FileHandle,
    private readonly authenticator: FrameAuthenticator,
  ) {}

  static async begin(file: FileHandle, passphrase: string | undefined): Promise<ArchiveWriter> {
    const header = { salt: passphrase === undefined ? null : randomBytes(16).toString('hex') };
    await writeAll(file, Buffer.from(headerText(header)));
    return new ArchiveWriter(file, await createAuthenticator(header, passphrase));
  }

  async writePart(name: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    await this.writeFrame('P', Buffer.from(name));
    const hash = createHash('sha256');
    let size = 0;
    for await (const bytes of gatherPieces(content)) {
      hash.update(bytes);
      size += bytes.length;
      await this.writeFrame('D', bytes);
    }
    this.parts.push({ name, size, sha256: hash.digest('hex') });
  }

  async end(manifest: Omit<Manifest, 'parts'>): Promise<void> {
    const text = Buffer.from(JSON.stringify(Manifest.parse({ ...manifest, parts: this.parts })));
    // The reader refuses a larger manifest.
    if (text.length > maxManifestBytes)
      throw new Refusal(
        fr`Cette Vigie a trop de fichiers (${this.parts.length}) pour une sauvegarde d’un seul tenant.`,
      );
    for (let offset = 0; offset < text.length; offset += maxFrameBytes) {
      await this.writeFrame('M', text.subarray(offset, offset + maxFrameBytes));
    }
    await this.writeFrame('Z', Buffer.alloc(0));
  }

  private async writeFrame(letter: Letter, bytes: Buffer): Promise<void> {
    const head = Buffer.alloc(headBytes);
    head.write(letter, 0, 'latin1');
    head.writeUInt32BE(bytes.length, 1);
    const { body, tag } = this.authenticator.seal(head, bytes);
    await writeAll(this.file, Buffer.concat([head, body, tag]));
  }
}

async function* gatherPieces(content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < gatherBytes) continue;
    yield* splitIntoFrames(Buffer.concat(chunks));
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield* splitIntoFrames(Buffer.concat(chunks));
}

function* splitIntoFrames(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += maxFrameBytes)
    yield bytes.subarray(offset, offset + maxFrameBytes);
}

/** Writes a file under its final name only when it is whole, readable by its owner alone. */
export async function writeNewFile(path: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw new Refusal(fr`${path} existe déjà : donnez un autre nom.`);
  await sweepPartialFiles(dirname(path));
  const part = partialFile(path);
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
