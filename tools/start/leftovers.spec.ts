import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { isAlive, markOf, thisProcess } from '../lock.mjs';
import { pidFile } from './child';
import { stopLeftovers } from './leftovers';

let home: string;
let left: ChildProcess;
const said: string[] = [];
const log = (line: string) => said.push(line);
const gone = { pid: 1, mark: 'long gone' };

beforeEach(() => {
  said.length = 0;
  home = testFolder('left');
  mkdirSync(join(home, 'run'));
  left = spawn('sleep', ['60']);
});
afterEach(() => {
  left.kill('SIGKILL');
});

function note(changes: object) {
  const pid = left.pid ?? 0;
  writeFileSync(pidFile(home, 'redis'), JSON.stringify({ pid, mark: markOf(pid), starter: gone, ...changes }));
  return { pid, mark: markOf(pid) };
}

it('stops what a dead starter left, and says so', async () => {
  note({});
  const exited = once(left, 'exit');
  await stopLeftovers(home, log);
  expect(await exited).toEqual([null, 'SIGTERM']);
  expect(said).toEqual([`Arrête redis, qu’un démarrage interrompu a laissé (processus ${left.pid}).`]);
  expect(existsSync(pidFile(home, 'redis'))).toBe(false);
});

it('never stops a stranger that has got the pid since', async () => {
  const stranger = note({ mark: 'an earlier start' });
  await stopLeftovers(home, log);
  expect(isAlive(stranger)).toBe(true);
  expect(existsSync(pidFile(home, 'redis'))).toBe(false);
});

it('refuses a folder whose servers a living starter keeps', async () => {
  const kept = note({ starter: thisProcess() });
  await expect(stopLeftovers(home, log)).rejects.toThrow(`sont déjà tenus par le processus ${process.pid}`);
  expect(isAlive(kept)).toBe(true);
});

it('has nothing to do in a new folder', async () => {
  await stopLeftovers(join(home, 'new'), log);
  expect(said).toEqual([]);
});
