import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayMount } from '@vigie/testing/mounts';
import { waitFor } from '../start/wait';
import { mountsBelow, Room } from './room';

let room: Room;
const type = (script: string) =>
  room.type(['/bin/sh', '-c', script], { folder: '/tmp', env: { PATH: '/usr/bin:/bin' }, log: () => {} });
const until = (isSo: () => boolean) => waitFor(async () => isSo(), { timeoutMs: 30_000 });

// This machine's own root is as good as a Debian's for what is tried here: nothing is written in it.
(mayMount() ? describe : describe.skip)('a room (of a user that may mount)', () => {
  beforeEach(async () => {
    room = await Room.open('/');
  });
  afterEach(() => room.close());

  it('outlives the children that its first process adopts, and has no process but its own', async () => {
    const command = type('(sleep 0.1 &); sleep 0.3; ls /proc | grep -c "^[0-9]"');
    await until(() => command.end !== undefined);
    // The first process, the shell, ls and grep.
    expect([command.end, command.printed]).toEqual([0, '4\n']);
    expect(room.processes()).toEqual([]);
  });

  it('names what a command leaves behind, and ends it', async () => {
    const command = type('setsid sleep 987 >/dev/null 2>&1 & echo begun');
    await until(() => command.end !== undefined);
    expect(room.processes()).toEqual(['sleep 987']);
    await room.close();
    expect(room.processes()).toEqual([]);
    expect(mountsBelow('/dev/shm')).toEqual([]);
  });

  it('hands Ctrl-C on to the whole group', async () => {
    const command = type('sleep 987; echo never');
    // Until the child becomes `sleep` it is a copy of the shell, which drops a Ctrl-C.
    await until(() => room.processes().includes('sleep 987'));
    expect(await command.interrupt(10_000)).toBe(true);
    expect([command.end, command.printed]).toEqual(['SIGINT', '']);
  });
});
