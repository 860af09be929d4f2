import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { env } from './env';
import { test as base } from './machines';

type Site = { kind: string; path: string; url: string; fault?: { file: string; line: number; message: string } };
type FleetDetails = {
  port: number;
  privateKey: string;
  sites: Site[];
  versions: { installed: string; offered: string; migrating: string };
  /** The URL of the fleet's fake WordPress.org. */
  wordpressOrg: string;
};
export type FleetOnHost = FleetDetails & {
  site: (kind: string) => Site;
  /** Runs PHP code inside the WordPress of a site and returns its result. */
  runPhp: (site: Site, code: string) => Promise<unknown>;
  /** Makes the fake WordPress.org offer this version. */
  offer: (slug: string, version: string) => Promise<unknown>;
  offerCore: (version: string) => Promise<unknown>;
  archive: (slug: string, version: string) => Promise<Buffer>;
};

const tool = fileURLToPath(new URL('../../../tools/run.mjs', import.meta.url));

/** Starts the fleet in a child process, because the loader of Playwright cannot read its PHP files. */
async function startFleet(args: readonly string[]) {
  const child = spawn(process.execPath, [tool, 'fleet', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit').then(() => [undefined]);
  const readLine = async (): Promise<string> => {
    const [line] = (await Promise.race([once(lines, 'line'), exited])) as [string | undefined];
    if (line === undefined) throw new Error('the fleet process has exited');
    return line;
  };
  const fleet: FleetDetails = JSON.parse(await readLine());
  let lastAnswer: Promise<unknown> = Promise.resolve();
  /** Sends commands one at a time, because answers carry no id of their command. */
  const sendCommand = async (command: object): Promise<unknown> => {
    const previous = lastAnswer;
    const reply = (async () => {
      await previous;
      const answer = readLine();
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const { value, error }: { value?: unknown; error?: string } = JSON.parse(await answer);
      if (error !== undefined) throw new Error(error);
      return value;
    })();
    lastAnswer = reply.catch(() => undefined);
    return reply;
  };
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return { fleet: { ...fleet, ...fleetCommands(fleet, sendCommand) }, stop };
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

/** Sends what the sites of this fleet ask WordPress.org to the fleet's own fake, so that fleets have different offers. */
async function serveUpdates({ sites, wordpressOrg }: FleetDetails): Promise<void> {
  const body = JSON.stringify({ sites: sites.map(({ url }) => url), wordpressOrg });
  const { status } = await fetch(`${env.wordpress}/fleets`, { method: 'POST', body });
  expect(status).toBe(204);
}

/** `fleet` is a server with real WordPress sites. `updatesFleet` also serves the updates that the product looks for. */
export const test = base.extend<object, { fleet: FleetOnHost; updatesFleet: FleetOnHost }>({
  fleet: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use, worker) => {
      const skipReason = fleetUnavailableReason();
      base.skip(skipReason !== undefined, `${skipReason} (${worker.workerIndex})`);
      const { fleet, stop } = await startFleet(['plain', 'broken']);
      await use(fleet);
      await stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  updatesFleet: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use, worker) => {
      const skipReason =
        env.wordpress === undefined ? 'le produit demande à un autre WordPress.org' : fleetUnavailableReason();
      base.skip(skipReason !== undefined, `${skipReason} (${worker.workerIndex})`);
      const { fleet, stop } = await startFleet(['plain', '--copies=2']);
      await serveUpdates(fleet);
      await use(fleet);
      await stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

/** PHP that tells the version of a plugin. */
export const versionOf = (slug: string) =>
  `require_once ABSPATH . 'wp-admin/includes/plugin.php'; return get_plugin_data(WP_PLUGIN_DIR . '/${slug}/${slug}.php')['Version'];`;

/** PHP that tells whether a plugin is active. */
export const isActive = (slug: string) =>
  `require_once ABSPATH . 'wp-admin/includes/plugin.php'; return is_plugin_active('${slug}/${slug}.php');`;
