import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { whyNoFleet } from '@vigie/testing/fleet/machine';
import { test as base } from './machines';

type Site = { kind: string; path: string; url: string; fault?: { file: string; line: number; message: string } };
type FleetOnHost = {
  port: number;
  privateKey: string;
  sites: Site[];
  versions: { installed: string };
  site: (kind: string) => Site;
};

const tool = fileURLToPath(new URL('../../../tools/run.mjs', import.meta.url));

/** It is made of PHP files that this loader does not read: a process of its own holds it. */
async function startFleet(kinds: readonly string[]) {
  const child = spawn(process.execPath, [tool, 'fleet', ...kinds], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const gone = once(child, 'exit').then(() => [undefined]);
  const [line] = (await Promise.race([once(lines, 'line'), gone])) as [string | undefined];
  if (line === undefined) throw new Error('the fleet did not start');
  const fleet: Omit<FleetOnHost, 'site'> = JSON.parse(line);
  const site = (kind: string) => {
    const found = fleet.sites.find((one) => one.kind === kind);
    if (!found) throw new Error(`this fleet has no ${kind} site`);
    return found;
  };
  const end = async () => {
    child.stdin.end();
    await gone;
  };
  return { fleet: { ...fleet, site }, end };
}

/** `fleet`: a server with real WordPress sites, one for a worker. */
export const test = base.extend<object, { fleet: FleetOnHost }>({
  fleet: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use, worker) => {
      const why = whyNoFleet();
      base.skip(why !== undefined, `${why} (${worker.workerIndex})`);
      const { fleet, end } = await startFleet(['plain', 'broken']);
      await use(fleet);
      await end();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
