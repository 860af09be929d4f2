import { expect, it } from 'vitest';
import { aPlugin, aTheme, aVersionless } from '@vigie/testing/zip';
import { readPackageHeader } from './readPackageHeader';

const fileOf = (archive: Buffer) => new Blob([new Uint8Array(archive)]);

it('reads the header of a plugin and of a theme', async () => {
  expect(await readPackageHeader(fileOf(aPlugin()), 'plugin')).toEqual({
    name: 'Boussole',
    version: '2.1.0',
    requires: { wp: '6.4', php: '8.1' },
  });
  expect(await readPackageHeader(fileOf(aTheme()), 'theme')).toMatchObject({ version: '1.4' });
});

it('tells an archive without a version from one without a package', async () => {
  expect(await readPackageHeader(fileOf(aVersionless()), 'plugin')).toMatchObject({ version: null });
  expect(await readPackageHeader(fileOf(aTheme()), 'plugin')).toBeUndefined();
});

it('refuses a file that is no archive with the server’s error code', async () => {
  await expect(readPackageHeader(fileOf(Buffer.from('<html>')), 'plugin')).rejects.toMatchObject({ code: 'invalid' });
});
