import { chown, type FileHandle, open, stat } from 'node:fs/promises';
import { AppError } from '@vigie/contracts/errors';

export const diskFull = (cause?: unknown) =>
  new AppError(
    'unavailable',
    'Il n’y a plus assez de place dans le stockage de Vigie\u00a0: libérez de l’espace, puis recommencez.',
    { cause },
  );

/** Writes at the file’s position, or at a given offset. */
export async function writeAll(file: FileHandle, chunk: Uint8Array, offset?: number): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const remaining = chunk.length - at;
    const { bytesWritten } = await file.write(chunk, at, remaining, offset === undefined ? null : offset + at);
    at += bytesWritten;
  }
}

/** A file’s name is durable once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Files written by root belong to the folder’s owner, because the services that read them may not be root. */
export async function chownToFolderOwner(path: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(path, uid, gid);
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

export const isDiskFull = (error: unknown) => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';

export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
