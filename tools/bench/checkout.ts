import { cpSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/env';

/** A fresh clone contains no builds and no caches. */
const excluded = new Set(['dist', '.nx', '.git', '.vigie', 'test-results']);
const caches = new Set(['.cache', '.vite', '.vite-temp']);

/**
 * Copies this checkout in its state after a clone and `npm ci`. Dependencies are hard links, because nothing writes to
 * them.
 */
export function copyCheckout(folder: string): void {
  copyFolder(root, folder, false);
}

function copyFolder(from: string, to: string, isDependency: boolean): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if ((isDependency ? caches : excluded).has(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (entry.isDirectory()) copyFolder(source, target, isDependency || name === 'node_modules');
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (isDependency) linkFile(source, target);
    else cpSync(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // Hard links do not work across file systems.
    cpSync(source, target);
  }
}
