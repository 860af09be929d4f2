import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@vigie/contracts/errors';
import { Archive } from './read-archive';
import type { Source } from './source';
import { verifyArchive } from './verify-archive';

/** Fields of a header as somebody who lies may write them; the content is what really follows. */
type Part = {
  name?: string | Buffer;
  folder?: string | Buffer;
  size?: string;
  mtime?: string;
  crc?: string;
  content?: string;
};

const length = 4_377;

function part({ name = 'a.txt', folder = '.', content = '', size, mtime = '1767000000', crc = '' }: Part): Buffer {
  const block = Buffer.alloc(length);
  const bytes = Buffer.from(content);
  const fields = [name, size ?? String(bytes.length), mtime, folder, crc];
  for (const [n, at] of [0, 255, 269, 281, 4_369].entries()) Buffer.from(fields[n] ?? '').copy(block, at);
  return Buffer.concat([block, bytes]);
}

const about = (more: object = {}) => part({ name: 'package.json', content: JSON.stringify(more) });
const end = Buffer.alloc(length);
const archive = (...parts: readonly (Part | Buffer)[]) =>
  Buffer.concat([about(), ...parts.map((one) => (Buffer.isBuffer(one) ? one : part(one))), end]);

/** `lying` about what stands before it. */
function secondEnd(before: Buffer, lying: { size?: string; crc?: string } = {}): Buffer {
  const sum = crc32(before).toString(16).padStart(8, '0');
  return Buffer.concat([
    before,
    part({ name: '', folder: '', mtime: '', size: String(before.length), crc: sum, ...lying }),
  ]);
}

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
const sum = crc32(text).toString(16).padStart(8, '0');

