import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@vigie/testing/test-folder';
import { describe, expect, it } from 'vitest';
import { closingLine, isGood, playwrightOutcome, type Run, sum, vitestOutcome } from './results';

const vitest = (counts: object, code = 0): Run => ({
  report: JSON.stringify({ passed: 0, failed: 0, skipped: 0, files: [], ...counts }),
  code,
  output: 'all that was printed',
});

const playwright = (stats: object, errors: object[] = [], code = 0): Run => ({
  report: JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors }),
  code,
  output: '',
});

describe('the counts of Vitest', () => {
  it('are those of its report', () => {
    const { tally } = vitestOutcome(vitest({ passed: 5, failed: 2, skipped: 1 }, 1));
    expect(tally).toEqual({ passed: 5, failed: 2, skipped: 1 });
  });

  it('have a failure when the runner fails without a failing test', () => {
    const { tally, output } = vitestOutcome(vitest({ passed: 5 }, 1));
    expect(tally).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(output).toContain('all that was printed');
  });

  it.each([
    ['has no report', { report: undefined, code: null, output: '' }],
    ['truncated its report', { report: '{"passed": 3', code: 0, output: '' }],
    ['wrote another report', { report: '{"passed": 3}', code: 0, output: '' }],
    ['wrote null', { report: 'null', code: 0, output: '' }],
  ])('are one failure when it %s', (_, run) => {
    expect(vitestOutcome(run).tally).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('are one failure when nothing ran, even if some were skipped', () => {
    expect(vitestOutcome(vitest({ skipped: 4 })).tally).toEqual({ passed: 0, failed: 1, skipped: 4 });
  });
});

describe('the counts of Playwright', () => {
  it('are those of its report', () => {
    const { tally } = playwrightOutcome(playwright({ expected: 7, unexpected: 1, skipped: 2 }, [], 1));
    expect(tally).toEqual({ passed: 7, failed: 1, skipped: 2 });
  });

  it('name a flaky story with its first error and its page, without counting a failure', () => {
    const path = join(testFolder('flaky'), 'error-context.md');
    // After a failed expectation, the page has no heading above it.
    writeFileSync(path, '# Error details\n\n```\nError\n```\n\n```yaml\n- heading "Sites"\n```\n\n# Test source\n');
    const attachments = [{ name: 'error-context', path }];
    const story = (title: string, status: string) => ({
      title,
      tests: [
        {
          status,
          results: [
            { duration: 1_500, errors: [{ message: '\u001b[31mno heading\u001b[39m' }], attachments },
            { duration: 500 },
          ],
        },
      ],
    });
    const inner = {
      title: 'the list',
      file: 'sites.e2e.ts',
      specs: [story('sorts', 'flaky'), story('shows', 'expected')],
    };
    const report = { stats: { expected: 1, unexpected: 0, flaky: 1, skipped: 0 }, errors: [] };
    const suites = [{ title: 'sites.e2e.ts', file: 'sites.e2e.ts', suites: [inner] }];
    const outcome = playwrightOutcome({ report: JSON.stringify({ ...report, suites }), code: 0, output: '' });
    expect(outcome.tally).toEqual({ passed: 2, failed: 0, skipped: 0 });
    expect(outcome.flaky).toEqual(['sites.e2e.ts › sorts\nno heading\nLa page montrait :\n- heading "Sites"\n']);
    expect(outcome.files).toEqual([{ file: 'sites.e2e.ts', seconds: 4 }]);
  });

  it('have one failure for each error outside of a test', () => {
    expect(playwrightOutcome(playwright({ expected: 7 }, [{ message: 'x' }], 1)).tally.failed).toBe(1);
  });

  it('are one failure when nothing ran', () => {
    expect(playwrightOutcome(playwright({})).tally.failed).toBe(1);
  });
});

describe('the closing line', () => {
  it('sums what ran', () => {
    const tally = sum([
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 4, failed: 2, skipped: 0 },
    ]);
    expect(closingLine(tally)).toBe('5 passed, 2 failed');
  });

  it('mentions skipped tests only if there are some', () => {
    expect(closingLine({ passed: 5, failed: 0, skipped: 3 })).toBe('5 passed, 0 failed, 3 skipped');
  });

  it.each([
    [{ passed: 1, failed: 0, skipped: 0 }, true],
    [{ passed: 1, failed: 1, skipped: 0 }, false],
    [{ passed: 0, failed: 0, skipped: 9 }, false],
  ])('of %o makes the run good: %s', (tally, good) => {
    expect(isGood(tally)).toBe(good);
  });
});
