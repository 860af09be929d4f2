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
import { type FrameAuthenticator, createAuthenticator, headerText } from './frame-authenticator';

type Frame = { letter: Letter; bytes: Buffer };
export type PartContent = { name: string; content: AsyncIterable<Buffer> };

const damaged = () =>
  new Refusal(fr`Cette archive est coupée ou abîmée : rien n’en a été repris. Prenez-en une autre copie.`);

/** Reads an archive that may be damaged or forged; once all parts are read, the whole archive is verified. */
export class ArchiveReader {
  private manifestText: Buffer[] = [];
  private manifestBytes = 0;
  private verifiedManifest: Manifest | undefined;

  private constructor(
    private readonly file: FileHandle,
    private readonly authenticator: FrameAuthenticator,
    private offset: number,
    private readonly options: { isSealed: boolean; signal: AbortSignal | undefined },
  ) {}

  /** `signal` stops reading at any point. */
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
        // A plain archive does not prove who made it, so an attacker may have replaced the sealed one.
        throw new Refusal(
          fr`Cette archive n’est pas chiffrée, alors qu’une phrase secrète est donnée. Si elle est bien la vôtre, retirez VIGIE_BACKUP_PASSPHRASE.`,
        );
      const authenticator = await createAuthenticator(header, passphrase);
      const isSealed = header.salt !== null;
      return new ArchiveReader(file, authenticator, Buffer.byteLength(headerText(header)), { isSealed, signal });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The verified manifest, once all parts are read. */
  get manifest(): Manifest {
    if (!this.verifiedManifest) throw new Error('the archive was not read to its end');
    return this.verifiedManifest;
  }

  /** Yields each part in turn, skipping what the caller did not read of the previous one. */
  async *parts(): AsyncGenerator<PartContent> {
    const frames = this.frames();
    const partsRead: Part[] = [];
    let { value: frame } = await frames.next();
    while (frame?.letter === 'P') {
      const { data: name } = Part.shape.name.safeParse(frame.bytes.toString());
      if (name === undefined) throw damaged();
      const part = new OpenPart(name, frames);
      yield { name: part.name, content: part.content() };
      for await (const _ of part.content());
      partsRead.push(part.summary);
      frame = part.next;
    }
    while (frame?.letter === 'M') {
      this.addManifestBytes(frame.bytes);
      ({ value: frame } = await frames.next());
    }
    if (frame?.letter !== 'Z' || !(await this.isAtEnd())) throw damaged();
    this.verifiedManifest = this.verifyManifest(partsRead);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private addManifestBytes(bytes: Buffer): void {
    this.manifestText.push(bytes);
    this.manifestBytes += bytes.length;
    if (this.manifestBytes > maxManifestBytes) throw damaged();
  }

  /** The manifest must list exactly the parts that were read, in order, with size and hash. */
  private verifyManifest(partsRead: readonly Part[]): Manifest {
    const { data } = Manifest.safeParse(fromJson(Buffer.concat(this.manifestText).toString()));
    if (!data || JSON.stringify(data.parts) !== JSON.stringify(partsRead)) throw damaged();
    if (new Set(partsRead.map(({ name }) => name)).size !== partsRead.length) throw damaged();
    return data;
  }

  private async *frames(): AsyncGenerator<Frame, undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const head = await this.readBytes(headBytes);
      const letter = letters.find((candidate) => candidate === head.toString('latin1', 0, 1));
      const length = head.readUInt32BE(1);
      if (!letter || length > maxFrameBytes) throw damaged();
      const body = await this.readBytes(length);
      const bytes = this.authenticator.open(head, body, await this.readBytes(tagBytes));
      if (!bytes && isFirst && this.options.isSealed)
        throw new Refusal(fr`La phrase secrète n’est pas celle de cette archive, ou l’archive est abîmée.`);
      if (!bytes) throw damaged();
      yield { letter, bytes };
      if (letter === 'Z') return undefined;
    }
  }

  private async readBytes(length: number): Promise<Buffer> {
    this.options.signal?.throwIfAborted();
    const bytes = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await this.file.read(bytes, filled, length - filled, this.offset);
      if (bytesRead === 0) throw damaged();
      filled += bytesRead;
      this.offset += bytesRead;
    }
    return bytes;
  }

  private async isAtEnd(): Promise<boolean> {
    return (await this.file.read(Buffer.alloc(1), 0, 1, this.offset)).bytesRead === 0;
  }
}

/** A part that is being read; the frame after its last one belongs to the next part. */
class OpenPart {
  next: Frame | undefined;
  private readonly hash = createHash('sha256');
  private size = 0;
  private isAtEnd = false;

  constructor(
    readonly name: string,
    private readonly frames: AsyncGenerator<Frame, undefined>,
  ) {}

  get summary(): Part {
    return { name: this.name, size: this.size, sha256: this.hash.copy().digest('hex') };
  }

  async *content(): AsyncGenerator<Buffer> {
    while (!this.isAtEnd) {
      const { value: frame } = await this.frames.next();
      if (frame?.letter === 'D') {
        this.hash.update(frame.bytes);
        this.size += frame.bytes.length;
        yield frame.bytes;
        continue;
      }
      this.next = frame;
      this.isAtEnd = true;
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
