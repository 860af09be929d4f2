import { afterEach, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { waitFor } from '../start/wait';
import { type Interrupt, Run } from './run';

let run: Run;
afterEach(() => run?.sweep());

const names = () => run.processes.map(({ name }) => name.replace(/[\d.]+$/, ''));
const has = (name: string) => waitFor(async () => names().includes(name), { timeoutMs: 120_000, everyMs: 20 });
const isReady = () => waitFor(async () => run.printed.includes('"privateKey"'), { timeoutMs: 120_000, everyMs: 20 });

const moments: [string, Interrupt, () => Promise<boolean>][] = [
  ['a SIGINT while its database starts', 'SIGINT', () => has('mariadbd')],
  ['the sudden death of npm once all is there', 'npm', isReady],
];

onFleet(it)('ends a whole fleet with its servers and folders within ten seconds', async () => {
  for (const [what, how, comes] of moments) {
    run = Run.start(['sh', '-c', 'node tools/run.mjs fleet plain; exit $?']);
    expect([what, await comes()]).toEqual([what, true]);
    if (how === 'npm') expect(names()).toEqual(expect.arrayContaining(['mariadbd', 'nginx', 'php-fpm', 'sshd']));
    const { left } = await run.interrupt(how);
    expect([what, left]).toEqual([what, []]);
  }
});
