import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const files = {
  'vitest.config.mjs': `import { VitestReport } from '${process.cwd()}/tools/test/vitest-report.mjs';
    export default { test: { reporters: [new VitestReport()] } };`,
  'mixed.spec.mjs': `import { expect, it } from 'vitest';
    it('passes', () => { expect(1).toBe(1); });
    it('fails', () => { expect(1).toBe(2); });
    it.skip('is left out', () => undefined);`,
  'broken.spec.mjs': `import './nowhere.mjs';`,
  'hook.spec.mjs': `import { afterAll, describe, expect, it } from 'vitest';
    describe('a scene', () => {
      afterAll(() => { throw new Error('not put away'); });
      it('passes', () => { expect(1).toBe(1); });
    });`,
  'late.spec.mjs': `import { expect, it } from 'vitest';
    it('passes', () => { void Promise.reject(new Error('nobody waits for it')); expect(1).toBe(1); });`,
};

it('counts failures outside of tests: a file that does not load, a hook, and an unhandled rejection', () => {
  // The files must be below the project to find Vitest.
  mkdirSync('dist/tools', { recursive: true });
  const folder = mkdtempSync('dist/tools/report-');
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const report = join(process.cwd(), folder, 'report.json');
    const env = { ...process.env, VIGIE_TEST_REPORT: report };
    spawnSync('node_modules/.bin/vitest', ['run', '--root', folder], { env });
    const { files: fileResults, ...counts } = JSON.parse(readFileSync(report, 'utf8'));
    expect(counts).toEqual({ passed: 3, failed: 4, skipped: 1 });
    expect(fileResults).toHaveLength(4);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
