import { afterEach, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { waitFor } from '../start/wait';
import { type Interrupt, Run } from './run';

let run: Run;
afterEach(() => run?.sweep());

const names = () => run.processes.map(({ name }) => name.replace(/[\d.]+$/, ''));
const waitForProcess = (name: string) =>
  waitFor(async () => names().includes(name), { timeoutMs: 120_000, everyMs: 20 });
const waitUntilReady = () =>
  waitFor(async () => run.printed.includes('"privateKey"'), { timeoutMs: 120_000, everyMs: 20 });

const moments: [string, Interrupt, () => Promise<boolean>][] = [
  ['a SIGINT while its database starts', 'SIGINT', () => waitForProcess('mariadbd')],
  ['the sudden death of npm once the fleet is ready', 'npm', waitUntilReady],
];

onFleet(it)('ends a fleet with its servers and folders within ten seconds', async () => {
  for (const [description, interrupt, waitForMoment] of moments) {
    run = Run.start(['sh', '-c', 'node tools/run.mjs fleet plain; exit $?']);
    expect([description, await waitForMoment()]).toEqual([description, true]);
    if (interrupt === 'npm') expect(names()).toEqual(expect.arrayContaining(['mariadbd', 'nginx', 'php-fpm', 'sshd']));
    const { leftovers } = await run.interrupt(interrupt);
    expect([description, leftovers]).toEqual([description, []]);
  }
});
