import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { KeyFolder } from './key-folder';

let home: string;
let folder: string;
beforeEach(() => {
  home = testFolder('keys');
  folder = join(home, 'keys');
  mkdirSync(folder);
});

const keys = new Map([
  ['gateway', Buffer.from('new')],
  ['auth-svc', Buffer.from('same')],
]);
const openKeyFolder = () => new KeyFolder(folder, home, keys);
const read = (...names: string[]) => readFileSync(join(folder, ...names), 'utf8');
const readAll = () => Object.fromEntries(readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(toEntry));
const toEntry = (name: string) => (name.endsWith('.json') ? [[name, read(name)]] : []);

function writeOldFiles() {
  writeFileSync(join(folder, 'gateway.json'), 'old', { mode: 0o640 });
  writeFileSync(join(folder, 'auth-svc.json'), 'same');
  writeFileSync(join(folder, 'rotation.json'), 'of the old');
  writeFileSync(join(home, 'first-admin.json'), 'password of the old');
}
const oldFiles = { 'gateway.json': 'old', 'auth-svc.json': 'same', 'rotation.json': 'of the old' };

it('installs keys into a folder without keys, and keeps its other files', () => {
  writeFileSync(join(folder, 'note'), 'mine');
  const keyFolder = openKeyFolder();
  keyFolder.requireNoOtherKeys();
  keyFolder.install();
  keyFolder.keepPrevious();
  expect(readdirSync(folder).toSorted()).toEqual(['auth-svc.json', 'gateway.json', 'note']);
  expect(statSync(join(folder, 'gateway.json')).mode & 0o777).toBe(0o600);
});

it('creates its folder for the owner of the parent folder', () => {
  const [uid, gid] = [process.getuid?.() || 65_534, process.getgid?.() || 65_534];
  chownSync(home, uid, gid);
  rmSync(folder, { recursive: true });
  openKeyFolder().install();
  expect(statSync(folder)).toMatchObject({ uid, gid });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of ['gateway.json', 'before-restore'])
    expect(statSync(join(folder, name))).toMatchObject({ uid, gid });
});

it('refuses to replace other keys, or keeps them with their related files when it may replace them', () => {
  writeOldFiles();
  const keyFolder = openKeyFolder();
  expect(() => keyFolder.requireNoOtherKeys()).toThrow('contient déjà d’autres clés');
  expect(readAll()).toEqual(oldFiles);
  keyFolder.install();
  keyFolder.keepPrevious();
  const [keptFolder = ''] = readdirSync(folder).filter((name) => name.startsWith('before-'));
  expect(readAll()).toEqual({
    'gateway.json': 'new',
    'auth-svc.json': 'same',
    [`${keptFolder}/gateway.json`]: 'old',
    [`${keptFolder}/rotation.json`]: 'of the old',
    [`${keptFolder}/first-admin.json`]: 'password of the old',
  });
  expect(readdirSync(home)).toEqual(['keys']);
  // The new file has the mode of the old one.
  expect(statSync(join(folder, 'gateway.json')).mode & 0o777).toBe(0o640);
});

it('restores the previous keys, even those that a killed run replaced', () => {
  writeOldFiles();
  openKeyFolder().install();
  expect(read('gateway.json')).toBe('new');
  const next = openKeyFolder();
  next.restorePrevious();
  next.restorePrevious();
  expect(readAll()).toEqual(oldFiles);
  expect(readdirSync(folder).toSorted()).toEqual(['auth-svc.json', 'gateway.json', 'rotation.json']);
  expect(readFileSync(join(home, 'first-admin.json'), 'utf8')).toBe('password of the old');
});

it('leaves an empty folder empty', () => {
  const keyFolder = openKeyFolder();
  keyFolder.install();
  keyFolder.restorePrevious();
  expect(readdirSync(folder)).toEqual([]);
});

it('copies all previous keys before it replaces the first', () => {
  writeOldFiles();
  // Killed during the copy: an incomplete copy is not restored.
  mkdirSync(join(folder, 'before-restore.part'));
  openKeyFolder().restorePrevious();
  expect(readAll()).toEqual(oldFiles);
  // Killed after its first file.
  openKeyFolder().install();
  writeFileSync(join(folder, 'auth-svc.json'), 'half of what another release had');
  openKeyFolder().restorePrevious();
  expect(readAll()).toEqual(oldFiles);
});

it('does not remove a key because its previous version cannot be read', () => {
  writeOldFiles();
  openKeyFolder().install();
  const previousFile = join(folder, 'before-restore/gateway.json');
  rmSync(previousFile);
  symlinkSync(previousFile, previousFile);
  expect(() => openKeyFolder().restorePrevious()).toThrow('ELOOP');
  expect(read('gateway.json')).toBe('new');
});
