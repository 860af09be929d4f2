import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * Creates a temporary folder outside of the usual place. A link in the usual place, made first, tells the reaper of a
 * bench or trial to remove this folder too.
 */
export function folderElsewhere(prefix: string): string {
  const folder = `${prefix}${randomBytes(4).toString('hex')}`;
  if (existsSync(join(tmpdir(), 'run.json'))) symlinkSync(folder, join(tmpdir(), `elsewhere-${basename(folder)}`));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
