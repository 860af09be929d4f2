import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Fleet, prepareFleets } from '@vigie/testing/fleet/fleet';
import { siteKinds } from '@vigie/testing/fleet/kinds';
import { folderElsewhere } from '@vigie/testing/temporary';
import { z } from 'zod';
import { fr } from '../terminal';
import { runTrial, step, stopReminders } from '../trials';

/** A search for sites looks here, and may list this folder. */
const sitesRoot = '/srv';

/** Removes the folders of fleets that were killed: their name is the id of their process. */
function removeAbandonedFleets(): void {
  for (const name of readdirSync(sitesRoot)) {
    const pid = /^vigie-fleet-(\d+)-/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(sitesRoot, name), { recursive: true, force: true });
  }
}

/** The requests that a caller may send, one per line. */
const FleetRequest = z.union([
  z.object({ ask: z.object({ path: z.string(), code: z.string() }) }),
  z.object({ offer: z.object({ slug: z.string(), version: z.string() }) }),
  z.object({ core: z.string() }),
  z.object({ archive: z.object({ slug: z.string(), version: z.string() }) }),
]);
type FleetRequest = z.infer<typeof FleetRequest>;

async function handleRequest(fleet: Fleet, request: FleetRequest): Promise<unknown> {
  if ('ask' in request) {
    const site = fleet.sites.find(({ path }) => path === request.ask.path);
    if (!site) throw new Error(`no site lies at ${request.ask.path}`);
    return fleet.runPhp(site, request.ask.code);
  }
  if ('archive' in request) return fleet.archive(request.archive.slug, request.archive.version).toString('base64');
  if ('offer' in request) fleet.wordpressOrg.plugins.set(request.offer.slug, { version: request.offer.version });
  else fleet.wordpressOrg.core = request.core;
  return null;
}

const options = {
  copies: { type: 'string', default: '0' },
  /** Only prepares the templates that fleets are copied from. */
  prepare: { type: 'boolean' },
} as const;

/** Standard output is for the caller, so progress goes to standard error. */
const logStep = (line: string) => step(line, console.error);

/** Runs a fleet for the calling program: prints where it is, then one answer per request, and ends with its standard input. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.prepare) {
    logStep(fr`Prépare WordPress et les bases que les sites copient…`);
    await prepareFleets();
    return 0;
  }
  mkdirSync(sitesRoot, { recursive: true });
  removeAbandonedFleets();
  const folder = folderElsewhere(`${sitesRoot}/vigie-fleet-${process.pid}-`);
  const lines = createInterface({ input: process.stdin });
  const ended = new Promise((resolve) => lines.once('close', resolve));
  try {
    logStep(fr`Démarre les sites WordPress…`);
    const fleet = await Fleet.start({
      kinds: siteKinds.filter((kind) => positionals.includes(kind)),
      copies: Number(values.copies),
      folder,
    });
    chmodSync(folder, 0o755);
    const { host, sites, versions, wordpressOrg } = fleet;
    const answer = async (line: string): Promise<string> => {
      try {
        return JSON.stringify({ value: await handleRequest(fleet, FleetRequest.parse(JSON.parse(line))) });
      } catch (error) {
        return JSON.stringify({ error: String(error) });
      }
    };
    lines.on('line', (line) => void answer(line).then((reply) => console.log(reply)));
    const { port, privateKey } = host;
    console.log(JSON.stringify({ port, privateKey, sites, versions, wordpressOrg: wordpressOrg.url }));
    stopReminders();
    await ended;
    await fleet.close();
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runTrial(() => main(process.argv.slice(2)));
