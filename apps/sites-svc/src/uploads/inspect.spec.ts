import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@vigie/contracts/errors';
import type { UploadType } from '@vigie/contracts/uploads';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { aPlugin, aTheme, aVersionless, aZip, type ZipFile } from '@vigie/testing/zip';
import { inspect } from './inspect';

let folder: string;
let store: FileStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigie-archives-'));
  store = await DiskStore.open(pathToFileURL(folder).href);
});
afterAll(() => rm(folder, { recursive: true }));

async function look(archive: Buffer, type: UploadType = 'plugin') {
  const key = FileStore.newKey();
  async function* content() {
    yield archive;
  }
  await store.write(key, content(), archive.length);
  const reader = await store.reader(key);
  if (!reader) throw new Error('not stored');
  try {
    return await inspect(reader, type);
  } finally {
    await reader.close();
  }
}

const refusal = async (archive: Buffer, type: UploadType = 'plugin'): Promise<string> => {
  const error = await look(archive, type).catch((reason: unknown) => reason);
  if (!(error instanceof AppError) || error.code !== 'invalid') throw new Error(`not refused: ${String(error)}`);
  return error.message;
};

const head = '<?php\n/* Plugin Name: Boussole\nVersion: 1 */';
const main: ZipFile = { name: 'boussole/boussole.php', content: head };
const withFile = (file: ZipFile) => aZip([main, file]);

describe('an archive', () => {
  it('says what plugin it holds', async () => {
    expect(await look(aPlugin())).toEqual({
      slug: 'boussole',
      name: 'Boussole',
      version: '2.1.0',
      requires: { wp: '6.4', php: '8.1' },
      unpacked: expect.any(Number),
    });
    expect(await look(aVersionless())).toMatchObject({ slug: 'sans', version: null });
  });

  it('says what theme it holds', async () => {
    expect(await look(aTheme(), 'theme')).toMatchObject({ slug: 'voile', name: 'Voile', version: '1.4' });
  });

  it('may hold one file, which is its slug', async () => {
    expect(await look(aZip([{ name: 'hello.php', content: head }]))).toMatchObject({ slug: 'hello' });
  });

  it('may hold what macOS adds, stored files, large files, descriptors and a comment', async () => {
    const large = Buffer.alloc(3_000_000, 'Vigie ');
    const descriptor = { flags: 0x808 };
    const archive = aZip(
      [
        { ...main, both: descriptor, local: { crc: 0, packed: 0, size: 0 }, after: Buffer.alloc(16) },
        { name: 'boussole/grand.bin', content: large },
        { name: 'boussole/brut.bin', content: large.subarray(0, 700_000), isStored: true },
        { name: '__MACOSX/boussole/._boussole.php', content: 'x' },
        { name: 'boussole/été.txt', content: 'x' },
        { name: 'boussole/latin.txt', both: { name: Buffer.from('boussole/\xe8re.txt', 'latin1'), flags: 0 } },
      ],
      { comment: Buffer.from('faite à la main') },
    );
    expect(await look(archive)).toMatchObject({ slug: 'boussole', version: '1' });
  });
});

