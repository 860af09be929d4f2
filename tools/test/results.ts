import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export type Tally = { passed: number; failed: number; skipped: number };
/** A file of tests, and how long it took. */
export type FileTime = { file: string; seconds: number };
/** What a step leaves: its counts, what to show when something failed, and what the summary names. */
export type Outcome = {
  tally: Tally;
  output: string;
  files?: readonly FileTime[];
  /** Stories that failed, and passed at their second try: each with why, and what its page showed. */
  flaky?: readonly string[];
};

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

/** Of the report that `vitest-report.mjs` writes. */
export function vitestOutcome(run: Run): Outcome {
  return outcome(run, ({ passed: count, failed: faults, skipped, files }) => ({
    tally: { passed: count, failed: faults, skipped },
    files,
  }));
}

/** A story that passes at its second try has passed, and is named. Errors are files that do not load. */
export function playwrightOutcome(run: Run): Outcome {
  return outcome(run, ({ stats, errors, suites = [] }) => ({
    tally: {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
    },
    files: suites.map((suite: Suite) => ({ file: suite.file, seconds: durationOf(suite) })),
    flaky: suites.flatMap((suite: Suite) => flakyIn(suite)),
  }));
}

type Attempt = {
  duration: number;
  errors?: { message?: string }[];
  attachments?: { name: string; path?: string }[];
};
type Story = { title: string; tests: { status: string; results: Attempt[] }[] };
type Suite = { title: string; file: string; specs?: Story[]; suites?: Suite[] };

const durationOf = ({ specs = [], suites = [] }: Suite): number =>
  specs
    .flatMap(({ tests }) => tests)
    .flatMap(({ results }) => results)
    .reduce((total, { duration }) => total + duration / 1000, 0) +
  suites.reduce((total, suite) => total + durationOf(suite), 0);

const flakyIn = ({ file, specs = [], suites = [] }: Suite): string[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ results }) => [`${file} › ${title}`, ...results.slice(0, 1).flatMap(evidenceOf)].join('\n')),
  ),
  ...suites.flatMap(flakyIn),
];

/** It passed since, so that this is all that anybody will know of it. */
function evidenceOf({ errors = [], attachments = [] }: Attempt): string[] {
  const reasons = errors.map(({ message = '' }) => stripVTControlCharacters(message));
  const context = readIfThere(attachments.find(({ name }) => name === 'error-context')?.path ?? '') ?? '';
  const page = /^```yaml\n(.*?)^```/ms.exec(context)?.[1];
  return [...reasons, ...(page === undefined ? [] : [`La page montrait :\n${page}`])];
}

// The reports are those of pinned runners; whatever does not read as counts becomes a failure below.
// oxlint-disable-next-line typescript/no-explicit-any
function outcome({ report, code, output }: Run, read: (report: any) => Omit<Outcome, 'output'>): Outcome {
  const found = readReport(report, read);
  if (!found) return failed(`${output}\nLe lanceur n’a pas laissé de rapport lisible (code ${code}).`);
  const { tally } = found;
  if (tally.passed + tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, output: `${output}\nAucun test n’a été exécuté.` };
  }
  if (code !== 0 && tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, output: `${output}\nLe lanceur s’est arrêté avec le code ${code}.` };
  }
  return { ...found, output };
}

// oxlint-disable-next-line typescript/no-explicit-any
function readReport<T extends { tally: Tally }>(report: string | undefined, read: (report: any) => T): T | undefined {
  if (report === undefined) return undefined;
  try {
    const found = read(JSON.parse(report));
    return Object.values(found.tally).every((value) => Number.isInteger(value) && value >= 0) ? found : undefined;
  } catch {
    return undefined;
  }
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
