import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export type Tally = { passed: number; failed: number; skipped: number };
export type FileTime = { file: string; seconds: number };
/** The result of a step: its counts, the output to show after a failure, and details for the summary. */
export type Outcome = {
  tally: Tally;
  output: string;
  files?: readonly FileTime[];
  /** Stories that passed at their second try, each with its first error and its page. */
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

/** How a test runner ended: its report if it wrote one, its exit code, and its output. */
export type Run = { report: string | undefined; code: number | null; output: string };

export function vitestOutcome(run: Run): Outcome {
  return outcome(run, ({ passed: count, failed: faults, skipped, files }) => ({
    tally: { passed: count, failed: faults, skipped },
    files,
  }));
}

/** A flaky story counts as passed and is named. Errors outside of stories are files that do not load. */
export function playwrightOutcome(run: Run): Outcome {
  return outcome(run, ({ stats, errors, suites = [] }) => ({
    tally: {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
    },
    files: suites.map((suite: Suite) => ({ file: suite.file, seconds: durationOf(suite) })),
    flaky: suites.flatMap((suite: Suite) => findFlaky(suite)),
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

const findFlaky = ({ file, specs = [], suites = [] }: Suite): string[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ results }) => [`${file} › ${title}`, ...results.slice(0, 1).flatMap(describeAttempt)].join('\n')),
  ),
  ...suites.flatMap(findFlaky),
];

/** The error and the page of the first attempt, which the second one does not reproduce. */
function describeAttempt({ errors = [], attachments = [] }: Attempt): string[] {
  const reasons = errors.map(({ message = '' }) => stripVTControlCharacters(message));
  const context = readIfPresent(attachments.find(({ name }) => name === 'error-context')?.path ?? '') ?? '';
  const page = /^```yaml\n(.*?)^```/ms.exec(context)?.[1];
  return [...reasons, ...(page === undefined ? [] : [`La page montrait :\n${page}`])];
}

// The versions of the runners are pinned; a report with an unknown format becomes a failure below.
// oxlint-disable-next-line typescript/no-explicit-any
function outcome({ report, code, output }: Run, parse: (report: any) => Omit<Outcome, 'output'>): Outcome {
  const result = readReport(report, parse);
  if (!result) return failed(`${output}\nLe lanceur n’a pas laissé de rapport lisible (code ${code}).`);
  const { tally } = result;
  if (tally.passed + tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, output: `${output}\nAucun test n’a été exécuté.` };
  }
  if (code !== 0 && tally.failed === 0) {
    return { tally: { ...tally, failed: 1 }, output: `${output}\nLe lanceur s’est arrêté avec le code ${code}.` };
  }
  return { ...result, output };
}

// oxlint-disable-next-line typescript/no-explicit-any
function readReport<T extends { tally: Tally }>(report: string | undefined, parse: (report: any) => T): T | undefined {
  if (report === undefined) return undefined;
  try {
    const result = parse(JSON.parse(report));
    return Object.values(result.tally).every((value) => Number.isInteger(value) && value >= 0) ? result : undefined;
  } catch {
    return undefined;
  }
}

export function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
