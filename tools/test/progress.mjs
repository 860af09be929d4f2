/** Prints a sign for each test that begins or ends, so that whoever watches the run sees that it goes on. */
export default class Progress {
  onTestCaseStart() {
    process.stderr.write('·');
  }

  onTestCaseResult() {
    process.stderr.write('.');
  }
}
