import { crc32 } from 'node:zlib';

/** Header fields, which may be false, and the content that really follows. */
type Part = {
  name?: string | Buffer;
  folder?: string | Buffer;
  size?: string;
  mtime?: string;
  crc?: string;
  content?: string | Buffer;
};

const length = 4_377;

export function part({ name = 'a.txt', folder = '.', content = '', size, mtime = '1767000000', crc = '' }: Part) {
  const block = Buffer.alloc(length);
  const bytes = Buffer.from(content);
  const fields = [name, size ?? String(bytes.length), mtime, folder, crc];
  for (const [n, at] of [0, 255, 269, 281, 4_369].entries()) Buffer.from(fields[n] ?? '').copy(block, at);
  return Buffer.concat([block, bytes]);
}

export const about = (more: object = {}) => part({ name: 'package.json', content: JSON.stringify(more) });
export const end = Buffer.alloc(length);
export const archive = (...parts: readonly (Part | Buffer)[]) =>
  Buffer.concat([about(), ...parts.map((fields) => (Buffer.isBuffer(fields) ? fields : part(fields))), end]);

/** Appends a second end record, with `false` fields about the bytes before it. */
export function secondEnd(before: Buffer, falseFields: { size?: string; crc?: string } = {}): Buffer {
  const sum = checksumOf(before);
  return Buffer.concat([
    before,
    part({ name: '', folder: '', mtime: '', size: String(before.length), crc: sum, ...falseFields }),
  ]);
}

export const checksumOf = (bytes: Buffer | string) => crc32(bytes).toString(16).padStart(8, '0');

/** Builds an archive as Vigie does, with a checksum over package.json (with a zero checksum) and the rest. */
export function archiveWithChecksum(entries: number, rest: Buffer, falseChecksum?: string): Buffer {
  const json = (crc: string) => `${JSON.stringify({ Vigie: { Format: 1, Crc32: crc, Entries: entries } })}   `;
  const crc = crc32(json('00000000'), crc32(rest)).toString(16).padStart(8, '0');
  return Buffer.concat([part({ name: 'package.json', content: json(falseChecksum ?? crc) }), rest, end]);
}

const text = 'le phare '.repeat(100);
const wholeArchive = archive({ content: text });
const withPackageJson = (content: string) => Buffer.concat([part({ name: 'package.json', content }), end]);
const deepJson = `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`;

