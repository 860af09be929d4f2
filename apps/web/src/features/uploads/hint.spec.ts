import { expect, it } from 'vitest';
import { aPlugin, aTheme, aVersionless } from '@vigie/testing/zip';
import { readHint } from './hint';

const fileOf = (archive: Buffer) => new Blob([new Uint8Array(archive)]);

it('reads what a plugin and a theme say of themselves', async () => {
  expect(await readHint(fileOf(aPlugin()), 'plugin')).toEqual({
    name: 'Boussole',
    version: '2.1.0',
    requires: { wp: '6.4', php: '8.1' },
  });
  expect(await readHint(fileOf(aTheme()), 'theme')).toMatchObject({ version: '1.4' });
});

it('tells no version from no package', async () => {
  expect(await readHint(fileOf(aVersionless()), 'plugin')).toMatchObject({ version: null });
  expect(await readHint(fileOf(aTheme()), 'plugin')).toBeUndefined();
});

it('refuses what is no archive as the server would', async () => {
  await expect(readHint(fileOf(Buffer.from('<html>')), 'plugin')).rejects.toMatchObject({ code: 'invalid' });
});
