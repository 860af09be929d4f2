import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Refusal, fr } from '../terminal';
import {
  firstLine,
  headBytes,
  Header,
  type Letter,
  letters,
  Manifest,
  maxFrameBytes,
  maxHeaderBytes,
  maxManifestBytes,
  Part,
  tagBytes,
} from './format';
import { type Guard, guardOf, headerText } from './guard';

type Frame = { letter: Letter; bytes: Buffer };
export type Content = { name: string; content: AsyncIterable<Buffer> };

const damaged = () =>
  new Refusal(fr`Cette archive est coupée ou abîmée : rien n’en a été repris. Prenez-en une autre copie.`);

/** Walks an archive without believing it; the end of a walk says that all of it is as it was written. */
export class ArchiveReader {
  private manifestText: Buffer[] = [];
  private manifestBytes = 0;
  private read: Manifest | undefined;

  private constructor(
    private readonly file: FileHandle,
    private readonly guard: Guard,
    private at: number,
    private readonly means: { isSealed: boolean; signal: AbortSignal | undefined },
  ) {}

  /** `signal` ends a walk wherever it is. */
  static async open(path: string, passphrase: string | undefined, signal?: AbortSignal): Promise<ArchiveReader> {
    const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      throw new Refusal(fr`${path} ne se laisse pas lire (${error.code ?? error.message}).`);
    });
    try {
      const header = await readHeader(file);
      if (header.salt !== null && passphrase === undefined)
        throw new Refusal(
          fr`Cette archive est chiffrée : donnez sa phrase secrète par VIGIE_BACKUP_PASSPHRASE ou VIGIE_BACKUP_PASSPHRASE_FILE.`,
        );
      if (header.salt === null && passphrase !== undefined)
        // Somebody else may have put it there: what is not sealed proves nothing of who made it.
        throw new Refusal(
          fr`Cette archive n’est pas chiffrée, alors qu’une phrase secrète est donnée. Si elle est bien la vôtre, retirez VIGIE_BACKUP_PASSPHRASE.`,
        );
      const guard = await guardOf(header, passphrase);
      const isSealed = header.salt !== null;
      return new ArchiveReader(file, guard, Buffer.byteLength(headerText(header)), { isSealed, signal });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Of an archive that was walked to its end. */
  get manifest(): Manifest {
    if (!this.read) throw new Error('the archive was not read to its end');
    return this.read;
  }

  /** Each part as it comes; what is not read of one is passed over before the next. */
  async *parts(): AsyncGenerator<Content> {
    const frames = this.frames();
    const seen: Part[] = [];
    let { value: frame } = await frames.next();
    while (frame?.letter === 'P') {
      const { data: name } = Part.shape.name.safeParse(frame.bytes.toString());
      if (name === undefined) throw damaged();
      const part = new OpenPart(name, frames);
      yield { name: part.name, content: part.content() };
      for await (const _ of part.content());
      seen.push(part.described);
      frame = part.next;
    }
    while (frame?.letter === 'M') {
      this.keep(frame.bytes);
      ({ value: frame } = await frames.next());
    }
    if (frame?.letter !== 'Z' || !(await this.isOver())) throw damaged();
    this.read = this.checkedManifest(seen);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private keep(bytes: Buffer): void {
    this.manifestText.push(bytes);
    this.manifestBytes += bytes.length;
    if (this.manifestBytes > maxManifestBytes) throw damaged();
  }

  /** What was seen is exactly what it names, in its order, by size and hash. */
  private checkedManifest(seen: readonly Part[]): Manifest {
    const { data } = Manifest.safeParse(fromJson(Buffer.concat(this.manifestText).toString()));
    if (!data || JSON.stringify(data.parts) !== JSON.stringify(seen)) throw damaged();
    if (new Set(seen.map(({ name }) => name)).size !== seen.length) throw damaged();
    return data;
  }

  private async *frames(): AsyncGenerator<Frame, undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const head = await this.take(headBytes);
      const letter = letters.find((known) => known === head.toString('latin1', 0, 1));
      const length = head.readUInt32BE(1);
      if (!letter || length > maxFrameBytes) throw damaged();
      const body = await this.take(length);
      const bytes = this.guard.open(head, body, await this.take(tagBytes));
      if (!bytes && isFirst && this.means.isSealed)
        throw new Refusal(fr`La phrase secrète n’est pas celle de cette archive, ou l’archive est abîmée.`);
      if (!bytes) throw damaged();
      yield { letter, bytes };
      if (letter === 'Z') return undefined;
    }
  }

  private async take(length: number): Promise<Buffer> {
    this.means.signal?.throwIfAborted();
    const bytes = Buffer.allocUnsafe(length);
    for (let got = 0; got < length; ) {
      const { bytesRead } = await this.file.read(bytes, got, length - got, this.at);
      if (bytesRead === 0) throw damaged();
      got += bytesRead;
      this.at += bytesRead;
    }
    return bytes;
  }

  private async isOver(): Promise<boolean> {
    return (await this.file.read(Buffer.alloc(1), 0, 1, this.at)).bytesRead === 0;
  }
}

/** One part as it is walked: the frame after it is the next one's. */
class OpenPart {
  next: Frame | undefined;
  private readonly hash = createHash('sha256');
  private size = 0;
  private isOver = false;

  constructor(
    readonly name: string,
    private readonly frames: AsyncGenerator<Frame, undefined>,
  ) {}

  get described(): Part {
    return { name: this.name, size: this.size, sha256: this.hash.copy().digest('hex') };
  }

  async *content(): AsyncGenerator<Buffer> {
    while (!this.isOver) {
      const { value: frame } = await this.frames.next();
      if (frame?.letter === 'D') {
        this.hash.update(frame.bytes);
        this.size += frame.bytes.length;
        yield frame.bytes;
        continue;
      }
      this.next = frame;
      this.isOver = true;
    }
  }
}

async function readHeader(file: FileHandle): Promise<Header> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
  const text = buffer.toString('latin1', 0, bytesRead);
  if (!text.startsWith(firstLine)) {
    if (text.startsWith('vigie-backup '))
      throw new Refusal(fr`Cette archive vient d’une version plus récente de Vigie : mettez celle-ci à jour d’abord.`);
    throw new Refusal(fr`Ce fichier n’est pas une sauvegarde de Vigie.`);
  }
  const { data } = Header.safeParse(fromJson(text.slice(firstLine.length).split('\n')[0] ?? ''));
  if (!data || !text.startsWith(headerText(data))) throw damaged();
  return data;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
