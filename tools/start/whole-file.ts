import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file so that whoever reads it, also after a power cut, finds all of the old text or all of the new one. It
 * keeps its owner and mode: a process that could read it still can. A new one is its maker's alone.
 */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  const descriptor = openSync(part, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (existsSync(file)) keepRights(descriptor, file);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, file);
  syncFolder(dirname(file));
}

function keepRights(descriptor: number, file: string): void {
  const { uid, gid, mode } = statSync(file);
  fchownSync(descriptor, uid, gid);
  fchmodSync(descriptor, mode & 0o777);
}

/** A rename lasts once its folder is on the disk. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
