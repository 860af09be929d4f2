import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a temporary folder for the running test and removes it after the test and its hooks. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `vigie-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
