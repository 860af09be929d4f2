import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { withLock, claim, isAlive, markOf, release, thisProcess } from '../lock.mjs';

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

const otherOwner = () => ({ pid: other.pid ?? 0, mark: markOf(other.pid ?? 0) });

it('has one owner, who may add details', () => {
  expect(claim(file, { address: 'http://here' })).toBeUndefined();
  expect(claim(file)).toMatchObject({ pid: process.pid, address: 'http://here' });
  release(file);
  expect(readdirSync(folder)).toEqual([]);
});

it('stays with a running process', () => {
  writeFileSync(file, JSON.stringify(otherOwner()));
  expect(claim(file)).toMatchObject({ pid: other.pid });
});

it('is taken from a dead process', async () => {
  const owner = otherOwner();
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(isAlive(owner)).toBe(false);
  writeFileSync(file, JSON.stringify(owner));
  expect(claim(file)).toBeUndefined();
});

it('is taken when its pid belongs to another process now', () => {
  writeFileSync(file, JSON.stringify({ ...otherOwner(), mark: 'an earlier start' }));
  expect(claim(file)).toBeUndefined();
});

it.each(['', '{', '[]', '{"pid":"1"}', 'null'])('is taken when its content is %j', (text) => {
  writeFileSync(file, text);
  expect(claim(file)).toBeUndefined();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(thisProcess());
});

it('is not released by another process', () => {
  writeFileSync(file, JSON.stringify(otherOwner()));
  release(file);
  expect(claim(file)).toMatchObject({ pid: other.pid });
});

it('runs one piece of work at a time', async () => {
  let running = 0;
  let max = 0;
  const work = async () => {
    max = Math.max(max, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  };
  await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)]);
  expect(max).toBe(1);
});
