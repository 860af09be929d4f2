import { expect, it } from 'vitest';
import { whyAptFailed } from './apt';

it('names the package whose script failed, and the message of the script', () => {
  const printed = `Setting up libdevmapper1.02.1:amd64 (2:1.02.185-2) ...
chown: invalid user: 'nobody'
dpkg: error processing package libdevmapper1.02.1:amd64 (--configure):
 installed libdevmapper1.02.1:amd64 package post-installation script subprocess returned error exit status 1
Setting up libfuse3-3 (3.14.0-4) ...
dpkg: dependency problems prevent configuration of dmsetup:
 dmsetup depends on libdevmapper1.02.1
Errors were encountered while processing:
 libdevmapper1.02.1:amd64
E: Sub-process /usr/bin/dpkg returned an error code (1)
`;
  expect(whyAptFailed(printed).split('\n  ')).toEqual([
    "chown: invalid user: 'nobody'",
    'dpkg: error processing package libdevmapper1.02.1:amd64 (--configure):',
    'installed libdevmapper1.02.1:amd64 package post-installation script subprocess returned error exit status 1',
    'dpkg: dependency problems prevent configuration of dmsetup:',
    'dmsetup depends on libdevmapper1.02.1',
  ]);
});

it('shows the errors of apt-get itself', () => {
  const printed = `Reading package lists...
E: Failed to fetch http://mirror.test/a.deb  Could not resolve 'mirror.test'
E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?
`;
  expect(whyAptFailed(printed).split('\n  ')).toEqual([
    "E: Failed to fetch http://mirror.test/a.deb  Could not resolve 'mirror.test'",
    'E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?',
  ]);
});

it('shows the last lines when none is an error', () => {
  expect(whyAptFailed('one\ntwo\nthree\n\nKilled\n')).toBe('two\n  three\n  Killed');
});
