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
import { isRoot } from './place';

/**
 * Replaces a file so that whoever reads it, also after a power cut, finds all of the old text or all of the new one. It
 * keeps its owner and mode: a process that could read it still can. A new one is for the owner of its folder alone.
 */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  const descriptor = openSync(part, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (existsSync(file)) keepRights(descriptor, file);
    else if (isRoot()) keepOwner(descriptor, dirname(file));
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

/** It is whose its folder is. */
export function keepOwner(descriptor: number, folder: string): void {
  const { uid, gid } = statSync(folder);
  fchownSync(descriptor, uid, gid);
}

/** Closed to others; it and what it is in belong to the owner of what was there: root may make it for somebody else. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  const { uid, gid } = statSync(dirname(folder));
  if (isRoot()) chownSync(folder, uid, gid);
}

/** A rename lasts once its folder is on the disk. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
