import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobItem } from '@vigie/contracts/jobs';
import { ChangeStage, leftOn, look, versionOf } from '@vigie/testing/change-stage';
import { onFleet, whyNoFleet } from '@vigie/testing/fleet/machine';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import type { Witness } from '@vigie/testing/fleet/witness';
import { until } from '@vigie/testing/until';

const seed = Math.floor(Math.random() * 2 ** 31);
const kills = 7;

let stage: ChangeStage;
let witnesses: Map<FleetSite, Witness>;

const withFleet = onFleet(describe);
if (!whyNoFleet()) {
  beforeAll(async () => {
    stage = await ChangeStage.start({ copies: 2, agents: 2 });
    witnesses = new Map(stage.fleet.sites.map((site) => [site, stage.fleet.witness(site)]));
  });
  afterAll(() => stage?.stop());
}

/** The same for the same seed (mulberry32). */
let drawn = seed;
function random(): number {
  drawn = (drawn + 0x6d2b79f5) | 0;
  let mixed = Math.imul(drawn ^ (drawn >>> 15), 1 | drawn);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

async function killAgent(): Promise<void> {
  const { product } = stage;
  const agents = product.processes.filter(({ app }) => app === 'ssh-agent');
  const victim = agents[Math.floor(random() * agents.length)];
  if (!victim) throw new Error('there is no agent');
  product.processes.splice(product.processes.indexOf(victim), 1);
  await victim.process.kill('SIGKILL');
  await product.add('ssh-agent');
}

/** Whatever runs there: shells, PHP, the keeper of an operation. */
function killOnHost(): boolean {
  const pids = stage.fleet.host.left();
  const pid = pids[Math.floor(random() * pids.length)];
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

const wanted = { vitrine: { from: '1.2.0', to: '1.3.0' }, formulaire: { from: '2.0.1', to: '2.1.0' } } as const;
type Slug = keyof typeof wanted | 'sonde';
const sidesOf = (slug: Slug) => (slug === 'sonde' ? { from: undefined, to: '1.4.0' } : wanted[slug]);

const wordsOf = ({ state, item, error }: JobItem) =>
  `${state} ${item?.slug ?? 'sonde'} ${error ? `${error.code}: ${error.message}` : ''}`;

/** What is wrong with what is said of a change. */
function lies(line: JobItem, site: FleetSite): string[] {
  const { item, state } = line;
  const slug = (item?.slug ?? 'sonde') as Slug;
  const there = versionOf(site, slug);
  const { from, to } = sidesOf(slug);
  const isDone = there === to;
  const isBack = there === from;
  if (state === 'succeeded' ? isDone : state === 'unknown' ? isDone || isBack : isBack) return [];
  return [`${site.name} ${wordsOf(line)}, there is ${there}`];
}

withFleet('changes whose agents and processes are killed', () => {
  it(`are begun once, end, and leave what they say (seed ${seed})`, async () => {
    const { fleet } = stage;
    const upload = await stage.upload('sonde', '1.4.0');
    const targets = fleet.sites.flatMap((site) => [
      stage.target(site, 'plugin.vitrine'),
      stage.target(site, 'plugin.formulaire'),
    ]);
    const batches = [
      await stage.order('/updates', { targets }),
      await stage.order(`/uploads/${upload}/install`, {
        site_ids: fleet.sites.map((site) => stage.idOf(site)),
        activate: true,
      }),
    ];
    const struck = { agents: 0, processes: 0 };
    while (struck.processes < kills) {
      await wait(150 + random() * 500);
      if (random() < 0.06 && struck.agents < 2) {
        await killAgent();
        struck.agents += 1;
      }
      if (killOnHost()) struck.processes += 1;
      const { body } = await stage.ask('GET', '/jobs?state=open');
      if ((body['items'] as unknown[]).length === 0) break;
    }
    const lines = (await Promise.all(batches.map((batch) => stage.lines(batch)))).flat();
    // How many it comes to is the speed of the machine; none would prove nothing.
    expect(struck.processes).toBeGreaterThan(2);

    const siteOf = (line: JobItem) => fleet.sites.find((site) => stage.idOf(site) === line.site_id) as FleetSite;
    expect(lines.flatMap((line) => lies(line, siteOf(line)))).toEqual([]);
    for (const [site, witness] of witnesses) {
      const own = lines.filter((line) => siteOf(line) === site).map(wordsOf);
      const done = witness.deeds.filter(({ did }) => did === 'update' || did === 'install');
      const often = Object.entries(countsOf(done.map(({ did, item }) => `${did} ${item}`)));
      expect([own, often.filter(([, count]) => count > 1)]).toEqual([own, []]);
      const page = await look(site);
      const unsure = own.filter((words) => words.startsWith('unknown'));
      // Whoever puts something back and is killed each time leaves what it could not tidy up, and says that.
      expect([own, unsure.filter((words) => !words.includes('a été interrompue 3 fois'))]).toEqual([own, []]);
      if (unsure.length > 0) continue;
      const locks = await fleet.query(
        site,
        "select option_name from wp_options where option_name like '%updater.lock'",
      );
      expect([own, page.code, leftOn(site), locks]).toEqual([own, 200, [], []]);
      expect(page.text).toContain(`<!-- vitrine ${versionOf(site, 'vitrine')} -->`);
    }
    const vigie = join(fleet.host.homeOf('deploy'), '.vigie');
    expect(filesOf(join(vigie, 'packages'))).toEqual([]);
    expect(filesOf(join(vigie, 'asides')).filter((file) => file.endsWith('.part'))).toEqual([]);
    await until(() => fleet.host.left().length === 0);
  });
});

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const filesOf = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
