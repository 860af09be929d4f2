import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import type { Run } from './apt';
import { runCommand } from './command';
import { installPackages } from './packages';
import { isRoot } from './server-storage';

let folder: string;
let logLines: string[];
beforeEach(() => {
  folder = testFolder('packages');
  logLines = [];
  writeFileSync(join(folder, 'dpkg'), '#!/bin/sh\necho "$0 $*" >> "${0%/*}/calls"\n');
  chmodSync(join(folder, 'dpkg'), 0o755);
});

/** A fake apt-get that downloads, and fails to install this many times. */
function failingRun(times: number): Run {
  writeFileSync(
    join(folder, 'apt-get'),
    `#!/bin/sh
cd "\${0%/*}"
case "$*" in *--download-only*) exit 0;; esac
echo "Setting up thing (1.0) ..."
echo x >> tries
[ "$(wc -l < tries)" -gt ${times} ] && exit 0
echo "thing: no room left"
echo "dpkg: error processing package thing (--configure):"
echo "E: Sub-process /usr/bin/dpkg returned an error code (1)"
exit 100
`,
  );
  chmodSync(join(folder, 'apt-get'), 0o755);
  return (file, args) => runCommand(join(folder, file), args);
}

const install = (times: number) =>
  installPackages(['thing'], { log: (line) => logLines.push(line), logFile: logFile(), run: failingRun(times) });
const logFile = () => join(folder, 'logs/packages.log');

// Only root can install packages; the test restores the one system file that it changes.
(isRoot() ? describe : describe.skip)('packages that do not install (root)', () => {
  it('are tried once more, after dpkg has finished interrupted installations', async () => {
    await install(1);
    expect(logLines.join('\n')).toContain('nouvel essai');
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toContain('dpkg --configure -a');
  });

  it('are reported with the reason and the path of the whole log', async () => {
    await expect(install(2)).rejects.toThrow(
      /thing a échoué[^]*thing: no room left\n {2}dpkg: error processing package thing[^]*packages\.log/,
    );
    expect(readFileSync(logFile(), 'utf8').match(/^Setting up thing/gm)).toHaveLength(2);
    expect(existsSync('/usr/sbin/policy-rc.d.before-vigie')).toBe(false);
  });
});
