import { describe, expect, it } from 'vitest';
import { Archive } from './read-archive';
import { verifyArchive } from './verify-archive';
import { type NewEntry, rawPathOf, writeArchive } from './write-archive';

/** A seeded random generator of numbers below a limit. */
function dice(seed: number) {
  let state = seed >>> 0;
  return (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const sizes = [0, 1, 2, 511_999, 512_000, 512_001, 4_376, 4_377, 4_378, 262_144];
const letters = ['a', 'Z', '0', ' ', '.', '-', 'é', 'ŉ', '🎉', 'ÿ', '"', "'", '$', ';', '%'];

/** Text, or bytes that are not UTF-8; never `.` or `..`. */
function aName(roll: (below: number) => number, longest: number): string {
  const length = 1 + roll(longest);
  const signs = Array.from({ length }, () =>
    roll(4) === 0 ? String.fromCharCode(0x80 + roll(128)) : rawPathOf(letters[roll(letters.length)] ?? 'a'),
  );
  const name = signs.join('').slice(0, longest);
  return /^\.{1,2}$/.test(name) ? 'point' : name;
}

type WrittenEntry = NewEntry & { bytes: Buffer };

function aFile(roll: (below: number) => number, used: Set<string>): WrittenEntry {
  const size = sizes[roll(sizes.length)] ?? 0;
  const bytes = Buffer.alloc(size, aName(roll, 40), 'latin1');
  // The prefixes keep folder names different from file names.
  const folders = Array.from({ length: roll(5) }, () => `d${aName(roll, 30)}`);
  let rawPath = [...folders, `f${aName(roll, roll(9) === 0 ? 254 : 20)}`].join('/');
  while (used.has(rawPath)) rawPath = `${folders.join('/')}${folders.length > 0 ? '/' : ''}f${used.size}`;
  used.add(rawPath);
  const mtime = roll(3) === 0 ? roll(5) - 2 : roll(4_000_000_000);
  return { rawPath, size, mtime, bytes, content: () => pieces(bytes, 1 + roll(300_000)) };
}

function* pieces(bytes: Buffer, max: number) {
  for (let at = 0; at < bytes.length; at += max) yield bytes.subarray(at, at + max);
}

const about: WrittenEntry = (() => {
  const bytes = Buffer.from('{"SiteURL":"https://a.test"}');
  return { rawPath: 'package.json', size: bytes.length, mtime: 0, bytes, content: () => [bytes] };
})();

async function bytesOf(entries: readonly NewEntry[], version: 1 | 2): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeArchive(entries, version)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sourceOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (offset: number, length: number) => {
    if (offset + length > bytes.length) throw new RangeError('beyond the end');
    return bytes.subarray(offset, offset + length);
  },
});

const seeds = Array.from({ length: 12 }, (_, n) => 1_000 + n);

describe('a written archive', () => {
  it.each(seeds.flatMap((seed) => [[seed, 1] as const, [seed, 2] as const]))(
    'is read back as it was written, with seed %i and version %i',
    async (seed, version) => {
      const roll = dice(seed);
      const used = new Set<string>();
      const written = [about, ...Array.from({ length: roll(14) }, () => aFile(roll, used))];
      const source = sourceOf(await bytesOf(written, version));
      expect(await verifyArchive(source)).toEqual({
        entries: written.length,
        by: version === 2 ? 'format' : 'structure',
      });
      const archive = await Archive.open(source);
      const entriesRead: { rawPath: string; size: number; mtime: number; bytes: string }[] = [];
      for await (const entry of archive.entries()) {
        const chunks: Buffer[] = [];
        for await (const chunk of archive.content(entry)) chunks.push(chunk);
        const { rawPath, size, mtime } = entry;
        entriesRead.push({ rawPath, size, mtime, bytes: Buffer.concat(chunks).toString('latin1') });
      }
      const expected = written.map(({ rawPath, size, mtime, bytes }) => ({
        rawPath,
        size,
        mtime,
        bytes: bytes.toString('latin1'),
      }));
      expect(entriesRead).toEqual(expected);
    },
  );
});

describe('an archive that no reader would accept', () => {
  const file = (rawPath: string, size = 1): NewEntry => ({
    rawPath,
    size,
    mtime: 0,
    content: () => [Buffer.from('a')],
  });

  it.each([
    ['nothing', [], /begins with/],
    ['no package.json', [file('a')], /begins with/],
    ['a path out of the archive', [about, file('../a')], /dangereux/],
    ['a name of 256 bytes', [about, file('a'.repeat(256))], /dangereux/],
    ['one file twice', [about, file('a'), file('a')], /deux fois/],
    ['a file that shrank', [about, file('a', 2)], /as long as/],
    ['a file that grew', [about, file('a', 0)], /as long as/],
  ] as [string, NewEntry[], RegExp][])('is not written: %s', async (_, entries, sentence) => {
    await expect(bytesOf(entries, 1)).rejects.toThrow(sentence);
  });
});