describe('an archive that lies', () => {
  const bytes = aPlugin();
  const unicodePath = (name: string) => {
    const extra = Buffer.concat([Buffer.from([0x75, 0x70, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(name)]);
    extra.writeUInt16LE(extra.length - 4, 2);
    return extra;
  };
  const text = 'le phare '.repeat(100);
  const liars: [string, Buffer, RegExp][] = [
    ['no archive', Buffer.from('<html>'), /pas une archive/],
    ['nothing', Buffer.alloc(0), /pas une archive/],
    ['no entry', aZip([]), /vide/],
    ['half of it', bytes.subarray(0, bytes.length / 2), /pas une archive/],
    ['data after its end', Buffer.concat([bytes, Buffer.from('x')]), /pas une archive/],
    ['data before its beginning', aZip([main], { before: Buffer.from('MZ') }), /n’appartiennent à aucun/],
    ['data between two files', withFile({ name: 'boussole/a', after: Buffer.alloc(9) }), /n’appartiennent à aucun/],
    ['two ends', aZip([main], { comment: aZip([main]).subarray(-22) }), /se termine deux fois/],
    ['fewer entries than it says', aZip([main], { count: 2 }), /sommaire.*abîmé/],
    ['more entries than it says', aZip([main, { name: 'boussole/b' }], { count: 1 }), /sommaire.*abîmé/],
    ['the format of archives of 4 GB', aZip([main], { count: 0xffff }), /ZIP64/],
    ['too many files', aZip(Array.from({ length: 20_001 }, (_, n) => ({ name: `boussole/${n}` }))), /plus de 20000/],
    ['a way out', withFile({ name: '../../wp-config.php' }), /chemin dangereux/],
    ['a way out in the middle', withFile({ name: 'boussole/../../a.php' }), /chemin dangereux/],
    ['an absolute path', withFile({ name: '/etc/passwd' }), /chemin dangereux/],
    ['a drive', withFile({ name: 'C:/a.php' }), /chemin dangereux/],
    ['a backslash', withFile({ name: 'boussole\\..\\a.php' }), /chemin dangereux/],
    ['a NUL', withFile({ name: 'boussole/a.php\0.txt' }), /chemin dangereux/],
    [
      'a way out in its other name',
      withFile({ name: 'boussole/a', both: { extra: unicodePath('../a') } }),
      /dangereux/,
    ],
    ['another name', withFile({ name: 'boussole/a', both: { extra: unicodePath('boussole/b') } }), /plusieurs noms/],
    [
      'two other names',
      withFile({ name: 'boussole/a', both: { extra: Buffer.concat([unicodePath('boussole/a'), unicodePath('b')]) } }),
      /plusieurs noms/,
    ],
    ['a link', withFile({ name: 'boussole/a', content: '/etc/passwd', mode: 0o120777 }), /lien ou un fichier spécial/],
    ['a device', withFile({ name: 'boussole/a', mode: 0o060644 }), /lien ou un fichier spécial/],
    ['one name twice', withFile(main), /deux fois/],
    ['a file that is a folder', withFile({ name: 'boussole/boussole.php/a' }), /un fichier et un dossier/],
    ['a password', withFile({ name: 'boussole/a', both: { flags: 0x801 } }), /chiffré/],
    ['a method of its own', withFile({ name: 'boussole/a', both: { method: 12 } }), /méthode/],
    [
      'another name beside its content',
      withFile({ name: 'boussole/a', local: { name: 'boussole/b' } }),
      /se contredit/,
    ],
    [
      'another size beside its content',
      withFile({ name: 'boussole/a', content: text, local: { size: 1 } }),
      /se contredit/,
    ],
    [
      'content that is longer than it says',
      withFile({ name: 'boussole/a', content: text, both: { size: 1 } }),
      /abîmé/,
    ],
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
    [
      'an offset into nowhere',
      withFile({ name: 'boussole/a', central: { at: 0x7fffffff } }),
      /n’appartiennent à aucun/,
    ],
    [
      'two entries on one content',
      withFile({ name: 'boussole/a', central: { at: 0 } }),
      /n’appartiennent à aucun|contredit/,
    ],
    [
      '4 GB in a hundred bytes',
      withFile({ name: 'boussole/a', content: text, both: { size: 0xfffffff0 } }),
      /démesurée/,
    ],
    ['a bomb', withFile({ name: 'boussole/a', content: Buffer.alloc(70_000_000) }), /démesurée/],
  ];

  it.each(liars)('is refused: %s', async (_, archive, why) => {
    expect(await refusal(archive)).toMatch(why);
  });

  it('is refused where a long content is longer than it says', async () => {
    const content = Buffer.alloc(3_000_000, 'Vigie ');
    expect(await refusal(withFile({ name: 'boussole/a', content, both: { size: 2_000_000 } }))).toMatch(/abîmé/);
  });

  it('is refused wherever it was cut or one bit fell over', async () => {
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 4, at);
      const seen = await look(flipped).catch((error: unknown) => error);
      // Times, versions and attributes may change unseen; nothing else, and nothing fails in another way.
      expect([at, seen instanceof AppError ? seen.code : Object(seen).slug]).toEqual([
        at,
        expect.stringMatching(/^(invalid|boussole)$/),
      ]);
      await expect(look(bytes.subarray(0, at))).rejects.toMatchObject({ code: 'invalid' });
    }
  });
});

describe('an archive that is no package', () => {
  it.each<[string, Buffer, UploadType, RegExp]>([
    ['a theme, as a plugin', aTheme(), 'plugin', /celle d’un thème\. Choisissez le type Thème/],
    ['a plugin, as a theme', aPlugin(), 'theme', /celle d’un plugin\. Choisissez le type Plugin/],
    [
      'an archive in an archive',
      aZip([{ name: 'lot/lot.zip', content: aPlugin() }]),
      'plugin',
      /en contient une autre/,
    ],
    ['several folders', aZip([main, { name: 'autre/a.txt' }]), 'plugin', /plusieurs dossiers/],
    ['no header', aZip([{ name: 'a/a.php', content: '<?php' }]), 'plugin', /Aucun plugin.*Plugin Name/],
    ['no stylesheet', aZip([{ name: 'a/index.php' }]), 'theme', /Aucun thème.*style\.css/],
    [
      'a theme without a folder',
      aZip([{ name: 'style.css', content: '/* Theme Name: A */' }]),
      'theme',
      /pas dans un dossier/,
    ],
    ['a folder of an odd name', aZip([{ name: 'à voir/a.php', content: head }]), 'plugin', /ne convient pas/],
  ])('is refused with what to do: %s', async (_, archive, type, why) => {
    expect(await refusal(archive, type)).toMatch(why);
  });
});
