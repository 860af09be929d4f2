import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { whyNoFleet } from '@vigie/testing/fleet/machine';
import { env } from './env';
import { test as base } from './machines';

type Site = { kind: string; path: string; url: string; fault?: { file: string; line: number; message: string } };
type Told = {
  port: number;
  privateKey: string;
  sites: Site[];
  versions: { installed: string; offered: string; migrating: string };
};
export type FleetOnHost = Told & {
  site: (kind: string) => Site;
  /** What WordPress itself says there. */
  ask: (site: Site, code: string) => Promise<unknown>;
  /** To whoever asks WordPress.org from now on. */
  offer: (slug: string, version: string) => Promise<unknown>;
  offerCore: (version: string) => Promise<unknown>;
  archive: (slug: string, version: string) => Promise<Buffer>;
};

const tool = fileURLToPath(new URL('../../../tools/run.mjs', import.meta.url));

/** It is made of PHP files that this loader does not read: a process of its own holds it. */
async function startFleet(args: readonly string[]) {
  const child = spawn(process.execPath, [tool, 'fleet', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const gone = once(child, 'exit').then(() => [undefined]);
  const next = async (): Promise<string> => {
    const [line] = (await Promise.race([once(lines, 'line'), gone])) as [string | undefined];
    if (line === undefined) throw new Error('the fleet is gone');
    return line;
  };
  const fleet: Told = JSON.parse(await next());
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: an answer does not say which wish it grants. */
  const wish = async (wanted: object): Promise<unknown> => {
    const before = last;
    const granted = (async () => {
      await before;
      const answer = next();
      child.stdin.write(`${JSON.stringify(wanted)}\n`);
      const { value, error }: { value?: unknown; error?: string } = JSON.parse(await answer);
      if (error !== undefined) throw new Error(error);
      return value;
    })();
    last = granted.catch(() => undefined);
    return granted;
  };
  const end = async () => {
    child.stdin.end();
    await gone;
  };
  return { fleet: { ...fleet, ...wishesOf(fleet, wish) }, end };
}

const wishesOf = ({ sites }: Told, wish: (wanted: object) => Promise<unknown>) => ({
  site: (kind: string) => {
    const found = sites.find((one) => one.kind === kind);
    if (!found) throw new Error(`this fleet has no ${kind} site`);
    return found;
  },
  ask: ({ path }: Site, code: string) => wish({ ask: { path, code } }),
  offer: (slug: string, version: string) => wish({ offer: { slug, version } }),
  offerCore: (version: string) => wish({ core: version }),
  archive: async (slug: string, version: string) =>
    Buffer.from(String(await wish({ archive: { slug, version } })), 'base64'),
});

/** `fleet`: a server with real WordPress sites, one for a worker; `offered` is one whose updates the product finds. */
export const test = base.extend<object, { fleet: FleetOnHost; offered: FleetOnHost }>({
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
  offered: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use, worker) => {
      const why = env.wordpressPort === undefined ? 'le produit demande à un autre WordPress.org' : whyNoFleet();
      base.skip(why !== undefined, `${why} (${worker.workerIndex})`);
      const { fleet, end } = await startFleet(['plain', '--copies=2', `--org-port=${env.wordpressPort}`]);
      await use(fleet);
      await end();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});
