import { open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ignoreMissing } from '@vigie/files/disk';
import { markOf } from '../lock.mjs';
import { fr, reasonOf, say } from '../terminal';
import { firstLine } from './format';

/** A container has pids of its own, and a name of its own. */
const machine = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-');
/** Elsewhere nobody knows who lives: there a writer is dead that has added nothing for so long. */
const silentMs = 3_600_000;

/** What an archive is called until it is whole: it tells whose it is. */
export const partOf = (path: string) => `${path}.${machine}.${process.pid}.part`;

/** Removes what was being written when its writer died: it holds keys. What resists keeps no backup from being made. */
export async function sweepParts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(ignoreMissing).catch(tell);
  for (const name of names ?? []) await sweepPart(folder, name).catch(tell);
}

async function sweepPart(folder: string, name: string): Promise<void> {
  const [, where, pid] = /\.([A-Za-z0-9-]+)\.(\d+)\.part$/.exec(name) ?? [];
  if (where === undefined) return;
  const file = join(folder, name);
  const isDead = where === machine && markOf(Number(pid)) === undefined;
  if ((isDead || (await isSilent(file))) && (await isOurs(file))) await rm(file, { force: true });
}

function tell(error: unknown): undefined {
  say(
    fr`Ce qu’une sauvegarde interrompue a pu laisser n’a pas été supprimé : ${reasonOf(error)}. Il peut s’y trouver des clés : regardez, et supprimez-le vous-même.`,
  );
}

async function isSilent(file: string): Promise<boolean> {
  const found = await stat(file).catch(ignoreMissing);
  return found !== undefined && Date.now() - found.mtimeMs > silentMs;
}

/** It begins as an archive does, as far as it goes. */
async function isOurs(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(ignoreMissing);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstLine.length), 0, firstLine.length, 0);
    return firstLine.startsWith(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}
