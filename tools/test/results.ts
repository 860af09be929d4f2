export type Tally = { passed: number; failed: number; skipped: number };
/** What a step leaves: its counts, and what to show when something failed. */
export type Outcome = { tally: Tally; output: string };

export const passed: Outcome = { tally: { passed: 1, failed: 0, skipped: 0 }, output: '' };
export const failed = (output: string): Outcome => ({ tally: { passed: 0, failed: 1, skipped: 0 }, output });

export function sum(tallies: readonly Tally[]): Tally {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const tally of tallies) {
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.skipped += tally.skipped;
  }
  return total;
}

/** A run is good when something passed and nothing failed. */
export const isGood = ({ passed: count, failed: faults }: Tally) => count > 0 && faults === 0;

export function closingLine({ passed: count, failed: faults, skipped }: Tally): string {
  return `${count} passed, ${faults} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** How a test runner ended: its report if it wrote one, its exit code, and all that it printed. */
export type Run = { report: string | undefined; code: number | null; output: string };

/** A suite that does not load counts as one failure: its tests are not known. */
export function jestOutcome(run: Run): Outcome {
  return outcome(run, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  }));
}

/** A test that passes at the second try is a failure: it hides a race. Errors are files that do not load. */
export function playwrightOutcome(run: Run): Outcome {
  return outcome(run, ({ stats, errors }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }));
}

// The reports are those of pinned runners; whatever does not read as counts becomes a failure below.
// oxlint-disable-next-line typescript/no-explicit-any
function outcome({ report, code, output }: Run, count: (report: any) => Tally): Outcome {
  const tally = readTally(report, count);
  if (!tally) return failed(`${output}\nLe lanceur n’a pas laissé de rapport lisible (code ${code}).`);
  if (tally.passed + tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, output: `${output}\nAucun test n’a été exécuté.` };
  }
  if (code !== 0 && tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, output: `${output}\nLe lanceur s’est arrêté avec le code ${code}.` };
  }
  return { tally, output };
}

// oxlint-disable-next-line typescript/no-explicit-any
function readTally(report: string | undefined, count: (report: any) => Tally): Tally | undefined {
  if (report === undefined) return undefined;
  try {
    const tally = count(JSON.parse(report));
    return Object.values(tally).every((value) => Number.isInteger(value) && value >= 0) ? tally : undefined;
  } catch {
    return undefined;
  }
}
