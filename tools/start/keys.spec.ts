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
const make = () => ensureKeys(home, isEmpty);
const contents = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

it('makes one file a process, closed to others, and never makes them again', async () => {
  await make();
  const made = contents();
  expect(readdirSync(folder).toSorted()).toEqual([
    'auth-svc.json',
    'dns-svc.json',
    'gateway.json',
    'sites-svc.json',
    'ssh-agent.json',
  ]);
  expect(statSync(keyFile(folder, 'gateway')).mode & 0o777).toBe(0o600);
  await make();
  expect(contents()).toEqual(made);
});

it('adds to the keys of an earlier release what they lack, and changes nothing else', async () => {
  await make();
  const file = keyFile(folder, 'auth-svc');
  const { pepper: _, ...earlier } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(earlier));
  await make();
  const now = JSON.parse(readFileSync(file, 'utf8'));
  expect(now).toEqual({ ...earlier, pepper: expect.stringMatching(/^[\w-]{43}$/) });
  await make();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(now);
});

it('refuses half a set: the missing ones cannot be made to fit', async () => {
  await make();
  rmSync(keyFile(folder, 'dns-svc'));
  await expect(make()).rejects.toThrow('les clés de dns-svc');
});

it('starts with the keys that are there, whatever the database holds, and makes none for one that holds a Vigie', async () => {
  const isUsed = () => Promise.resolve(true);
  await expect(ensureKeys(home, isUsed)).rejects.toThrow('dns-svc.json depuis votre sauvegarde');
  expect(existsSync(folder)).toBe(false);
  await make();
  const made = contents();
  await ensureKeys(home, isUsed);
  expect(contents()).toEqual(made);
});

it('writes over no key', () => {
  writeKeys(folder);
  const made = contents();
  expect(() => writeKeys(folder)).toThrow('existe déjà');
  expect(contents()).toEqual(made);
});
