import { spawnSync } from 'node:child_process';

/** Whether there can be small disks here: containers often allow none, and their tests are skipped then. */
export const mayMount = () =>
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
