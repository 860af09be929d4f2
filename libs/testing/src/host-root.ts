import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Root folder of another Debian whose programs run the test hosts; this machine's own by default. Temporary folders have
 * the same path there, and processes and network are shared.
 */
const root = () => process.env['VIGIE_TEST_ROOT'] ?? '/';

/** Local path of a host's file, except a temporary one. */
export const onHost = (path: string) => join(root(), path);

/** Whether the host has a file, including a link that only the host can follow. */
export const isOnHost = (path: string) => lstatSync(onHost(path), { throwIfNoEntry: false }) !== undefined;

type Ids = { uid: number; gid: number };

/** The program and arguments with which `spawn` runs a command on the host. */
export function hostCommand(file: string, args: readonly string[], as?: Ids): [string, string[]] {
  if (root() === '/' && !as) return [file, [...args]];
  const user = as ? [`--userspec=${as.uid}:${as.gid}`, '--groups='] : [];
  return ['chroot', [...user, root(), file, ...args]];
}
