import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { readSettings } from './env';
import { readOptions } from './options';

it('accepts the help and the options of its command', () => {
  expect([...readOptions([], 'npm start')]).toEqual([]);
  expect([...readOptions(['-h', '--help'], 'npm start')]).toEqual(['--help']);
  expect([...readOptions(['--demo'], 'npm start', ['--demo'])]).toEqual(['--demo']);
  expect(() => readOptions(['--demo'], 'npm run dev')).toThrow(
    'Option inconnue\u00a0: --demo (npm run dev -- --help les donne).',
  );
});

it.each(['80a', '-1', '65536', '1.5', ' '])('refuses %j as a port, and says what one is', (PORT) => {
  expect(() => readSettings({ PORT })).toThrow(/^PORT=.* n’est pas un port/);
});

it('treats an empty variable as unset', () => {
  expect(readSettings({ PORT: '', HOST: '', DATABASE_URL: '' })).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    addresses: {},
  });
});

it('reads the address of an external server from a file too, as the services do', () => {
  const file = join(testFolder('address'), 'url');
  expect(() => readSettings({ DATABASE_URL_FILE: file })).toThrow(/^DATABASE_URL_FILE=.* ne se laisse pas lire/);
  writeFileSync(file, 'postgres://h/d\n');
  expect(readSettings({ DATABASE_URL_FILE: file }).addresses).toEqual({ DATABASE_URL: 'postgres://h/d' });
});

it('accepts port 0 for any free port', () => {
  expect(readSettings({ PORT: '0' }).port).toBe(0);
});
