import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { ensureKeys, keyFile, writeKeys } from './keys';

let home: string;
let folder: string;
beforeEach(() => {
  home = testFolder('keys');
  folder = join(home, 'keys');
});

const isEmpty = () => Promise.resolve(false);
const ensure = () => ensureKeys(home, isEmpty);
const contents = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

it('creates one private file per process, only once', async () => {
  await ensure();
  const keysBefore = contents();
  expect(readdirSync(folder).toSorted()).toEqual([
    'auth-svc.json',
    'dns-svc.json',
    'gateway.json',
    'sites-svc.json',
    'ssh-agent.json',
  ]);
  expect(statSync(keyFile(folder, 'gateway')).mode & 0o777).toBe(0o600);
  await ensure();
  expect(contents()).toEqual(keysBefore);
});

it('adds the missing pepper to the keys of an earlier release, and changes nothing else', async () => {
  await ensure();
  const file = keyFile(folder, 'auth-svc');
  const { pepper: _, ...earlier } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(earlier));
  await ensure();
  const updated = JSON.parse(readFileSync(file, 'utf8'));
  expect(updated).toEqual({ ...earlier, pepper: expect.stringMatching(/^[\w-]{43}$/) });
  await ensure();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(updated);
});

it('refuses an incomplete set, because new keys would not match the others', async () => {
  await ensure();
  rmSync(keyFile(folder, 'dns-svc'));
  await expect(ensure()).rejects.toThrow('les clés de dns-svc');
});

it('starts with existing keys, and creates none for a database that is in use', async () => {
  const isUsed = () => Promise.resolve(true);
  await expect(ensureKeys(home, isUsed)).rejects.toThrow('dns-svc.json depuis votre sauvegarde');
  expect(existsSync(folder)).toBe(false);
  await ensure();
  const keysBefore = contents();
  await ensureKeys(home, isUsed);
  expect(contents()).toEqual(keysBefore);
});

it('never overwrites a key', () => {
  writeKeys(folder);
  const keysBefore = contents();
  expect(() => writeKeys(folder)).toThrow('existe déjà');
  expect(contents()).toEqual(keysBefore);
});
