import { describe, expect, it } from 'vitest';
import { isAlive } from '@vigie/testing/signals';
import { waitFor } from '../start/wait';
import { withLowPriority } from './checks';
import { Children } from './children';

const waitForEnd = (pid: number) => waitFor(async () => !isAlive(pid), { timeoutMs: 60_000 });

describe('a child', () => {
  it('returns its exit code and its whole output', async () => {
    const ended = await new Children().run('sh', ['-c', 'echo out; echo err >&2; exit 3']);
    expect(ended.code).toBe(3);
    expect(ended.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('that is patient has the lowest priority', async () => {
    const { output } = await new Children().run(...withLowPriority('nice', []));
    expect(output).toBe('19\n');
  });

  it('that does not exist ends without a code', async () => {
    expect(await new Children().run('no-such-command', [])).toMatchObject({ code: null });
  });

  it('does not leave its own children behind', async () => {
    const { output } = await new Children().run('sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $!']);
    expect(await waitForEnd(Number(output))).toBe(true);
  });

  it('ends by itself on SIGTERM when all are stopped', async () => {
    const children = new Children();
    const child = children.start('sh', [
      '-c',
      "trap 'echo goodbye; exit 0' TERM; echo ready; while :; do sleep 0.05; done",
    ]);
    await waitFor(async () => child.output().includes('ready'), { timeoutMs: 60_000 });
    await children.stopAll();
    expect(await child.ended).toEqual({ code: 0, output: 'ready\ngoodbye\n' });
  });

  it.each(['printing', 'computing'] as const)('that stalls is stopped, and says so: no %s', async (movement) => {
    const { code, output } = await new Children().run('sleep', ['60'], { movement, stallMs: 50 });
    expect(code).toBeNull();
    expect(output).toContain('Plus rien ne bouge depuis 0.05 s.');
  });

  it('that prints or computes may take any time', async () => {
    const printing = 'for i in 1 2 3 4 5; do sleep 1; echo $i; done';
    const computing = 'const end = Date.now() + 3_000; while (Date.now() < end); console.log("done")';
    const children = new Children();
    const [first, second] = await Promise.all([
      children.run('sh', ['-c', printing], { movement: 'printing', stallMs: 4_000 }),
      children.run('node', ['-e', computing], { stallMs: 2_000 }),
    ]);
    expect(first).toMatchObject({ code: 0 });
    expect(second).toEqual({ code: 0, output: 'done\n' });
    expect(children.cpu()).toBeGreaterThan(0);
  });
});
