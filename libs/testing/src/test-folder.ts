import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a temporary folder for the test that runs, and removes it when that one and its hooks are over. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `vigie-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
