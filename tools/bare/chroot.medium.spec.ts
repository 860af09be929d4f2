import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayMount } from '@vigie/testing/mounts';
import { waitFor } from '../start/wait';
import { mountsBelow, Chroot } from './chroot';

let chroot: Chroot;
const runScript = (script: string) =>
  chroot.run(['/bin/sh', '-c', script], { folder: '/tmp', env: { PATH: '/usr/bin:/bin' }, log: () => {} });
const until = (condition: () => boolean) => waitFor(async () => condition(), { timeoutMs: 30_000 });

// These tests write nothing into the root file system, so this machine's own will do.
(mayMount() ? describe : describe.skip)('a chroot (requires the right to mount)', () => {
  beforeEach(async () => {
    chroot = await Chroot.open('/');
  });
  afterEach(() => chroot.close());

  it('survives the end of orphans that its first process adopts, and shows no processes of the machine', async () => {
    const awaitOrphan = 'pid=$(sleep 0.1 >&2 & echo $!); while [ -d /proc/$pid ]; do sleep 0.05; done';
    const command = runScript(`${awaitOrphan}; set -- /proc/[0-9]*; echo $#`);
    await until(() => command.exit !== undefined);
    // The first process and the shell.
    expect([command.exit, command.printed]).toEqual([0, '2\n']);
    expect(chroot.processes()).toEqual([]);
  });

  it('lists the processes that a command leaves behind, and ends them', async () => {
    const command = runScript('setsid sleep 987 >/dev/null 2>&1 & echo begun');
    await until(() => command.exit !== undefined);
    // Before its exec, it is a copy of the shell.
    await until(() => chroot.processes().includes('sleep 987'));
    expect(chroot.processes()).toEqual(['sleep 987']);
    await chroot.close();
    expect(chroot.processes()).toEqual([]);
    expect(mountsBelow('/dev/shm')).toEqual([]);
  });

  it('sends Ctrl-C to the whole process group', async () => {
    const command = runScript('sleep 987; echo never');
    // Before its exec, the child is a copy of the shell, which ignores Ctrl-C.
    await until(() => chroot.processes().includes('sleep 987'));
    expect(await command.interrupt(10_000)).toBe(true);
    expect([command.exit, command.printed]).toEqual(['SIGINT', '']);
  });
});
