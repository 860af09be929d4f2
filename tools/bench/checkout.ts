import { cpSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/env';

/** Not in a fresh clone: builds and caches. */
const leftOut = new Set(['dist', '.nx', '.git', '.vigie', 'test-results']);
/** What tools keep among the dependencies. */
const caches = new Set(['.cache', '.vite', '.vite-temp']);

/** This checkout as it is after a clone and `npm ci`. Dependencies are linked file by file: nothing writes to them. */
export function copyCheckout(folder: string): void {
  copyFolder(root, folder, false);
}

function copyFolder(from: string, to: string, isDependency: boolean): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if ((isDependency ? caches : leftOut).has(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (entry.isDirectory()) copyFolder(source, target, isDependency || name === 'node_modules');
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (isDependency) link(source, target);
    else cpSync(source, target);
  }
}

function link(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // On another file system.
    cpSync(source, target);
  }
}
