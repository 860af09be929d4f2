import { writeFileSync } from 'node:fs';

/** Prints a dot for each test, so that the parent sees progress, and writes the results into the file of `npm test`. */
export class VitestReport {
  onTestCaseReady() {
    process.stderr.write('·');
  }

  onTestCaseResult() {
    process.stderr.write('.');
  }

  onTestRunEnd(modules, errors) {
    const path = process.env.VIGIE_TEST_REPORT;
    if (path === undefined) return;
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const report = {
      passed: count('passed'),
      // Files that do not load and failed hooks are not tests, but they prevent tests from running.
      failed: count('failed') + errors.length + modules.flatMap(failuresOutside).length,
      skipped: count('skipped'),
      files: modules.map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) })),
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

const failuresOutside = (module) =>
  [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);

function secondsOf(module) {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1_000;
}
