import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * A new temporary folder that must not be in the usual place. The reaper that runs a bench or a trial removes what is in the
 * temporary folder of it: a link there tells it of this one, before it is made.
 */
export function folderElsewhere(prefix: string): string {
  const folder = `${prefix}${randomBytes(4).toString('hex')}`;
  if (existsSync(join(tmpdir(), 'run.json'))) symlinkSync(folder, join(tmpdir(), `elsewhere-${basename(folder)}`));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
