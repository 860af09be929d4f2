import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { env } from './env';
import { test as base } from './machines';

type Site = { kind: string; path: string; url: string; fault?: { file: string; line: number; message: string } };
type FleetDetails = {
  port: number;
  privateKey: string;
  sites: Site[];
  versions: { installed: string; offered: string; migrating: string };
};
export type FleetOnHost = FleetDetails & {
  site: (kind: string) => Site;
  /** Runs PHP code inside the site's WordPress and returns its value. */
  runPhp: (site: Site, code: string) => Promise<unknown>;
  /** Publishes a version on the fake WordPress.org. */
  offer: (slug: string, version: string) => Promise<unknown>;
  offerCore: (version: string) => Promise<unknown>;
  archive: (slug: string, version: string) => Promise<Buffer>;
};

const tool = fileURLToPath(new URL('../../../tools/run.mjs', import.meta.url));

/** Runs the fleet in its own process, because the loader of the tests cannot import its PHP files. */
async function startFleet(args: readonly string[]) {
  const child = spawn(process.execPath, [tool, 'fleet', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit').then(() => [undefined]);
  const next = async (): Promise<string> => {
    const [line] = (await Promise.race([once(lines, 'line'), exited])) as [string | undefined];
    if (line === undefined) throw new Error('the fleet is gone');
    return line;
  };
  const fleet: FleetDetails = JSON.parse(await next());
  let lastAnswer: Promise<unknown> = Promise.resolve();
  /** Sends one command at a time: an answer does not say which command it belongs to. */
  const sendCommand = async (command: object): Promise<unknown> => {
    const previous = lastAnswer;
    const answered = (async () => {
      await previous;
      const answer = next();
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const { value, error }: { value?: unknown; error?: string } = JSON.parse(await answer);
      if (error !== undefined) throw new Error(error);
      return value;
    })();
    lastAnswer = answered.catch(() => undefined);
    return answered;
  };
  const end = async () => {
    child.stdin.end();
    await exited;
  };
  return { fleet: { ...fleet, ...fleetCommands(fleet, sendCommand) }, end };
}

const fleetCommands = ({ sites }: FleetDetails, sendCommand: (command: object) => Promise<unknown>) => ({
  site: (kind: string) => {
    const site = sites.find((candidate) => candidate.kind === kind);
    if (!site) throw new Error(`this fleet has no ${kind} site`);
    return site;
  },
  runPhp: ({ path }: Site, code: string) => sendCommand({ ask: { path, code } }),
  offer: (slug: string, version: string) => sendCommand({ offer: { slug, version } }),
  offerCore: (version: string) => sendCommand({ core: version }),
  archive: async (slug: string, version: string) =>
    Buffer.from(String(await sendCommand({ archive: { slug, version } })), 'base64'),
});

/** `fleet` is a server with real WordPress sites, one per worker; `updatesFleet` is one with updates available. */
export const test = base.extend<object, { fleet: FleetOnHost; updatesFleet: FleetOnHost }>({
  fleet: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use, worker) => {
      const skipReason = fleetUnavailableReason();
      base.skip(skipReason !== undefined, `${skipReason} (${worker.workerIndex})`);
      const { fleet, end } = await startFleet(['plain', 'broken']);
      await use(fleet);
      await end();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  updatesFleet: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use, worker) => {
      const skipReason =
        env.wordpressPort === undefined ? 'le produit demande à un autre WordPress.org' : fleetUnavailableReason();
      base.skip(skipReason !== undefined, `${skipReason} (${worker.workerIndex})`);
      const { fleet, end } = await startFleet(['plain', '--copies=2', `--org-port=${env.wordpressPort}`]);
      await use(fleet);
      await end();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});
