import { open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ignoreMissing } from '@vigie/files/disk';
import { markOf } from '../lock.mjs';
import { fr, reasonOf, say } from '../terminal';
import { firstLine } from './format';

/** Process ids are unique per host name only: each container has its own of both. */
const machine = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-');
/** A writer on another machine counts as dead after this long without writes, as its process cannot be checked. */
const staleMs = 3_600_000;

/** The name of an archive until it is whole; it identifies the process that writes it. */
export const partialFile = (path: string) => `${path}.${machine}.${process.pid}.part`;

/** Removes the partial archives of dead writers, because they hold keys. A failure does not prevent the backup. */
export async function sweepPartialFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(ignoreMissing).catch(logFailure);
  for (const name of names ?? []) await sweepPartialFile(folder, name).catch(logFailure);
}

async function sweepPartialFile(folder: string, name: string): Promise<void> {
  const [, host, pid] = /\.([A-Za-z0-9-]+)\.(\d+)\.part$/.exec(name) ?? [];
  if (host === undefined) return;
  const file = join(folder, name);
  const isDead = host === machine && markOf(Number(pid)) === undefined;
  if ((isDead || (await isStale(file))) && (await isArchive(file))) await rm(file, { force: true });
}

function logFailure(error: unknown): undefined {
  say(
    fr`Ce qu’une sauvegarde interrompue a pu laisser n’a pas été supprimé : ${reasonOf(error)}. Il peut s’y trouver des clés : regardez, et supprimez-le vous-même.`,
  );
}

async function isStale(file: string): Promise<boolean> {
  const stats = await stat(file).catch(ignoreMissing);
  return stats !== undefined && Date.now() - stats.mtimeMs > staleMs;
}

/** Whether the file begins like an archive, as far as it was written. */
async function isArchive(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(ignoreMissing);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstLine.length), 0, firstLine.length, 0);
    return firstLine.startsWith(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}
