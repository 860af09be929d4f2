import { findWrapper } from '@vigie/testing/sshd';
import { findBinary } from '../start/binaries';
import { canInstall, install } from './apt';
import type { Children } from './children';
import { type Outcome, passed } from './results';

const programs = { sshd: 'openssh-server', dropbear: 'dropbear-bin', tcsh: 'tcsh', fish: 'fish', busybox: 'busybox' };

/** Installs the SSH servers and shells that tests start. Tests without one of them say that they are skipped. */
export async function ensureSshHosts(children: Children): Promise<Outcome> {
  if (isComplete() || !canInstall()) return passed;
  const packages = [...Object.values(programs), 'libnss-wrapper', 'openssl'];
  const { output } = await install(children, packages, isComplete);
  if (output !== '') console.log(output);
  return passed;
}

const isComplete = () =>
  Object.keys(programs).every((name) => findBinary(name, undefined)) && findWrapper() !== undefined;