describe('an archive', () => {
  it('tells what it holds by few reads, and none of a large content', async () => {
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
    // The first four lie together; then one that is far, and what is near to that.
    expect(reads).toEqual([131_072, length, 2 * length]);
  });

  it('keeps names that are no text apart', async () => {
    const names = [Buffer.from([0xe9]), Buffer.from([0xc3, 0xa9]), Buffer.from([0xff, 0xfe])];
    expect(await paths(archive(...names.map((name) => ({ name }))))).toEqual(['package.json', 'é', 'é', 'ÿþ']);
  });

  it('says what was packed, whoever packed it and whatever it says besides', async () => {
    const said = {
      SiteURL: 'https://a.test',
      HomeURL: 7,
      Plugins: { 1: 'a/a.php', 3: ['b'] },
      WordPress: { Version: '6.1.9', Absolute: '/srv/a/' },
      Database: 'none',
      NoCache: true,
      NoMedia: '0',
      __proto__: { Template: 'poison' },
    };
    const bytes = Buffer.concat([about(said), end]);
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

  it('gives one file, and its last bytes only when they are what was packed', async () => {
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
    ['encrypted, as it says in a word', { Encrypted: 'true' }, /chiffrée/],
  ])('is refused where it is %s', async (_, said, sentence) => {
    expect(await refusal(Archive.open(sourceOf(Buffer.concat([about(said), end]))))).toMatch(sentence);
  });

  it('may hold names that differ by their case, unless a disk takes them for one', async () => {
    const bytes = archive({ name: 'É.txt' }, { name: 'é.txt' });
    expect(await paths(bytes)).toHaveLength(3);
    expect(await refusal(paths(bytes, { isCaseless: true }))).toMatch(/deux fois/);
  });
});

describe('an archive that lies', () => {
  const nowhere: [string, Part][] = [
    ['a way out', { name: 'a', folder: '../..' }],
    ['a way down without end', { name: 'a', folder: 'x/'.repeat(128).slice(0, -1) }],
    ['a way out as its name', { name: '..' }],
    ['a way out in the middle', { name: 'a', folder: 'plugins/../../b' }],
    ['its own folder', { name: '.' }],
    ['its own folder in the middle', { name: 'a', folder: 'plugins/./b' }],
    ['an absolute path', { name: 'passwd', folder: '/etc' }],
    ['an empty part', { name: 'a', folder: 'plugins//b' }],
    ['a folder with an end', { name: 'a', folder: 'plugins/' }],
    ['a name with a slash', { name: '../../a' }],
    ['a name with a folder', { name: 'plugins/a' }],
    ['no name', { name: '', folder: 'plugins' }],
    ['a drive', { name: 'a', folder: 'C:' }],
    ['a backslash', { name: '..\\a' }],
    ['a line end', { name: 'a\nb' }],
    ['a control sign', { name: 'a', folder: 'b\x1b[2J' }],
    ['a stream', { name: 'a', folder: 'phar://b' }],
    ['a part of 256 bytes', { name: 'a', folder: 'b'.repeat(256) }],
  ];
  it.each(nowhere)('by %s', async (_, lie) => {
    expect(await refusal(paths(archive(lie)))).toMatch(/chemin dangereux/);
  });

  const cut = archive({ content: text });
  const liars: [string, Buffer, RegExp][] = [
    ['no archive', Buffer.from('<html>'), /pas une archive/],
    ['nothing', Buffer.alloc(0), /pas une archive/],
    ['no end', cut.subarray(0, -length), /incomplète/],
    ['half an end', cut.subarray(0, -9), /incomplète/],
    ['a byte after its end', Buffer.concat([cut, Buffer.from('x')]), /incomplète/],
    ['two ends', Buffer.concat([cut, end]), /après sa fin/],
    ['an archive after it', Buffer.concat([cut, cut]), /après sa fin/],
    ['only an end', Buffer.concat([end, end]), /après sa fin/],
    ['no package.json', Buffer.concat([part({}), end]), /ne commence pas/],
    ['package.json elsewhere', Buffer.concat([part({ name: 'package.json', folder: 'a' }), end]), /ne commence pas/],
    ['package.json as its second', Buffer.concat([part({}), about(), end]), /ne commence pas/],
    ['package.json twice', archive(about()), /deux fois/],
    ['package.json without JSON', Buffer.concat([part({ name: 'package.json', content: '{' }), end]), /pas lisible/],
    ['a list as package.json', Buffer.concat([part({ name: 'package.json', content: '[]' }), end]), /pas lisible/],
    [
      'deep JSON',
      Buffer.concat([part({ name: 'package.json', content: `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}` }), end]),
      /pas lisible/,
    ],
    [
      'a package.json of 17 MB',
      Buffer.concat([part({ name: 'package.json', content: ' '.repeat(17 * 1_048_576) }), end]),
      /démesuré/,
    ],
    ['one name twice', archive({}, {}), /deux fois/],
    ['a file that is a folder', archive({ name: 'a' }, { name: 'b', folder: 'a' }), /un fichier et un dossier/],
    ['a folder that is a file', archive({ name: 'b', folder: 'a/c' }, { name: 'a' }), /un fichier et un dossier/],
    ['a size beyond the end', archive({ size: '99999999999999' }), /dépasse/],
    ['a size that takes the end along', archive({ size: '4377' }), /dépasse/],
    ['a size that is longer than the content', archive({ content: 'abc', size: '4' }, {}), /coupée/],
    ['a size that is shorter than the content', archive({ content: text, size: '1' }), /abîmé|coupée|dangereux/],
    ['a size that is no number', archive({ size: '1e3' }), /en-têtes/],
    ['a size below nothing', archive({ size: '-1' }), /en-têtes/],
    ['no size', archive({ size: '' }), /en-têtes/],
    ['a time that is no number', archive({ mtime: 'hier' }), /en-têtes/],
    ['something behind a name', archive({ name: 'a\0b' }), /en-têtes/],
    ['something behind a folder', archive({ folder: 'a\0b' }), /en-têtes/],
    ['something behind a size', archive({ size: '0\x000' }), /en-têtes/],
    ['a checksum that is none', archive({ crc: 'ABCDEF01' }), /en-têtes/],
    ['a folder of 4,050 bytes', archive({ folder: `${'a/'.repeat(2_024)}aa` }), /en-têtes/],
    ['too many entries', archive(...Array.from({ length: 60 }, (_, n) => ({ name: `a${n}` }))), /plus de 50/],
    ['another checksum', archive({ content: text, crc: '00000001' }), /Le contenu de.*abîmé/],
    ['a second end with another length', secondEnd(Buffer.concat([about()]), { size: '9' }), /longueur/],
    ['a second end with another checksum', secondEnd(about(), { crc: '00000001' }), /somme de contrôle/],
    ['a second end with a checksum in capitals', secondEnd(about(), { crc: 'ABCDEF01' }), /incomplète/],
    ['a second end after something else', Buffer.concat([Buffer.alloc(1), secondEnd(about())]), /longueur/],
  ];
  it.each(liars)('by %s', async (_, bytes, sentence) => {
    const both = verifyArchive(sourceOf(bytes)).then(() => paths(bytes, { mostEntries: 50 }));
    expect(await refusal(both)).toMatch(sentence);
  });

  it('is refused wherever it is cut', async () => {
    const whole = secondEnd(Buffer.concat([about(), part({ content: text, crc: sum })]));
    expect(await verifyArchive(sourceOf(whole))).toEqual({ entries: 2, by: 'format' });
    for (let at = 0; at < whole.length; at += at % length < 3 ? 1 : 97) {
      expect(await refusal(verifyArchive(sourceOf(whole.subarray(0, at))))).not.toBe('');
    }
  });

  it('is refused wherever a byte of it is another', async () => {
    const whole = secondEnd(Buffer.concat([about(), part({ content: text, crc: sum })]));
    for (let at = 0; at < whole.length; at += 53) {
      const other = Buffer.from(whole);
      other[at] = (other[at] ?? 0) ^ 0x20;
      expect(await refusal(verifyArchive(sourceOf(other)))).not.toBe('');
    }
  });
});

describe('an archive of Vigie', () => {
  /** As Vigie packs: the sum of what follows package.json, and of package.json with zeros in the sum's place. */
  function noted(entries: number, rest: Buffer, lie?: string): Buffer {
    const json = (crc: string) => `${JSON.stringify({ Vigie: { Format: 1, Crc32: crc, Entries: entries } })}   `;
    const crc = crc32(json('00000000'), crc32(rest)).toString(16).padStart(8, '0');
    return Buffer.concat([part({ name: 'package.json', content: json(lie ?? crc) }), rest, end]);
  }

  it('vouches for every byte of its content', async () => {
    const whole = noted(2, part({ content: text }));
    expect(await verifyArchive(sourceOf(whole))).toEqual({ entries: 2, by: 'vigie' });
    const other = Buffer.from(whole);
    other[whole.length - length - 1] = 0;
    expect(await refusal(verifyArchive(sourceOf(other)))).toContain('plus celle que Vigie a faite');
    expect(await refusal(verifyArchive(sourceOf(noted(3, part({ content: text })))))).toContain(
      '2 fichiers au lieu de 3',
    );
    expect(await verifyArchive(sourceOf(noted(2, part({ content: text }), '')))).toMatchObject({ by: 'structure' });
  });
});
