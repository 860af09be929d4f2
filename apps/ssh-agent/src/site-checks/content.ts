import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type ContentFinding, plainAddress, type ShownContent } from '@vigie/contracts/site-check-rules';
import { hasText } from './page-text';
import { defaultMaxBytes, type PageVisit } from './visit';

/** How much of a page is searched, as it was sent and once it is unpacked. */
const searchedBytes = 524_288;
export const wholePage = { maxBytes: searchedBytes, headBytes: searchedBytes, enoughBytes: defaultMaxBytes };

type JudgedVisit = Pick<PageVisit, 'code' | 'url' | 'page'>;
export type JudgedContent = ShownContent & { found: ContentFinding };

/** Whether a visitor saw what is expected; null where the site gave no answer, which is an outage, or none that can be read. */
export async function judgeContent(expected: ShownContent, visited: JudgedVisit): Promise<JudgedContent | null> {
  const { expected_text: text, redirects_to: target } = expected;
  if (visited.page === null || visited.code >= 500) return null;
  if (target !== null && plainAddress(visited.url) !== plainAddress(target))
    return { ...expected, found: 'other_redirect' };
  if (text === null) return { ...expected, found: 'as_expected' };
  const page = await readText(visited.page);
  if (hasText(page.text, text)) return { ...expected, found: 'as_expected' };
  return page.isAll ? { ...expected, found: 'text_missing' } : null;
}

type Page = NonNullable<PageVisit['page']>;
/** As much of the page as is searched; without `isAll` a part of it could not be read. */
type PageText = { text: string; isAll: boolean };

async function readText({ head, encoding, type, bytes, isAll }: Page): Promise<PageText> {
  const unpacked = await unpack(head, encoding.trim().toLowerCase());
  const name = /charset\s*=\s*["']?([\w-]+)/i.exec(type)?.[1] ?? declaredCharset(unpacked.bytes);
  const wasRead = isAll || bytes >= searchedBytes;
  return { text: decode(unpacked.bytes, name ?? 'utf-8'), isAll: wasRead && unpacked.isAll };
}

/** What a page says of itself stands near its beginning. */
const declaredCharset = (bytes: Buffer): string | undefined =>
  /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2_048).toString('latin1'))?.[1];

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The end of a page that was cut is missing, which is no error. */
const cut = { finishFlush: constants.Z_SYNC_FLUSH };
const unpackers = new Map<string, () => NodeJS.ReadWriteStream>([
  ['gzip', () => createGunzip(cut)],
  ['x-gzip', () => createGunzip(cut)],
  ['deflate', () => createInflate(cut)],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

type Unpacked = { bytes: Buffer; isAll: boolean };

/**
 * Some servers pack pages although a visit asks for none. A page that was cut is unpacked as far as it goes, and one that grows
 * without end no further than a page that was sent plainly.
 */
async function unpack(packed: Buffer, encoding: string): Promise<Unpacked> {
  if (encoding === '' || encoding === 'identity') return { bytes: packed, isAll: true };
  const unpacker = unpackers.get(encoding)?.();
  if (!unpacker) return { bytes: Buffer.alloc(0), isAll: false };
  const parts: Buffer[] = [];
  let size = 0;
  try {
    unpacker.end(packed);
    for await (const part of unpacker as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, searchedBytes - size));
      size += part.length;
      if (size >= searchedBytes) break;
    }
    return { bytes: Buffer.concat(parts), isAll: true };
  } catch {
    // It is no such format, or broken: what was read until then counts.
    return { bytes: Buffer.concat(parts), isAll: false };
  }
}
