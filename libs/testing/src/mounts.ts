import { spawnSync } from 'node:child_process';

/** Whether this process may mount small disks; many containers forbid it, and tests that need them are skipped. */
export const mayMount = () =>
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
