import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { firstLine } from './format';
import { partialFile, sweepPartialFiles } from './partial-files';

let folder: string;
beforeEach(() => void (folder = testFolder('parts')));

const remaining = () => readdirSync(folder);
const put = (name: string, text = `${firstLine}{"salt":null}\n`) => writeFileSync(join(folder, name), text);
const ownSuffix = partialFile('a').replace(/^a/, '');

it('removes the partial archive of a dead run on this machine, whatever its length', async () => {
  const { pid } = spawnSync('true');
  const deadSuffix = ownSuffix.replace(`.${process.pid}.`, `.${pid}.`);
  put(`one.backup${deadSuffix}`);
  put(`two.backup${deadSuffix}`, '');
  put(`three.backup${deadSuffix}`, firstLine.slice(0, 4));
  await sweepPartialFiles(folder);
  expect(remaining()).toEqual([]);
});

it('keeps the partial archive of a live run, whole archives, and other files', async () => {
  const { pid } = spawnSync('true');
  const kept = [`a.backup${ownSuffix}`, 'whole.backup', `film.${pid}.part`];
  for (const name of kept) put(name);
  const foreign = `film${ownSuffix.replace(`.${process.pid}.`, `.${pid}.`)}`;
  put(foreign, 'something else');
  await sweepPartialFiles(folder);
  expect(remaining().toSorted()).toEqual([...kept, foreign].toSorted());
});

it('removes the partial archive of another machine after an hour without writes', async () => {
  put('b.backup.another-host.7.part');
  await sweepPartialFiles(folder);
  expect(remaining()).toEqual(['b.backup.another-host.7.part']);
  const old = new Date(Date.now() - 3_700_000);
  utimesSync(join(folder, 'b.backup.another-host.7.part'), old, old);
  await sweepPartialFiles(folder);
  expect(remaining()).toEqual([]);
});

it('reports what it cannot read, and continues', async () => {
  const { pid } = spawnSync('true');
  const deadSuffix = ownSuffix.replace(`.${process.pid}.`, `.${pid}.`);
  // Even root cannot read a folder as a file.
  mkdirSync(join(folder, `a.backup${deadSuffix}`));
  put(`b.backup${deadSuffix}`);
  put('c.backup');
  const consoleLog = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await sweepPartialFiles(folder);
    await sweepPartialFiles(join(folder, 'c.backup'));
    expect(remaining()).toEqual([`a.backup${deadSuffix}`, 'c.backup']);
    expect(consoleLog.mock.calls.flat()).toEqual([
      expect.stringContaining('EISDIR'),
      expect.stringContaining('ENOTDIR'),
    ]);
  } finally {
    consoleLog.mockRestore();
  }
});
