import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of another Debian whose programs serve the hosts of the tests; without one they are this machine's own. The
 * temporary folders lie there at the same place as here, and processes and network are shared.
 */
const root = () => process.env['VIGIE_TEST_ROOT'] ?? '/';

/** Where this machine finds a file that is no temporary one of a host. */
export const onHost = (path: string) => join(root(), path);

/** Also a link that only the host can follow. */
export const isOnHost = (path: string) => lstatSync(onHost(path), { throwIfNoEntry: false }) !== undefined;

type Ids = { uid: number; gid: number };

/** The program and the arguments that run a command on the host, for `spawn` and its like. */
export function hostCommand(file: string, args: readonly string[], as?: Ids): [string, string[]] {
  if (root() === '/' && !as) return [file, [...args]];
  const user = as ? [`--userspec=${as.uid}:${as.gid}`, '--groups='] : [];
  return ['chroot', [...user, root(), file, ...args]];
}
