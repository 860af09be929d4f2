import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { isOpenTo, isRoot, makeHome, openStorage, ownFolder } from './server-storage';

const asRoot = isRoot() ? it : it.skip;
const nobody = { uid: 65_534, gid: 65_534 };
let parent: string;
let home: string;
let externalData: string | undefined;
const logLines: string[] = [];
const log = (line: string) => logLines.push(line);

beforeEach(() => {
  parent = testFolder('place');
  chmodSync(parent, 0o755);
  home = join(parent, 'state of vigie');
  makeHome(home);
});
afterEach(() => {
  if (externalData) rmSync(externalData, { recursive: true, force: true });
});

it('reuses the data and the passwords of a state folder', () => {
  const { data, passwords } = openStorage(home, log);
  expect(data).toBe(join(home, 'data'));
  expect(openStorage(home, log)).toMatchObject({ data, passwords });
  expect(statSync(join(home, 'servers.json')).mode & 0o777).toBe(0o600);
});

asRoot('notices that one closed parent closes a folder', () => {
  expect(isOpenTo(nobody, home)).toBe(true);
  chmodSync(parent, 0o700);
  expect(isOpenTo(nobody, home)).toBe(false);
});

asRoot('stores the data elsewhere when a parent is closed to the servers, and remembers where', () => {
  chmodSync(parent, 0o700);
  externalData = openStorage(home, log).data;
  expect(externalData).toMatch(/^\/var\/lib\/vigie\/[0-9a-f]{16}$/);
  expect(logLines.at(-1)).toContain(externalData);
  chmodSync(parent, 0o755);
  expect(openStorage(home, log).data).toBe(externalData);
});

asRoot('says which folder to open when the data are no longer reachable', () => {
  openStorage(home, log);
  chmodSync(parent, 0o700);
  expect(() => openStorage(home, log)).toThrow('chmod o+x');
});

asRoot('restores the owner of data that root has copied', () => {
  const storage = openStorage(home, log);
  mkdirSync(join(storage.data, 'redis/deep'), { recursive: true });
  ownFolder(storage, 'redis');
  expect(statSync(join(storage.data, 'redis/deep')).uid).toBe(storage.user?.uid);
});
