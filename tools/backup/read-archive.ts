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
  /** The frame after those that were read. It is authentic; after one that is not, there is none. */
  private frame: Frame | undefined;
  private hasBegun = false;
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
    const partsRead: Part[] = [];
    await this.advance();
    while (this.frame?.letter === 'P') {
      const { data: name } = Part.shape.name.safeParse(this.frame.bytes.toString());
      if (name === undefined) throw damaged();
      await this.advance();
      const hash = createHash('sha256');
      let size = 0;
      const measure = (bytes: Buffer) => {
        hash.update(bytes);
        size += bytes.length;
      };
      const content = this.bytesOf('D', measure);
      yield { name, content };
      // First what the caller still waits for, then what they left.
      for await (const _ of content);
      for await (const _ of this.bytesOf('D', measure));
      partsRead.push({ name, size, sha256: hash.digest('hex') });
    }
    const manifestText: Buffer[] = [];
    let manifestBytes = 0;
    for await (const bytes of this.bytesOf('M')) {
      manifestText.push(bytes);
      manifestBytes += bytes.length;
      if (manifestBytes > maxManifestBytes) throw damaged();
    }
    if (this.frame?.letter !== 'Z' || !(await this.isAtEnd())) throw damaged();
    this.verifiedManifest = verifyManifest(Buffer.concat(manifestText), partsRead);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Yields the frames of this letter that come next. Each is passed once, even where the caller stops between two. */
  private async *bytesOf(letter: Letter, measure?: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
    while (this.frame?.letter === letter) {
      const { bytes } = this.frame;
      measure?.(bytes);
      await this.advance();
      yield bytes;
    }
  }

  /** Reads the next frame, which nobody sees before it is proved to be the one that was written here. */
  private async advance(): Promise<void> {
    const isFirst = !this.hasBegun;
    this.hasBegun = true;
    this.frame = undefined;
    const head = await this.readBytes(headBytes);
    const letter = letters.find((candidate) => candidate === head.toString('latin1', 0, 1));
    const length = head.readUInt32BE(1);
    if (!letter || length > maxFrameBytes) throw damaged();
    const body = await this.readBytes(length);
    const bytes = this.authenticator.open(head, body, await this.readBytes(tagBytes));
    if (!bytes && isFirst && this.options.isSealed)
      throw new Refusal(fr`La phrase secrète n’est pas celle de cette archive, ou l’archive est abîmée.`);
    if (!bytes) throw damaged();
    this.frame = { letter, bytes };
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

/** The manifest must list exactly the parts that were read, in order, with size and hash. */
function verifyManifest(text: Buffer, partsRead: readonly Part[]): Manifest {
  const { data } = Manifest.safeParse(fromJson(text.toString()));
  if (!data || JSON.stringify(data.parts) !== JSON.stringify(partsRead)) throw damaged();
  if (new Set(partsRead.map(({ name }) => name)).size !== partsRead.length) throw damaged();
  return data;
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
