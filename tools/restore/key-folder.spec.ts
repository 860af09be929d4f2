import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { KeyFolder } from './key-folder';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigie-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const keys = new Map([['gateway', Buffer.from('new')]]);
const read = (...names: string[]) => readFileSync(join(folder, ...names), 'utf8');

it('gives keys to a folder that has none, and takes nothing else away', () => {
  writeFileSync(join(folder, 'note'), 'mine');
  const put = new KeyFolder(folder, keys);
  put.requireFree();
  put.take();
  expect(readdirSync(folder).toSorted()).toEqual(['gateway.json', 'note']);
  expect(statSync(join(folder, 'gateway.json')).mode & 0o777).toBe(0o600);
});

it('refuses to take the place of others, and keeps them where it is told to', () => {
  writeFileSync(join(folder, 'gateway.json'), 'old');
  const put = new KeyFolder(folder, keys);
  expect(() => put.requireFree()).toThrow('contient déjà d’autres clés');
  expect(read('gateway.json')).toBe('old');
  put.take();
  const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('before-'));
  expect([read('gateway.json'), read(aside, 'gateway.json')]).toEqual(['new', 'old']);
});

it('leaves nothing of what was not taken', () => {
  new KeyFolder(folder, keys).discard();
  expect(readdirSync(folder)).toEqual([]);
});
