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
let child: ChildProcess;
const logLines: string[] = [];
const log = (line: string) => logLines.push(line);
const deadStarter = { pid: 1, mark: 'long gone' };

beforeEach(() => {
  logLines.length = 0;
  home = testFolder('left');
  mkdirSync(join(home, 'run'));
  child = spawn('sleep', ['60']);
});
afterEach(() => {
  child.kill('SIGKILL');
});

function writeOwner(changes: object) {
  const pid = child.pid ?? 0;
  writeFileSync(pidFile(home, 'redis'), JSON.stringify({ pid, mark: markOf(pid), starter: deadStarter, ...changes }));
  return { pid, mark: markOf(pid) };
}

it('stops a process that a dead starter left, and says so', async () => {
  writeOwner({});
  const exited = once(child, 'exit');
  await stopLeftovers(home, log);
  expect(await exited).toEqual([null, 'SIGTERM']);
  expect(logLines).toEqual([`Arrête redis, qu’un démarrage interrompu a laissé (processus ${child.pid}).`]);
  expect(existsSync(pidFile(home, 'redis'))).toBe(false);
});

it('does not stop another process with the same pid', async () => {
  const stranger = writeOwner({ mark: 'an earlier start' });
  await stopLeftovers(home, log);
  expect(isAlive(stranger)).toBe(true);
  expect(existsSync(pidFile(home, 'redis'))).toBe(false);
});

it('refuses a folder whose servers belong to a running starter', async () => {
  const owner = writeOwner({ starter: thisProcess() });
  await expect(stopLeftovers(home, log)).rejects.toThrow(`sont déjà tenus par le processus ${process.pid}`);
  expect(isAlive(owner)).toBe(true);
});

it('has nothing to do in a new folder', async () => {
  await stopLeftovers(join(home, 'new'), log);
  expect(logLines).toEqual([]);
});
