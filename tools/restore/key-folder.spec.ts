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
const open = () => new KeyFolder(folder, home, keys);
const read = (...names: string[]) => readFileSync(join(folder, ...names), 'utf8');
const all = () => Object.fromEntries(readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(toEntry));
const toEntry = (name: string) => (name.endsWith('.json') ? [[name, read(name)]] : []);

function writeOld() {
  writeFileSync(join(folder, 'gateway.json'), 'old', { mode: 0o640 });
  writeFileSync(join(folder, 'auth-svc.json'), 'same');
  writeFileSync(join(folder, 'rotation.json'), 'of the old');
  writeFileSync(join(home, 'first-admin.json'), 'password of the old');
}
const old = { 'gateway.json': 'old', 'auth-svc.json': 'same', 'rotation.json': 'of the old' };

it('gives keys to a folder that has none, and takes nothing else away', () => {
  writeFileSync(join(folder, 'note'), 'mine');
  const put = open();
  put.requireFree();
  put.take();
  put.settle();
  expect(readdirSync(folder).toSorted()).toEqual(['auth-svc.json', 'gateway.json', 'note']);
  expect(statSync(join(folder, 'gateway.json')).mode & 0o777).toBe(0o600);
});

it('makes its folder, for whoever has the one that it is in', () => {
  const [uid, gid] = [process.getuid?.() || 65_534, process.getgid?.() || 65_534];
  chownSync(home, uid, gid);
  rmSync(folder, { recursive: true });
  open().take();
  expect(statSync(folder)).toMatchObject({ uid, gid });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of ['gateway.json', 'before-restore'])
    expect(statSync(join(folder, name))).toMatchObject({ uid, gid });
});

it('refuses to take the place of others, and keeps them, with what goes with them, where it is told to', () => {
  writeOld();
  const put = open();
  expect(() => put.requireFree()).toThrow('contient déjà d’autres clés');
  expect(all()).toEqual(old);
  put.take();
  put.settle();
  const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('before-'));
  expect(all()).toEqual({
    'gateway.json': 'new',
    'auth-svc.json': 'same',
    [`${aside}/gateway.json`]: 'old',
    [`${aside}/rotation.json`]: 'of the old',
    [`${aside}/first-admin.json`]: 'password of the old',
  });
  expect(readdirSync(home)).toEqual(['keys']);
  // Whoever read the old one reads the new one.
  expect(statSync(join(folder, 'gateway.json')).mode & 0o777).toBe(0o640);
});

it('puts back what it replaced, also what a run that was killed had', () => {
  writeOld();
  open().take();
  expect(read('gateway.json')).toBe('new');
  const next = open();
  next.putBack();
  next.putBack();
  expect(all()).toEqual(old);
  expect(readdirSync(folder).toSorted()).toEqual(['auth-svc.json', 'gateway.json', 'rotation.json']);
  expect(readFileSync(join(home, 'first-admin.json'), 'utf8')).toBe('password of the old');
});

it('leaves nothing where there was nothing', () => {
  const put = open();
  put.take();
  put.putBack();
  expect(readdirSync(folder)).toEqual([]);
});

it('has all of what was there in safety before it replaces any of it', () => {
  writeOld();
  // Killed while it put the old ones into safety: what is not whole is not put back.
  mkdirSync(join(folder, 'before-restore.part'));
  open().putBack();
  expect(all()).toEqual(old);
  // Killed after its first file.
  open().take();
  writeFileSync(join(folder, 'auth-svc.json'), 'half of what another release had');
  open().putBack();
  expect(all()).toEqual(old);
});

it('removes no key because the one that was there cannot be read', () => {
  writeOld();
  open().take();
  const kept = join(folder, 'before-restore/gateway.json');
  rmSync(kept);
  symlinkSync(kept, kept);
  expect(() => open().putBack()).toThrow('ELOOP');
  expect(read('gateway.json')).toBe('new');
});
