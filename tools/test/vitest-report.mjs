import { writeFileSync } from 'node:fs';

/** Says that the run goes on, to whoever watches it, and leaves what came of it in the file that `npm test` names. */
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
      // Neither a file that does not load nor a hook that fails is a test, and both leave tests out.
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
