import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { isOpenTo, isRoot, makeHome, openPlace, ownFolder } from './place';

const asRoot = isRoot() ? it : it.skip;
const nobody = { uid: 65_534, gid: 65_534 };
let parent: string;
let home: string;
let elsewhere: string | undefined;
const said: string[] = [];
const log = (line: string) => said.push(line);

beforeEach(() => {
  parent = testFolder('place');
  chmodSync(parent, 0o755);
  home = join(parent, 'state of vigie');
  makeHome(home);
});
afterEach(() => {
  if (elsewhere) rmSync(elsewhere, { recursive: true, force: true });
});

it('keeps the data and the passwords of a state folder', () => {
  const { data, passwords } = openPlace(home, log);
  expect(data).toBe(join(home, 'data'));
  expect(openPlace(home, log)).toMatchObject({ data, passwords });
  expect(statSync(join(home, 'servers.json')).mode & 0o777).toBe(0o600);
});

asRoot('sees that one closed parent closes a folder', () => {
  expect(isOpenTo(nobody, home)).toBe(true);
  chmodSync(parent, 0o700);
  expect(isOpenTo(nobody, home)).toBe(false);
});

asRoot('puts the data elsewhere when a parent is closed to the servers, and remembers where', () => {
  chmodSync(parent, 0o700);
  elsewhere = openPlace(home, log).data;
  expect(elsewhere).toMatch(/^\/var\/lib\/vigie\/[0-9a-f]{16}$/);
  expect(said.at(-1)).toContain(elsewhere);
  chmodSync(parent, 0o755);
  expect(openPlace(home, log).data).toBe(elsewhere);
});

asRoot('says which folder to open when data that were reachable no longer are', () => {
  openPlace(home, log);
  chmodSync(parent, 0o700);
  expect(() => openPlace(home, log)).toThrow('chmod o+x');
});

asRoot('gives data that root copied back to their server', () => {
  const place = openPlace(home, log);
  mkdirSync(join(place.data, 'redis/deep'), { recursive: true });
  ownFolder(place, 'redis');
  expect(statSync(join(place.data, 'redis/deep')).uid).toBe(place.user?.uid);
});
