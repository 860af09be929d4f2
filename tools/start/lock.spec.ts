import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { alone, claim, isAlive, markOf, release, thisProcess } from '../lock.mjs';

let folder: string;
let file: string;
let other: ChildProcess;

beforeEach(() => {
  folder = testFolder('lock');
  file = join(folder, 'lock');
  other = spawn('sleep', ['60']);
});
afterEach(() => {
  other.kill('SIGKILL');
});

const ownerOther = () => ({ pid: other.pid ?? 0, mark: markOf(other.pid ?? 0) });

it('is had by one, who says what it is', () => {
  expect(claim(file, { address: 'http://here' })).toBeUndefined();
  expect(claim(file)).toMatchObject({ pid: process.pid, address: 'http://here' });
  release(file);
  expect(readdirSync(folder)).toEqual([]);
});

it('is kept by a living process', () => {
  writeFileSync(file, JSON.stringify(ownerOther()));
  expect(claim(file)).toMatchObject({ pid: other.pid });
});

it('is taken from a dead process', async () => {
  const owner = ownerOther();
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(isAlive(owner)).toBe(false);
  writeFileSync(file, JSON.stringify(owner));
  expect(claim(file)).toBeUndefined();
});

it('is taken when its pid is another process by now', () => {
  writeFileSync(file, JSON.stringify({ ...ownerOther(), mark: 'an earlier start' }));
  expect(claim(file)).toBeUndefined();
});

it.each(['', '{', '[]', '{"pid":"1"}', 'null'])('is taken when it reads %j', (text) => {
  writeFileSync(file, text);
  expect(claim(file)).toBeUndefined();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(thisProcess());
});

it('is not released by another process', () => {
  writeFileSync(file, JSON.stringify(ownerOther()));
  release(file);
  expect(claim(file)).toMatchObject({ pid: other.pid });
});

it('lets one work at a time', async () => {
  let inside = 0;
  let max = 0;
  const work = async () => {
    max = Math.max(max, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
  };
  await Promise.all([alone(file, work), alone(file, work), alone(file, work)]);
  expect(max).toBe(1);
});
