import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isRoot } from './server-storage';

/**
 * Replaces a file so that readers find the whole old text or the whole new one, even after a power cut. The file keeps its
 * owner and mode, so that the same processes can read it. A new file is readable by the owner of its folder only.
 */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  const descriptor = openSync(part, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (existsSync(file)) copyRights(descriptor, file);
    else if (isRoot()) copyOwner(descriptor, dirname(file));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, file);
  syncFolder(dirname(file));
}

function copyRights(descriptor: number, file: string): void {
  const { uid, gid, mode } = statSync(file);
  fchownSync(descriptor, uid, gid);
  fchmodSync(descriptor, mode & 0o777);
}

/** Gives a file to the owner of its folder. */
export function copyOwner(descriptor: number, folder: string): void {
  const { uid, gid } = statSync(folder);
  fchownSync(descriptor, uid, gid);
}

/** Creates a private folder and its parents for the owner of the nearest existing folder, because root may run this. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  const { uid, gid } = statSync(dirname(folder));
  if (isRoot()) chownSync(folder, uid, gid);
}

/** A rename survives a power cut only once its folder is synced. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
