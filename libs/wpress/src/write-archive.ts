import { crc32 } from 'node:zlib';
import { splitPath, PathClaims } from './entry-path';
import { encodeEnd, encodeHeader, type Version } from './header';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export type NewEntry = {
  /** One character per byte, like `rawPath` of an entry that was read. */
  rawPath: string;
  size: number;
  mtime: number;
  /** Called twice for version 2, which needs the checksum before the content. */
  content: () => Chunks;
};

export const rawPathOf = (path: string) => Buffer.from(path).toString('latin1');

/** Yields the bytes of an archive. Throws for what no reader would accept; the archive then has no end. */
export async function* writeArchive(
  entries: AsyncIterable<NewEntry> | Iterable<NewEntry>,
  version: Version,
): AsyncGenerator<Uint8Array> {
  const claims = new PathClaims();
  let [length, sum, count] = [0, 0, 0];
  const add = (bytes: Uint8Array) => {
    length += bytes.length;
    if (version === 2) sum = crc32(bytes, sum);
    return bytes;
  };
  for await (const entry of entries) {
    const { rawPath, size, mtime, content } = entry;
    if (count === 0 && rawPath !== 'package.json') throw new Error('an archive begins with its package.json');
    claims.add(rawPath);
    count += 1;
    const crc = version === 2 ? await sumOf(content()) : null;
    yield add(encodeHeader({ ...splitPath(rawPath), size, mtime, crc }));
    let remaining = size;
    for await (const chunk of content()) {
      remaining -= chunk.length;
      if (remaining < 0) break;
      yield add(chunk);
    }
    if (remaining !== 0) throw new Error(`${rawPath} is not as long as it was`);
  }
  if (count === 0) throw new Error('an archive begins with its package.json');
  yield encodeEnd(version, length, sum);
}

async function sumOf(chunks: Chunks): Promise<number> {
  let sum = 0;
  for await (const chunk of chunks) sum = crc32(chunk, sum);
  return sum;
}
