import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { StoredPart } from '@vigie/contracts/backups';
import { AppError } from '@vigie/contracts/errors';
import { FileStore } from '@vigie/files/file-store';
import type { ObjectReader } from '@vigie/files/object-reader';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { untilOver } from '../sockets';
import { type Span, spanOf } from './range';

/** They last: each holds a connection and a file open. */
const maxAtOnce = 64;
/** Whoever reads nothing for so long is gone. */
const stalledMs = 60_000;

/** Files of the store, and parts of them, as downloads that can be gone on with. */
@Injectable()
export class StoredParts {
  private readonly turns = new FairSlots(maxAtOnce);

  constructor(private readonly store: FileStore) {}

  /** `who`: several connections of one person are one person's. */
  async send(part: StoredPart, who: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { length } = part;
    const etag = `"${part.sha256}${length === part.size ? '' : `-${part.at}-${length}`}"`;
    const span = isOf(request, etag) ? spanOf(request.headers.range, length) : undefined;
    if (span === null) {
      const detail = 'Cette partie du fichier n’existe pas.';
      return void reply.status(416).header('content-range', `bytes */${length}`).send({ detail });
    }
    const { from, to } = span ?? { from: 0, to: length };
    const isHead = request.method === 'HEAD';
    if (!isHead) this.takeTurn(who, reply);
    // Of a string Fastify would write the length over ours.
    const content = isHead ? Readable.from([]) : await this.open(part, span);
    void reply.status(span ? 206 : 200).headers({
      etag,
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-disposition': attachment(part.filename),
      'content-length': to - from,
      ...(span && { 'content-range': `bytes ${from}-${to - 1}/${length}` }),
    });
    void reply.send(content);
  }

  /** Until the connection is over, or the other end no longer reads. */
  private takeTurn(who: string, reply: FastifyReply): void {
    const { raw } = reply;
    const leave = this.turns.take(who);
    if (!leave) throw tooMany();
    untilOver(reply, leave);
    raw.setTimeout(stalledMs, () => raw.destroy());
  }

  private async open(part: StoredPart, span: Span | undefined): Promise<Readable> {
    const { key, size, sha256, at, length, crc } = part;
    const reader = await this.store.reader(key);
    if (!reader) throw new AppError('not_found', 'Cette sauvegarde n’est plus dans le stockage de Vigie.');
    const { from, to } = span ?? { from: 0, to: length };
    const isWhole = !span && length === size;
    const content = isWhole
      ? this.store.read(key, { size, sha256 })
      : readSpan(reader, { from: at + from, to: at + to }, span ? null : crc);
    // Not by the generator: one that never began has nothing to end with.
    return Readable.from(content, { objectMode: false }).once('close', () => void reader.close());
  }
}

/** Where a sum is known, the last bytes come only when all of them agree with it. */
async function* readSpan(reader: ObjectReader, { from, to }: Span, crc: string | null): AsyncGenerator<Buffer> {
  let sum = 0;
  let held: Buffer | undefined;
  for await (const chunk of reader.chunks(from, to)) {
    if (crc !== null) sum = crc32(chunk, sum);
    if (held) yield held;
    held = chunk;
  }
  if (crc !== null && sum !== Number.parseInt(crc, 16)) throw new Error('a part of an archive is damaged');
  if (held) yield held;
}

/** A download that is gone on with is of the same file, or begins anew. */
function isOf({ headers }: FastifyRequest, etag: string): boolean {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag;
}

/** In the letters of all systems, and for those that know them in its own. */
function attachment(name: string): string {
  const shown = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\]/gu, '_');
  const plain = shown
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '_')
    .replaceAll(/["\\%;]/g, '_');
  const encoded = encodeURIComponent(shown).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const tooMany = () =>
  new AppError('too_many', 'Trop de téléchargements sont en cours. Attendez la fin de l’un d’eux, puis recommencez.', {
    retryAfter: 5,
  });
