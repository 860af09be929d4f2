import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ensureKeys, keyFile, writeKeys } from './keys';

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigie-keys-'));
  folder = join(home, 'keys');
});
afterEach(() => rmSync(home, { recursive: true }));

const contents = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

it('makes one file a process, closed to others, and never makes them again', () => {
  ensureKeys(home);
  const made = contents();
  expect(readdirSync(folder).toSorted()).toEqual([
    'auth-svc.json',
    'dns-svc.json',
    'gateway.json',
    'sites-svc.json',
    'ssh-agent.json',
  ]);
  expect(statSync(keyFile(folder, 'gateway')).mode & 0o777).toBe(0o600);
  ensureKeys(home);
  expect(contents()).toEqual(made);
});

it('adds to the keys of an earlier release what they lack, and changes nothing else', () => {
  ensureKeys(home);
  const file = keyFile(folder, 'auth-svc');
  const { pepper: _, ...earlier } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(earlier));
  ensureKeys(home);
  const now = JSON.parse(readFileSync(file, 'utf8'));
  expect(now).toEqual({ ...earlier, pepper: expect.stringMatching(/^[\w-]{43}$/) });
  ensureKeys(home);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(now);
});

it('refuses half a set: the missing ones cannot be made to fit', () => {
  ensureKeys(home);
  rmSync(keyFile(folder, 'dns-svc'));
  expect(() => ensureKeys(home)).toThrow('les clés de dns-svc');
});

it('writes over no key', () => {
  writeKeys(folder);
  const made = contents();
  expect(() => writeKeys(folder)).toThrow('existe déjà');
  expect(contents()).toEqual(made);
});
