import { crc32 } from 'node:zlib';
import { headerLength, hex } from './header';
import { emptySum, sumText } from './vigie-note';
import { readAhead } from './read-ahead';
import { Archive, wrongContent } from './read-archive';
import type { Source } from './source';
import { damaged } from './refusal';

export type ArchiveVerification = {
  entries: number;
  /** What proves the content: checksums of the format, Vigie’s own, or only the structure. */
  by: 'format' | 'vigie' | 'structure';
};

type Options = { onProgress?: (bytes: number) => void; signal?: AbortSignal };

/** Reads the whole archive once, and throws when something is wrong. */
export async function verifyArchive(source: Source, options: Options = {}): Promise<ArchiveVerification> {
  const buffered = readAhead(source);
  const archive = await Archive.open(buffered);
  const reader = new ChecksumReader(
    buffered,
    archive.end.version === 2 ? 0 : headerLength + archive.first.size,
    options,
  );
  let entries = 0;
  for await (const { at, size, crc, path } of archive.entries({ signal: options.signal })) {
    await reader.readTo(at + headerLength, false);
    const contentCrc = await reader.readTo(at + headerLength + size, crc !== null);
    if (crc !== null && contentCrc !== crc) throw wrongContent(path);
    entries += 1;
  }
  return { entries, by: await verifyChecksum(buffered, archive, reader.sum, entries) };
}

const chunkBytes = 1_048_576;

/** Reads a source in order, and computes the checksum from an offset on. */
class ChecksumReader {
  sum = 0;
  private at = 0;

  constructor(
    private readonly source: Source,
    private readonly sumFrom: number,
    private readonly options: Options,
  ) {}

  async readTo(end: number, needsSum: boolean): Promise<number> {
    let partSum = 0;
    while (this.at < end) {
      this.options.signal?.throwIfAborted();
      const chunk = await this.source.read(this.at, Math.min(chunkBytes, end - this.at));
      if (needsSum) partSum = crc32(chunk, partSum);
      if (this.at >= this.sumFrom) this.sum = crc32(chunk, this.sum);
      this.at += chunk.length;
      this.options.onProgress?.(this.at);
    }
    return partSum;
  }
}

async function verifyChecksum(source: Source, { end, first, about }: Archive, sum: number, entries: number) {
  if (end.version === 2) {
    if (sum !== end.crc) throw damaged('Cette archive est abîmée\u00a0: sa somme de contrôle ne correspond pas.');
    return 'format';
  }
  const { crc, entries: expectedEntries } = about.note ?? { crc: null, entries: null };
  if (crc === null) return 'structure';
  if (entries !== expectedEntries)
    throw damaged(`Cette archive contient ${entries} fichiers au lieu de ${expectedEntries ?? 0}.`);
  const text = (await source.read(headerLength, first.size)).toString('latin1');
  const blank = Buffer.from(text.replace(sumText(crc), sumText(emptySum)), 'latin1');
  if (hex(crc32(blank, sum)) !== crc) {
    throw damaged('Cette archive est abîmée\u00a0: elle n’est plus celle que Vigie a faite.');
  }
  return 'vigie';
}