const dangerousPaths: [string, Part][] = [
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

const faultyArchives: [string, Buffer, string, RegExp][] = [
  ['no archive', Buffer.from('<html>'), 'no_archive.form', /pas une archive/],
  ['nothing', Buffer.alloc(0), 'no_archive.form', /pas une archive/],
  ['no end', wholeArchive.subarray(0, -length), 'damaged.end', /incomplète/],
  ['half an end', wholeArchive.subarray(0, -9), 'damaged.end', /incomplète/],
  ['a byte after its end', Buffer.concat([wholeArchive, Buffer.from('x')]), 'damaged.end', /incomplète/],
  ['two ends', Buffer.concat([wholeArchive, end]), 'damaged.after_end', /après sa fin/],
  ['an archive after it', Buffer.concat([wholeArchive, wholeArchive]), 'damaged.after_end', /après sa fin/],
  ['only an end', Buffer.concat([end, end]), 'damaged.after_end', /après sa fin/],
  ['no package.json', Buffer.concat([part({}), end]), 'damaged.first', /ne commence pas/],
  [
    'package.json elsewhere',
    Buffer.concat([part({ name: 'package.json', folder: 'a' }), end]),
    'damaged.first',
    /ne commence pas/,
  ],
  ['package.json as its second', Buffer.concat([part({}), about(), end]), 'damaged.first', /ne commence pas/],
  ['package.json twice', archive(about()), 'collision.twice', /deux fois/],
  ['package.json without JSON', withPackageJson('{'), 'damaged.about', /pas lisible/],
  ['a list as package.json', withPackageJson('[]'), 'damaged.about', /pas lisible/],
  ['deep JSON', withPackageJson(deepJson), 'damaged.about', /pas lisible/],
  ['a package.json of 17 MB', withPackageJson(' '.repeat(17 * 1_048_576)), 'damaged.about_size', /démesuré/],
  ['one name twice', archive({}, {}), 'collision.twice', /deux fois/],
  [
    'a file that is a folder',
    archive({ name: 'a' }, { name: 'b', folder: 'a' }),
    'collision.both',
    /un fichier et un dossier/,
  ],
  [
    'a folder that is a file',
    archive({ name: 'b', folder: 'a/c' }, { name: 'a' }),
    'collision.both',
    /un fichier et un dossier/,
  ],
  ['a size beyond the end', archive({ size: '99999999999999' }), 'damaged.size', /dépasse/],
  ['a size that takes the end along', archive({ size: '4377' }), 'damaged.size', /dépasse/],
  ['a size that is longer than the content', archive({ content: 'abc', size: '4' }, {}), 'damaged.cut', /coupée/],
  ['a size that is shorter than the content', archive({ content: text, size: '1' }), 'damaged.cut', /coupée/],
  ['a size that is no number', archive({ size: '1e3' }), 'damaged.header', /en-têtes/],
  ['a size below nothing', archive({ size: '-1' }), 'damaged.header', /en-têtes/],
  ['no size', archive({ size: '' }), 'damaged.header', /en-têtes/],
  ['a time that is no number', archive({ mtime: 'hier' }), 'damaged.header', /en-têtes/],
  ['something behind a name', archive({ name: 'a\0b' }), 'damaged.header', /en-têtes/],
  ['something behind a folder', archive({ folder: 'a\0b' }), 'damaged.header', /en-têtes/],
  ['something behind a size', archive({ size: '0\x000' }), 'damaged.header', /en-têtes/],
  ['a checksum that is none', archive({ crc: 'ABCDEF01' }), 'damaged.header', /en-têtes/],
  ['a folder of 4,050 bytes', archive({ folder: `${'a/'.repeat(2_024)}aa` }), 'damaged.header', /en-têtes/],
  [
    'too many entries',
    archive(...Array.from({ length: 60 }, (_, n) => ({ name: `a${n}` }))),
    'too_many.entries',
    /plus de 50/,
  ],
  ['another checksum', archive({ content: text, crc: '00000001' }), 'damaged.content', /Le contenu de.*abîmé/],
  [
    'a second end with another length',
    secondEnd(Buffer.concat([about()]), { size: '9' }),
    'damaged.length',
    /longueur/,
  ],
  ['a second end with another checksum', secondEnd(about(), { crc: '00000001' }), 'damaged.sum', /somme de contrôle/],
  ['a second end with a checksum in capitals', secondEnd(about(), { crc: 'ABCDEF01' }), 'damaged.end', /incomplète/],
  [
    'a second end after something else',
    Buffer.concat([Buffer.alloc(1), secondEnd(about())]),
    'damaged.length',
    /longueur/,
  ],
];

type InvalidArchive = { how: string; bytes: Buffer; code: string; why: string; sentence: RegExp };

/** Only the archive with too many entries has more than this. */
export const maxEntries = 50;

/** Invalid archives with the code and the French sentence of their refusal. */
export const invalidArchives: InvalidArchive[] = [
  ...dangerousPaths.map(([fault, fields]) => ({
    how: fault,
    bytes: archive(fields),
    code: 'dangerous_path',
    why: '',
    sentence: /chemin dangereux/,
  })),
  ...faultyArchives.map(([fault, bytes, reason, sentence]) => {
    const [code = '', why = ''] = reason.split('.');
    return { how: fault, bytes, code, why, sentence };
  }),
];

/** Few files, each below more than a hundred separate folders. */
export const manyFolders = () =>
  archive(...Array.from({ length: 8_000 }, (_, n) => ({ name: 'f', folder: `${n}${'/a'.repeat(125)}` })));
