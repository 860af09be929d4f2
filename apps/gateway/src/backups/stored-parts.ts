import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { StoredPart } from '@vigie/contracts/backups';
import { AppError } from '@vigie/contracts/errors';
import { FileStore } from '@vigie/files/file-store';
import type { ObjectReader } from '@vigie/files/object-reader';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { releaseOnClose } from '../sockets';
import { type ByteRange, parseRange } from './range';

/** Downloads at once: each is long, and keeps a connection and a file open. */
const maxAtOnce = 64;
/** A client that reads nothing for that long is gone. */
const stalledMs = 60_000;

/** Downloads of files of the store, and of parts of them, which can be resumed. */
@Injectable()
export class StoredParts {
  private readonly slots = new FairSlots(maxAtOnce);

  constructor(private readonly store: FileStore) {}

  /** Sends a part of a file; the connections of one user share a limit. */
  async send(part: StoredPart, userId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { length } = part;
    const etag = `"${part.sha256}${length === part.size ? '' : `-${part.at}-${length}`}"`;
    const range = matchesIfRange(request, etag) ? parseRange(request.headers.range, length) : undefined;
    if (range === null) {
      const detail = 'Cette partie du fichier n’existe pas.';
      return void reply.status(416).header('content-range', `bytes */${length}`).send({ detail });
    }
    const { from, to } = range ?? { from: 0, to: length };
    const isHead = request.method === 'HEAD';
    if (!isHead) this.takeSlot(userId, reply);
    // A stream, since Fastify would overwrite the content length for a string.
    const content = isHead ? Readable.from([]) : await this.open(part, range);
    void reply.status(range ? 206 : 200).headers({
      etag,
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-disposition': attachment(part.filename),
      'content-length': to - from,
      ...(range && { 'content-range': `bytes ${from}-${to - 1}/${length}` }),
    });
    void reply.send(content);
  }

  /** Takes a slot until the connection closes, or its client stops reading. */
  private takeSlot(userId: string, reply: FastifyReply): void {
    const { raw } = reply;
    const release = this.slots.acquire(userId);
    if (!release) throw tooMany();
    releaseOnClose(reply, release);
    raw.setTimeout(stalledMs, () => raw.destroy());
  }

  private async open(part: StoredPart, range: ByteRange | undefined): Promise<Readable> {
    const { key, size, sha256, at, length, crc } = part;
    const reader = await this.store.reader(key);
    if (!reader) throw new AppError('not_found', 'Cette sauvegarde n’est plus dans le stockage de Vigie.');
    const { from, to } = range ?? { from: 0, to: length };
    const isWhole = !range && length === size;
    const content = isWhole
      ? this.store.read(key, { size, sha256 })
      : readRange(reader, { from: at + from, to: at + to }, range ? null : crc);
    // Closed here, since a generator that never started does not run its `finally`.
    return Readable.from(content, { objectMode: false }).once('close', () => void reader.close());
  }
}

/** With a checksum, the last chunk is sent only if the whole range matches it. */
async function* readRange(reader: ObjectReader, { from, to }: ByteRange, crc: string | null): AsyncGenerator<Buffer> {
  let sum = 0;
  let lastChunk: Buffer | undefined;
  for await (const chunk of reader.chunks(from, to)) {
    if (crc !== null) sum = crc32(chunk, sum);
    if (lastChunk) yield lastChunk;
    lastChunk = chunk;
  }
  if (crc !== null && sum !== Number.parseInt(crc, 16)) throw new Error('a part of an archive is damaged');
  if (lastChunk) yield lastChunk;
}

/** A resumed download must be of the same file, and starts over otherwise. */
function matchesIfRange({ headers }: FastifyRequest, etag: string): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag;
}

/** Gives the file name in ASCII, and in UTF-8 for clients that know it. */
function attachment(name: string): string {
  const safeName = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\]/gu, '_');
  const plain = safeName
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '_')
    .replaceAll(/["\\%;]/g, '_');
  const encoded = encodeURIComponent(safeName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const tooMany = () =>
  new AppError('too_many', 'Trop de téléchargements sont en cours. Attendez la fin de l’un d’eux, puis recommencez.', {
    retryAfter: 5,
  });
