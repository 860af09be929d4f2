import { describe, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import {
  about,
  archive,
  end,
  invalidArchives,
  manyFolders,
  maxEntries,
  archiveWithChecksum,
  part,
  secondEnd,
  checksumOf,
} from '@vigie/testing/invalid-archives';
import { Archive } from './read-archive';
import type { Source } from './source';
import { verifyArchive } from './verify-archive';

const length = 4_377;

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: async (offset, count) => {
    if (offset < 0 || offset + count > bytes.length) throw new RangeError('beyond the end');
    return Buffer.from(bytes.subarray(offset, offset + count));
  },
});

const paths = async (bytes: Buffer, options?: Parameters<Archive['entries']>[0]) => {
  const opened = await Archive.open(sourceOf(bytes));
  const all = [];
  for await (const entry of opened.entries(options)) all.push(entry.path);
  return all;
};

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof AppError) || error.code !== 'invalid') throw new Error(`not refused: ${String(error)}`);
  return error.message;
}

const text = 'le phare '.repeat(100);
const sum = checksumOf(text);

describe('an archive', () => {
  it('is listed with few reads, and without reading large contents', async () => {
    const bytes = archive(
      { content: text },
      { name: 'film', content: 'x'.repeat(1_000_000) },
      { name: 'été 🎉.txt', folder: 'uploads/2026' },
      { name: 'a', folder: 'b' },
    );
    const reads: number[] = [];
    const { size, read } = sourceOf(bytes);
    const opened = await Archive.open({ size, read: (at, count) => (reads.push(count), read(at, count)) });
    reads.length = 0;
    const all = [];
    for await (const entry of opened.entries()) all.push([entry.path, entry.size, entry.mtime, entry.crc]);
    expect(all).toEqual([
      ['package.json', 2, 1_767_000_000, null],
      ['a.txt', 900, 1_767_000_000, null],
      ['film', 1_000_000, 1_767_000_000, null],
      ['uploads/2026/été 🎉.txt', 0, 1_767_000_000, null],
      ['b/a', 0, 1_767_000_000, null],
    ]);
    // The first four headers lie close together; the others follow after the large content.
    expect(reads).toEqual([131_072, length, 2 * length]);
  });

  it('distinguishes names that are not UTF-8', async () => {
    const names = [Buffer.from([0xe9]), Buffer.from([0xc3, 0xa9]), Buffer.from([0xff, 0xfe])];
    expect(await paths(archive(...names.map((name) => ({ name }))))).toEqual(['package.json', 'é', 'é', 'ÿþ']);
  });

  it('describes the packed site, and ignores unknown and invalid fields', async () => {
    const info = {
      SiteURL: 'https://a.test',
      HomeURL: 7,
      Plugins: { 1: 'a/a.php', 3: ['b'] },
      WordPress: { Version: '6.1.9', Absolute: '/srv/a/' },
      Database: 'none',
      NoCache: true,
      NoMedia: '0',
      __proto__: { Template: 'poison' },
    };
    const bytes = Buffer.concat([about(info), end]);
    expect((await Archive.open(sourceOf(bytes))).about).toMatchObject({
      siteUrl: 'https://a.test',
      homeUrl: null,
      plugins: ['a/a.php'],
      template: null,
      wordpress: { version: '6.1.9', root: '/srv/a/' },
      database: { prefix: null },
      without: ['NoCache'],
      note: null,
    });
  });

  it('extracts one file, and its last bytes only when the checksum matches', async () => {
    const bytes = archive({ content: text, crc: sum }, { name: 'b', content: text, crc: '00000001' });
    const opened = await Archive.open(sourceOf(bytes));
    const read = async (path: string) => {
      const chunks: Buffer[] = [];
      const entry = await opened.find(path);
      if (entry) for await (const chunk of opened.content(entry)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect(await read('a.txt')).toBe(text);
    expect(await read('nowhere')).toBe('');
    expect(await refusal(read('b'))).toContain('abîmé');
  });

  it.each([
    ['encrypted', { Encrypted: true }, /chiffrée/],
    ['compressed', { Compression: { Enabled: true, Type: 'gzip' } }, /compressée/],
    ['encrypted, with a text as flag', { Encrypted: 'true' }, /chiffrée/],
  ])('is refused when it is %s', async (_, info, sentence) => {
    expect(await refusal(Archive.open(sourceOf(Buffer.concat([about(info), end]))))).toMatch(sentence);
  });

  it('may contain names that differ by case, unless the disk ignores case', async () => {
    const bytes = archive({ name: 'É.txt' }, { name: 'é.txt' });
    expect(await paths(bytes)).toHaveLength(3);
    expect(await refusal(paths(bytes, { isCaseless: true }))).toMatch(/deux fois/);
  });
});

describe('an archive that lies', () => {
  it.each(invalidArchives)('by $how', async ({ bytes, code, sentence }) => {
    const both = verifyArchive(sourceOf(bytes)).then(() => paths(bytes, { maxEntries }));
    await expect(both).rejects.toMatchObject({
      code: 'invalid',
      detail: { code, message: expect.stringMatching(sentence) },
    });
  });

  it('by millions of folders', async () => {
    expect(await refusal(paths(manyFolders()))).toMatch(/plus d’un million de dossiers/);
  });

  it('is refused wherever it is cut', async () => {
    const whole = secondEnd(Buffer.concat([about(), part({ content: text, crc: sum })]));
    expect(await verifyArchive(sourceOf(whole))).toEqual({ entries: 2, by: 'format' });
    for (let at = 0; at < whole.length; at += at % length < 3 ? 1 : 97) {
      expect(await refusal(verifyArchive(sourceOf(whole.subarray(0, at))))).not.toBe('');
    }
  });

  it('is refused wherever a byte of it is changed', async () => {
    const whole = secondEnd(Buffer.concat([about(), part({ content: text, crc: sum })]));
    for (let at = 0; at < whole.length; at += 53) {
      const other = Buffer.from(whole);
      other[at] = (other[at] ?? 0) ^ 0x20;
      expect(await refusal(verifyArchive(sourceOf(other)))).not.toBe('');
    }
  });
});

describe('an archive of Vigie', () => {
  it('is verified by its own checksum', async () => {
    const whole = archiveWithChecksum(2, part({ content: text }));
    expect(await verifyArchive(sourceOf(whole))).toEqual({ entries: 2, by: 'vigie' });
    const other = Buffer.from(whole);
    other[whole.length - length - 1] = 0;
    expect(await refusal(verifyArchive(sourceOf(other)))).toContain('plus celle que Vigie a faite');
    expect(await refusal(verifyArchive(sourceOf(archiveWithChecksum(3, part({ content: text })))))).toContain(
      '2 fichiers au lieu de 3',
    );
    expect(await verifyArchive(sourceOf(archiveWithChecksum(2, part({ content: text }), '')))).toMatchObject({
      by: 'structure',
    });
  });
});
