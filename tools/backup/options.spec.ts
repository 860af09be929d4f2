import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { parseArguments, readNewPassphrase, readPassphrase } from './options';

const command = { help: 'npm run backup', options: ['--keys'] };

it('accepts one file and the options of its command', () => {
  expect(parseArguments(['a.backup', '--keys', 'k'], command)).toEqual({
    file: resolve('a.backup'),
    options: new Map([['--keys', 'k']]),
  });
  expect(parseArguments(['--help'], command)).toBeUndefined();
});

it.each([[[]], [['a', 'b']], [['a', '--keys']], [['a', '--replace', 'b']]])('refuses %j', (args) => {
  expect(() => parseArguments(args, command)).toThrow('npm run backup');
});

it('reads a passphrase from the environment or from a file, and refuses a new one that is too short', () => {
  const folder = testFolder('passphrase');
  const file = join(folder, 'secret');
  writeFileSync(file, 'quatre mots de passe\n');
  expect(readPassphrase({})).toBeUndefined();
  expect(readNewPassphrase({ VIGIE_BACKUP_PASSPHRASE_FILE: file })).toBe('quatre mots de passe');
  expect(readPassphrase({ VIGIE_BACKUP_PASSPHRASE: 'court' })).toBe('court');
  expect(() => readNewPassphrase({ VIGIE_BACKUP_PASSPHRASE: 'court' })).toThrow('trop courte');
  expect(() => readPassphrase({ VIGIE_BACKUP_PASSPHRASE_FILE: join(folder, 'none') })).toThrow('no file at');
});
