import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Fleet, prepareFleets } from '@vigie/testing/fleet/fleet';
import { siteKinds } from '@vigie/testing/fleet/kinds';
import { folderElsewhere } from '@vigie/testing/temporary';
import { z } from 'zod';
import { fr } from '../terminal';
import { runTrial, step, stepsAreOver } from '../trials';

/** Where a search for sites looks, and may list. */
const place = '/srv';

/** What may be asked of it, a line each. */
const Wish = z.union([
  z.object({ ask: z.object({ path: z.string(), code: z.string() }) }),
  z.object({ offer: z.object({ slug: z.string(), version: z.string() }) }),
  z.object({ core: z.string() }),
  z.object({ archive: z.object({ slug: z.string(), version: z.string() }) }),
]);
type Wish = z.infer<typeof Wish>;

async function grant(fleet: Fleet, wish: Wish): Promise<unknown> {
  if ('ask' in wish) {
    const site = fleet.sites.find(({ path }) => path === wish.ask.path);
    if (!site) throw new Error(`no site lies at ${wish.ask.path}`);
    return fleet.ask(site, wish.ask.code);
  }
  if ('archive' in wish) return fleet.archive(wish.archive.slug, wish.archive.version).toString('base64');
  if ('offer' in wish) fleet.wordpressOrg.plugins.set(wish.offer.slug, { version: wish.offer.version });
  else fleet.wordpressOrg.core = wish.core;
  return null;
}

const options = {
  copies: { type: 'string', default: '0' },
  'org-port': { type: 'string', default: '0' },
  /** Makes what fleets are copied from, and nothing else. */
  prepare: { type: 'boolean' },
} as const;

/** Standard output is for whoever starts this. */
const tell = (line: string) => step(line, console.error);

/** A fleet for whoever starts this: one line says where it is, another answers each wish, and it ends with its standard input. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.prepare) {
    tell(fr`Prépare WordPress et les bases que les sites copient…`);
    await prepareFleets();
    return 0;
  }
  mkdirSync(place, { recursive: true });
  const folder = folderElsewhere(`${place}/vigie-fleet-`);
  const lines = createInterface({ input: process.stdin });
  const ended = new Promise((resolve) => lines.once('close', resolve));
  try {
    tell(fr`Démarre les sites WordPress…`);
    const fleet = await Fleet.start({
      kinds: siteKinds.filter((kind) => positionals.includes(kind)),
      copies: Number(values.copies),
      wordpressOrg: { port: Number(values['org-port']) },
      folder,
    });
    chmodSync(folder, 0o755);
    const { host, sites, versions } = fleet;
    const answer = async (line: string): Promise<string> => {
      try {
        return JSON.stringify({ value: await grant(fleet, Wish.parse(JSON.parse(line))) });
      } catch (error) {
        return JSON.stringify({ error: String(error) });
      }
    };
    lines.on('line', (line) => void answer(line).then((said) => console.log(said)));
    console.log(JSON.stringify({ port: host.port, privateKey: host.privateKey, sites, versions }));
    stepsAreOver();
    await ended;
    await fleet.close();
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runTrial(() => main(process.argv.slice(2)));
