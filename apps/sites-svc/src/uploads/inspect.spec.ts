import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import type { PackageKind } from '@vigie/contracts/uploads';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { invalidZips, mainFile, mainHead, withFile } from '@vigie/testing/invalid-zips';
import { aPlugin, aTheme, aVersionless, aZip } from '@vigie/testing/zip';
import { inspect } from './inspect';

let folder: string;
let store: FileStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigie-archives-'));
  store = await DiskStore.open(pathToFileURL(folder).href);
});
afterAll(() => rm(folder, { recursive: true }));

async function inspectBuffer(archive: Buffer, kind: PackageKind = 'plugin') {
  const key = FileStore.newKey();
  async function* content() {
    yield archive;
  }
  await store.write(key, content(), archive.length);
  const reader = await store.reader(key);
  if (!reader) throw new Error('not stored');
  try {
    return await inspect(reader, kind);
  } finally {
    await reader.close();
  }
}

const refusal = async (archive: Buffer, kind: PackageKind = 'plugin'): Promise<string> => {
  const error = await inspectBuffer(archive, kind).catch((reason: unknown) => reason);
  if (!(error instanceof AppError) || error.code !== 'invalid') throw new Error(`not refused: ${String(error)}`);
  return error.message;
};

describe('an archive', () => {
  it('is read as the plugin that it contains', async () => {
    expect(await inspectBuffer(aPlugin())).toEqual({
      slug: 'boussole',
      name: 'Boussole',
      version: '2.1.0',
      requires: { wp: '6.4', php: '8.1' },
      unpacked: expect.any(Number),
    });
    expect(await inspectBuffer(aVersionless())).toMatchObject({ slug: 'sans', version: null });
  });

  it('is read as the theme that it contains', async () => {
    expect(await inspectBuffer(aTheme(), 'theme')).toMatchObject({ slug: 'voile', name: 'Voile', version: '1.4' });
  });

  it('may contain a single file, whose name is the slug', async () => {
    expect(await inspectBuffer(aZip([{ name: 'hello.php', content: mainHead }]))).toMatchObject({ slug: 'hello' });
  });

  it('may contain files of macOS, stored files, large files, data descriptors and a comment', async () => {
    const large = Buffer.alloc(3_000_000, 'Vigie ');
    const descriptor = { flags: 0x808 };
    const archive = aZip(
      [
        { ...mainFile, both: descriptor, local: { crc: 0, packed: 0, size: 0 }, after: Buffer.alloc(16) },
        { name: 'boussole/grand.bin', content: large },
        { name: 'boussole/brut.bin', content: large.subarray(0, 700_000), isStored: true },
        { name: '__MACOSX/boussole/._boussole.php', content: 'x' },
        { name: 'boussole/été.txt', content: 'x' },
        { name: 'boussole/latin.txt', both: { name: Buffer.from('boussole/\xe8re.txt', 'latin1'), flags: 0 } },
      ],
      { comment: Buffer.from('faite à la main') },
    );
    expect(await inspectBuffer(archive)).toMatchObject({ slug: 'boussole', version: '1' });
  });
});

describe('an inconsistent archive', () => {
  const bytes = aPlugin();

  it.each(invalidZips())('is refused: %s', async (_, archive, why) => {
    expect(await refusal(archive)).toMatch(why);
  });

  it('is refused when a long content exceeds its announced length', async () => {
    const content = Buffer.alloc(3_000_000, 'Vigie ');
    expect(await refusal(withFile({ name: 'boussole/a', content, both: { size: 2_000_000 } }))).toMatch(/abîmé/);
  });

  it('is refused wherever it is truncated or one bit is flipped', async () => {
    for (let at = 0; at < bytes.length; at += 7) {
      const flippedBytes = Buffer.from(bytes);
      flippedBytes.writeUInt8(flippedBytes.readUInt8(at) ^ 4, at);
      const result = await inspectBuffer(flippedBytes).catch((error: unknown) => error);
      // Only times, versions and attributes may change unnoticed. Everything else must be refused, not crash.
      expect([at, result instanceof AppError ? result.code : Object(result).slug]).toEqual([
        at,
        expect.stringMatching(/^(invalid|boussole)$/),
      ]);
      await expect(inspectBuffer(bytes.subarray(0, at))).rejects.toMatchObject({ code: 'invalid' });
    }
  });
});

describe('an archive that is no package', () => {
  it.each<[string, Buffer, PackageKind, RegExp]>([
    ['a theme, as a plugin', aTheme(), 'plugin', /celle d’un thème\. Choisissez le type Thème/],
    ['a plugin, as a theme', aPlugin(), 'theme', /celle d’un plugin\. Choisissez le type Plugin/],
    [
      'an archive in an archive',
      aZip([{ name: 'lot/lot.zip', content: aPlugin() }]),
      'plugin',
      /en contient une autre/,
    ],
    ['several folders', aZip([mainFile, { name: 'autre/a.txt' }]), 'plugin', /plusieurs dossiers/],
    ['no header', aZip([{ name: 'a/a.php', content: '<?php' }]), 'plugin', /Aucun plugin.*Plugin Name/],
    ['no stylesheet', aZip([{ name: 'a/index.php' }]), 'theme', /Aucun thème.*style\.css/],
    [
      'a theme without a folder',
      aZip([{ name: 'style.css', content: '/* Theme Name: A */' }]),
      'theme',
      /pas dans un dossier/,
    ],
    ['a folder of an odd name', aZip([{ name: 'à voir/a.php', content: mainHead }]), 'plugin', /ne convient pas/],
  ])('is refused with a remedy: %s', async (_, archive, kind, why) => {
    expect(await refusal(archive, kind)).toMatch(why);
  });
});
