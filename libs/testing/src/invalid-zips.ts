import { aPlugin, aZip, type ZipFile } from './zip';

/** A fault, an archive with it, and the expected sentence. */
type InvalidZip = [string, Buffer, RegExp];

export const mainHead = '<?php\n/* Plugin Name: Boussole\nVersion: 1 */';
export const mainFile: ZipFile = { name: 'boussole/boussole.php', content: mainHead };
export const withFile = (file: ZipFile) => aZip([mainFile, file]);

const text = 'le phare '.repeat(100);

function unicodePath(name: string): Buffer {
  const extra = Buffer.concat([Buffer.from([0x75, 0x70, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(name)]);
  extra.writeUInt16LE(extra.length - 4, 2);
  return extra;
}

/** Built on demand, because some are large. */
export const invalidZips = (): InvalidZip[] => [
  ...lyingForms(aPlugin()),
  ...lyingPaths(),
  ...lyingFiles(),
  ...lyingSizes(),
];

const lyingForms = (bytes: Buffer): InvalidZip[] => [
  ['no archive', Buffer.from('<html>'), /pas une archive/],
  ['nothing', Buffer.alloc(0), /pas une archive/],
  ['no entry', aZip([]), /vide/],
  ['half of it', bytes.subarray(0, bytes.length / 2), /pas une archive/],
  ['data after its end', Buffer.concat([bytes, Buffer.from('x')]), /pas une archive/],
  ['data before its beginning', aZip([mainFile], { before: Buffer.from('MZ') }), /n’appartiennent à aucun/],
  ['data between two files', withFile({ name: 'boussole/a', after: Buffer.alloc(9) }), /n’appartiennent à aucun/],
  ['two ends', aZip([mainFile], { comment: aZip([mainFile]).subarray(-22) }), /se termine deux fois/],
  ['fewer entries than it says', aZip([mainFile], { count: 2 }), /sommaire.*abîmé/],
  ['more entries than it says', aZip([mainFile, { name: 'boussole/b' }], { count: 1 }), /sommaire.*abîmé/],
  ['the format of archives of 4 GB', aZip([mainFile], { count: 0xffff }), /ZIP64/],
  ['too many files', aZip(Array.from({ length: 20_001 }, (_, n) => ({ name: `boussole/${n}` }))), /plus de 20000/],
];

const lyingPaths = (): InvalidZip[] => [
  ['a way out', withFile({ name: '../../wp-config.php' }), /chemin dangereux/],
  ['a way out in the middle', withFile({ name: 'boussole/../../a.php' }), /chemin dangereux/],
  ['an absolute path', withFile({ name: '/etc/passwd' }), /chemin dangereux/],
  ['a drive', withFile({ name: 'C:/a.php' }), /chemin dangereux/],
  ['a backslash', withFile({ name: 'boussole\\..\\a.php' }), /chemin dangereux/],
  ['a NUL', withFile({ name: 'boussole/a.php\0.txt' }), /chemin dangereux/],
  ['a way out in its other name', withFile({ name: 'boussole/a', both: { extra: unicodePath('../a') } }), /dangereux/],
  ['another name', withFile({ name: 'boussole/a', both: { extra: unicodePath('boussole/b') } }), /plusieurs noms/],
  [
    'two other names',
    withFile({ name: 'boussole/a', both: { extra: Buffer.concat([unicodePath('boussole/a'), unicodePath('b')]) } }),
    /plusieurs noms/,
  ],
];

const lyingFiles = (): InvalidZip[] => [
  ['a link', withFile({ name: 'boussole/a', content: '/etc/passwd', mode: 0o120777 }), /lien ou un fichier spécial/],
  ['a device', withFile({ name: 'boussole/a', mode: 0o060644 }), /lien ou un fichier spécial/],
  ['one name twice', withFile(mainFile), /deux fois/],
  ['a file that is a folder', withFile({ name: 'boussole/boussole.php/a' }), /un fichier et un dossier/],
  ['a password', withFile({ name: 'boussole/a', both: { flags: 0x801 } }), /chiffré/],
  ['a method of its own', withFile({ name: 'boussole/a', both: { method: 12 } }), /méthode/],
];

const lyingSizes = (): InvalidZip[] => [
  ['another name beside its content', withFile({ name: 'boussole/a', local: { name: 'boussole/b' } }), /se contredit/],
  [
    'another size beside its content',
    withFile({ name: 'boussole/a', content: text, local: { size: 1 } }),
    /se contredit/,
  ],
  ['content that is longer than it says', withFile({ name: 'boussole/a', content: text, both: { size: 1 } }), /abîmé/],
  [
    'content that is shorter than it says',
    withFile({ name: 'boussole/a', content: text, both: { size: 9_999 } }),
    /abîmé/,
  ],
  ['another checksum', withFile({ name: 'boussole/a', content: text, both: { crc: 1 } }), /abîmé/],
  [
    'a stored size that is none',
    withFile({ name: 'boussole/a', content: text, isStored: true, both: { size: 1 } }),
    /fausse/,
  ],
  ['an offset into nowhere', withFile({ name: 'boussole/a', central: { at: 0x7fffffff } }), /n’appartiennent à aucun/],
  [
    'two entries on one content',
    withFile({ name: 'boussole/a', central: { at: 0 } }),
    /n’appartiennent à aucun|contredit/,
  ],
  ['4 GB in a hundred bytes', withFile({ name: 'boussole/a', content: text, both: { size: 0xfffffff0 } }), /démesurée/],
  ['a bomb', withFile({ name: 'boussole/a', content: Buffer.alloc(70_000_000) }), /démesurée/],
];
