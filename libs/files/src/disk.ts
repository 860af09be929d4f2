import { chown, type FileHandle, open, stat } from 'node:fs/promises';
import { AppError } from '@vigie/contracts/errors';

export const noRoom = (cause?: unknown) =>
  new AppError(
    'unavailable',
    'Il n’y a plus assez de place dans le stockage de Vigie\u00a0: libérez de l’espace, puis recommencez.',
    { cause },
  );

/** Where the file is, or at a place of it. */
export async function writeAll(file: FileHandle, chunk: Uint8Array, place?: number): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const left = chunk.length - at;
    const { bytesWritten } = await file.write(chunk, at, left, place === undefined ? null : place + at);
    at += bytesWritten;
  }
}

/** A name is on the disk once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What root writes is for whoever has the folder: the services that read it may not be root. */
export async function giveToOwner(path: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(path, uid, gid);
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

export const isFull = (error: unknown) => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';

export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
