import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { firstLine } from './format';
import { partOf, sweepParts } from './parts';

let folder: string;
beforeEach(() => void (folder = testFolder('parts')));

const left = () => readdirSync(folder);
const put = (name: string, text = `${firstLine}{"salt":null}\n`) => writeFileSync(join(folder, name), text);
const mine = partOf('a').replace(/^a/, '');

it('removes what a dead run of this machine was writing, however far it came', async () => {
  const { pid } = spawnSync('true');
  const dead = mine.replace(`.${process.pid}.`, `.${pid}.`);
  put(`one.backup${dead}`);
  put(`two.backup${dead}`, '');
  put(`three.backup${dead}`, firstLine.slice(0, 4));
  await sweepParts(folder);
  expect(left()).toEqual([]);
});

it('leaves what a living one writes, what is whole, and what is somebody else’s', async () => {
  const { pid } = spawnSync('true');
  const kept = [`a.backup${mine}`, 'whole.backup', `film.${pid}.part`];
  for (const name of kept) put(name);
  const foreign = `film${mine.replace(`.${process.pid}.`, `.${pid}.`)}`;
  put(foreign, 'something else');
  await sweepParts(folder);
  expect(left().toSorted()).toEqual([...kept, foreign].toSorted());
});

it('waits an hour for one that is written elsewhere, where nobody knows who lives', async () => {
  put('b.backup.another-host.7.part');
  await sweepParts(folder);
  expect(left()).toEqual(['b.backup.another-host.7.part']);
  const old = new Date(Date.now() - 3_700_000);
  utimesSync(join(folder, 'b.backup.another-host.7.part'), old, old);
  await sweepParts(folder);
  expect(left()).toEqual([]);
});

it('tells of what it cannot look at, and goes on', async () => {
  const { pid } = spawnSync('true');
  const dead = mine.replace(`.${process.pid}.`, `.${pid}.`);
  // Whoever runs this, a folder is not read as a file.
  mkdirSync(join(folder, `a.backup${dead}`));
  put(`b.backup${dead}`);
  put('c.backup');
  const said = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await sweepParts(folder);
    await sweepParts(join(folder, 'c.backup'));
    expect(left()).toEqual([`a.backup${dead}`, 'c.backup']);
    expect(said.mock.calls.flat()).toEqual([expect.stringContaining('EISDIR'), expect.stringContaining('ENOTDIR')]);
  } finally {
    said.mockRestore();
  }
});
